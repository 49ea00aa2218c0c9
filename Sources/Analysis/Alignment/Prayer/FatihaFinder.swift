// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Finds al-Fatiha at the beginnings of standings.
///
/// The same voice recites it in each of them, and each time much alike: how long it takes for each of the
/// seven ayat is learnt from all of them together. So a standing that does not begin with it, as after a
/// prostration of recitation, stands out.
struct FatihaFinder {
  struct Fatiha {
    /// Where each of the seven begins, and where the last ends.
    var points: [AlignmentTimeline.Point]
    var probabilities: [Double]
  }

  let candidates: AlignmentCandidates
  let rate: SampleRate
  /// What boundaries look like, learnt from what is recited after al-Fatiha if that is aligned already.
  var evidence = BoundaryEvidence.fitted
  /// Seconds per unit of what is recited after al-Fatiha, if that is known.
  var pace: Double?

  /// Seconds per unit that are tried.
  private static let paces: [Double] = (0..<14).map { 0.06 * pow(1.13, Double($0)) }
  /// How much slower al-Fatiha is recited than what follows.
  private static let paceRatios = 0.75...1.35
  /// Spread of the logarithm of a duration at first, and when each ayah's is known.
  private static let firstSpread = 0.25
  private static let learntSpread = 0.09
  private static let rounds = 3
  /// Longer it does not take, in seconds.
  private static let longest = 150.0
  /// A standing whose likelihood lies so far below the middle one's has no Fatiha, in logarithms.
  private static let leastLikelihood = -14.0
  /// How likely al-Fatiha is to be followed at once by a silence; by ameen and then a silence; by
  /// what is recited next.
  private static let silenceShare = 0.15
  private static let ameenShare = 0.8
  private static let joinedShare = 0.02
  /// How long ameen is, in seconds.
  static let ameen = 1.0...4.5

  /// How long each of the seven ayat takes, in units that add up to those of the table.
  ///
  /// Geometric means of four reciters (three of them recording ayah by ayah). Everybody knows al-Fatiha,
  /// and it is recited unlike anything else: the last ayah, with its long vowel and often a breath
  /// inside, takes more than a third of it.
  private static let units: [Double] = [32, 30, 25, 29, 36, 27, 93]

  /// For each standing al-Fatiha at its beginning; nil where it is not heard.
  func find(in standings: [PrayerStructure.Standing]) -> [Fatiha?] {
    let stretches = standings.map { Stretch($0, candidates, rate) }
    let ratios = evidence.likelihoodRatios(candidates)
    func posteriors(_ durations: [Double], _ spread: Double) -> [LatticePosterior?] {
      stretches.map { stretch in
        AlignmentLattice(problem: stretch.problem(durations, spread, ratios)).posterior()
      }
    }
    func middle(_ posteriors: [LatticePosterior?]) -> Double {
      let values = posteriors.map { $0?.logLikelihood ?? -1000 }.sorted()
      return values.isEmpty ? 0 : values[values.count / 2]
    }
    let paces = Self.paces.filter { tried in
      pace.map { Self.paceRatios.contains(tried / $0) } ?? true
    }
    let best = paces.map { pace in
      let durations = Self.units.map { $0 * pace }
      return (durations, middle(posteriors(durations, Self.firstSpread)))
    }.max { $0.1 < $1.1 }
    guard var durations = best?.0 else { return standings.map { _ in nil } }
    var found = posteriors(durations, Self.firstSpread)
    for _ in 0..<Self.rounds {
      durations = learnt(found, stretches, before: durations)
      found = posteriors(durations, Self.learntSpread)
    }
    let usual = middle(found)
    return zip(found, stretches).map { posterior, stretch in
      guard let posterior, posterior.logLikelihood > usual + Self.leastLikelihood,
        let path = LikelyPath(
          posterior, times: stretch.timeline.points.map(\.time),
          skips: [Double](repeating: 0, count: 7))
      else { return nil }
      return Fatiha(
        points: path.points.map { stretch.timeline.points[$0] }, probabilities: path.probabilities)
    }
  }

  /// The median duration of each ayah.
  private func learnt(
    _ found: [LatticePosterior?], _ stretches: [Stretch], before: [Double]
  ) -> [Double] {
    (0..<7).map { ayah in
      let durations = zip(found, stretches).compactMap { posterior, stretch -> Double? in
        let actives = stretch.timeline.points.map(\.active)
        guard let posterior, let start = posterior.moments(ofRow: ayah, times: actives),
          let end = posterior.moments(ofRow: ayah + 1, times: actives)
        else { return nil }
        return end.mean - start.mean
      }.sorted()
      return durations.isEmpty ? before[ayah] : max(durations[durations.count / 2], 0.4)
    }
  }

  /// The beginning of a standing.
  private struct Stretch {
    let timeline: AlignmentTimeline
    let standing: PrayerStructure.Standing

    init(
      _ standing: PrayerStructure.Standing, _ candidates: AlignmentCandidates, _ rate: SampleRate
    ) {
      self.standing = standing
      let end = min(standing.span.upperBound, standing.span.lowerBound + FatihaFinder.longest)
      timeline = AlignmentTimeline(
        candidates,
        stretches: [
          FramePosition(
            seconds: standing.span.lowerBound, at: rate)..<FramePosition(seconds: end, at: rate)
        ], rate: rate)
    }

    func problem(_ durations: [Double], _ spread: Double, _ ratios: [Double]) -> LatticeProblem {
      let points = timeline.points
      let model = DurationModel(spread: spread)
      let all = 0..<points.count
      return LatticeProblem(
        steps: points.map { Int(($0.active / DurationModel.step).rounded()) },
        evidence: points.map { $0.candidate.map { ratios[$0] } ?? 1 },
        durations: durations.map { model.table(expected: $0) },
        skips: [Double](repeating: 0, count: 7),
        windows: [0..<1] + [Range<Int>](repeating: all, count: 7),
        starts: points.indices.map { $0 == 0 ? 1 : 0 },
        ends: points.map { likelihoodOfEnd(at: $0.time) },
        earliestStarts: timeline.earliestStarts, latestEnds: timeline.latestEnds,
        endings: [0, 0, 0, 0, 0, 0, 0, 1])
    }

    /// By what follows before the next silence.
    private func likelihoodOfEnd(at time: Double) -> Double {
      guard let run = standing.runs.first(where: { $0.upperBound > time - 0.2 }) else {
        return FatihaFinder.silenceShare
      }
      // Within the silence, or about to be.
      let left = time < run.lowerBound ? 0 : run.upperBound - time
      if left < 0.4 || time < run.lowerBound { return FatihaFinder.silenceShare }
      return FatihaFinder.ameen.contains(left)
        ? FatihaFinder.ameenShare : FatihaFinder.joinedShare
    }
  }
}
