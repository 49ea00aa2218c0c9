// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// What is recited again or left out, where nothing but the recording itself tells it.
extension AyahAligner {
  /// Where the reciter goes back, and the alignment of all else by lengths.
  func heardOrder(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline, _ excerpts: SoundExcerpts?
  ) -> OrderSearch.Found? {
    guard let straight = bestAlignment(request, timeline) else { return nil }
    guard let excerpts, !stopFlag.isStopped else { return OrderSearch.Found(result: straight) }
    let heard = LikenessSearch(
      bands: bands,
      silences: candidates.dips.map {
        $0.span.lowerBound.seconds(at: rate)...$0.span.upperBound.seconds(at: rate)
      }, excerpts: excerpts, rate: rate
    ).found()
    return OrderSearch(
      candidates: candidates, timeline: timeline, rate: rate, silences: silences,
      align: { again(straight, request, $0) },
      likelihood: { likelihood(of: $0, straight, request, timeline.duration) }
    ).found(straight, heard)
  }

  /// Leaves out ayat where the lengths say clearly that they were.
  func leavingOut(
    _ all: LengthAligner.Result, _ timeline: AlignmentTimeline, _ request: AlignmentRequest
  ) -> LengthAligner.Result {
    guard !stopFlag.isStopped, OmissionModel.isDoubtful(all) else { return all }
    let learnt = LengthAligner.Learnt(
      paces: all.paces, spread: all.spread, evidence: all.evidence)
    let optional = OmissionModel.optional(all.tokens)
    let some = lengthAligner(request, timeline, optional).align(
      hasLeadIn: all.hypothesis.hasLeadIn, learnt)
    let missing = some.map { some in
      some.tokens.indices.filter { some.points[$0].time == some.points[$0 + 1].time }
    }
    var best: (left: Range<Int>, result: LengthAligner.Result)?
    for left in OmissionModel.likely(all, near: missing ?? []) {
      var tokens = all.tokens
      tokens.removeSubrange(left)
      let aligner = lengthAligner(request, timeline, tokens)
      guard let result = aligner.alignAll(hasLeadIn: all.hypothesis.hasLeadIn) else { continue }
      let least = best?.result.logLikelihood ?? all.logLikelihood + OmissionModel.leastGainOfLengths
      if result.spread < OmissionModel.greatestSpread, result.logLikelihood > least {
        best = (left, result)
      }
    }
    guard var best else { return all }
    best.result.limit(row: best.left.lowerBound, to: OmissionModel.probabilityByLengths)
    return best.result
  }

  /// How likely a shorter timeline is, as a logarithm, by what the straight alignment has learnt.
  ///
  /// - Parameter duration: of the whole timeline, in active seconds.
  private func likelihood(
    of timeline: AlignmentTimeline, _ straight: LengthAligner.Result, _ request: AlignmentRequest,
    _ duration: Double
  ) -> Double? {
    let aligner = lengthAligner(request, timeline, straight.tokens)
    // Where the end is not known, it changes with what is cut out; else all gets faster.
    let haste = request.last == nil ? 0 : log(max(timeline.duration, 1) / max(duration, 1))
    let learnt = LengthAligner.Learnt(
      paces: straight.paces.map { $0 + haste }, spread: straight.spread, evidence: straight.evidence
    )
    return aligner.align(hasLeadIn: straight.hypothesis.hasLeadIn, learnt)?.logLikelihood
  }

  /// The alignment on another timeline of the same recording.
  private func again(
    _ first: LengthAligner.Result, _ request: AlignmentRequest, _ timeline: AlignmentTimeline
  ) -> LengthAligner.Result? {
    let last = request.last ?? Self.furthest(from: request.first, seconds: timeline.duration)
    guard let range = AyahRange(first: request.first, last: last) else { return nil }
    let aligner = lengthAligner(request, timeline, RecitedToken.tokens(range))
    if aligner.isEndKnown { return aligner.alignAll(hasLeadIn: first.hypothesis.hasLeadIn) }
    return aligner.alignStepwise(.init(hasLeadIn: first.hypothesis.hasLeadIn, pace: first.pace))
  }
}
