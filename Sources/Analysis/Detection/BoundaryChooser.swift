// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Decides which dips of a recording are boundaries between ayat, without knowing the text.
///
/// What tells a boundary from a breath differs from reciter to reciter, so each recording is judged by its
/// own dips: how long a dip is against where their lengths fall into two classes, how far it is to a
/// longer one, and whether the syllable before it was held longer than usual. The weights are logistic
/// ones, fitted across reciters with each left out in turn (`Scripts/fit-boundary-weights.py`).
struct BoundaryChooser {
  /// Probability for each dip.
  let probabilities: [Double]
  /// Indices of the dips chosen as boundaries.
  let chosen: [Int]

  /// A dip nearer than this to an end of the recording, in hops, is no boundary.
  private static let margin = 30
  /// Hops added to a core before its logarithm.
  private static let coreOffset = 3.0
  /// Longer cores count as this many hops.
  private static let longestCore = 60.0
  /// Shortest dips that take part in the split; three splits are averaged because one alone may tip.
  private static let splitLengths = [8, 9, 10]
  /// Below this, against the split, a dip is no candidate.
  private static let leastLength = -0.5
  /// Hops added to the isolation before its logarithm.
  private static let isolationOffset = 20.0
  /// Probability of a dip that is no candidate.
  private static let unlikely = 0.001

  /// Weights that start the classes of held and unheld syllables.
  private static let first = (length: 3.405, isolation: 0.348, constant: -3.643)
  /// Weights of the final decision. The better this recording's endings fall into two classes
  /// (`separation`), the less a long pause counts by itself.
  private static let final = (
    held: 0.638, length: 3.902, isolation: 0.501, separation: -1.037, lengthWithSeparation: -0.833,
    constant: -3.308
  )

  init(_ dips: [Dip], hopCount: Int, times: [Double], duration: Double) {
    let isInner = dips.map {
      $0.span.lowerBound >= Self.margin && $0.span.upperBound <= hopCount - Self.margin
    }
    let lengths = Self.relativeLengths(dips, isInner)
    let isolations = Self.isolations(dips, hopCount).map { log($0 + Self.isolationOffset) }
    let candidates = dips.indices.filter { isInner[$0] && lengths[$0] > Self.leastLength }

    let prior = candidates.map { dip in
      sigmoid(
        Self.first.length * lengths[dip] + Self.first.isolation * isolations[dip]
          + Self.first.constant)
    }
    let syllables = HeldSyllables(candidates.map { dips[$0].steadiness }, prior: prior)
    var probabilities = [Double](repeating: Self.unlikely, count: dips.count)
    for (index, dip) in candidates.enumerated() {
      let logOdds =
        Self.final.held * syllables.logOdds[index]
        + Self.final.length * lengths[dip]
        + Self.final.isolation * isolations[dip]
        + Self.final.separation * syllables.separation
        + Self.final.lengthWithSeparation * lengths[dip] * syllables.separation
        + Self.final.constant
      probabilities[dip] = sigmoid(logOdds)
    }
    probabilities = SegmentSpacing(times: times, duration: duration).refine(probabilities)
    self.probabilities = probabilities
    chosen = ExpectedF1.best(dips.indices.map { isInner[$0] ? probabilities[$0] : 0 })
      .filter { isInner[$0] }
  }

  /// Logarithms of the cores' lengths against the split of this recording.
  private static func relativeLengths(_ dips: [Dip], _ isInner: [Bool]) -> [Double] {
    let logs = dips.map { min(log(Double($0.core) + coreOffset), log(longestCore + coreOffset)) }
    let splits = splitLengths.map { least in
      otsuThreshold(
        dips.indices.filter { isInner[$0] && dips[$0].span.count >= least }.map { logs[$0] })
    }
    let split = splits.reduce(0, +) / Double(splits.count)
    return logs.map { $0 - split }
  }

  /// For each dip the hops to the nearest longer one, or to an end of the recording.
  private static func isolations(_ dips: [Dip], _ hopCount: Int) -> [Double] {
    // The dip's whole length decides between equal cores.
    let ranks = dips.map { log(Double($0.core) + coreOffset) + 1e-4 * log(Double($0.span.count)) }
    var before = [Int](repeating: 0, count: dips.count)
    var after = [Int](repeating: hopCount, count: dips.count)
    var open: [Int] = []
    for index in dips.indices {
      while let top = open.last, ranks[top] < ranks[index] {
        after[top] = dips[index].span.lowerBound
        open.removeLast()
      }
      if let top = open.last { before[index] = dips[top].span.upperBound }
      open.append(index)
    }
    return dips.indices.map { index in
      let left = dips[index].span.lowerBound - before[index]
      let right = after[index] - dips[index].span.upperBound
      return Double(max(0, min(left, right)))
    }
  }

  /// The threshold that separates values into two classes best (Otsu 1979): the greatest variance between
  /// the classes.
  static func otsuThreshold(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return 0 }
    let count = sorted.count
    if count < 4 {
      let middle = count / 2
      return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
    let total = sorted.reduce(0, +)
    var best = -1.0
    var threshold = last
    var sum = 0.0
    for low in 1..<count {
      sum += sorted[low - 1]
      let high = count - low
      let difference = sum / Double(low) - (total - sum) / Double(high)
      let variance = Double(low) * Double(high) * difference * difference
      if variance > best {
        best = variance
        threshold = (sorted[low - 1] + sorted[low]) / 2
      }
    }
    return threshold
  }
}

/// The selection that promises the best F1, the harmonic mean of precision and recall.
enum ExpectedF1 {
  /// Share of the boundaries thought to lie where there is no candidate.
  private static let unseen = 0.08
  /// Nothing less probable is chosen, be it all there is.
  private static let leastProbability = 0.3

  /// Indices of the most probable ones, as many as maximise the expected F1, in ascending order.
  static func best(_ probabilities: [Double]) -> [Int] {
    let order = probabilities.indices.sorted {
      (probabilities[$1], $0) < (probabilities[$0], $1)
    }
    let expected = probabilities.reduce(0, +) * (1 + unseen)
    var sum = 0.0
    var best = -1.0
    var count = 0
    for (rank, index) in order.enumerated() {
      sum += probabilities[index]
      let score = 2 * sum / (Double(rank + 1) + expected)
      if score > best {
        best = score
        count = rank + 1
      }
    }
    return order.prefix(count).filter { probabilities[$0] >= leastProbability }.sorted()
  }
}

func sigmoid(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds.clamped(to: -30...30))) }

func logit(_ probability: Double) -> Double { log(probability / (1 - probability)) }
