// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Aligns with lengths, pauses and another recitation in one decision.
struct GuidedAligner {
  let candidates: AlignmentCandidates
  let timeline: AlignmentTimeline
  let comparison: ReferenceComparison
  /// For each candidate the silence it lies in, in seconds.
  let silences: [ClosedRange<Double>]
  let leadIn: LeadInModel
  var stopFlag = StopFlag()

  /// Where the end is known.
  func align(around lengths: LengthAligner.Result) -> LengthAligner.Result? {
    let guide = guide(lengths.tokens)
    guard
      let placement = guide.placement(guess: lengths.points.map(\.time), isEndKnown: true)
    else { return nil }
    return align(placement)
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
      recording: comparison.recording, reference: comparison.reference, tokens: tokens,
      mayHaveLeadIn: leadIn.mayHaveBasmalah)
  }

  private func align(_ placement: ReferenceGuide.Placement) -> LengthAligner.Result? {
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: placement.tokens, isEndKnown: true,
      leadIn: leadIn)
    aligner.stopFlag = stopFlag
    aligner.placements = placement.rows
    aligner.candidateSilences = silences
    return aligner.alignAll()
  }
}
