// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite("Otsu's threshold")
struct OtsuThresholdTests {
  @Test("Two clear classes are parted in the middle between them")
  func twoClasses() {
    let middle = (1.2 + 5) / 2
    #expect(DipFeatures.otsuThreshold([1, 1.1, 1.2, 5, 5.1]) == middle)
    #expect(DipFeatures.otsuThreshold([5, 1, 5.1, 1.1, 1.2]) == middle)
  }

  @Test("Fewer than four values give their median, none gives zero")
  func few() {
    #expect(DipFeatures.otsuThreshold([]) == 0)
    #expect(DipFeatures.otsuThreshold([3]) == 3)
    #expect(DipFeatures.otsuThreshold([1, 4]) == 2.5)
    #expect(DipFeatures.otsuThreshold([9, 1, 4]) == 4)
  }

  @Test("Equal values are their own threshold")
  func equal() { #expect(DipFeatures.otsuThreshold([2, 2, 2, 2, 2]) == 2) }

  @Test("It leaves the least variance within the two classes", arguments: UInt64(0)..<20)
  func againstBruteForce(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let values = (0..<Int.random(in: 4...40, using: &random)).map { _ in
      Double.random(in: 0...4, using: &random) * Double.random(in: 0...1, using: &random)
    }
    func within(_ threshold: Double) -> Double {
      [values.filter { $0 < threshold }, values.filter { $0 >= threshold }].reduce(0) {
        sum, group in
        let mean = group.reduce(0, +) / Double(max(group.count, 1))
        return sum + group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      }
    }
    let sorted = values.sorted()
    let cuts = zip(sorted, sorted.dropFirst()).map { ($0 + $1) / 2 }
    let least = try #require(cuts.map(within).min())
    #expect(abs(within(DipFeatures.otsuThreshold(values)) - least) < 1e-9)
  }
}

@Suite("DipFeatures")
struct DipFeaturesTests {
  private func dip(_ span: Range<Int>, core: Int) -> Dip {
    Dip(span: span, core: core, depth: 20, threshold: -40, steadiness: 1)
  }

  @Test("Isolation is the way to the nearest longer dip or end, on the nearer side")
  func isolation() {
    var random = SplitMix64(state: 11)
    var dips: [Dip] = []
    var start = 3
    for _ in 0..<60 {
      let length = Int.random(in: 8...60, using: &random)
      dips.append(dip(start..<(start + length), core: Int.random(in: 0...length, using: &random)))
      start += length + Int.random(in: 1...300, using: &random)
    }
    func isLonger(_ left: Dip, _ right: Dip) -> Bool {
      (left.core, left.span.count) > (right.core, right.span.count)
    }
    let features = DipFeatures.of(dips, hopCount: start)
    for (index, own) in dips.enumerated() {
      // On the left one of the same length counts as well.
      let left = dips[..<index].last { !isLonger(own, $0) }?.span.upperBound ?? 0
      let right = dips[(index + 1)...].first { isLonger($0, own) }?.span.lowerBound ?? start
      let least = min(own.span.lowerBound - left, right - own.span.upperBound)
      #expect(abs(exp(features[index].isolation) - 20 - Double(max(least, 0))) < 1e-6)
    }
  }

  @Test("Dips within 300 ms of an end of the recording are no candidates")
  func ends() {
    let dips = [dip(29..<60, core: 30), dip(200..<240, core: 40), dip(440..<471, core: 31)]
    #expect(DipFeatures.of(dips, hopCount: 500).map(\.isInner) == [false, true, false])
    #expect(DipFeatures.of(dips, hopCount: 501).map(\.isInner) == [false, true, true])
    #expect(DipFeatures.of([], hopCount: 500).isEmpty)
  }

  @Test("Lengths are relative to the split between short and long ones")
  func lengths() {
    let cores = [8, 9, 8, 7, 30, 32, 31, 9, 33, 8]
    let dips = cores.enumerated().map { dip(($0 * 100 + 100)..<($0 * 100 + 140), core: $1) }
    let features = DipFeatures.of(dips, hopCount: 1200)
    let split = (log(12.0) + log(33)) / 2
    #expect(features.count == cores.count)
    for (features, core) in zip(features, cores) {
      #expect(abs(features.length - log(Double(core) + 3) + split) < 1e-9)
      #expect(features.isCandidate == (core >= 30))
    }
  }
}

@Suite("ExpectedF1")
struct ExpectedF1Tests {
  /// The best of all subsets, counting expected hits against the number chosen and expected.
  private func bestScore(_ probabilities: [Double]) -> Double {
    let expected = probabilities.reduce(0, +) * 1.08
    var best = 0.0
    for subset in 1..<(1 << probabilities.count) {
      let chosen = probabilities.indices.filter { subset >> $0 & 1 == 1 }
      let sum: Double = chosen.reduce(0) { $0 + probabilities[$1] }
      let score: Double = 2 * sum / (Double(chosen.count) + expected)
      best = max(best, score)
    }
    return best
  }

  @Test("No other choice promises more", arguments: UInt64(0)..<20)
  func againstBruteForce(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let probabilities = (0..<8).map { _ in Double.random(in: 0.31...1, using: &random) }
    let chosen = ExpectedF1.best(probabilities)
    let sum = chosen.reduce(0.0) { $0 + probabilities[$1] }
    let score = 2 * sum / (Double(chosen.count) + probabilities.reduce(0, +) * 1.08)
    #expect(abs(score - bestScore(probabilities)) < 1e-12)
  }

  @Test("The sure are chosen, the unlikely are not, in ascending order")
  func simple() {
    #expect(ExpectedF1.best([0.9, 0.01, 0.95, 0.02, 0.9]) == [0, 2, 4])
    #expect(ExpectedF1.best([]) == [])
    #expect(ExpectedF1.best([0, 0, 0]) == [])
    #expect(ExpectedF1.best([0.29]) == [])
    #expect(ExpectedF1.best([0.31]) == [0])
  }
}

@Suite("HeldSyllables")
struct HeldSyllablesTests {
  @Test(
    "Two classes of steadiness are told apart, even where the prior does not say which is which")
  func twoClasses() {
    let steadiness = (0..<40).map { index -> Double in
      let jitter = Double(index % 5) / 20
      return index % 4 == 0 ? 0.5 + jitter : 2 + jitter
    }
    let prior = (0..<40).map { $0 % 4 == 0 ? 0.5 : 0.3 }
    let syllables = HeldSyllables(steadiness, prior: prior)
    #expect(syllables.separation > 2)
    for index in steadiness.indices { #expect((syllables.logOdds[index] > 0) == (index % 4 == 0)) }
  }

  @Test("Where all are alike the separation is none, and the prior's share is left")
  func alike() {
    let syllables = HeldSyllables(
      [Double](repeating: 1, count: 30), prior: (0..<30).map { _ in 0.3 })
    #expect(syllables.separation < 1e-4)
    for odds in syllables.logOdds { #expect(abs(odds - logit(0.3)) < 0.01) }
  }

  @Test("Held syllables are the steadier ones: the other way round says nothing")
  func wrongWayRound() {
    let steadiness = (0..<40).map { $0 % 4 == 0 ? 3.0 : 1.0 }
    let prior = (0..<40).map { $0 % 4 == 0 ? 0.9 : 0.05 }
    #expect(HeldSyllables(steadiness, prior: prior).separation < 1e-4)
  }

  @Test("Fewer than five candidates keep what the prior says")
  func few() {
    let syllables = HeldSyllables([0.1, 2, 2, 2], prior: [0.5, 0, 1, 0.2])
    #expect(syllables.separation == 0)
    #expect(syllables.logOdds == [0.5, 0.02, 0.98, 0.2].map(logit))
    #expect(HeldSyllables([], prior: []).logOdds.isEmpty)
  }
}
