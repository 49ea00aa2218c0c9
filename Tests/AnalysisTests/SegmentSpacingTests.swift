// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite("SegmentSpacing")
struct SegmentSpacingTests {
  @Test("What follows is as if all sets of boundaries had been weighed", arguments: UInt64(0)..<8)
  func againstBruteForce(seed: UInt64) {
    var random = SplitMix64(state: seed)
    var time = 0.0
    let times = (0..<8).map { _ in
      time += Double.random(in: 0.5...9, using: &random)
      return time
    }
    let duration = time + 4
    let prior = times.map { _ in Double.random(in: 0.03...0.97, using: &random) }
    let refined = SegmentSpacing(times: times, duration: duration).refine(prior)
    let expected = bruteForce(times, duration, prior)
    for (left, right) in zip(refined, expected) { #expect(abs(left - right) < 1e-9) }
  }

  /// Sums over all subsets, three rounds, each with densities learnt from the round before.
  private func bruteForce(
    _ times: [Double], _ duration: Double, _ prior: [Double]
  ) -> [Double] {
    var current = prior
    for _ in 0..<3 {
      let cuts = [0] + ExpectedF1.best(current).map { times[$0] } + [duration]
      let logs = zip(cuts, cuts.dropFirst()).map { log(max($1 - $0, 0.3)) }
      let sorted = logs.sorted()
      let middle = sorted.count / 2
      let mean =
        sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
      let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let variance = (squares + 5 * 0.49) / Double(logs.count + 5)
      let spread = min(max(variance.squareRoot(), 0.35), 1)
      let rate = Double(logs.count) / logs.reduce(0) { $0 + exp($1) }
      func score(_ length: Double) -> Double {
        let deviation = (log(length) - mean) / spread
        let normal = exp(-deviation * deviation / 2) / (spread * (2 * Double.pi).squareRoot())
        // The density of the length against that of an exponential law.
        let ratio = log(normal / length) - log(rate * exp(-rate * length))
        return 0.6 * max(ratio + (0.5 * log(2 * Double.pi) - 0.919), -6)
      }
      var total = 0.0
      var sums = [Double](repeating: 0, count: times.count)
      for subset in 0..<(1 << times.count) {
        let chosen = times.indices.filter { subset >> $0 & 1 == 1 }
        let points = [0] + chosen.map { times[$0] } + [duration]
        var weight = zip(points, points.dropFirst()).reduce(0) { $0 + score($1.1 - $1.0) }
        for index in chosen { weight += logit(prior[index]) }
        total += exp(weight)
        for index in chosen { sums[index] += exp(weight) }
      }
      current = sums.map { min(max($0 / total, 1e-4), 1 - 1e-4) }
    }
    return current
  }

  @Test("A doubtful boundary gains where one is due and loses beside a sure one")
  func regular() {
    let times = [5.0, 10, 14.3, 15, 20, 25, 30]
    let prior = [0.95, 0.95, 0.4, 0.95, 0.4, 0.95, 0.95]
    let refined = SegmentSpacing(times: times, duration: 35).refine(prior)
    #expect(refined[4] > 0.6)
    #expect(refined[2] < 0.2)
  }

  @Test("Fewer than four candidates, and those too unlikely, stay as they are")
  func few() {
    let spacing = SegmentSpacing(times: [1, 2, 3, 4, 5], duration: 6)
    let three = [0.5, 0.001, 0.9, 0.02, 0.3]
    #expect(spacing.refine(three) == three)
    let four = [0.5, 0.001, 0.9, 0.4, 0.3]
    #expect(spacing.refine(four)[1] == 0.001)
    #expect(spacing.refine(four)[0] != 0.5)
    #expect(SegmentSpacing(times: [], duration: 0).refine([]).isEmpty)
  }

  @Test("Many candidates, close together or hours apart, give probabilities")
  func extremes() {
    let numbers = (0..<50).map(Double.init)
    let candidates: [[Double]] = [
      [Double](repeating: 3, count: 50), numbers.map { $0 * 1000 }, numbers.map { $0 * 0.001 },
    ]
    for times in candidates {
      let spacing = SegmentSpacing(times: times, duration: (times.last ?? 0) + 0.3)
      let refined = spacing.refine([Double](repeating: 0.5, count: 50))
      #expect(refined.allSatisfy { $0 > 0 && $0 < 1 })
    }
  }
}
