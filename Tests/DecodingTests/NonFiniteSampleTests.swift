// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Decoding

@Suite struct NonFiniteSampleTests {
  @Test func silencesWhatIsNoNumberAndNothingElse() {
    var random = SplitMix64(state: 4)
    for count in 0..<70 {
      var samples = (0..<count).map { _ in
        let choices: [Float] = [
          .nan, .infinity, -.infinity, .signalingNaN, 1e30, .greatestFiniteMagnitude, -0.5, 0,
          .leastNonzeroMagnitude,
        ]
        let isTame = Int.random(in: 0..<4, using: &random) > 0
        return isTame ? Float(0.25) : choices[Int.random(in: 0..<choices.count, using: &random)]
      }
      let before = samples
      let found = samples.withUnsafeMutableBufferPointer { silenceNonFiniteSamples($0) }
      #expect(found == before.count { !$0.isFinite })
      #expect(isSame(samples, before.map { $0.isFinite ? $0 : 0 }))
    }
  }
}
