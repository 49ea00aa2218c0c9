// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

extension LengthAligner {
  /// What is learnt from pass to pass.
  struct State {
    /// Spread of the logarithm of a duration to start from, and how many ayat that is worth.
    static let firstSpread = 0.12
    private static let spreadWeight = 15.0
    private static let spreadLimits = 0.07...0.3
    /// Ayat on either side over which the pace is averaged (a Gaussian's deviation), and how many ayat the
    /// pace of the whole counts for in that.
    private static let paceReach = 20.0
    private static let paceWeight = 6.0

    var aligner: LengthAligner
    let hypothesis: Hypothesis
    var tokens: [RecitedToken]
    var paces: [Double]
    var spread = Self.firstSpread
    var evidence: BoundaryEvidence
    var timeline: AlignmentTimeline
    var posterior: LatticePosterior?
    private var isLearning = true
    /// Whether the last pass has been learnt from already.
    private var isLearnt = false
    private var skips: [Double]

    init(_ aligner: LengthAligner, _ hypothesis: Hypothesis) {
      self.aligner = aligner
      self.hypothesis = hypothesis
      tokens = aligner.tokens(atPace: hypothesis.pace)
      paces = [Double](repeating: log(hypothesis.pace), count: tokens.count)
      timeline = aligner.timeline
      evidence = aligner.candidates.evidence
      skips = tokens.map(\.skip)
    }

    /// Takes up a longer timeline, with what is known of the beginning.
    mutating func go(on aligner: LengthAligner) {
      learn()
      self.aligner = aligner
      let pace = paces.last ?? log(hypothesis.pace)
      tokens = aligner.tokens(atPace: exp(pace))
      paces = Array(paces.prefix(tokens.count))
      paces += [Double](repeating: pace, count: tokens.count - paces.count)
      skips = tokens.map(\.skip)
      isLearnt = true
    }

    /// Takes over what is known; nothing more will be learnt.
    mutating func know(_ learnt: Learnt) {
      let last = learnt.paces.last ?? log(hypothesis.pace)
      paces = Array(learnt.paces.prefix(tokens.count))
      paces += [Double](repeating: last, count: tokens.count - paces.count)
      spread = learnt.spread
      evidence = learnt.evidence
      isLearning = false
    }

    /// Active seconds at which the first token is expected to begin.
    var expectedStart: Double {
      hypothesis.hasLeadIn ? aligner.leadIn.units * exp(paces.first ?? log(hypothesis.pace)) : 0
    }

    /// The logarithm of seconds per unit, on average.
    var pace: Double { paces.reduce(0, +) / Double(max(paces.count, 1)) }

    /// Whether the same was found from another pace.
    func isSame(as other: State) -> Bool {
      posterior != nil && other.posterior != nil
        && hypothesis.hasLeadIn == other.hypothesis.hasLeadIn
        && abs(pace - other.pace) < Self.samePace
    }

    private static let samePace = 0.01

    /// Learns from the pass before, then aligns with what is known.
    ///
    /// - Returns: false, and as it was before, when there is no alignment within the windows.
    mutating func pass(on timeline: AlignmentTimeline, windows: [Range<Int>]) -> Bool {
      guard !windows.isEmpty, !aligner.stopFlag.isStopped else { return false }
      var next = self
      if posterior != nil, isLearning, !isLearnt { next.learn() }
      next.isLearnt = false
      next.timeline = timeline
      next.posterior = AlignmentLattice(problem: next.problem(windows)).posterior()
      guard next.posterior != nil else { return false }
      self = next
      return true
    }

    private func problem(_ windows: [Range<Int>]) -> LatticeProblem {
      let points = timeline.points
      let pointEvidence = points.map { point in
        point.candidate.map { evidence.likelihoodRatio(aligner.candidates, $0) } ?? 1
      }
      let model = DurationModel(spread: spread)
      let pace = exp(paces.first ?? log(hypothesis.pace))
      let duration = timeline.duration
      var endings = [Double](repeating: 0, count: tokens.count + 1)
      if aligner.isEndKnown {
        endings[tokens.count] = 1
      } else {
        for (row, token) in tokens.enumerated() {
          endings[row + 1] = aligner.isCutOff ? 1 : EndModel.prior(of: token)
        }
      }
      let average = tokens.reduce(0) { $0 + $1.units } / Double(max(tokens.count, 1)) * pace
      return LatticeProblem(
        steps: points.map { Int(($0.active / DurationModel.step).rounded()) },
        evidence: pointEvidence,
        durations: zip(tokens, paces).map { model.table(expected: $0.units * exp($1)) },
        skips: skips, windows: windows,
        starts: points.indices.map { point in
          guard windows[0].contains(point) else { return 0 }
          return aligner.leadIn.likelihood(
            seconds: points[point].active, isPresent: hypothesis.hasLeadIn, pace: pace)
            * pointEvidence[point]
        },
        ends: points.indices.map { point in
          let left = duration - points[point].active
          if aligner.isClosed { return point == points.count - 1 ? 1 : 0 }
          return aligner.isCutOff
            ? EndModel.likelihoodOfCut(seconds: left, average: average)
            : EndModel.likelihood(seconds: left, isEnd: point == points.count - 1)
        },
        earliestStarts: timeline.earliestStarts, latestEnds: timeline.latestEnds,
        endings: endings, placements: placementWeights(windows))
    }

    /// How well each point of each row's window fits where the reference puts the row.
    private func placementWeights(_ windows: [Range<Int>]) -> [[Double]] {
      guard !aligner.placements.isEmpty else { return [] }
      return zip(windows, aligner.placements).map { window, placement in
        guard let placement else { return [] }
        return window.map { number in
          let point = timeline.points[number]
          let silence = point.candidate.map { aligner.candidateSilences[$0] }
          return PlacementModel.weight(
            of: point.time, within: silence ?? point.time...point.time, placement: placement)
        }
      }
    }

    private mutating func learn() {
      guard let posterior else { return }
      let actives = timeline.points.map(\.active)
      let means = posterior.windows.indices.map {
        posterior.moments(ofRow: $0, times: actives)?.mean
      }
      learnPace(means, posterior)
      learnEvidence(posterior)
    }

    /// The logarithm of the likelihood, comparable between hypotheses that have learnt different things
    /// of what boundaries look like.
    ///
    /// That of the lengths, and how well the candidates' features tell which of them are boundaries
    /// under this hypothesis: one that takes breaths for boundaries cannot tell them from other breaths.
    private func comparableLikelihood(_ posterior: LatticePosterior) -> Double {
      let candidates = timeline.points.compactMap(\.candidate)
      let boundaries = evidence.rate * timeline.duration
      return posterior.logLikelihood + boundaries
        + evidence.logLikelihoodOfNone(aligner.candidates, candidates)
        - evidence.costOfLearning(from: aligner.candidates.evidence)
    }

    private mutating func learnPace(_ means: [Double?], _ posterior: LatticePosterior) {
      // Seconds per unit of each token, and how much each counts.
      var logs: [Double] = []
      var weights: [Double] = []
      var reached = 0.0
      for (index, token) in tokens.enumerated() {
        guard let start = means[index], let end = means[index + 1] else {
          logs.append(0)
          weights.append(0)
          continue
        }
        let ratio = log(max(end - start, 0.2) / token.units)
        let deviation = (ratio - paces[index]) / spread
        logs.append(ratio)
        let isThere = posterior.probabilities[index + 1].reduce(0, +) * (1 - token.skip)
        weights.append(
          isThere * (DurationModel.freedom + 1)
            / (DurationModel.freedom + deviation * deviation))
        reached += isThere
      }
      guard reached > 0.5 else { return }
      let known = logs.indices.filter { weights[$0] > 0 }
      let middle = known.map { logs[$0] }.sorted()[known.count / 2]
      var smoothed = paces
      for index in tokens.indices {
        var sum = Self.paceWeight * middle
        var total = Self.paceWeight
        let reach = Int(3 * Self.paceReach)
        for other in max(0, index - reach)..<min(tokens.count, index + reach + 1) {
          let distance = Double(other - index) / Self.paceReach
          let weight = weights[other] * exp(-distance * distance / 2)
          sum += weight * logs[other]
          total += weight
        }
        smoothed[index] = sum / total
      }
      paces = smoothed
      var squares =
        Self.spreadWeight * Self.firstSpread * Self.firstSpread
      for index in tokens.indices {
        let deviation = logs[index] - paces[index]
        squares += weights[index] * deviation * deviation
      }
      spread = (squares / (reached + Self.spreadWeight)).squareRoot()
        .clamped(to: Self.spreadLimits)
    }

    private mutating func learnEvidence(_ posterior: LatticePosterior) {
      let sums = posterior.boundaryProbabilities(pointCount: timeline.points.count)
      var probabilities = [Double?](repeating: nil, count: aligner.candidates.count)
      for (point, sum) in zip(timeline.points, sums) {
        if let candidate = point.candidate { probabilities[candidate] = sum }
      }
      evidence.adapt(to: aligner.candidates, probabilities: probabilities)
      evidence.rate = max(sums.reduce(0, +) / max(timeline.duration, 1), BoundaryEvidence.leastRate)
    }

    /// What the last pass found, with the end decided.
    mutating func result() -> Result? {
      guard var posterior, !aligner.stopFlag.isStopped else { return nil }
      let logLikelihood =
        isLearning ? comparableLikelihood(posterior) : posterior.logLikelihood
      var endProbability = 1.0
      if !aligner.isEndKnown {
        guard
          let last = posterior.endings.indices.max(by: {
            posterior.endings[$0] < posterior.endings[$1]
          }), last > 0
        else { return nil }
        endProbability = posterior.endings[last]
        var problem = problem(posterior.windows)
        tokens.removeSubrange(last...)
        paces.removeSubrange(last...)
        skips.removeSubrange(last...)
        problem.durations.removeSubrange(last...)
        problem.skips = skips
        problem.windows.removeSubrange((last + 1)...)
        problem.endings = [Double](repeating: 0, count: last) + [1]
        guard let decided = AlignmentLattice(problem: problem).posterior() else { return nil }
        posterior = decided
      }
      let path = LikelyPath(posterior, times: timeline.points.map(\.time), skips: skips)
      guard let path else { return nil }
      return Result(
        hypothesis: hypothesis, logLikelihood: logLikelihood,
        points: path.points.map { timeline.points[$0] }, probabilities: path.probabilities,
        tokens: tokens, paces: paces, spread: spread, evidence: evidence,
        endProbability: endProbability, placements: aligner.placements)
    }
  }
}
