// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Listening

/// Screens, their styles included, against those kept in `Snapshots/`.
@Suite struct ScreenTests {
  @Test(arguments: [(80, 24), (200, 50)]) func playing(columns: Int, rows: Int) throws {
    var state = prepared(columns, rows)
    var now = try #require(state.now)
    now.word = 2
    now.clip?.words = WordTimings([0..<500, 500..<900, 900..<12_000])
    now.repetitions = .times(3)
    now.passes = .endless
    _ = reduce(&state, .playing(now))
    try expectSnapshot(view(state), "playing-\(columns)x\(rows)")
  }

  @Test(arguments: [(80, 24), (200, 50)]) func somethingMissing(columns: Int, rows: Int) throws {
    var state = prepared(columns, rows)
    let missing = try [AyahRange(parsing: "67:2"), AyahRange(parsing: "67:9-67:12")]
    _ = reduce(&state, .checked(state.queue[0].id, missing: missing, fillable: [missing[1]]))
    var now = NowPlaying(
      Itinerary(state.queue[0].request).first, of: state.queue[0].id, .active(.awaitingNextAyah))
    now.ayahCount = 30
    _ = reduce(&state, .playing(now))
    _ = reduce(&state, .told(Notice(.warning, "67:2 is missing: no recording of it")))
    try expectSnapshot(view(state), "missing-\(columns)x\(rows)")
    _ = state.press("C")
    try expectSnapshot(view(state), "check-\(columns)x\(rows)")
  }

  @Test(arguments: [
    ("E", "equaliser"), ("F", "fades"), ("R", "repeats"), ("r", "reciters"), ("t", "sleep"),
    ("S", "shuffle"),
    ("/", "jump"), ("a", "add"), (":", "palette"), ("?", "help"),
  ]) func panels(key: String, name: String) throws {
    var state = prepared(80, 24)
    _ = state.press(key)
    try expectSnapshot(view(state), name)
  }

  @Test(arguments: [(60, 16), (80, 24), (200, 50)])
  func aNoticeOfSeveralRowsCoversNothingThatIsRead(columns: Int, rows: Int) throws {
    let words = String(repeating: "so much is wrong with it ", count: columns / 15)
    for panel in ["", "?"] {
      var state = prepared(columns, rows)
      if !panel.isEmpty { _ = state.press(panel) }
      let whole = state.layout
      _ = reduce(&state, .told(Notice(.warning, words)))
      let (layout, surface) = (state.layout, view(state))
      func text(_ row: Int) -> String { surface.row(row).map(\.text).joined() }
      let covered = (0..<rows).filter { text($0).contains("wrong") }
      #expect(covered.count > 1 && covered.last == layout.notice.origin.row)
      for rect in [layout.panel, layout.queue, layout.words] {
        #expect(!covered.contains { rect.rows.contains($0) })
      }
      guard !panel.isEmpty else { continue }
      #expect(text(layout.panel.rows.upperBound - 1).contains("╰"))
      #expect(layout.panel.origin == whole.panel.origin)
      // A click means the row that is there while the notice is.
      for _ in 0..<state.panelRowCount { _ = state.press("down") }
      _ = reduce(&state, .told(Notice(.warning, words)))
      let list = state.panelList
      _ = state.click(column: list.origin.column, row: list.rows.upperBound - 1)
      #expect(state.panel?.cursor?.index == state.panelRowCount - 1)
    }
  }

  @Test func theLineOfTheStateLosesWholeWordsOnly() throws {
    var state = prepared(80, 24)
    state.settings.crossfadeMilliseconds = 500
    for _ in 0..<2 { _ = state.press(")") }
    _ = reduce(&state, .limited(4))
    func line() -> String {
      view(state).row(state.layout.transport.origin.row).map(\.text).joined()
    }
    #expect(line().contains("1x  vol 100%  limit 4 dB  gain +6 dB  fade 500 ms"), "\(line())")
    state.settings.hasEqualiser = true
    #expect(line().contains("  limit 4 dB  gain +6 dB  eq  fade 500 ms"), "\(line())")
    state.size = Size(columns: 60, rows: 16)
    #expect(line().contains("  limit 4 dB  gain +6 dB  ") && !line().contains("…"), "\(line())")
    state.size = Size(columns: 120, rows: 30)
    #expect(
      line().contains("1x  vol 100%  limited 4 dB  gain +6 dB  eq  crossfade 500 ms"), "\(line())")
  }

  @Test(arguments: [("E", "equaliser"), (":", "palette"), ("?", "help")])
  func panelsBesideWhatPlays(key: String, name: String) throws {
    var state = prepared(200, 50)
    _ = state.press(key)
    try expectSnapshot(view(state), "\(name)-200x50")
  }

  @Test func withoutTimingsTheAyahIsLitAndInATextOfOtherWordsToo() throws {
    var state = prepared(80, 24)
    #expect(view(state).snapshot != "")
    var now = try #require(state.now)
    now.clip?.words = nil
    _ = reduce(&state, .playing(now))
    let words = state.layout.words
    let row = view(state).row(words.origin.row)
    let lit = row.filter { !$0.isBlank }
    #expect(!lit.isEmpty && lit.allSatisfy { $0.style == WordLines.heard })
  }

  @Test func theWordThatIsHeardAloneIsLit() throws {
    var state = prepared(200, 50)
    var now = try #require(state.now)
    now.clip?.words = WordTimings([0..<500, 500..<900])
    for word in [0, 1] {
      now.word = word
      _ = reduce(&state, .playing(now))
      let surface = view(state)
      let words = state.layout.words
      let lit = surface.row(words.origin.row).enumerated()
        .filter { words.columns.contains($0.offset) && $0.element.style == WordLines.heard }
        .map(\.element.text).joined()
      #expect(lit.trimmingCharacters(in: .whitespaces) == "w\(word + 1)")
    }
  }

  @Test func whatDoesNotMoveNeedsNoDrawing() throws {
    var state = prepared(80, 24)
    let before = state.movingLook
    var now = try #require(state.now)
    now.frame = now.frame.map { $0 + FrameCount(1) }
    _ = reduce(&state, .playing(now))
    #expect(state.movingLook == before)
    now.frame = now.frame.map { $0 + FrameCount(100) }
    _ = reduce(&state, .playing(now))
    #expect(state.movingLook != before)
  }

  @Test(arguments: [(60, 16), (80, 24), (200, 50)], ["", "?", "e"])
  func aPlaceIsDrawnOverTheRestAsIfAllWereDrawn(size: (Int, Int), panel: String) throws {
    var state = prepared(size.0, size.1)
    if !panel.isEmpty { _ = state.press(panel) }
    var surface = view(state)
    var look = state.movingLook
    var redrawn = 0
    for milliseconds in stride(from: 0, to: 12_000, by: 103) {
      var now = try #require(state.now)
      now.frame = now.clip.map { $0.audio.span.lowerBound + FrameCount(Int64(milliseconds)) }
      now.word = milliseconds / 3000
      _ = reduce(&state, .playing(now))
      switch state.movingLook.redrawing(from: look) {
      case .nothing: continue
      case .place:
        redrawPlace(of: state, on: &surface)
        redrawn += 1
      case .all: surface = view(state)
      }
      look = state.movingLook
      #expect(surface == view(state))
    }
    #expect(redrawn > 60)
  }

  private func prepared(_ columns: Int, _ rows: Int) -> State {
    var state = Table.state(columns: columns, rows: rows)
    state.text = Table.text
    if let clip = state.now?.clip {
      let bars = (0..<512).map { index in
        let height = 0.2 + 0.8 * Double((index * 37) % 101) / 101
        return ColumnChart.Bar(minimum: -height, maximum: height, inner: height / 3)
      }
      _ = reduce(&state, .waveform(Waveform(clip.audio, bars: bars)))
    }
    return state
  }
}

/// Compares a screen, its styles included, with the one kept in `Snapshots/`.
func expectSnapshot(
  _ surface: Surface, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  if let problem = try SnapshotFile(name).problem(with: surface.snapshot) {
    Issue.record("\(problem)", sourceLocation: sourceLocation)
  }
}
