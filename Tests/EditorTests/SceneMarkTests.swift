// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// Cuts and stillness of a video, as marks to go to.
@Suite struct SceneMarkTests {
  private static let marks = [
    SceneMark(FramePosition(10_000), .cut), SceneMark(FramePosition(20_000), .rest),
    SceneMark(FramePosition(40_000), .motion),
  ]

  private func asked(_ desk: Desk) -> [Bool] {
    desk.effects.compactMap { if case .showSceneMarks(let isOn) = $0 { isOn } else { nil } }
  }

  private func marked() throws -> Desk {
    var desk = Desk(try document(1000, 2000))
    desk.press("alt-m")
    desk.send(.sceneMarks(Self.marks, fraction: 1))
    return desk
  }

  @Test func nothingIsSearchedUnlessAPersonWantsIt() throws {
    var desk = Desk(try document(1000))
    #expect(asked(desk).isEmpty)
    desk.press("alt-j")
    #expect(desk.screen.contains("alt-m marks them"))
    desk.press("alt-m")
    #expect(asked(desk) == [true])
    let kept = desk.effects.compactMap { effect -> Settings? in
      if case .keep(let settings) = effect { settings } else { nil }
    }
    #expect(kept.last?.showsSceneMarks == true)
    desk.press("j")
    desk.send(.sceneMarks([], fraction: 0.34))
    #expect(desk.screen.contains("Searching the picture for cuts and stillness"))
    desk.press("alt-j")
    #expect(desk.screen.contains("34 % of the picture is searched"))
    desk.press("alt-m")
    #expect(asked(desk) == [true, false])
    // What was under way comes too late.
    desk.send(.sceneMarks(Self.marks, fraction: 1))
    #expect(desk.state.sceneMarks.marks.isEmpty)
  }

  @Test func keysLeadFromMarkToMarkAndOneBecomesAMarker() throws {
    var desk = try marked()
    desk.press("alt-j")
    #expect(desk.state.transport.position == FramePosition(10_000))
    #expect(desk.screen.contains("Cut at 0:10.000; m adds a marker here"))
    desk.press("alt-j alt-j")
    #expect(desk.state.transport.position == FramePosition(40_000))
    desk.press("alt-j")
    #expect(desk.screen.contains("There is no mark of the picture further on"))
    desk.press("alt-k")
    #expect(desk.state.transport.position == FramePosition(20_000))
    desk.press("m")
    #expect(desk.boundaries == [1000, 2000, 20_000])
    desk.press("alt-k alt-k")
    #expect(desk.screen.contains("There is no mark of the picture before this"))
  }

  @Test func theyAreSeenOnRulerAndWaveformAndOverview() throws {
    let desk = try marked()
    let surface = view(desk.state)
    let ruler = desk.layout.ruler.origin.row
    func column(_ milliseconds: Int64) throws -> Int {
      try #require(desk.state.viewport.column(of: FramePosition(milliseconds)))
    }
    for mark in Self.marks {
      let column = try column(mark.position.frames)
      #expect(surface[Point(column: column, row: ruler)]?.shows(mark.sign) == true)
      let canvas = Point(column: column, row: desk.layout.canvas.origin.row + 1)
      #expect(surface[canvas]?.shows("╏") == true)
      let overview = Point(
        column: Int(Double(mark.position.frames) / 100_000 * 80),
        row: desk.layout.overview.rows.upperBound - 1)
      #expect(surface[overview]?.style.attributes.contains(.underline) == true)
    }
  }

  @Test func howManyThereAreIsSaidOnceAllIsKnown() throws {
    var desk = Desk(try document(1000))
    desk.press("alt-m j")
    desk.send(.sceneMarks([Self.marks[0]], fraction: 0.5))
    desk.send(.sceneMarks(Self.marks, fraction: 1))
    #expect(desk.screen.contains("The picture has 3 marks; alt-j goes to the next"))
    var still = Desk(try document(1000))
    still.press("alt-m j")
    still.send(.sceneMarks([], fraction: 0.5))
    still.send(.sceneMarks([], fraction: 1))
    #expect(still.screen.contains("The picture has no cuts and no long stillness"))
  }

  @Test func aRecordingWithoutAPictureSaysSoWhenAsked() throws {
    let reason = "This recording has no picture, only sound"
    var desk = Desk(try document(1000))
    desk.press("alt-m")
    #expect(desk.screen.contains("The picture is searched for cuts and stillness"))
    desk.send(.noSceneMarks(reason: reason))
    #expect(desk.screen.contains(reason))
    desk.press("j")
    #expect(!desk.screen.contains(reason) && !desk.screen.contains("Searching the picture"))
    for key in ["alt-j", "alt-k"] {
      desk.press(key)
      #expect(desk.screen.contains(reason))
    }
    // Who opens such a recording has not asked.
    desk.press("j")
    desk.send(.noSceneMarks(reason: reason))
    #expect(!desk.screen.contains(reason))
    desk.press("alt-m alt-j")
    #expect(desk.screen.contains("alt-m marks them"))
  }

  @Test func anotherRecordingIsSearchedItself() throws {
    var desk = try marked()
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "other"),
          annotation: WorkingAnnotation(try document(500), access: .readWrite))))
    #expect(desk.state.sceneMarks.marks.isEmpty && asked(desk) == [true, true])
  }
}
