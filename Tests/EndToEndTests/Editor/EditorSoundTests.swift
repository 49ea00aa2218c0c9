// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What is heard in the editor, on a card that keeps what it has played.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorSoundTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    let recording = try folder.write(noise.wav, to: "noise.wav")
    try await program.importing(
      recording, detecting: false, labels: "0\t2\ta\n2\t2.25\tb\n2.25\t10\tc\n")
  }

  private func opened(
    on card: ListeningCard?, _ environment: [String: String] = [:]
  ) async throws -> EditorTerminal {
    var setting = EditorTerminal.Setting()
    setting.environment = environment
    let terminal = try await EditorTerminal(program, ["noise"], on: card, setting)
    try await terminal.wait("segments and their sound") {
      $0.segments.count == 3 && $0.text.contains("█")
    }
    return terminal
  }

  /// Frames that the smoothing of a join may change: 5 ms.
  private static let smoothing = 40

  @Test func aLoopIsTheSegmentAgainAndAgain() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card)
    try terminal.press("j", "r")
    let heard = try await card.wait(forSamples: 5 * 2000)
    try terminal.press("Space")
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    let segment = noise.decoded(16_000..<18_000)
    let first = try #require(heard.firstIndex { $0 != 0 })
    var smoothed = 0
    for (index, sample) in heard[first...].enumerated() where sample != segment[index % 2000] {
      let place = index % 2000
      #expect(min(place, 2000 - place) <= Self.smoothing, "frame \(index)")
      smoothed += 1
    }
    let loops = (heard.count - first + 1999) / 2000
    #expect(loops > 4)
    #expect(smoothed <= (loops + 1) * 2 * Self.smoothing)
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func eachAuditionIsItsPlace() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card)
    // The third segment, from 2.25 s to the end.
    try terminal.press("G")
    let spans: [(key: String, span: Range<Int>)] = [
      ("1", 18_000..<22_000), ("2", 76_000..<80_000), ("3", 2000..<34_000),
    ]
    for (key, span) in spans {
      let before = card.played.count
      try terminal.press(key)
      let wanted = noise.decoded(span)
      let played = try await card.wait("the audition") { $0.count >= before + wanted.count }
      try await terminal.wait("its end") { $0.transport.contains("stopped") }
      // Ahead of it there may be silence; its first and last 5 ms are smoothed.
      let inside = wanted.dropFirst(Self.smoothing).dropLast(Self.smoothing)
      let heard = played[before...]
      let place = heard.indices.first { heard[$0...].starts(with: inside) }
      let start = try #require(place, "key \(key)") - Self.smoothing
      #expect(heard[..<start].allSatisfy { $0 == 0 })
      #expect(heard[(start + wanted.count)...].allSatisfy { $0 == 0 }, "key \(key)")
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func confirmingGoesOnToTheNextWhichIsHeard() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card)
    try terminal.press("e")
    try await terminal.wait(for: "Which surah?")
    try terminal.type("1:1")
    try await terminal.wait(for: "╰─ 1:1 ─")
    try terminal.press("M-Enter")
    try await terminal.wait("the second segment to play") {
      $0.segment(1)?.contains("◆ 1:1") == true && $0.segment(2)?.hasPrefix("▶") == true
    }
    let segment = noise.decoded(16_000..<18_000)
    try await card.wait("the second segment") { played in
      played.indices.reversed().prefix(30_000).contains { index in
        played[index] == segment[100] && played[index...].starts(with: segment[100..<1900])
      }
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func withoutADeviceEverythingButSoundWorks() async throws {
    let terminal = try await opened(on: nil)
    try terminal.press("r")
    let silent = try await terminal.wait(for: "No sound")
    #expect(silent.transport.contains("stopped"), "\(silent.transport)")
    #expect(silent.text.contains("cannot open the sound device"), "\(silent.text)")
    try terminal.press("g", "e")
    try await terminal.wait(for: "Which surah?")
    try terminal.type("1:1")
    try await terminal.wait(for: "╰─ 1:1 ─")
    try terminal.press("Enter")
    try await terminal.wait(for: "1 confirmed, 1 assigned of 3")
    try terminal.press("Enter", "Enter", "Enter")
    try await terminal.wait(for: "3 confirmed, 3 assigned of 3")
    try terminal.press("C-s")
    try await terminal.wait(for: "Published 3 segments")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await program.shown("noise").labels == ["1:1", "1:2", "1:3"])
  }

  @Test func aDeviceThatVanishesIsSaidAndTriedAgain() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card)
    // The first segment for ever: what ends by itself may have ended before a busy machine has looked.
    try terminal.press("g", "r")
    _ = try await card.wait(forSamples: 4000)
    try card.unplug()
    let lost = try await terminal.wait(for: "is disconnected; reconnect")
    #expect(lost.transport.contains("paused"), "\(lost.transport)")
    #expect(lost.notice.contains("reconnect it and play again"), "\(lost.notice)")
    let heard = card.played.drop { $0 == 0 }.count
    // It is held when it is back, and goes on where it was lost.
    card.plug()
    let before = card.played.count
    let back = try await terminal.wait(for: "The sound device is back")
    #expect(back.transport.contains("paused"), "\(back.transport)")
    #expect(!card.played[before...].contains { $0 != 0 })
    try terminal.press("Space")
    let after = try await card.wait("the rest") { $0.count >= before + 8000 }
    try await terminal.wait("playing") { $0.transport.contains("playing") }
    let again = after[before...].drop { $0 == 0 }
    let segment = noise.decoded(0..<16_000)
    /// The frame of the segment that the sound begins with, by some of it that is past the fade in.
    func place(skipping skipped: Int) -> Int? {
      let sound = again.dropFirst(skipped).prefix(500)
      return segment.indices.first { segment[$0...].starts(with: sound) }.map { $0 - skipped }
    }
    // One of the two lies clear of where the segment begins again.
    let first = try #require(place(skipping: 200) ?? place(skipping: 1000))
    let off = abs(first - heard) % segment.count
    #expect(min(off, segment.count - off) <= 400, "\(first) after \(heard)")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func aDeviceThatIsBackIsPlayedOnIfTheSettingsSaySo() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card, ["TILAWA_PLAYBACK_RESUME": "true"])
    try terminal.press("g", "r")
    _ = try await card.wait(forSamples: 4000)
    // As often as it vanishes; what follows is told the first time, as is each fault.
    for isFirst in [true, false] {
      try card.unplug()
      let lost = try await terminal.wait("waiting") {
        let isTold = $0.flowingText.contains(
          "is disconnected; playback continues when it is back")
        return $0.transport.contains("waiting for the device") && (isTold || !isFirst)
      }
      #expect(!lost.text.contains("play again"), "\(lost.text)")
      card.plug()
      let before = card.played.count
      try await terminal.wait("going on") { $0.transport.contains("playing") }
      _ = try await card.wait("sound") { $0.dropFirst(before).contains { $0 != 0 } }
    }
    // Who pauses it meanwhile has decided, and may decide again.
    try card.unplug()
    try await terminal.wait("waiting") { $0.transport.contains("waiting for the device") }
    try terminal.press("Space")
    try await terminal.wait("the pause") { $0.transport.contains("paused, no device") }
    card.plug()
    let back = try await terminal.wait(for: "The sound device is back; space resumes")
    #expect(back.transport.contains("paused"), "\(back.transport)")
    try terminal.press("Space")
    try await terminal.wait("playing") { $0.transport.contains("playing") }
    try card.unplug()
    try await terminal.wait("waiting") { $0.transport.contains("waiting for the device") }
    try terminal.press("Space")
    try await terminal.wait("the pause") { $0.transport.contains("paused, no device") }
    try terminal.press("Space")
    try await terminal.wait("waiting") { $0.transport.contains("waiting for the device") }
    card.plug()
    try await terminal.wait("going on") { $0.transport.contains("playing") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
