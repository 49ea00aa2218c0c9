// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

/// What other alignments learn from one.
extension LengthAligner.Result {
  /// Where a reference puts the beginning of each ayah, in seconds: of one that is heard more than once
  /// the first.
  var beginnings: [AyahReference: Double] {
    var beginnings: [AyahReference: Double] = [:]
    for (token, seconds) in zip(tokens, placements) {
      guard case .ayah(let ayah) = token.content, let seconds, beginnings[ayah] == nil else {
        continue
      }
      beginnings[ayah] = seconds
    }
    return beginnings
  }

  /// No surer of a row that another hypothesis has somewhere else than this one is likelier than that one.
  ///
  /// - Parameter other: an alignment of the same tokens, or of the beginning of them.
  func weighed(against other: Self) -> Self {
    var weighed = self
    let odds = Self.temper * (logLikelihood - other.logLikelihood)
    let share = 1 / (1 + exp(-odds))
    for row in points.indices.prefix(other.points.count)
    where abs(points[row].time - other.points[row].time) > Self.samePlace {
      weighed.probabilities[row] *= share
    }
    return weighed
  }

  /// What is known for other tokens of the same recording: each at the pace that its like was recited
  /// at, or the token before it.
  func learnt(for others: [RecitedToken]) -> LengthAligner.Learnt {
    var known: [RecitedToken.Content: Double] = [:]
    for (token, pace) in zip(tokens, paces) { known[token.content] = pace }
    let average = paces.reduce(0, +) / Double(max(paces.count, 1))
    var last = others.lazy.compactMap { known[$0.content] }.first ?? average
    return LengthAligner.Learnt(
      paces: others.map { token in
        last = known[token.content] ?? last
        return last
      }, spread: spread, evidence: evidence)
  }

  /// Likelihoods of hypotheses are less sure than they say: breaths are not independent of each other.
  private static let temper = 0.5
  /// Seconds by which a row of two alignments may differ that is the same.
  private static let samePlace = 0.25
}
