// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import AudioCore
import Glibc
import Quran

/// Aligns a recording again and again while a person confirms what is right.
///
/// A value: what is measured of the recording, the first alignment and what it has learnt, and the
/// sections between the anchors so far. ``realign(_:stopFlag:)`` aligns only the sections that new anchors
/// have changed; nothing that is confirmed moves, and what lies beyond the next anchors stays as it was.
///
/// Making one takes about a second for each 90 minutes, ten with a reference; realigning some hundredths.
/// Both only compute, on the calling thread: call them off the main thread, keep the session that comes
/// back, and raise the flag to give up. The same anchors give the same alignment, in whatever order they
/// came.
public struct AlignmentSession: Sendable {
  /// The latest alignment.
  public private(set) var alignment: AyahAlignment
  public private(set) var anchors = AlignmentAnchors()
  public let request: AlignmentRequest

  private let aligner: AyahAligner
  /// The alignment without anchors.
  let first: AyahAlignment
  /// Whether there is another recitation to compare with.
  let isGuided: Bool
  private let base: LengthAligner.Result?
  private let night: PrayerNight?
  private var known: [AnchoredPlan.Section: SectionAlignment?] = [:]

  /// Aligns without anchors.
  ///
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  public init(
    _ aligner: AyahAligner, _ request: AlignmentRequest, sound: Cepstra? = nil,
    excerpts: SoundExcerpts? = nil,
    comparison: ReferenceComparison? = nil, stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) {
    var aligner = aligner
    aligner.stopFlag = stopFlag
    self.request = request
    isGuided = comparison != nil
    let outcome = aligner.outcome(
      request, sound: sound, excerpts: excerpts, comparison: comparison)
    if stopFlag.isStopped { throw .cancelled }
    self.aligner = aligner
    first = outcome.alignment
    alignment = outcome.alignment
    base = outcome.result
    night = outcome.night
  }

  /// Aligns with other anchors than before.
  ///
  /// In a prayer the portions go on from what is confirmed, each al-Fatiha is found between the confirmed
  /// edges of its ayat, and which standing is what stays as it was.
  ///
  /// - Parameter anchors: all of them, those of before included.
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised; the session is as it was.
  /// - Returns: ``alignment``.
  @discardableResult
  public mutating func realign(
    _ anchors: AlignmentAnchors, stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) -> AyahAlignment {
    if !anchors.isEmpty, let night {
      try realign(PrayerPlan(anchors, night, rate: aligner.rate), anchors, stopFlag)
      return alignment
    }
    guard !anchors.isEmpty, let base else {
      self.anchors = anchors
      alignment = overlaid(anchors.spans)
      return alignment
    }
    let plan = AnchoredPlan(
      anchors, request, voiced: aligner.voicedStretch, mostAyat: base.tokens.count + Self.margin)
    let known = try sections(plan, Passage(request: request, base: base), stopFlag)
    self.anchors = anchors
    self.known = known
    alignment = joined(plan)
    return alignment
  }

  private mutating func realign(
    _ plan: PrayerPlan, _ anchors: AlignmentAnchors, _ stopFlag: StopFlag
  ) throws(AnalysisError) {
    var known: [AnchoredPlan.Section: SectionAlignment?] = [:]
    var pieces = plan.night.pieces(rate: aligner.rate)
    var failed: AnchoredPlan.Section?
    var last: AyahReference?
    for part in plan.parts {
      let recited: [PrayerPiece]
      if let anchored = part.anchored {
        let passage = Passage(
          request: part.recital.request, base: part.recital.result,
          clock: part.found.result.beginnings.isEmpty
            ? nil : JoinedClock(part.found.portions.map(\.span), rate: aligner.rate))
        let own = try sections(anchored, passage, stopFlag)
        known.merge(own) { first, _ in first }
        recited = anchored.sections.flatMap { section -> [PrayerPiece] in
          guard case .some(.some(let aligned)) = own[section] else {
            failed = failed ?? section
            return []
          }
          return aligned.pieces(rate: aligner.rate).map {
            PrayerPiece(
              span: $0.span, assignment: $0.assignment, edges: (start: $0.start, end: $0.end))
          }
        }
      } else {
        recited = part.recital.pieces(starts: part.starts)
      }
      pieces += recited
      last = last ?? recited.last { $0.assignment.isRecitation }?.assignment.recited?.last
    }
    self.anchors = anchors
    self.known = known
    alignment = aligner.segments(of: pieces, last: last ?? first.last, anchors)
    alignment.verdict = failed.flatMap { Self.doubt($0) } ?? first.verdict
    alignment.takeNotes(of: first, order: [], given: anchors.given)
  }

  /// What is known of something that is recited from beginning to end.
  private struct Passage {
    var request: AlignmentRequest
    /// Its first alignment.
    var base: LengthAligner.Result
    /// What counts the seconds at which a reference puts its ayat; nil for those of the recording.
    var clock: JoinedClock?
  }

  /// What is recited in each section, aligned if it was not before.
  private func sections(
    _ plan: AnchoredPlan, _ passage: Passage, _ stopFlag: StopFlag
  ) throws(AnalysisError) -> [AnchoredPlan.Section: SectionAlignment?] {
    var known: [AnchoredPlan.Section: SectionAlignment?] = [:]
    for section in plan.sections {
      if let kept = self.known[section] {
        known[section] = kept
      } else {
        known[section] = .some(align(section, passage, stopFlag))
        if stopFlag.isStopped { throw .cancelled }
      }
    }
    return known
  }

  private static func doubt(_ section: AnchoredPlan.Section) -> AyahAlignment.Verdict? {
    section.tokens.first.map {
      .doubtful(
        "what was confirmed leaves no room for \($0.assignment) and what follows; look at what is "
          + "confirmed")
    }
  }

  /// Ayat beyond those of the first alignment that may be recited where the end is not known.
  private static let margin = 20

  private func align(
    _ section: AnchoredPlan.Section, _ passage: Passage, _ stopFlag: StopFlag
  ) -> SectionAlignment? {
    let request = passage.request
    let leadIn =
      section.isOpening
      ? LeadInModel(before: request.first, isPrayer: request.prayer != .none) : .none
    let base = passage.base
    guard !section.tokens.isEmpty else { return SectionAlignment(section, leadIn, base) }
    let repeats = passage.clock == nil ? repeats(section, base) : []
    let cuts = CutClock(repeats.map(\.again))
    var timeline = AlignmentTimeline(
      aligner.candidates, stretches: section.stretches, rate: aligner.rate
    ).without(cuts)
    if let clock = passage.clock { timeline = timeline.timed(by: clock) }
    var lengths = LengthAligner(
      candidates: aligner.candidates, timeline: timeline, tokens: section.tokens,
      isEndKnown: section.isEndKnown, leadIn: leadIn)
    lengths.isClosed = section.isClosed
    lengths.stopFlag = stopFlag
    if section.isEndKnown, let rows = rows(section, passage) {
      lengths.placements = rows.map { $0.map { cuts.left(before: $0) } }
      lengths.candidateSilences =
        passage.clock.map { clock in
          aligner.candidates.candidates.map { clock.seconds(of: $0.span) }
        } ?? aligner.silences.map { cuts.left(of: $0) }
    }
    let learnt = base.learnt(for: section.tokens)
    var result = lengths.likeliest(learnt)
    if !(result.map { aligner.isSure($0, AyahAligner.leastMean) } ?? false) {
      // What an alignment taught that was wrong about this section is worth less than nothing.
      let afresh = lengths.likeliest(lengths.unlearnt(learnt))
      result = [result, afresh].compactMap { $0 }
        .max { $0.meanProbability < $1.meanProbability }
    }
    return result.map {
      let insertion = RepeatInsertion(candidates: aligner.candidates, rate: aligner.rate)
      return SectionAlignment(section, leadIn, base, insertion.inserted(repeats, into: $0))
    }
  }

  /// What is said again within a section.
  private func repeats(
    _ section: AnchoredPlan.Section, _ base: LengthAligner.Result
  ) -> [HeardAgain] {
    guard section.stretches.count == 1 else { return [] }
    let start = section.span.lowerBound.seconds(at: aligner.rate)
    let end = section.span.upperBound.seconds(at: aligner.rate)
    return base.repeats.filter { $0.first >= start - Self.nearby && $0.resumed <= end }
  }

  /// Seconds by which a stretch may begin before a section and still be within it.
  private static let nearby = 0.5

  /// For each row where the reference puts it, as far as that lies within the section in order.
  private func rows(_ section: AnchoredPlan.Section, _ passage: Passage) -> [Double?]? {
    let placements = passage.base.beginnings
    guard !placements.isEmpty else { return nil }
    func seconds(_ position: FramePosition) -> Double {
      passage.clock?.seconds(at: position) ?? position.seconds(at: aligner.rate)
    }
    let end = seconds(section.span.upperBound)
    var last = seconds(section.span.lowerBound)
    var rows: [Double?] = [nil]
    for index in section.tokens.indices {
      guard index + 1 < section.tokens.count,
        case .ayah(let ayah) = section.tokens[index + 1].content,
        let seconds = placements[ayah], seconds > last, seconds < end
      else {
        rows.append(nil)
        continue
      }
      rows.append(seconds)
      last = seconds
    }
    return rows.contains { $0 != nil } ? rows : nil
  }

  /// The first alignment with what is confirmed put over it.
  private func overlaid(_ spans: [AlignmentAnchors.Span]) -> AyahAlignment {
    guard !spans.isEmpty else { return first }
    var list = SegmentList(length: aligner.length)
    let edges = [FramePosition.zero] + first.boundaries.map(\.position)
    let sureness = [1] + first.boundaries.map(\.confidence)
    let confidences = Dictionary(zip(edges, sureness)) { first, _ in first }
    var pieces = spans.map {
      AlignedPiece(span: $0.span, assignment: $0.assignment, start: 1, end: 1)
    }
    for segment in first.segments {
      var start = segment.span.lowerBound
      for span in spans.map(\.span).sorted(by: { $0.lowerBound < $1.lowerBound })
        + [segment.span.upperBound..<segment.span.upperBound]
      {
        let end = min(span.lowerBound, segment.span.upperBound)
        if start < end {
          pieces.append(
            AlignedPiece(
              span: start..<end, assignment: segment.assignment,
              start: confidences[start] ?? 1, end: confidences[end] ?? 1))
        }
        start = max(start, span.upperBound)
      }
    }
    for piece in pieces.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      list.append(upTo: piece.span.upperBound, piece.assignment, edge: piece.end)
    }
    return AyahAlignment(
      segments: list.segments, boundaries: list.boundaries, pauses: first.pauses,
      last: first.last, verdict: first.verdict)
  }

  private func joined(_ plan: AnchoredPlan) -> AyahAlignment {
    var pieces = plan.spans.map {
      AlignedPiece(span: $0.span, assignment: $0.assignment, start: 1, end: 1)
    }
    var failed: [AnchoredPlan.Section] = []
    var last: AyahReference?
    for section in plan.sections {
      if case .some(.some(let aligned)) = known[section] {
        pieces += aligned.pieces(rate: aligner.rate)
      } else {
        failed.append(section)
      }
    }
    pieces.sort { $0.span.lowerBound < $1.span.lowerBound }
    if let opening = pieces.first?.span,
      plan.spans.first?.span != opening,
      opening.lowerBound.seconds(at: aligner.rate) < AyahAligner.shortestSilence
    {
      pieces[0].span = .zero..<opening.upperBound
    }
    var list = SegmentList(length: aligner.length)
    for piece in pieces {
      if piece.span.lowerBound > list.position {
        // As the first alignment has it, whose silence ends where the voice has begun to rise.
        let isLeading = piece.span.lowerBound <= aligner.voicedStretch.lowerBound
        list.append(
          upTo: piece.span.lowerBound,
          .unused(isLeading ? .silence : aligner.reason(list.position..<piece.span.lowerBound)),
          edge: piece.start)
      }
      list.append(upTo: piece.span.upperBound, piece.assignment, edge: piece.end)
      if let recited = piece.assignment.recited { last = recited.last }
    }
    let end = FramePosition.zero + aligner.length
    if list.position < end {
      let isConfirmed = plan.spans.last?.span.upperBound == list.position
      if isConfirmed {
        list.append(upTo: end, .unused(aligner.reason(list.position..<end)), edge: 1)
      } else {
        list.close(afterSilenceOf: AyahAligner.shortestSilence, rate: aligner.rate)
      }
    }
    var alignment = AyahAlignment(
      segments: list.segments, boundaries: list.boundaries, pauses: first.pauses, last: last,
      verdict: first.verdict)
    if let doubt = failed.first.flatMap({ Self.doubt($0) }) { alignment.verdict = doubt }
    alignment.takeNotes(
      of: first,
      order: OrderRemarks.remarks(
        alignment.segments, byLengths: !isGuided, from: aligner.origin, rate: aligner.rate),
      given: anchors.given)
    return alignment
  }
}

/// Something heard, with how sure both its edges are.
struct AlignedPiece {
  var span: Range<FramePosition>
  var assignment: Assignment
  var start: Double
  var end: Double
}

/// A section and what was found in it.
struct SectionAlignment {
  private let section: AnchoredPlan.Section
  private let leadIn: LeadInModel
  private let pace: Double
  private let result: LengthAligner.Result?

  /// - Parameter base: the first alignment of the recording.
  init(
    _ section: AnchoredPlan.Section, _ leadIn: LeadInModel, _ base: LengthAligner.Result,
    _ result: LengthAligner.Result? = nil
  ) {
    self.section = section
    self.leadIn = leadIn
    pace = exp(base.paces.first ?? 0)
    self.result = result
  }

  /// What is heard, stretch by stretch.
  func pieces(rate: SampleRate) -> [AlignedPiece] {
    guard let result else { return opening(rate) }
    var pieces: [AlignedPiece] = []
    let first = section.span.lowerBound
    if result.hypothesis.hasLeadIn, result.points[0].position > first {
      let said = leadIn.likeliest(
        seconds: result.points[0].active, pace: pace)
      pieces += cut(
        first..<result.points[0].position, said.map { .leadIn($0) } ?? .unused(.other),
        start: 1, end: result.probabilities[0])
    }
    for (index, token) in result.tokens.enumerated() {
      let start = result.points[index].position
      let end = result.points[index + 1].position
      guard start < end else { continue }
      pieces += cut(
        start..<end, token.assignment, start: result.probabilities[index],
        end: result.probabilities[index + 1])
    }
    return pieces
  }

  /// What is said before the first ayah, when nothing else is in the section.
  private func opening(_ rate: SampleRate) -> [AlignedPiece] {
    guard section.isOpening,
      let said = leadIn.likeliest(seconds: section.span.length.seconds(at: rate), pace: pace),
      section.span.length.seconds(at: rate) < Self.longestLeadIn
    else { return [] }
    return cut(section.span, .leadIn(said), start: 1, end: 1)
  }

  /// A lead-in is no longer than this, in seconds.
  private static let longestLeadIn = 25.0

  /// A span, without what lies between the stretches.
  private func cut(
    _ span: Range<FramePosition>, _ assignment: Assignment, start: Double, end: Double
  ) -> [AlignedPiece] {
    section.stretches.map { $0.clamped(to: span) }.filter { !$0.isEmpty }.map { part in
      AlignedPiece(
        span: part, assignment: assignment, start: part.lowerBound == span.lowerBound ? start : 1,
        end: part.upperBound == span.upperBound ? end : 1)
    }
  }
}
