// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Finds al-Fatiha at the beginnings of standings.
///
/// The same voice recites it in each of them, and each time much alike: how long it takes for each of the
/// seven ayat is learnt from all of them together, and once one is found well, the others are compared
/// with it. So a standing that does not begin with it, as after a prostration of recitation, stands out.
struct FatihaFinder {
  struct Fatiha {
    /// Where each of the seven begins, and where the last ends. Those that are not heard, at the edge of
    /// a recording or because the basmalah is said silently, begin where they end.
    var points: [AlignmentTimeline.Point]
    var probabilities: [Double]
  }

  let candidates: AlignmentCandidates
  let rate: SampleRate
  /// What boundaries look like, learnt from what is recited after al-Fatiha if that is aligned already.
  var evidence: BoundaryEvidence
  /// Seconds per unit of what is recited after al-Fatiha, if that is known.
  var pace: Double?
  /// What the standings sound like, if that was measured, and the seven ayat to compare them with, by one
  /// voice or several.
  var sound: StandingSound?
  var words = [FatihaSounds.frames]
  /// Seconds of the recording, for what is cut off at its ends.
  var duration = Double.infinity

  /// Seconds per unit that are tried.
  private static let paces: [Double] = (0..<14).map { 0.06 * pow(1.13, Double($0)) }
  /// How much slower al-Fatiha is recited than what follows.
  private static let paceRatios = 0.75...1.35
  /// Spread of the logarithm of a duration at first, and when each ayah's is known.
  private static let firstSpread = 0.25
  private static let learntSpread = 0.09
  private static let rounds = 3
  /// An ayah of less than this share of what was expected of it is one that was left out.
  private static let leastShare = 0.4
  /// Longer it does not take, in seconds.
  static let longest = 150.0
  private static let longestShared = 90.0
  /// A standing whose likelihood lies so far below the middle one's has no Fatiha, in logarithms.
  private static let leastLikelihood = -14.0

  /// The beginnings of standings, compared with what al-Fatiha sounds like.
  func stretches(of standings: [PrayerStructure.Standing]) -> [FatihaStretch] {
    var stretches = standings.enumerated().map { number, standing in
      var stretch = FatihaStretch(standing, candidates, rate)
      stretch.edge = edge(of: standing)
      if let sound { stretch.compare(with: words, sound.frames(of: number)) }
      return stretch
    }
    if let sound { share(sound, &stretches) }
    return stretches
  }

  /// For each standing al-Fatiha at its beginning; nil where it is not heard.
  ///
  /// - Parameter isRough: whether it is enough to know about where it ends.
  func find(in stretches: [FatihaStretch], isRough: Bool) -> Finding {
    let found = align(stretches)
    guard !isRough, let sound, let best = found.surest else { return found }
    var stretches = stretches
    let voice = sound.parts(of: best.number, at: best.fatiha.points.map(\.time))
    for number in stretches.indices {
      stretches[number].compare(withVoice: voice, sound.frames(of: number))
      stretches[number].isTemplate = number == best.number
    }
    return align(stretches)
  }

  /// Lets the stretches that seem to hold all of al-Fatiha decide together.
  private func share(_ sound: StandingSound, _ stretches: inout [FatihaStretch]) {
    let usual = Self.usual(stretches.map(\.gain))
    let whole = stretches.indices.filter {
      stretches[$0].edge == nil && stretches[$0].gain >= stretches[$0].leastLikeness * usual
    }
    guard whole.count > 1,
      let template = whole.indices.max(by: {
        stretches[whole[$0]].gain < stretches[whole[$1]].gain
      })
    else { return }
    let costs = whole.compactMap { stretches[$0].costs }
    guard costs.count == whole.count else { return }
    let common = CommonBoundaries(
      whole.map { sound.frames(of: $0) }, costs, template: template,
      frames: Int(Self.longestShared * Double(Cepstra.framesPerSecond)))
    for (number, excess) in zip(whole, common.excess()) { stretches[number].setExcess(excess) }
  }

  private func edge(of standing: PrayerStructure.Standing) -> FatihaStretch.Edge? {
    if standing.span.lowerBound < StandingSound.margin { return .beginsInside }
    if standing.span.upperBound > duration - StandingSound.margin,
      standing.span.length < Self.longest
    {
      return .endsInside
    }
    return nil
  }

  /// What was found, and by what.
  struct Finding {
    var fatihas: [Fatiha?]
    var stretches: [FatihaStretch]
    /// How long each of the seven takes, in seconds, and the spread of the logarithm of that.
    var durations: [Double]
    var spread = FatihaFinder.learntSpread
    /// For each candidate how much it looks like a boundary.
    var ratios: [Double]
    /// The one whose boundaries are the surest.
    fileprivate var surest: (number: Int, fatiha: Fatiha)?
  }

  private func align(_ stretches: [FatihaStretch]) -> Finding {
    let ratios = evidence.likelihoodRatios(candidates)
    let whole = stretches.indices.filter { stretches[$0].edge == nil }
    func posteriors(_ durations: [Double], _ spread: Double) -> [LatticePosterior?] {
      stretches.map { stretch in
        AlignmentLattice(problem: stretch.problem(durations, spread, ratios)).posterior()
      }
    }
    func middle(_ posteriors: [LatticePosterior?]) -> Double {
      let values = (whole.isEmpty ? Array(stretches.indices) : whole)
        .map { posteriors[$0]?.logLikelihood ?? -1000 }.sorted()
      return values.isEmpty ? 0 : values[values.count / 2]
    }
    let paces = Self.paces.filter { tried in
      pace.map { Self.paceRatios.contains(tried / $0) } ?? true
    }
    let best = paces.map { pace in
      let durations = RecitedToken.unitsOfFatiha.map { $0 * pace }
      return (durations, middle(posteriors(durations, Self.firstSpread)))
    }.max { $0.1 < $1.1 }
    guard var durations = best?.0 else {
      return Finding(
        fatihas: stretches.map { _ in nil }, stretches: stretches,
        durations: RecitedToken.unitsOfFatiha,
        ratios: ratios)
    }
    var found = posteriors(durations, Self.firstSpread)
    for _ in 0..<Self.rounds {
      durations = learnt(found, stretches, before: durations)
      found = posteriors(durations, Self.learntSpread)
    }
    let usual = middle(found)
    let usualGain = Self.usual(
      whole.filter { !stretches[$0].isTemplate }.map { stretches[$0].gain })
    var result = Finding(
      fatihas: [], stretches: stretches, durations: durations, ratios: ratios)
    for (number, stretch) in stretches.enumerated() {
      var fatiha: Fatiha?
      let isLike = stretch.gain >= stretch.leastLikeness * usualGain || stretch.isTemplate
      if let posterior = found[number], isLike,
        stretch.isCompared || posterior.logLikelihood > usual + Self.leastLikelihood
      {
        fatiha = stretch.fatiha(posterior)
      }
      result.fatihas.append(fatiha)
      guard let fatiha, stretch.edge == nil else { continue }
      let sureness = fatiha.probabilities.reduce(1, *)
      if sureness > result.surest?.fatiha.probabilities.reduce(1, *) ?? 0 {
        result.surest = (number, fatiha)
      }
    }
    return result
  }

  /// What most have that have it at all.
  private static func usual(_ gains: [Double]) -> Double {
    let sorted = gains.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count * 3 / 4]
  }

  /// The median duration of each ayah; of two the shorter one, for what else is heard in some standings makes
  /// an ayah longer.
  private func learnt(
    _ found: [LatticePosterior?], _ stretches: [FatihaStretch], before: [Double]
  ) -> [Double] {
    (0..<7).map { ayah in
      let durations = zip(found, stretches).compactMap { posterior, stretch -> Double? in
        let points = stretch.timeline.points
        guard stretch.edge == nil, let posterior,
          let start = posterior.likeliestPoint(ofRow: ayah),
          let end = posterior.likeliestPoint(ofRow: ayah + 1),
          points[end].active - points[start].active > Self.leastShare * before[ayah]
        else { return nil }
        return points[end].active - points[start].active
      }.sorted()
      return durations.isEmpty ? before[ayah] : durations[(durations.count - 1) / 2]
    }
  }
}
