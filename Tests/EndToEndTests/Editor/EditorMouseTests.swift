// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// A recording annotated from its import to its publishing with the mouse alone, by the reports that
/// terminals send for it.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorMouseTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  @Test func aRecordingIsAnnotatedByTheMouseAlone() async throws {
    try folder.copy(of: Recitation.fixture, as: "night.flac")
    let card = try ListeningCard()
    let terminal = try await EditorTerminal(
      program, [], on: card, .init(columns: 200, rows: 50, folder: folder.path))
    try await terminal.wait(for: "The library is empty")
    try await terminal.click { $0.place(of: "Import a file") }
    try await terminal.wait(for: "night.flac")
    try await terminal.click { $0.place(of: "night.flac") }
    let opened = try await terminal.wait("the recording's segments") {
      $0.segments.count == 6 && $0.isKept
    }
    #expect(opened.handles.count == 5)

    // A click on a segment opens its assignment, and has it heard again and again.
    let before = card.played.count
    try await terminal.click { $0.place(of: $0.segments[0]) }
    let panel = try await terminal.wait(for: "Which surah?")
    #expect(panel.transport.contains("playing") && panel.transport.contains("loop"))
    try await card.wait("sound") { $0.count > before + 10_000 }
    try await terminal.click { $0.place(of: "2 Al-Baqarah") }
    try await terminal.wait(for: "╰─ 2:1 ─")
    try await terminal.click { $0.button("confirm, next") }

    // One click for each of the others, which follow from that.
    for number in 1..<6 {
      try await terminal.wait("'\(number) confirmed'") {
        $0.text.contains("\(number) confirmed, \(number) assigned of 6")
          && $0.button("enter confirm, next") != nil
      }
      try await terminal.click { $0.button("enter confirm, next") }
    }
    try await terminal.wait(for: "Every segment is confirmed")
    try await terminal.click { $0.button("ctrl-s publish") }
    let published = try await terminal.wait(for: "the recording is complete")
    #expect(published.title.hasSuffix("saved, published"))
    try await terminal.click { $0.button("q quit") }
    #expect(try await terminal.waitForEnd() == 0)

    let shown = try await program.shown("night")
    #expect(shown.labels == (1...6).map { "2:\($0)" })
    #expect(shown.status == "complete" && shown.published)
  }

  @Test func markersAreAddedMovedAndTakenAwayWithTheMouse() async throws {
    try await program.importing(folder.copy(of: Recitation.fixture, as: "night.flac"))
    let terminal = try await EditorTerminal(
      program, ["night"], on: ListeningCard(), .init(columns: 120, rows: 40))
    let opened = try await terminal.wait("segments and their sound") {
      $0.segments.count == 6 && $0.text.contains("███")
    }
    let handlesRow = try #require(opened.handlesRow)
    // The middle of a column: the recording has 1,323,211 frames.
    func seconds(ofColumn column: Int) -> Double { (Double(column) + 0.5) * 11_027 / 44_100 }
    func place(_ column: Int, above rows: Int = 0) -> Screen.Place {
      Screen.Place(column: column, row: handlesRow - rows)
    }
    let recitation = try Recitation()

    // A click beside the breath at 7.6 s adds a marker in it.
    let breath = try #require(recitation.pauses.first { $0.start > 7.5 })
    try terminal.click(at: place(Int(breath.start * 4), above: 3))
    let added = try await terminal.wait("a seventh segment") { $0.segments.count == 7 }
    #expect(added.notice.contains("Marker added at 0:07."))
    try await terminal.waitUntilKept()
    let boundary = try #require(try await program.shown("night").boundaries.first { $0 > 7 })
    #expect(recitation.pause(at: boundary)?.start == breath.start, "\(boundary)")

    // A long press on its handle asks whether it is to go.
    let handle = try #require(added.handles.first { abs($0 - Int(boundary * 4)) <= 1 })
    try terminal.pressButton(.left, at: place(handle))
    let question = try await terminal.wait(for: "Delete the marker?")
    #expect(question.text.contains(#/between segments 2 .* and 3 /#), "\(question.text)")
    try terminal.releaseButton(.left, at: place(handle))
    try terminal.click(
      at: #require(
        try await terminal.wait(for: "Delete the marker?")
          .button("enter ")))
    try await terminal.wait("six segments again") { $0.segments.count == 6 }

    // With Alt a marker lies where it is put down; without, in the pause near there.
    let first = try #require(opened.handles.first)
    try terminal.pressButton(.left, at: place(first), .alt)
    try terminal.drag(to: place(16), .alt)
    try await terminal.wait(for: "Marker at 0:04.")
    try terminal.drag(to: place(13), .alt)
    let moving = try await terminal.wait(for: "lengths 3.38 s")
    #expect(moving.notice.contains("Marker at 0:03.376  +199 ms"), "\(moving.notice)")
    try terminal.releaseButton(.left, at: place(13), .alt)
    try await terminal.wait("the marker to be confirmed by it") {
      $0.text.contains("4 suggested markers")
    }
    try await terminal.waitUntilKept()
    let free = try #require(try await program.shown("night").boundaries.first)
    #expect(abs(free - seconds(ofColumn: 13)) < 0.0001)
    #expect(recitation.pause(at: free) == nil)

    try terminal.pressButton(.left, at: place(13))
    try terminal.drag(to: place(16))
    try await terminal.wait(for: "Marker at 0:04.")
    try terminal.drag(to: place(13))
    try terminal.releaseButton(.left, at: place(13))
    try await terminal.wait("the snap") { $0.segment(2)?.contains("0:03.376") == false }
    try await terminal.waitUntilKept()
    let snapped = try #require(try await program.shown("night").boundaries.first)
    #expect(abs(snapped - free) < 0.2)
    #expect(recitation.pause(at: snapped)?.kind == "ayah")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func theWheelScrollsAndZoomsAtThePointer() async throws {
    try await program.importing(folder.copy(of: Recitation.fixture, as: "night.flac"))
    let terminal = try await EditorTerminal(
      program, ["night"], on: ListeningCard(), .init(columns: 120, rows: 40))
    let opened = try await terminal.wait("segments and their sound") {
      $0.segments.count == 6 && $0.text.contains("███")
    }
    // What is under the pointer stays there, and with it the marker in the same column.
    let handle = opened.handles[0]
    let handlesRow = try #require(opened.handlesRow)
    let pointer = Screen.Place(column: handle, row: handlesRow - 4)
    for _ in 0..<6 { try terminal.turnWheel(.wheelUp, at: pointer, .control) }
    let zoomed = try await terminal.waitUntilAnswered()
    #expect(zoomed.handles.count == 1)
    let place = try #require(zoomed.handles.first)
    #expect(abs(place - handle) <= 6, "half of eleven columns that were one")
    #expect(zoomed.text.contains("╷0:03.5"))
    try terminal.turnWheel(.wheelUp, at: pointer)
    #expect(try await terminal.waitUntilAnswered().handles == [place + 12], "a tenth back")
    try terminal.turnWheel(.wheelDown, at: pointer)
    #expect(try await terminal.waitUntilAnswered().handles == [place])
    for _ in 0..<6 { try terminal.turnWheel(.wheelDown, at: pointer, .control) }
    #expect(try await terminal.waitUntilAnswered().handles == opened.handles)

    // The overview leads anywhere.
    for _ in 0..<6 { try terminal.turnWheel(.wheelUp, at: pointer, .control) }
    #expect(try await terminal.waitUntilAnswered().handles == [place])
    try terminal.pressButton(.left, at: .init(column: 2, row: 2))
    try await terminal.wait(for: "╷0:00")
    try terminal.drag(to: .init(column: 118, row: 2))
    try await terminal.wait(for: "╷0:29")
    try terminal.releaseButton(.left, at: .init(column: 118, row: 2))
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func theSurahThatEndsInASegmentIsSplitFromTheNextWithTheMouse() async throws {
    let noise = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.importing(noise, detecting: false, labels: "0\t2\t1:6\n2\t6\tb\n6\t10\tc\n")
    let terminal = try await EditorTerminal(
      program, ["noise"], on: ListeningCard(), .init(columns: 120, rows: 40))
    try await terminal.wait("segments") { $0.segments.count == 3 }
    try await terminal.click { $0.place(of: $0.segments[1]) }
    try await terminal.wait(for: "╰─ 1:7 ─")
    try await terminal.click { $0.place(of: "Cross-surah") }
    let split = try await terminal.wait(for: "1:7 | 2:1")
    // The segment's own waveform lies along the bottom of the panel, four seconds of it.
    let bottom = try #require(split.place(of: "╰─ 1:7 | 2:1"))
    let strip = Screen.Place(column: 2, row: bottom.row - 2)
    try terminal.pressButton(.left, at: strip.moved(columns: 20), .alt)
    try terminal.drag(to: strip.moved(columns: 87))
    try terminal.releaseButton(.left, at: strip.moved(columns: 87))
    try await terminal.wait(for: "0:05.0")
    try await terminal.click { $0.button("enter accept") }
    try await terminal.wait("the assignment") {
      $0.segment(2)?.contains(/1:7 Al-Fatihah \| 2:1 Al-Baqarah/) == true
    }
    try await terminal.waitUntilKept()
    let join = try #require(try await program.shown("noise").segments[1].assignment?.join)
    #expect(abs(join - (2 + 87.5 / 116 * 4)) < 0.25, "\(join)")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
