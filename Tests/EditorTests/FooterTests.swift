// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// The footer never lies: each key in it does something.
@Suite struct FooterTests {
  private static let situations = [
    "", "down", "space", "down > ", "x", "v L v", "enter", "e", "e '2:1", "e '8:75 alt-x",
    "e '112:1 alt-s '3 tab", "e alt-l", "e alt-u", "f", "f '2:1", "f '2:x", "a", "a right", "/",
    "/ '2:255", "w", "w 'cough", "0", "down x", "! i", "C", "E", "E e", ":", ": 'zoom",
    ": 'nonsense",
    "?", "? pagedown", "O", "O 2", "O 3", "Z", "X", "G", "u", "! u",
  ]

  @Test(arguments: situations) func eachKeyShownDoesSomething(_ keys: String) throws {
    for columns in [80, 200] {
      let size = Size(columns: columns, rows: 24)
      var desk = Desk(try document(10_000, 20_000).assigning(2, "2:255"), size: size)
      desk.press(keys)
      #expect(!desk.state.footerItems.isEmpty)
      // What a moving playhead alone stands in the way of keeps its place.
      for item in desk.state.footerItems where desk.state.isAvailable(item.action) {
        let key = try #require(KeyEvent(named: item.key.string))
        var after = desk.state
        let effects = reduce(&after, .input(.key(key)))
        // Drawing is slow without the optimiser, and seldom needed.
        let isDone = !effects.isEmpty || after.context != desk.state.context
        #expect(
          isDone || view(after) != view(desk.state), "\(item.key) \(item.label) after '\(keys)'")
        #expect(after.notice?.kind != .warning, "\(item.key) \(item.label) after '\(keys)'")
      }
    }
  }

  @Test(arguments: situations) func itemsLieSideBySideInsideTheScreen(_ keys: String) throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press(keys)
    var column = 0
    for item in desk.state.footerItems {
      #expect(item.columns.lowerBound >= column)
      column = item.columns.upperBound
    }
    #expect(column <= 80)
  }

  @Test func buttonsStayWhereTheyAreWhileThePlayheadMoves() throws {
    for keys in ["", "e '8:75 alt-x"] {
      var desk = Desk(
        try document(10_000, 20_000).assigning(1, "2:255"), size: Size(columns: 200, rows: 24))
      desk.press(keys)
      var footers: Set<[State.FooterItem]> = []
      for position in stride(from: 0, through: 30_000, by: 250) {
        desk.send(.playback(PlaybackReport(.playing, at: FramePosition(Int64(position)))))
        footers.insert(desk.state.footerItems)
      }
      #expect(footers.count == 1, "\(keys): \(footers)")
    }
  }

  @Test func whatCannotBeDoneIsNotOffered() throws {
    var desk = Desk(try document(), size: Size(columns: 120, rows: 40))
    func offered() -> [Action] { desk.state.footerItems.map(\.action) }
    #expect(!offered().contains(.undo))
    #expect(!offered().contains(.markerDelete))
    desk.press("l m")
    #expect(offered().contains(.markerDelete))
    #expect(desk.state.isAvailable(.undo))
    desk = Desk(try document(10_000), access: .readOnly("process 1 is editing it"))
    #expect(!offered().contains(.segmentCommit))
  }
}
