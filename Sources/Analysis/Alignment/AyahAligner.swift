// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
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
  /// What the hops know of the sound.
  private let bands: Cepstra
  let rate: SampleRate
  let length: FrameCount
  /// Ends an alignment early, which is then not to be used.
  var stopFlag = StopFlag()

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
    let stretch = voicedStretch
    guard candidates.count > 0, !stretch.isEmpty else {
      return AlignmentOutcome(unaligned("nothing is to be heard in this recording"))
    }
    if request.prayer == .taraweeh {
      guard let night = night(request, sound ?? comparison?.recording, comparison) else {
        return AlignmentOutcome(
          unaligned("no rak'ah is to be heard in this recording; leave --prayer out"))
      }
      return AlignmentOutcome(alignment(of: night, request, comparison), night: night)
    }
    let measured = sound ?? comparison?.recording
    if request.last == nil, comparison == nil, let measured,
      request.isOfFatiha(withinSeconds: measured.seconds)
    {
      var toTheEnd = request
      toTheEnd.last = request.first.surah.lastAyah
      let outcome = outcome(toTheEnd, sound: sound, excerpts: excerpts, comparison: nil)
      if outcome.result.map({ isSure($0, Self.leastGuidedMean) }) ?? false { return outcome }
    }
    let whole = AlignmentTimeline(candidates, stretches: [stretch], rate: rate)
    var order = heardOrder(
      request, whole, measured.map { SoundExcerpts(of: $0, rate: rate) } ?? excerpts)
    let repeats = order?.repeats ?? []
    let clock = CutClock(repeats.map(\.again))
    let timeline = whole.without(clock)
    let isStraightSure = order.map { isSure($0.result, Self.leastMean) } ?? false
    if comparison == nil, request.last != nil, let all = order?.result {
      order?.result = leavingOut(all, timeline, request)
    }
    let lengths = order?.result
    let compared = (comparison ?? measured.flatMap(request.fatiha)).flatMap { comparison in
      var left = comparison
      left.recording = comparison.recording.without(clock)
      return guided(lengths, request, timeline, left, silences.map { clock.left(of: $0) })
    }
    let isRefused = compared.map { !isSure($0, Self.leastGuidedMean) } ?? false
    // What is built in was nobody's claim.
    let isLeftAside =
      isRefused && (comparison == nil || lengths.map { isSure($0, Self.leastMean) } ?? false)
    guard let chosen = isLeftAside ? lengths : compared ?? lengths else {
      let name = Self.name(of: request)
      return AlignmentOutcome(
        unaligned("\(name) cannot be laid over this recording; check the first and last ayah"))
    }
    let best = RepeatInsertion(candidates: candidates, rate: rate).inserted(repeats, into: chosen)
    var aligned = alignment(best, LeadInModel(before: request.first))
    let pace = exp(best.paces.reduce(0, +) / Double(max(best.paces.count, 1)))
    if isLeftAside, comparison != nil {
      aligned.verdict = Self.doubtOfReference(request)
    } else if pace < Self.possiblePaces.lowerBound, let last = request.last {
      aligned.doubt(
        .doubtful(
          "\(Self.name(of: request)) would be recited faster here than anybody does; if the recording ends "
            + "before \(last), leave the last ayah out"))
    } else if isRefused && !isLeftAside || comparison == nil && !isStraightSure
      || !isSure(chosen, Self.leastMean)
      || !Self.possiblePaces.contains(pace)
    {
      aligned.doubt(Self.doubt(request))
    }
    if let better = betterStart(request, whole, pace: pace, isLeftAside ? nil : comparison) {
      aligned.remarks.append(
        "the beginning fits \(better) better than \(request.first); if it starts there, say so")
    }
    aligned.remarks += OrderRemarks.remarks(best, byLengths: comparison == nil || isLeftAside)
    if !isLeftAside, let comparison { aligned.remarks += comparison.remarks(best.tokens) }
    return AlignmentOutcome(aligned, result: best)
  }

  /// Of the recordings that the model was tried on, all that were what they were said to be had a mean
  /// probability above these, without a reference and with one, but for the shortest; of those that were
  /// not nine in ten had less, and all with a reference.
  static let leastMean = 0.82
  static let leastGuidedMean = 0.9
  /// Fewer boundaries than this say nothing.
  private static let leastJudged = 6

  func isSure(_ result: LengthAligner.Result, _ least: Double) -> Bool {
    result.probabilities.count <= Self.leastJudged || result.meanProbability >= least
  }

  static func doubtOfReference(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful(
      "the reference does not sound like \(name(of: request)) in this recording, and was left aside; "
        + "check the reference")
  }

  static func doubt(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful("these pauses do not fit \(name(of: request)) at any steady pace; check the start")
  }

  /// Seconds per unit at which people recite; 0.09 is a fast hadr, 0.46 a slow mujawwad.
  private static let possiblePaces = 0.065...0.9

  /// The same mean of a prayer, of whose boundaries many lie among takbirs.
  private static let leastPrayerMean = 0.76

  func judgedPrayer(
    _ alignment: AyahAlignment, _ request: AlignmentRequest
  ) -> AyahAlignment {
    var alignment = alignment
    let boundaries = alignment.boundaries
    let mean = boundaries.reduce(0) { $0 + $1.confidence } / Double(max(boundaries.count, 1))
    if boundaries.count >= Self.leastJudged, mean < Self.leastPrayerMean,
      alignment.verdict == .plausible
    {
      alignment.doubt(Self.doubt(request))
    }
    return alignment
  }

  func bestAlignment(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline
  ) -> LengthAligner.Result? {
    let last = request.last ?? Self.furthest(from: request.first, seconds: timeline.duration)
    guard let range = AyahRange(first: request.first, last: last) else { return nil }
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: RecitedToken.tokens(range),
      isEndKnown: request.last != nil,
      leadIn: LeadInModel(before: request.first, isPrayer: request.prayer != .none))
    aligner.stopFlag = stopFlag
    if aligner.isEndKnown { return aligner.alignAll() }
    return PaceSearch(aligner: aligner).best()
  }

  /// A start near the one that was told, if that fits far better.
  private func betterStart(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline, pace: Double,
    _ comparison: ReferenceComparison?
  ) -> AyahReference? {
    guard !stopFlag.isStopped else { return nil }
    guard let comparison else {
      return PlaceSearch(candidates: candidates, timeline: timeline, stopFlag: stopFlag)
        .better(than: request.first, pace: pace)
    }
    let proposals = propose(comparison)
    let told = proposals.first { $0.first == request.first }?.confidence ?? 0
    guard let likeliest = proposals.first, likeliest.first != request.first,
      comparison.reference.ayat[request.first] != nil,
      likeliest.confidence > Self.clearly * max(told, Self.leastTold)
    else { return nil }
    return likeliest.first
  }

  /// How many times likelier another start has to be by its sound; what is not among those proposed
  /// counts as this likely.
  private static let clearly = 20.0
  private static let leastTold = 0.045

  /// Where the reciter goes back, and the alignment of all else by lengths.
  private func heardOrder(
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
  private func leavingOut(
    _ all: LengthAligner.Result, _ timeline: AlignmentTimeline, _ request: AlignmentRequest
  ) -> LengthAligner.Result {
    func aligner(_ tokens: [RecitedToken]) -> LengthAligner {
      var aligner = LengthAligner(
        candidates: candidates, timeline: timeline, tokens: tokens, isEndKnown: true,
        leadIn: LeadInModel(before: request.first))
      aligner.stopFlag = stopFlag
      return aligner
    }
    guard !stopFlag.isStopped, OmissionModel.isDoubtful(all) else { return all }
    let learnt = LengthAligner.Learnt(
      paces: all.paces, spread: all.spread, evidence: all.evidence)
    let some = aligner(OmissionModel.optional(all.tokens)).align(
      hasLeadIn: all.hypothesis.hasLeadIn, learnt)
    let missing = some.map { some in
      some.tokens.indices.filter { some.points[$0].time == some.points[$0 + 1].time }
    }
    var best: (left: Range<Int>, result: LengthAligner.Result)?
    for left in OmissionModel.likely(all, near: missing ?? []) {
      var tokens = all.tokens
      tokens.removeSubrange(left)
      guard let result = aligner(tokens).alignAll(hasLeadIn: all.hypothesis.hasLeadIn) else {
        continue
      }
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
    // Where the end is not known, it changes with what is cut out.
    guard request.last != nil else { return again(straight, request, timeline)?.logLikelihood }
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: straight.tokens, isEndKnown: true,
      leadIn: LeadInModel(before: request.first))
    aligner.stopFlag = stopFlag
    let haste = log(max(timeline.duration, 1) / max(duration, 1))
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
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: RecitedToken.tokens(range),
      isEndKnown: request.last != nil, leadIn: LeadInModel(before: request.first))
    aligner.stopFlag = stopFlag
    if aligner.isEndKnown { return aligner.alignAll(hasLeadIn: first.hypothesis.hasLeadIn) }
    let pace = exp(first.paces.reduce(0, +) / Double(max(first.paces.count, 1)))
    return aligner.alignStepwise(.init(hasLeadIn: first.hypothesis.hasLeadIn, pace: pace))
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
  private static func furthest(from first: AyahReference, seconds: Double) -> AyahReference {
    let fastest = PaceSearch.fastest * 0.9
    var reached = 0.0
    var last = first
    while reached < seconds, let next = last.next {
      reached += RecitedToken.ayah(last).units * fastest
      last = next
    }
    return last
  }

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

  private static func name(of request: AlignmentRequest) -> String {
    guard let last = request.last,
      let range = AyahRange(first: request.first, last: last)
    else { return "what follows \(request.first)" }
    return range.numericDescription
  }
}

/// An alignment and what it has learnt: of a passage recited at a stretch, or of a night.
struct AlignmentOutcome {
  var alignment: AyahAlignment
  var result: LengthAligner.Result?
  var night: PrayerNight?

  init(
    _ alignment: AyahAlignment, result: LengthAligner.Result? = nil, night: PrayerNight? = nil
  ) {
    self.alignment = alignment
    self.result = result
    self.night = night
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

  /// Which of the ayat the reference lacks.
  func remarks(_ tokens: [RecitedToken]) -> [String] {
    let ayat = tokens.compactMap { token -> AyahReference? in
      if case .ayah(let ayah) = token.content { ayah } else { nil }
    }
    let lacking = ayat.filter { reference.ayat[$0] == nil }
    guard let first = lacking.first else { return [] }
    let which =
      lacking.count == 1 ? "\(first)" : "\(lacking.count) of \(ayat.count) ayat, first \(first)"
    return ["the reference lacks \(which); these were placed by their lengths alone"]
  }

  /// All that the reference lets one hear from an ayah on: up to the first few ayat in a row that it
  /// lacks, and not longer than the slowest reference would be.
  func tokens(from first: AyahReference) -> [RecitedToken] {
    var last = first
    var ayah: AyahReference? = first
    var lacking = 0
    var left = Self.slowestReference * recording.seconds + 60
    while let next = ayah, lacking < Self.longestGap, left > 0 {
      if let cepstra = reference.ayat[next] {
        left -= cepstra.seconds
        lacking = 0
        last = next
      } else {
        lacking += 1
      }
      ayah = next.next
    }
    return AyahRange(first: first, last: last).map { RecitedToken.tokens($0) } ?? []
  }

  /// How many times slower than the recording a reference may be.
  private static let slowestReference = 4.0
  /// So many ayat in a row that the reference lacks are where it ends.
  private static let longestGap = 8
}
