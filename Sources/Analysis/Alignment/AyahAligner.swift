// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Finds where in a recording each ayah is, told where reciting starts.
///
/// Measures a recording once; alignments of it are pure and fast after that. Immutable; safe to use from
/// any thread.
public struct AyahAligner: Sendable {
  let candidates: AlignmentCandidates
  let rate: SampleRate
  let length: FrameCount

  /// Measures all places where an ayah may end.
  public init(_ envelope: Envelope) throws(AnalysisError) {
    candidates = try AlignmentCandidates(envelope)
    rate = envelope.grid.rate
    length = envelope.length
  }

  /// Paces to start from where the end is not known, in seconds per unit: from the fastest hadr to a
  /// slow mujawwad, in steps that the learning of the pace bridges.
  private static let paces: [Double] = (0..<15).map { 0.06 * pow(1.16, Double($0)) }
  /// How many of them are followed to the end.
  private static let followedPaces = 2

  /// Aligns the whole recording.
  public func align(_ request: AlignmentRequest) -> AyahAlignment {
    let stretch = voicedStretch
    guard !candidates.dips.isEmpty || candidates.count > 0, !stretch.isEmpty else {
      return unaligned("nothing is to be heard in this recording")
    }
    let timeline = AlignmentTimeline(candidates, stretches: [stretch], rate: rate)
    guard let best = bestAlignment(request, timeline) else {
      return unaligned(
        "\(Self.name(of: request)) cannot be laid over this recording; check the first and last ayah"
      )
    }
    return alignment(best, LeadInModel(before: request.first))
  }

  private func bestAlignment(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline
  ) -> LengthAligner.Result? {
    let leadIn = LeadInModel(before: request.first)
    let isEndKnown = request.last != nil
    let last = request.last ?? Self.furthest(from: request.first, seconds: timeline.duration)
    guard let range = AyahRange(first: request.first, last: last) else { return nil }
    let aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: RecitedToken.tokens(range),
      isEndKnown: isEndKnown, leadIn: leadIn)
    var hypotheses: [LengthAligner.Hypothesis] = []
    if isEndKnown {
      let units = aligner.tokens.reduce(0) { $0 + $1.units * (1 - $1.skip) }
      for hasLeadIn in [false, true] {
        let pace = timeline.duration / (units + (hasLeadIn ? leadIn.units : 0))
        hypotheses.append(.init(hasLeadIn: hasLeadIn, pace: pace))
      }
    } else {
      let probed = Self.paces.flatMap { pace in
        [false, true].map { LengthAligner.Hypothesis(hasLeadIn: $0, pace: pace) }
      }.map { ($0, aligner.probe($0)) }
      hypotheses = probed.filter { $0.1 > -.infinity }.sorted { $0.1 > $1.1 }
        .prefix(2 * Self.followedPaces).map(\.0)
    }
    return hypotheses.compactMap { aligner.align($0) }
      .max { $0.logLikelihood < $1.logLikelihood }
  }

  /// The last ayah that can be reached from one in so many seconds at the fastest pace.
  private static func furthest(from first: AyahReference, seconds: Double) -> AyahReference {
    let fastest = paces[0] * 0.9
    var reached = 0.0
    var last = first
    while reached < seconds, let next = last.next {
      reached += RecitedToken.ayah(last).units * fastest
      last = next
    }
    return last
  }

  /// From the first sound to the last.
  private var voicedStretch: Range<FramePosition> {
    let end = FramePosition.zero + length
    var stretch = FramePosition.zero..<end
    let margin = FrameCount(seconds: 0.1, at: rate)
    if let first = candidates.candidates.first(where: \.isDip),
      first.span.lowerBound < .zero + margin
    {
      stretch = first.position..<end
    }
    if let last = candidates.candidates.last(where: \.isDip),
      last.span.upperBound + margin > end, last.span.lowerBound > stretch.lowerBound
    {
      stretch = stretch.lowerBound..<last.span.lowerBound
    }
    return stretch
  }

  private static func name(of request: AlignmentRequest) -> String {
    guard let last = request.last,
      let range = AyahRange(first: request.first, last: last)
    else { return "what follows \(request.first)" }
    return range.numericDescription
  }
}
