// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Aligns what is recited with the places of a recording by lengths and pauses.
///
/// A hidden semi-Markov model: tokens follow each other, each lasts as long as its units and the reciter's
/// pace say (``DurationModel``), and between them lies a place that looks like a boundary
/// (``BoundaryEvidence``). Pace, spread and evidence are learnt from the recording itself by expectation
/// and maximisation: alignment and model take turns.
struct LengthAligner {
  /// What is not known before and makes for different alignments.
  struct Hypothesis: Hashable {
    /// Whether something is said before the first ayah.
    var hasLeadIn: Bool
    /// Seconds per unit to start from.
    var pace: Double
  }

  struct Result {
    let hypothesis: Hypothesis
    /// Logarithm of the likelihood; comparable between hypotheses on one recording.
    var logLikelihood: Double
    /// For each row the point: where the first token begins, and where each ends.
    var points: [AlignmentTimeline.Point]
    /// For each row the probability that it is within reach of where it should be.
    var probabilities: [Double]
    /// The tokens that the rows lie between.
    var tokens: [RecitedToken]
    /// For each token the logarithm of seconds per unit around it.
    var paces: [Double]
    var spread: Double
    var evidence: BoundaryEvidence
    /// The probability that the last token is the last.
    var endProbability: Double
    /// For each row where a reference puts it, in seconds; empty without one.
    var placements: [Double?]
    /// Mean cost of the warp onto that reference.
    var referenceCost: Double?
    /// What is said again; the rows and tokens of it are in their places.
    var repeats: [HeardAgain] = []

    var meanProbability: Double {
      probabilities.reduce(0, +) / Double(max(probabilities.count, 1))
    }
  }

  let candidates: AlignmentCandidates
  private(set) var timeline: AlignmentTimeline
  /// In order; when the end is not known, all that could come.
  let tokens: [RecitedToken]
  let isEndKnown: Bool
  /// Whether there may be something before the first token.
  let leadIn: LeadInModel
  /// Whether nothing follows the last token.
  var isClosed = false
  /// Ends everything, with no result.
  var stopFlag = StopFlag()
  /// Whether reciting goes on after the timeline.
  private(set) var isCutOff = false
  /// For each row where a reference recitation puts it, in seconds of the recording; empty without one.
  var placements: [Double?] = []
  /// For each candidate the silence it lies in, in seconds.
  var candidateSilences: [ClosedRange<Double>] = []

  /// Rounds with all that is possible, and rounds near where the former found the boundaries.
  private static let wideRounds = 3
  private static let narrowRounds = 2
  /// More points than this are thinned out in the wide rounds.
  private static let mostWidePoints = 2500
  /// Seconds, and share of the time to the nearer end that is known, by which a boundary may be away
  /// from where an even pace puts it.
  private static let band = 25.0
  private static let bandShare = 0.12
  /// Where the end is not known, ayat are looked for that this share of the recording would hold at the
  /// pace of the hypothesis.
  private static let furthest = 1.25
  /// The same in the narrow rounds: seconds, and standard deviations.
  private static let narrowBand = 10.0
  private static let narrowDeviations = 4.0
  /// The same around where a reference puts a row, in seconds.
  private static let placedBand = 15.0

  /// The alignment under a hypothesis; nil when there is none.
  func align(_ hypothesis: Hypothesis) -> Result? {
    var state = roughState(hypothesis)
    return finish(&state)
  }

  /// What the rounds with all that is possible find.
  private func roughState(_ hypothesis: Hypothesis) -> State {
    var state = State(self, hypothesis)
    let wide = thinnedTimeline()
    for _ in 0..<Self.wideRounds {
      guard state.pass(on: wide, windows: wideWindows(state, wide)) else { break }
    }
    return state
  }

  /// What the rounds near that find.
  private func finish(_ state: inout State) -> Result? {
    for _ in 0..<Self.narrowRounds {
      guard state.pass(on: timeline, windows: narrowWindows(state)) else { break }
    }
    return state.result()
  }

  /// The likeliest alignment where the end is known, and with it the pace; nil when there is none.
  func alignAll() -> Result? {
    let straight = alignAll(hasLeadIn: false)
    let other = leadIn.isEmpty ? nil : alignAll(hasLeadIn: true)
    guard let straight, let other else { return straight ?? other }
    return straight.logLikelihood >= other.logLikelihood
      ? straight.weighed(against: other) : other.weighed(against: straight)
  }

  /// The same where it is known as well whether something is said before the first ayah.
  func alignAll(hasLeadIn: Bool) -> Result? {
    let units =
      tokens.reduce(0) { $0 + $1.units * (1 - $1.skip) } + (hasLeadIn ? leadIn.units : 0)
    return align(Hypothesis(hasLeadIn: hasLeadIn, pace: timeline.duration / max(units, 1)))
  }

  /// What an alignment has learnt of a recording.
  struct Learnt {
    /// For each token the logarithm of seconds per unit around it.
    var paces: [Double]
    var spread: Double
    var evidence: BoundaryEvidence
  }

  /// What to begin with where nothing that was learnt holds: one pace, that of `learnt` where the end is not
  /// known.
  func unlearnt(_ learnt: Learnt) -> Learnt {
    var mean = learnt.paces.reduce(0, +) / Double(max(learnt.paces.count, 1))
    if isEndKnown {
      let units = tokens.reduce(0) { $0 + $1.units * (1 - $1.skip) }
      mean = log(max(timeline.duration, 1) / max(units, 1))
    }
    return Learnt(
      paces: [Double](repeating: mean, count: tokens.count), spread: State.firstSpread,
      evidence: candidates.evidence)
  }

  /// The likelier alignment of those with a lead-in and without one, by what is known already.
  func likeliest(_ learnt: Learnt) -> Result? {
    (leadIn.isEmpty ? [false] : [false, true]).compactMap { align(hasLeadIn: $0, learnt) }
      .max { $0.logLikelihood < $1.logLikelihood }
  }

  /// Aligns with what is known already, learning nothing; nil when there is no alignment.
  func align(hasLeadIn: Bool, _ learnt: Learnt) -> Result? {
    let pace = learnt.paces.first ?? 0
    var state = State(self, Hypothesis(hasLeadIn: hasLeadIn, pace: exp(pace)))
    state.know(learnt)
    let wide = thinnedTimeline()
    guard state.pass(on: wide, windows: wideWindows(state, wide)),
      state.pass(on: timeline, windows: narrowWindows(state))
    else { return nil }
    return state.result()
  }

  /// Aligns the beginning, then twice as much again and again, each time near where what is known
  /// already leads; for recordings whose end is not known. Nil when there is no alignment.
  func alignStepwise(_ hypothesis: Hypothesis) -> Result? {
    var reached = Self.firstStretch
    var beginning = prefix(seconds: reached)
    var state = beginning.roughState(hypothesis)
    guard state.posterior != nil else { return nil }
    while beginning.isCutOff {
      reached *= 2
      beginning = prefix(seconds: reached)
      state.go(on: beginning)
      let points = beginning.thinnedTimeline()
      guard state.pass(on: points, windows: beginning.onwardWindows(state, points)) else {
        return nil
      }
    }
    for _ in 0..<Self.narrowRounds {
      guard state.pass(on: timeline, windows: narrowWindows(state)) else { break }
    }
    return state.result()
  }

  /// The beginning aligned under a hypothesis.
  func alignBeginning(_ hypothesis: Hypothesis, seconds: Double = firstStretch) -> Result? {
    prefix(seconds: seconds).align(hypothesis)
  }

  /// The beginning aligned under each of some hypotheses, and once under those that come to the same pace.
  func alignBeginnings(_ hypotheses: [Hypothesis]) -> [Result] {
    let beginning = prefix(seconds: Self.firstStretch)
    var states: [State] = []
    for hypothesis in hypotheses {
      let state = beginning.roughState(hypothesis)
      if !states.contains(where: { $0.isSame(as: state) }) { states.append(state) }
    }
    return states.indices.compactMap { beginning.finish(&states[$0]) }
  }

  /// So many active seconds from the start are aligned first.
  static let firstStretch = 300.0

  /// The same for the beginning alone; for all when little more than that is left.
  private func prefix(seconds: Double) -> LengthAligner {
    guard timeline.duration > 1.5 * seconds else { return self }
    var result = self
    result.timeline = timeline.prefix(seconds: seconds)
    result.isCutOff = true
    return result
  }

  /// Around where rows are known to lie, and further on where the pace leads.
  private func onwardWindows(_ state: State, _ timeline: AlignmentTimeline) -> [Range<Int>] {
    guard let posterior = state.posterior else { return [] }
    let actives = state.timeline.points.map(\.active)
    let sure = (actives.last ?? 0) - Self.unsureEnd
    var known = true
    var last = 0.0
    var centre = 0.0
    return (0...state.tokens.count).map { row in
      if row > 0 { centre += state.tokens[row - 1].units * exp(state.paces[row - 1]) }
      var band = 0.0
      if known, row < posterior.windows.count,
        let (mean, deviation) = posterior.moments(ofRow: row, times: actives), mean < sure
      {
        centre = mean
        last = mean
        band = Self.narrowBand + Self.narrowDeviations * deviation
      } else {
        known = false
        band = Self.onwardBand + Self.onwardShare * (centre - last)
      }
      return timeline.window((centre - band)...(centre + band))
    }
  }

  /// Seconds before the place where a timeline is cut off in which nothing is sure, and the band where
  /// the pace leads, in seconds and as a share of the way.
  private static let unsureEnd = 40.0
  private static let onwardBand = 20.0
  private static let onwardShare = 0.1

  /// The dips, and of the weak ones one a second.
  private func thinnedTimeline() -> AlignmentTimeline {
    let points = timeline.points
    guard points.count > Self.mostWidePoints else { return timeline }
    let ratios = candidates.evidence.likelihoodRatios(candidates)
    var kept: [Int] = []
    var second = -1
    for (number, point) in points.enumerated() {
      guard let candidate = point.candidate, !candidates.candidates[candidate].isDip,
        number < points.count - 1
      else {
        kept.append(number)
        continue
      }
      if Int(point.time) != second {
        second = Int(point.time)
        kept.append(number)
      } else if let last = kept.last, let other = points[last].candidate,
        !candidates.candidates[other].isDip, ratios[candidate] > ratios[other]
      {
        kept[kept.count - 1] = number
      }
    }
    return timeline.thinned(to: kept)
  }

  /// The tokens that may be recited in the timeline.
  func tokens(atPace pace: Double) -> [RecitedToken] {
    guard !isEndKnown else { return tokens }
    var left = Self.furthest * timeline.duration + Self.band
    return Array(
      tokens.prefix { token in
        defer { left -= token.units * pace }
        return left > 0
      })
  }

  private func wideWindows(
    _ state: State, _ timeline: AlignmentTimeline
  ) -> [Range<Int>] {
    if !placements.isEmpty { return placedWindows(timeline) }
    var expected = state.expectedStart
    var centres = [expected]
    for (token, pace) in zip(state.tokens, state.paces) {
      expected += token.units * exp(pace)
      centres.append(expected)
    }
    let duration = timeline.duration
    if isEndKnown {
      let scale = duration / max(expected, 0.1)
      centres = centres.map { $0 * scale }
    }
    return centres.map { centre in
      let reach = isEndKnown ? min(centre, max(duration - centre, 0)) : centre
      let band = Self.band + Self.bandShare * reach
      return timeline.window((centre - band)...(centre + band))
    }
  }

  /// Around where the reference puts each row.
  private func placedWindows(_ timeline: AlignmentTimeline) -> [Range<Int>] {
    var earlier: [Double] = []
    var last = 0.0
    for placement in placements {
      last = placement ?? last
      earlier.append(last)
    }
    var later = timeline.points.last?.time ?? 0
    var windows: [Range<Int>] = []
    for (row, placement) in placements.enumerated().reversed() {
      later = placement ?? later
      windows.append(
        timeline.window(fromTime: earlier[row] - Self.placedBand, toTime: later + Self.placedBand))
    }
    return windows.reversed()
  }

  private func narrowWindows(_ state: State) -> [Range<Int>] {
    guard let posterior = state.posterior else { return [] }
    let actives = state.timeline.points.map(\.active)
    return posterior.windows.indices.map { row in
      guard let (mean, deviation) = posterior.moments(ofRow: row, times: actives) else {
        return 0..<0
      }
      let band = Self.narrowBand + Self.narrowDeviations * deviation
      return timeline.window((mean - band)...(mean + band))
    }
  }
}
