// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Corrects the probabilities of boundaries by how far apart they lie.
///
/// The lengths of one recording's ayat scatter around a common value. A semi-Markov chain over the
/// candidates weighs each possible segment by a log-normal density fitted to this recording, against the
/// exponential density that independent candidates already imply; forward and backward sums give each
/// candidate's probability.
struct SegmentSpacing {
  /// Seconds of every candidate, ascending.
  let times: [Double]
  /// Seconds of the whole recording.
  let duration: Double

  /// How much the lengths count against everything else.
  private static let weight = 0.6
  /// Standard deviation of the logarithm of a length: expected, how many segments that is worth, limits.
  private static let spread = 0.7
  private static let spreadWeight = 5.0
  private static let spreadLimits = 0.35...1.0
  /// Longer segments than this, in seconds, are not looked at.
  private static let longest = 90.0
  private static let rounds = 3
  /// Less probable candidates take no part; with fewer than this there is nothing to learn.
  private static let minProbability = 0.02
  private static let minCandidates = 4
  /// No length is held against a segment more than this.
  private static let minScore = -6.0
  private static let certainty = 1e-4...(1 - 1e-4)

  /// Probabilities for all candidates, given those that each has by itself.
  func refine(_ probabilities: [Double]) -> [Double] {
    let indices = probabilities.indices.filter { probabilities[$0] > Self.minProbability }
    guard indices.count >= Self.minCandidates else { return probabilities }
    let logOdds = indices.map { logit(probabilities[$0].clamped(to: Self.certainty)) }
    let points = [0] + indices.map { times[$0] } + [duration]
    var current = indices.map { probabilities[$0].clamped(to: Self.certainty) }
    for _ in 0..<Self.rounds {
      let density = LengthDensity(cutting: points, at: ExpectedF1.best(current))
      current = posterior(points, [0] + logOdds + [0], density)
    }
    var result = probabilities
    for (index, probability) in zip(indices, current) { result[index] = probability }
    return result
  }

  private func posterior(
    _ points: [Double], _ logOdds: [Double], _ density: LengthDensity
  ) -> [Double] {
    let last = points.count - 1
    var forward = [Double](repeating: -.infinity, count: points.count)
    forward[0] = 0
    var firsts = [Int](repeating: 0, count: points.count)
    var first = 0
    for end in 1...last {
      while points[end] - points[first] > Self.longest, first < end - 1 { first += 1 }
      firsts[end] = first
      var sum = LogSum()
      for start in first..<end {
        sum.add(forward[start] + density.score(points[end] - points[start]))
      }
      forward[end] = sum.value + logOdds[end]
    }
    var backward = [LogSum](repeating: LogSum(), count: points.count)
    backward[last].add(0)
    for end in stride(from: last, to: 0, by: -1) {
      let after = backward[end].value + logOdds[end]
      for start in firsts[end]..<end {
        backward[start].add(density.score(points[end] - points[start]) + after)
      }
    }
    return (1..<last).map { point in
      exp(min(0, forward[point] + backward[point].value - forward[last]))
        .clamped(to: Self.certainty)
    }
  }

  /// The weighted log ratio of the two densities of a segment's length.
  private struct LengthDensity {
    private let mean: Double
    private let spread: Double
    private let rate: Double

    /// Learns from the segments that cutting at the chosen candidates gives.
    init(cutting points: [Double], at chosen: [Int]) {
      let cuts = [points[0]] + chosen.map { points[$0 + 1] } + [points[points.count - 1]]
      let lengths = zip(cuts, cuts.dropFirst()).map { max($1 - $0, 0.3) }
      let logs = lengths.map { log($0) }.sorted()
      let middle = logs.count / 2
      let median = logs.count % 2 == 1 ? logs[middle] : (logs[middle - 1] + logs[middle]) / 2
      let squares = logs.reduce(0) { $0 + ($1 - median) * ($1 - median) }
      let expected = SegmentSpacing.spreadWeight * SegmentSpacing.spread * SegmentSpacing.spread
      let variance = (squares + expected) / (Double(logs.count) + SegmentSpacing.spreadWeight)
      mean = median
      spread = variance.squareRoot().clamped(to: SegmentSpacing.spreadLimits)
      rate = Double(lengths.count) / lengths.reduce(0, +)
    }

    func score(_ seconds: Double) -> Double {
      let length = max(seconds, 0.05)
      let logLength = log(length)
      let deviation = (logLength - mean) / spread
      // 0.919 is half the logarithm of 2 pi.
      let logNormal = -deviation * deviation / 2 - log(spread) - 0.919 - logLength
      let exponential = log(rate) - rate * length
      return SegmentSpacing.weight * max(logNormal - exponential, SegmentSpacing.minScore)
    }
  }
}

/// The logarithm of a sum of exponentials, without overflow.
private struct LogSum {
  private var greatest = -Double.infinity
  private var sum = 0.0

  mutating func add(_ logarithm: Double) {
    guard logarithm > -.infinity else { return }
    if logarithm <= greatest {
      sum += exp(logarithm - greatest)
    } else {
      sum = sum * exp(greatest - logarithm) + 1
      greatest = logarithm
    }
  }

  var value: Double { sum > 0 ? greatest + log(sum) : -.infinity }
}
