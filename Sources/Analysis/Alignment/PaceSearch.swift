// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Aligns a recording of which only the first ayah is known: at which pace is it recited, and how far?
///
/// Any pace finds a breath for most of its boundaries. What tells the right one is that the alignment is
/// sure of itself: at a wrong pace another alignment fits about as well.
struct PaceSearch {
  let aligner: LengthAligner

  /// Paces to start from, in seconds per unit: from the fastest hadr to a slow mujawwad, in steps that
  /// the learning of the pace bridges.
  private static let paces: [Double] = (0..<15).map { fastest * pow(1.16, Double($0)) }
  static let fastest = 0.06
  /// Alignments whose mean probability of a boundary differs by less are judged by their likelihood: of
  /// the whole recording, and of its beginning.
  private static let sureness = 0.09
  private static let surenessOfBeginning = 0.15
  /// How many alignments of the beginning are followed to the end, and how much likelier the likeliest of
  /// them is, as a logarithm, than one that is not.
  private static let followed = 3
  private static let clearLead = 30.0
  /// Paces that differ by less than this share are the same.
  private static let leastDifference = 0.03

  /// Nil when there is no alignment.
  func best() -> LengthAligner.Result? {
    let leadIns = aligner.leadIn.isEmpty ? [false] : [false, true]
    let beginnings = aligner.alignBeginnings(
      Self.paces.flatMap { pace in leadIns.map { .init(hasLeadIn: $0, pace: pace) } })
    let likely = Self.likely(beginnings, sureness: Self.surenessOfBeginning)
    let least = (likely.first.map(Self.odds) ?? 0) - Self.clearLead
    var hypotheses: [LengthAligner.Hypothesis] = []
    for result in likely where Self.odds(result) >= least {
      let pace = result.pace
      // Whether something is said before the first ayah, the beginning has decided.
      let isNew = !hypotheses.contains { abs(log($0.pace / pace)) < Self.leastDifference }
      if isNew { hypotheses.append(.init(hasLeadIn: result.hypothesis.hasLeadIn, pace: pace)) }
    }
    let results = hypotheses.prefix(Self.followed).compactMap { aligner.alignStepwise($0) }
    return Self.likely(results, sureness: Self.sureness).first.map { weighedByLeadIn($0) }
  }

  /// No surer of the beginning than it is whether something is said before the first ayah.
  private func weighedByLeadIn(_ result: LengthAligner.Result) -> LengthAligner.Result {
    guard !aligner.leadIn.isEmpty else { return result }
    let own = aligner.alignBeginning(result.hypothesis)
    var hypothesis = result.hypothesis
    hypothesis.hasLeadIn.toggle()
    guard let own, var other = aligner.alignBeginning(hypothesis) else { return result }
    other.logLikelihood += result.logLikelihood - own.logLikelihood
    return result.weighed(against: other)
  }

  /// Those that are sure of themselves, the likeliest first.
  private static func likely(
    _ results: [LengthAligner.Result], sureness: Double
  ) -> [LengthAligner.Result] {
    let surest = results.map(\.meanProbability).max() ?? 0
    return results.filter { $0.meanProbability >= surest - sureness }
      .sorted { odds($0) > odds($1) }
  }

  /// The logarithm of the likelihood, with what is known of paces before.
  private static func odds(_ result: LengthAligner.Result) -> Double {
    let deviation = log(result.pace / usualPace) / spreadOfPaces
    return result.logLikelihood - deviation * deviation / 2
  }

  /// Seconds per unit at which people usually recite, and the spread of its logarithm: a hadr takes 0.09,
  /// a mujawwad 0.5.
  private static let usualPace = 0.16
  private static let spreadOfPaces = 0.45
}

extension LengthAligner.Result {
  /// Seconds per unit, on average.
  var pace: Double { exp(paces.reduce(0, +) / Double(max(paces.count, 1))) }
}
