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
  let voice: VoiceRuns
  let rate: SampleRate
  let length: FrameCount

  /// Measures all places where an ayah may end.
  public init(_ envelope: Envelope) throws(AnalysisError) {
    let tracks = try SoundTracks(envelope)
    candidates = try AlignmentCandidates(envelope, tracks)
    voice = VoiceRuns(tracks)
    rate = envelope.grid.rate
    length = envelope.length
  }

  /// Paces to start from where the end is not known, in seconds per unit: from the fastest hadr to a
  /// slow mujawwad, in steps that the learning of the pace bridges.
  private static let paces: [Double] = (0..<15).map { 0.06 * pow(1.16, Double($0)) }
  /// How many of them are followed to the end.
  private static let followedPaces = 4
  /// Alignments whose mean probability of a boundary differs by less are judged by their likelihood.
  private static let sureness = 0.06

  /// Aligns the whole recording.
  ///
  /// - Parameter comparison: what the recording sounds like and another recitation of the passage.
  public func align(
    _ request: AlignmentRequest, sound: Cepstra? = nil, comparison: ReferenceComparison? = nil
  ) -> AyahAlignment {
    let stretch = voicedStretch
    guard candidates.count > 0, !stretch.isEmpty else {
      return unaligned("nothing is to be heard in this recording")
    }
    if request.prayer == .taraweeh {
      return alignPrayer(request, sound ?? comparison?.recording, comparison?.reference).map {
        judged($0, request)
      }
        ?? unaligned("no rak'ah is to be heard in this recording; leave --prayer out")
    }
    let timeline = AlignmentTimeline(candidates, stretches: [stretch], rate: rate)
    guard var best = bestAlignment(request, timeline) else {
      return unaligned(
        "\(Self.name(of: request)) cannot be laid over this recording; check the first and last ayah"
      )
    }
    if let comparison {
      best = guided(best, request, timeline, comparison) ?? best
    }
    let pace = exp(best.paces.reduce(0, +) / Double(max(best.paces.count, 1)))
    return judged(alignment(best, LeadInModel(before: request.first)), request, pace: pace)
  }

  /// Of the recordings that the model was tried on, all that were what they were said to be had a mean
  /// confidence above this, but for one of six ayat; two thirds of those that were not had less.
  private static let leastMeanConfidence = 0.76
  /// Fewer boundaries than this say nothing.
  private static let leastJudged = 6

  /// Seconds per unit at which people recite; 0.08 is a fast hadr, 0.46 a slow mujawwad.
  private static let possiblePaces = 0.04...0.9

  private func judged(
    _ alignment: AyahAlignment, _ request: AlignmentRequest, pace: Double? = nil
  ) -> AyahAlignment {
    var alignment = alignment
    let boundaries = alignment.boundaries
    let mean = boundaries.reduce(0) { $0 + $1.confidence } / Double(max(boundaries.count, 1))
    let isPossible = pace.map { Self.possiblePaces.contains($0) } ?? true
    let isSure = boundaries.count < Self.leastJudged || mean >= Self.leastMeanConfidence
    if !isPossible || !isSure {
      alignment.verdict = .doubtful(
        "these pauses hardly fit \(Self.name(of: request)) at any steady pace; check --start")
    }
    return alignment
  }

  func bestAlignment(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline
  ) -> LengthAligner.Result? {
    let last = request.last ?? Self.furthest(from: request.first, seconds: timeline.duration)
    guard let range = AyahRange(first: request.first, last: last) else { return nil }
    let aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: RecitedToken.tokens(range),
      isEndKnown: request.last != nil,
      leadIn: LeadInModel(before: request.first, isPrayer: request.prayer != .none))
    if aligner.isEndKnown { return Self.best(aligner, Self.anchored(aligner)) }
    let results = Self.followed(aligner).compactMap { aligner.align($0) }
    // An alignment at half the right pace finds a breath for many of its boundaries, but is sure of few.
    let surest = results.map(\.meanProbability).max() ?? 0
    return results.filter { $0.meanProbability >= surest - Self.sureness }
      .max { $0.logLikelihood < $1.logLikelihood }
  }

  private static func best(
    _ aligner: LengthAligner, _ hypotheses: [LengthAligner.Hypothesis]
  ) -> LengthAligner.Result? {
    hypotheses.compactMap { aligner.align($0) }.max { $0.logLikelihood < $1.logLikelihood }
  }

  /// The pace is known when both ends are.
  private static func anchored(_ aligner: LengthAligner) -> [LengthAligner.Hypothesis] {
    let units = aligner.tokens.reduce(0) { $0 + $1.units * (1 - $1.skip) }
    return [false, true].map { hasLeadIn in
      let all = units + (hasLeadIn ? aligner.leadIn.units : 0)
      return .init(hasLeadIn: hasLeadIn, pace: aligner.timeline.duration / all)
    }
  }

  /// The paces that look best at first, each with or without a lead-in.
  private static func followed(_ aligner: LengthAligner) -> [LengthAligner.Hypothesis] {
    let leadIns = aligner.leadIn.isEmpty ? [false] : [false, true]
    return paces.compactMap { pace -> (LengthAligner.Hypothesis, Double)? in
      leadIns.map { LengthAligner.Hypothesis(hasLeadIn: $0, pace: pace) }
        .map { ($0, aligner.probe($0)) }.filter { $0.1 > -.infinity }.max { $0.1 < $1.1 }
    }
    .sorted { $0.1 > $1.1 }.prefix(followedPaces).flatMap { best in
      leadIns.map { LengthAligner.Hypothesis(hasLeadIn: $0, pace: best.0.pace) }
    }
  }

  /// Aligns again, with what a reference says of each boundary.
  private func guided(
    _ first: LengthAligner.Result, _ request: AlignmentRequest, _ timeline: AlignmentTimeline,
    _ comparison: ReferenceComparison
  ) -> LengthAligner.Result? {
    var tokens = first.tokens
    if request.last == nil, let range = comparison.range(from: request.first, beyond: first.tokens)
    {
      tokens = RecitedToken.tokens(range)
    }
    let leadIn = LeadInModel(before: request.first)
    let guide = ReferenceGuide(
      recording: comparison.recording, reference: comparison.reference, tokens: tokens,
      mayHaveLeadIn: leadIn.mayHaveBasmalah)
    guard
      let placement = guide.placement(
        guess: first.points.map(\.time), isEndKnown: request.last != nil)
    else { return nil }
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline,
      tokens: Array(tokens.prefix(placement.tokenCount)), isEndKnown: true, leadIn: leadIn)
    aligner.placements = placement.rows
    aligner.candidateSilences = candidates.candidates.map {
      $0.span.lowerBound.seconds(at: rate)...$0.span.upperBound.seconds(at: rate)
    }
    return Self.best(aligner, Self.anchored(aligner))
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

  /// All ayat that a recording of so many seconds may hold.
  static func ayat(_ request: AlignmentRequest, withinSeconds seconds: Double) -> AyahRange {
    let last = request.last ?? furthest(from: request.first, seconds: seconds)
    return AyahRange(first: request.first, last: last) ?? AyahRange(request.first)
  }

  private static func name(of request: AlignmentRequest) -> String {
    guard let last = request.last,
      let range = AyahRange(first: request.first, last: last)
    else { return "what follows \(request.first)" }
    return range.numericDescription
  }
}

/// A recording's sound and another recitation to compare it with.
public struct ReferenceComparison: Sendable {
  public var recording: Cepstra
  public var reference: ReferenceRecitation

  public init(recording: Cepstra, reference: ReferenceRecitation) {
    self.recording = recording
    self.reference = reference
  }

  /// From the first ayah to some way beyond the last that was aligned, for where the end is not known.
  func range(from first: AyahReference, beyond tokens: [RecitedToken]) -> AyahRange? {
    let margin = 5 + tokens.count / 5
    let last = first.advanced(by: tokens.count + margin) ?? AyahReference.last
    return AyahRange(first: first, last: last)
  }
}
