// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Analysis

@Suite struct BoundaryCostsTests {
  private func sounds(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(state: seed)
    return (0..<(count * Cepstra.width)).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Three parts of 20 frames, and a recording of them: each frame twice, between other sounds.
  private func costs(
    silence: Range<Int> = 0..<0, coda: [Float] = [], hearing isHeard: Bool = true
  ) -> BoundaryCosts {
    let parts = (1...3).map { sounds(20, seed: $0) }
    let twice = parts.joined().indices.count
    let words = Array(parts.joined())
    var recording = sounds(30, seed: 9)
    for frame in 0..<(twice / Cepstra.width) {
      let coefficients = words[(frame * Cepstra.width)..<((frame + 1) * Cepstra.width)]
      recording += coefficients + coefficients
    }
    recording += isHeard ? coda : []
    recording += sounds(50, seed: 10)
    let count = recording.count / Cepstra.width
    return BoundaryCosts(
      recording: SpectralFrames(normalized: recording),
      isSilent: (0..<count).map { silence.contains($0) },
      costsOfEnd: [Float](repeating: 0, count: count),
      parts: parts.map { SpectralFrames(normalized: $0) }, entries: 0..<1, exits: 2..<3,
      coda: coda.isEmpty ? nil : SpectralFrames(normalized: coda))
  }

  @Test func eachBoundaryCostsNothingWhereItIs() throws {
    let costs = costs()
    #expect(costs.excess.count == 4)
    for (boundary, place) in [30, 70, 110, 150].enumerated() {
      let least = try #require(costs.excess[boundary].min())
      #expect(abs(least) < 1e-3)
      #expect(costs.excess(of: boundary, in: (place - 2)...(place + 2)) < 0.5)
      #expect(costs.excess(of: boundary, in: 0...(place - 12)) > 2)
      #expect(costs.excess(of: boundary, in: (place + 12)...201) > 2)
    }
    #expect(costs.gain > 20)
  }

  @Test func whatOthersSayAfterTheLastPartIsNotMoreOfIt() {
    // It sounds like the end of the last part, a little varied.
    let noise = sounds(20, seed: 11)
    let coda = zip(sounds(20, seed: 3), noise).map { $0 + 0.3 * $1 }
    let last = 150
    let heard = costs(coda: coda)
    #expect(heard.excess.count == 5)
    #expect(heard.excess(of: 3, in: (last - 2)...(last + 2)) < 0.5)
    #expect(heard.excess(of: 3, in: (last + 10)...(last + 70)) > 2)
    let none = costs(coda: coda, hearing: false)
    #expect(none.excess(of: 3, in: (last - 2)...(last + 2)) < 0.5)
  }

  @Test func severalVoicesHaveTheMeanOfWhatEachSays() throws {
    let (one, other) = (costs(), costs(silence: 60..<80))
    let mean = BoundaryCosts(meanOf: [one, other, BoundaryCosts(meanOf: [])])
    #expect(abs(mean.gain - (one.gain + other.gain) / 2) < 1e-3)
    let frame = 70
    let expected = (one.excess[1][frame] + other.excess[1][frame]) / 2
    #expect(abs(mean.excess[1][frame] - expected) < 1e-3)
  }

  @Test func silenceSaysNothing() {
    let heard = costs()
    let silent = costs(silence: 30..<150)
    #expect(silent.gain <= 0)
    #expect(heard.gain > silent.gain)
  }
}
