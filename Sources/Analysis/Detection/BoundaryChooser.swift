// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Decides which dips of a recording are boundaries between ayat, without knowing the text.
///
/// What tells a boundary from a breath differs from reciter to reciter, so each recording is judged by its
/// own dips: how long a dip is against where their lengths fall into two classes, how far it is to a
/// longer one, and whether the syllable before it was held longer than usual.
///
/// The weights are logistic ones, fitted to 4.5 hours of five reciters whose bands were measured with
/// recursive filters. `Scripts/fit-boundary-weights.py` fits them to the bands of `BandAnalyzer` and
/// judges both on reciters left out; these have done better so far.
struct BoundaryChooser {
  /// Probability for each dip.
  let probabilities: [Double]
  /// Indices of the dips chosen as boundaries.
  let chosen: [Int]

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

  /// - Parameters:
  ///   - dips: all dips of a recording, in order.
  ///   - times: seconds at which each would be a boundary.
  ///   - duration: of the recording, in seconds.
  init(_ dips: [DipFeatures], times: [Double], duration: Double) {
    let candidates = dips.indices.filter { dips[$0].isCandidate }
    let prior = candidates.map { dip in
      sigmoid(
        Self.first.length * dips[dip].length + Self.first.isolation * dips[dip].isolation
          + Self.first.constant)
    }
    let syllables = HeldSyllables(candidates.map { dips[$0].steadiness }, prior: prior)
    var probabilities = [Double](repeating: Self.unlikely, count: dips.count)
    for (index, dip) in candidates.enumerated() {
      let logOdds =
        Self.final.held * syllables.logOdds[index]
        + Self.final.length * dips[dip].length
        + Self.final.isolation * dips[dip].isolation
        + Self.final.separation * syllables.separation
        + Self.final.lengthWithSeparation * dips[dip].length * syllables.separation
        + Self.final.constant
      probabilities[dip] = sigmoid(logOdds)
    }
    probabilities = SegmentSpacing(times: times, duration: duration).refine(probabilities)
    self.probabilities = probabilities
    chosen = ExpectedF1.best(dips.indices.map { dips[$0].isInner ? probabilities[$0] : 0 })
      .filter { dips[$0].isInner }
  }
}

/// The selection that promises the best F1, the harmonic mean of precision and recall.
enum ExpectedF1 {
  /// Share of the boundaries thought to lie where there is no candidate.
  private static let unseen = 0.08
  /// Nothing less probable is chosen, be it all there is.
  private static let minProbability = 0.3

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
    return order.prefix(count).filter { probabilities[$0] >= minProbability }.sorted()
  }
}

func sigmoid(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds.clamped(to: -30...30))) }

func logit(_ probability: Double) -> Double { log(probability / (1 - probability)) }
