// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Aligns with lengths, pauses and another recitation in one decision.
struct GuidedAligner {
  private let candidates: AlignmentCandidates
  private let timeline: AlignmentTimeline
  private let comparison: ReferenceComparison
  private let silences: [ClosedRange<Double>]
  private let leadIn: LeadInModel
  private let recording: SpectralFrames
  var stopFlag = StopFlag()

  /// - Parameter silences: for each candidate the silence it lies in, in seconds.
  init(
    candidates: AlignmentCandidates, timeline: AlignmentTimeline, comparison: ReferenceComparison,
    silences: [ClosedRange<Double>], leadIn: LeadInModel
  ) {
    self.candidates = candidates
    self.timeline = timeline
    self.comparison = comparison
    self.silences = silences
    self.leadIn = leadIn
    // Outside of what is aligned nobody recites: noise there must not tell what the voice is like.
    let rate = Double(Cepstra.framesPerSecond)
    let first = timeline.points.first?.time ?? 0
    let last = max(timeline.points.last?.time ?? 0, first)
    recording = SpectralFrames(
      joining: [.known(comparison.recording)], measured: Int(first * rate)..<Int(last * rate))
  }

  /// Where the end is known.
  func align(around lengths: LengthAligner.Result) -> LengthAligner.Result? {
    let all = guide(lengths.tokens)
    let placement = all.placement(guess: lengths.points.map(\.time), isEndKnown: true)
    guard let straight = placement.flatMap({ align($0) }) else { return nil }
    let (guide, complete) = leavingOut(all, straight)
    let doubtful = doubtfulStretches(complete)
    guard !doubtful.isEmpty else { return complete }
    // Where an ayah took much too long or hardly any time the reciter may have gone back, or on.
    guard
      let other = guide.placement(
        guess: complete.points.map(\.time), isEndKnown: true, jumpingIn: doubtful),
      other.tokens != complete.tokens, let jumping = align(other)
    else { return complete }
    return jumping.logLikelihood > complete.logLikelihood + Self.leastGain ? jumping : complete
  }

  /// Leaves out what the reciter seems to have left out, one ayah or a few at a time.
  private func leavingOut(
    _ guide: ReferenceGuide, _ straight: LengthAligner.Result
  ) -> (ReferenceGuide, LengthAligner.Result) {
    var (guide, best) = (guide, straight)
    // What fits nowhere is not mended by leaving something out, however long that is tried.
    guard !OmissionModel.isHopeless(straight) else { return (guide, best) }
    var tried: Set<[RecitedToken]> = []
    for _ in 0..<Self.mostOmissions {
      let times = best.points.map(\.time)
      let gains = OmissionModel.suspects(best).compactMap { left -> (Range<Int>, Double)? in
        guard !tried.contains(Array(best.tokens[left])),
          let gain = guide.gain(leavingOut: left, times: times), gain > OmissionModel.leastGain
        else { return nil }
        return (left, gain)
      }
      var likeliest: (score: Double, row: Int, guide: ReferenceGuide, LengthAligner.Result)?
      for (left, gain) in gains.sorted(by: { $0.1 > $1.1 }).prefix(Self.comparedOmissions) {
        tried.insert(Array(best.tokens[left]))
        var tokens = best.tokens
        var guess = times
        tokens.removeSubrange(left)
        guess.removeSubrange(left.lowerBound + 1..<left.upperBound + 1)
        let rest = self.guide(tokens)
        guard let placement = rest.placement(guess: guess, isEndKnown: true),
          let result = align(placement), result.tokens.count == tokens.count
        else { continue }
        let score = OmissionModel.score(
          gain: gain, lengths: result.logLikelihood - best.logLikelihood)
        if score > likeliest?.score ?? 0 { likeliest = (score, left.lowerBound, rest, result) }
      }
      guard let likeliest else { break }
      (guide, best) = (likeliest.guide, likeliest.3)
      best.limit(row: likeliest.row, to: OmissionModel.probability(likeliest.score))
    }
    return (guide, best)
  }

  private static let mostOmissions = 8
  /// How many omissions are compared by all that is known, of those by which warping is the cheapest.
  private static let comparedOmissions = 5

  /// Spreads by which a duration is off where something may have been repeated or left out.
  private static let doubt = 2.5
  /// How much likelier an alignment has to be that repeats or leaves something out, as a logarithm.
  private static let leastGain = 3.0

  /// In seconds, from the ayah before one of an odd duration to the one after.
  private func doubtfulStretches(_ result: LengthAligner.Result) -> [ClosedRange<Double>] {
    result.tokens.indices.compactMap { index in
      let points = result.points
      let seconds = points[index + 1].active - points[index].active
      let expected = result.tokens[index].units * exp(result.paces[index])
      guard seconds > 0, result.tokens[index].skip == 0,
        abs(log(seconds / expected)) > Self.doubt * result.spread
      else { return nil }
      return points[max(index - 1, 0)].time...points[min(index + 2, points.count - 1)].time
    }
  }

  /// Where the end is not known: as far as the best way through the reference leads, or as the lengths
  /// say, whichever fits better.
  func align(from first: AyahReference, lengths: LengthAligner.Result?) -> LengthAligner.Result? {
    let byLengths = lengths.flatMap { align(around: $0) }
    if let byLengths, byLengths.meanProbability >= Self.sure { return byLengths }
    let all = comparison.tokens(from: first)
    guard !all.isEmpty else { return byLengths }
    let guide = guide(all)
    let guesses = [lengths?.points.map(\.time), nil]
    let open = guesses.compactMap { guess in
      guide.placement(guess: guess, isEndKnown: false).flatMap { align($0) }
    }
    return ([byLengths].compactMap { $0 } + open).max { $0.logLikelihood < $1.logLikelihood }
  }

  /// An alignment around the lengths whose boundaries are this probable on average needs no other.
  private static let sure = 0.95

  private func guide(_ tokens: [RecitedToken]) -> ReferenceGuide {
    ReferenceGuide(
      recording: recording, reference: comparison.reference, tokens: tokens,
      mayHaveLeadIn: leadIn.mayHaveBasmalah,
      silences: silences.filter { $0.lowerBound < $0.upperBound })
  }

  private func align(_ placement: ReferenceGuide.Placement) -> LengthAligner.Result? {
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: placement.tokens, isEndKnown: true,
      leadIn: leadIn)
    aligner.stopFlag = stopFlag
    aligner.placements = placement.rows
    aligner.candidateSilences = silences
    var result = aligner.alignAll()
    result?.referenceCost = placement.cost
    return result
  }
}
