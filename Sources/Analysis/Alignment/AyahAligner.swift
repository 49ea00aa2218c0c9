// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import AudioCore
import Glibc
import Quran

/// Finds where in a recording each ayah is, told where reciting starts.
///
/// Measures a recording once; alignments of it are pure and fast after that. Immutable; safe to use from
/// any thread.
public struct AyahAligner: Sendable {
  let candidates: AlignmentCandidates
  let voice: VoiceRuns
  /// What the hops know of the sound.
  let bands: Cepstra
  let rate: SampleRate
  let length: FrameCount
  /// Ends an alignment early, which is then not to be used.
  public var stopFlag = StopFlag()
  /// Where what is aligned begins in a longer recording, by whose clock people are told of places.
  public var origin = FramePosition.zero

  /// Measures all places where an ayah may end.
  public init(_ envelope: Envelope) throws(AnalysisError) {
    try self.init(envelope, weights: nil)
  }

  /// - Parameter weights: what boundaries look like, for fits that leave somebody out; nil for what is
  ///   built in.
  package init(
    _ envelope: Envelope, weights: BoundaryWeights?, stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) {
    self.stopFlag = stopFlag
    let tracks = try SoundTracks(envelope)
    var candidates = try AlignmentCandidates(envelope, tracks)
    if let weights { candidates.evidence = BoundaryEvidence(weights) }
    self.candidates = candidates
    voice = VoiceRuns(tracks)
    bands = Cepstra(bandsOf: tracks)
    rate = envelope.grid.rate
    length = envelope.length
  }

  /// Aligns the whole recording.
  ///
  /// - Parameters:
  ///   - sound: what the recording sounds like; for a prayer.
  ///   - excerpts: what parts of it sound like, to hear where the reciter goes back; taken from `sound`
  ///     and `comparison` where they are given.
  ///   - comparison: what the recording sounds like and another recitation of the passage.
  public func align(
    _ request: AlignmentRequest, sound: Cepstra? = nil, excerpts: SoundExcerpts? = nil,
    comparison: ReferenceComparison? = nil
  ) -> AyahAlignment {
    outcome(request, sound: sound, excerpts: excerpts, comparison: comparison).alignment
  }

  /// An alignment, and what it has learnt.
  func outcome(
    _ request: AlignmentRequest, sound: Cepstra?, excerpts: SoundExcerpts?,
    comparison: ReferenceComparison?
  ) -> AlignmentOutcome {
    guard hearsVoice else {
      return AlignmentOutcome(unaligned("no voice is to be heard in this recording"))
    }
    let stretch = voicedStretch
    if request.prayer == .taraweeh {
      guard let night = night(request, sound ?? comparison?.recording, comparison) else {
        return AlignmentOutcome(
          unaligned("no rak'ah is to be heard in this recording, so it may be no prayer"))
      }
      return AlignmentOutcome(alignment(of: night, request, comparison), night: night)
    }
    return fatiha(request, sound, excerpts, comparison)
      ?? passage(request, stretch, sound, excerpts, comparison)
  }

  /// The whole of al-Fatiha, where the recording is as long as that and sounds like it.
  private func fatiha(
    _ request: AlignmentRequest, _ sound: Cepstra?, _ excerpts: SoundExcerpts?,
    _ comparison: ReferenceComparison?
  ) -> AlignmentOutcome? {
    guard request.last == nil, comparison == nil, let sound,
      request.isOfFatiha(withinSeconds: sound.seconds)
    else { return nil }
    var whole = request
    whole.last = request.first.surah.lastAyah
    let outcome = outcome(whole, sound: sound, excerpts: excerpts, comparison: nil)
    return outcome.result.map({ isSure($0, Self.leastGuidedMean) }) ?? false ? outcome : nil
  }

  /// What is recited at a stretch.
  private func passage(
    _ request: AlignmentRequest, _ stretch: Range<FramePosition>, _ sound: Cepstra?,
    _ excerpts: SoundExcerpts?, _ comparison: ReferenceComparison?
  ) -> AlignmentOutcome {
    let measured = sound ?? comparison?.recording
    let whole = AlignmentTimeline(candidates, stretches: [stretch], rate: rate)
    let order = heardOrder(
      request, whole, measured.map { SoundExcerpts(of: $0, rate: rate) } ?? excerpts)
    let repeats = order?.repeats ?? []
    let clock = CutClock(repeats.map(\.again))
    let timeline = whole.without(clock)
    var lengths = order?.result
    let ending = betterEnd(request, timeline, lengths)
    if comparison == nil, request.last != nil, ending == nil {
      lengths = lengths.map { leavingOut($0, timeline, request) }
    }
    let compared = (comparison ?? measured.flatMap(request.fatiha)).flatMap { comparison in
      var left = comparison
      left.recording = comparison.recording.without(clock)
      return guided(lengths, request, timeline, left, silences.map { clock.left(of: $0) })
    }
    guard let chosen = choice(order?.result, lengths, compared, hasReference: comparison != nil)
    else {
      let name = Self.name(of: request)
      return AlignmentOutcome(
        unaligned("\(name) cannot be laid over this recording; check the first and last ayah"))
    }
    let best = RepeatInsertion(candidates: candidates, rate: rate)
      .inserted(repeats, into: chosen.result)
    var aligned = alignment(best, LeadInModel(before: request.first))
    let comparison = chosen.use == .leftAside ? nil : comparison
    judge(&aligned, best, chosen, request)
    judgeBeginning(
      &aligned, best, request, whole,
      comparison.flatMap { $0.reference.ayat[request.first] == nil ? nil : propose($0) },
      isHeard: chosen.isHeard)
    if let ending, let last = request.last { judgeEnd(&aligned, ending, last) }
    aligned.note(
      OrderRemarks.remarks(
        best, byLengths: comparison == nil, from: origin.seconds(at: rate)), about: .order)
    aligned.note(comparison?.remarks(best.tokens) ?? [], about: .other)
    return AlignmentOutcome(aligned, result: best)
  }

  func bestAlignment(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline
  ) -> LengthAligner.Result? {
    let last = request.last ?? Self.furthest(from: request.first, seconds: timeline.duration)
    guard let range = AyahRange(first: request.first, last: last) else { return nil }
    let aligner = lengthAligner(request, timeline, RecitedToken.tokens(range))
    if aligner.isEndKnown { return aligner.alignAll() }
    return PaceSearch(aligner: aligner).best()
  }

  /// By lengths and pauses alone.
  func lengthAligner(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline, _ tokens: [RecitedToken]
  ) -> LengthAligner {
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: tokens, isEndKnown: request.last != nil,
      leadIn: LeadInModel(before: request.first, isPrayer: request.prayer != .none))
    aligner.stopFlag = stopFlag
    return aligner
  }

  /// Aligns with what a reference says of each boundary.
  ///
  /// - Parameters:
  ///   - first: the alignment by lengths.
  ///   - silences: for each candidate the silence it lies in, in the timeline's seconds.
  func guided(
    _ first: LengthAligner.Result?, _ request: AlignmentRequest, _ timeline: AlignmentTimeline,
    _ comparison: ReferenceComparison, _ silences: [ClosedRange<Double>]
  ) -> LengthAligner.Result? {
    var guided = GuidedAligner(
      candidates: candidates, timeline: timeline, comparison: comparison, silences: silences,
      leadIn: LeadInModel(before: request.first, isPrayer: request.prayer != .none))
    guided.stopFlag = stopFlag
    if request.last != nil { return first.flatMap { guided.align(around: $0) } }
    return guided.align(from: request.first, lengths: first)
  }

  /// The last ayah that can be reached from one in so many seconds at the fastest pace.
  static func furthest(from first: AyahReference, seconds: Double) -> AyahReference {
    let fastest = PaceSearch.fastest * 0.9
    var reached = 0.0
    var last = first
    while reached < seconds, let next = last.next {
      reached += RecitedToken.ayah(last).units * fastest
      last = next
    }
    return last
  }

  /// Whether there is anything to align: what has a voice in it rises and falls, unlike silence and tones.
  public var hearsVoice: Bool { candidates.count > 0 && !voicedStretch.isEmpty }

  /// From the first sound to the last.
  var voicedStretch: Range<FramePosition> {
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

  /// For each candidate the silence it lies in, in seconds.
  var silences: [ClosedRange<Double>] {
    candidates.candidates.map {
      $0.span.lowerBound.seconds(at: rate)...$0.span.upperBound.seconds(at: rate)
    }
  }

  /// Why nothing is recited in a span.
  func reason(_ span: Range<FramePosition>) -> UnusedReason {
    let start = span.lowerBound.seconds(at: rate)
    let end = span.upperBound.seconds(at: rate)
    return voice.runs.contains { $0.overlaps(start..<end) } ? .other : .silence
  }

  /// All ayat that a recording of so many seconds may hold.
  static func ayat(_ request: AlignmentRequest, withinSeconds seconds: Double) -> AyahRange {
    let last = request.last ?? furthest(from: request.first, seconds: seconds)
    return AyahRange(first: request.first, last: last) ?? AyahRange(request.first)
  }

}
