// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// A recording annotated from its import to its publishing with keys alone.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorKeyboardTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  @Test func aRecordingIsAnnotatedByKeysAlone() async throws {
    try folder.copy(of: Recitation.fixture, as: "night.flac")
    let terminal = try await EditorTerminal(
      program, ["edit"], on: ListeningCard(), .init(folder: folder.path))
    try await terminal.wait(for: "The library is empty")
    try terminal.press("2")
    try await terminal.wait(for: "night.flac")
    try terminal.press("Down", "Enter")
    try await terminal.wait("the recording's segments") {
      $0.segments.count == 6 && $0.isKept
    }

    // Detection once more, with the detector of the documents, which finds other pauses.
    try terminal.press("a")
    try await terminal.wait(for: "5 boundaries found")
    try terminal.press("Right")
    try await terminal.wait("the fixed detector's count") {
      $0.text.contains(/fixed.*boundaries found/) && !$0.text.contains("5 boundaries found")
    }
    try terminal.press("Left")
    try await terminal.wait(for: "5 boundaries found")
    try terminal.press("Enter")
    try await terminal.wait(for: "The same was found as before; nothing has changed")

    try terminal.press("g", "f")
    try await terminal.wait(for: "From which ayah?")
    try terminal.type("112:1")
    try await terminal.wait("the preview") { $0.text.contains("113:2") }
    try terminal.press("Enter")
    try await terminal.wait("filled segments") {
      $0.segment(1)?.contains("112:1") == true && $0.segment(6)?.contains("113:2") == true
        && $0.text.contains("0 confirmed, 6 assigned of 6")
    }
    for number in 1...6 {
      try terminal.press("Enter")
      try await terminal.wait(for: "\(number) confirmed, 6 assigned of 6")
    }
    try await terminal.wait(for: "Every segment is confirmed; ctrl-s publishes them")
    try await terminal.waitUntilKept()
    try terminal.press("C-s")
    let published = try await terminal.wait(for: "Published 6 segments; the recording is complete")
    #expect(published.title.hasSuffix("Complete, 6/6  saved, published"), "\(published.title)")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)

    try await expectPublished()
  }

  /// What was published agrees with the recording, to the frame.
  private func expectPublished() async throws {
    let shown = try await program.shown("night")
    #expect(shown.labels == ["112:1", "112:2", "112:3", "112:4", "113:1", "113:2"])
    #expect(shown.segments.allSatisfy { $0.confirmed })
    #expect(shown.status == "complete" && shown.published)
    let recitation = try Recitation()
    #expect(shown.boundaries.allSatisfy { recitation.pause(at: $0)?.kind == "ayah" })
    let coverage = try await program.run("coverage")
    #expect(coverage.output.contains(/112:1-4 +4 +ok/), "\(coverage.output)")
    #expect(coverage.output.contains(/113:1-2 +2 +ok/), "\(coverage.output)")

    let heard = folder.path("heard.wav")
    let played = try await program.run("play", "112:2-112:4", "--output", heard)
    #expect(played.code == 0, "\(played.errors)")
    let wanted = folder.path("wanted.wav")
    let cut = try await program.run(
      "audition", folder.path("night.flac"), "--from", "\(shown.boundaries[0])", "--until",
      "\(shown.boundaries[3])", "--exact", "--output", wanted)
    #expect(cut.code == 0, "\(cut.errors)")
    let samples = try WaveFile.samples(ofFloats: heard)
    #expect(samples.count > 44_100 * 10)
    let exact = try WaveFile.samples(ofFloats: wanted)
    #expect(samples == exact)
  }

  @Test func theSurahThatEndsInASegmentIsSplitFromTheNextByKeys() async throws {
    let noise = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.importing(noise, detecting: false, labels: "0\t2\ta\n2\t6\tb\n6\t10\tc\n")
    let terminal = try await EditorTerminal(program, ["noise"], on: ListeningCard())
    try await terminal.wait("segments") { $0.segments.count == 3 }
    try terminal.press("j", "e")
    try await terminal.wait(for: "Which surah?")
    try terminal.type("1:7")
    try await terminal.wait(for: "╰─ 1:7 ─")
    try terminal.press("M-x")
    // What comes after it is filled in, and the split lies where the ayat's lengths say.
    let proposed = try await terminal.wait(for: "1:7 | 2:1")
    #expect(proposed.text.contains("Al-Baqarah"))
    try terminal.press("BTab", "BTab")
    try await terminal.wait(for: "1:7 | 2:1")
    // To the playhead, which stands in the segment, and from there to the hundredth.
    try terminal.press("C-p")
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    func join(on screen: Screen) -> Double? {
      // The time stands behind its mark, or before it where there is no room.
      screen.text.firstMatch(of: /(?:▲─0:0([0-9.]+)|0:0([0-9.]+)─▲)/).flatMap {
        Double($0.1 ?? $0.2 ?? "")
      }
    }
    let before = try #require(join(on: try terminal.screen))
    try terminal.press("M-m")
    try await terminal.wait("the split") { join(on: $0) != before }
    // The digits of a time may come one by one.
    let here = try await terminal.waitUntilAnswered()
    let position = try #require(join(on: here))
    // What was heard last may be told a little after the pause.
    let playhead = try #require(here.transport.firstMatch(of: /paused +0:0([0-9.]+)/))
    #expect(abs(position - (try #require(Double(playhead.1)))) < 0.1)
    try terminal.press("M-Right", "M-Right", "M-Left", "M-.", "M-,")
    try terminal.press("Enter")
    try await terminal.wait("the assignment") {
      $0.segment(2)?.contains("◆ 1:7 Al-Fatihah | 2:1") == true
    }
    try await terminal.waitUntilKept()
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)

    let split = try await program.shown("noise").segments[1]
    #expect(split.assignment?.kind == "cross_surah" && split.confirmed)
    let join = try #require(split.assignment?.join)
    #expect(abs(join - (position + 0.01)) < 0.002, "\(join) after \(position)")
  }
}
