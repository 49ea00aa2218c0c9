// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Quran
import TestSupport
import Testing

@testable import Playback

/// The word that is told to be heard, beside what a card that keeps the system's time has played.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
    "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter LitWordTests"))
struct LitWordTests {
  private static let rate = 8000
  private static let seconds = 12
  private static let wordMilliseconds = 200
  /// How far the word may be from what is heard, in seconds of listening.
  private static let tolerance = 0.04

  @Test(arguments: [0.5, 1, 2]) func isTheOneThatIsHeardAtEverySpeed(_ speed: Double) async throws {
    let length = Self.seconds * Self.rate
    let source = try Recordings().make(frames: length, rate: Self.rate) { frame, _ in
      0.3 + 0.2 * Float(frame % 20) / 20
    }
    let card = Card(samples: 4 * length, clock: 1)
    let renderer = SessionRenderer(output: card.output, settings: { .forCard($0, exact: false) }) {
      _ in source
    }
    let audio = AudioClip(
      MediaKey(rawValue: "night"), frames(0..<length), format: source.description.format)
    var clip = AyahClip(ayah("112:1"), audio, riwayah: .hafs, reciter: nil)
    let starts = stride(from: 0, to: Self.seconds * 1000, by: Self.wordMilliseconds)
    clip.words = WordTimings(starts.map { $0..<$0 + Self.wordMilliseconds })
    let engine = PlaybackEngine(renderer: renderer, resolver: CatalogueResolver([clip]))
    await engine.setSpeed(speed)
    await engine.play(PlaybackRequest(range("112:1")))
    /// Seconds of the recording that the card has played; where it ran dry there was silence.
    func heard() -> Double {
      Double(card.played.count { $0 != 0 }) / Double(Self.rate) * speed
    }
    while heard() == 0 { try await Task.sleep(for: .milliseconds(2)) }
    var told: Set<Int> = []
    for _ in 0..<50 {
      let before = heard()
      let word = engine.moment.position.word
      let after = heard()
      let slack = Self.tolerance * speed
      func due(_ seconds: Double) -> Int {
        Int(max(seconds, 0) * 1000) / Self.wordMilliseconds
      }
      #expect(
        (due(before - slack)...due(after + slack)).contains(word ?? 0),
        "word \(word ?? -1) between \(before) s and \(after) s")
      if let word { told.insert(word) }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(told.count > 2)
    await engine.stop()
    renderer.close()
  }
}
