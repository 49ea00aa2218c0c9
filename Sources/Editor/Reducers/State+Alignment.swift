// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// What a person said of the recording when it was last aligned, and where.
struct AlignmentMemory: Hashable, Sendable {
  var span: Range<FramePosition>
  var parameters: DetectionParameters

  init(span: Range<FramePosition>, parameters: DetectionParameters) {
    self.span = span
    self.parameters = parameters
  }

  /// What is kept with the recording.
  ///
  /// - Parameter end: of the recording.
  init(_ request: AlignmentJudgement.Request, end: FramePosition) {
    span = request.span.clamped(to: .zero..<end)
    parameters = DetectionParameters()
    parameters.first = request.first
    parameters.last = request.last
    parameters.prayer = request.prayer
  }

  /// As it is kept with the recording; nil for what was no alignment.
  var request: AlignmentJudgement.Request? {
    parameters.first.map {
      .init(span: span, first: $0, last: parameters.last, prayer: parameters.prayer)
    }
  }
}

/// An alignment that follows a confirmation, under way.
struct Realignment: Hashable, Sendable {
  /// The stretches of suggestions that it may change; empty where it is only to be judged anew.
  let spans: [Range<FramePosition>]
  /// What was confirmed; nil where a confirmation was taken back.
  var confirmed: SegmentID?
  /// The part that was aligned by itself, of which the judgement of the whole says nothing; nil where it is of the whole.
  var part: Range<FramePosition>?
}

extension AlignmentMemory {
  /// The same with the start and the end that a person has said since, where they are others.
  func corrected(by document: AnnotationDocument) -> AlignmentMemory {
    // In a prayer the first ayah is not that of al-Fatiha.
    guard parameters.prayer == .none else { return self }
    let recited = document.segments.filter { $0.span.overlaps(span) && !$0.passages.isEmpty }
    var corrected = self
    if let first = recited.first, first.content.isGiven {
      corrected.parameters.first = first.passages.first?.ayah
    }
    if parameters.last != nil, let last = recited.last, last.content.isGiven {
      corrected.parameters.last = last.passages.last?.ayah
    }
    if let first = corrected.parameters.first, let last = corrected.parameters.last, last < first {
      corrected.parameters.last = nil
    }
    return corrected
  }
}

// MARK: What to align

extension State {
  /// The selected segment or, where that is confirmed, the next one that is not; nil where all are.
  var firstUnconfirmed: Segment? {
    document.segments[selectedSegment.index...].first { !$0.isConfirmed }
  }

  /// From the start of that segment as far as a person has said nothing.
  var unconfirmedSpan: Range<FramePosition> {
    let segment = firstUnconfirmed ?? selectedSegment
    let next = document.records[(segment.index + 1)...].firstIndex { $0.content.isGiven }
    let end = next.map { document.segments[$0].span.lowerBound } ?? self.end
    return segment.span.lowerBound..<end
  }

  /// A selected span, with all of the segments that hold something at its ends: an alignment would else take the
  /// sound beyond from their ayat. So it is with a piece too short for a segment of its own.
  func alignable(_ span: Range<FramePosition>) -> Range<FramePosition> {
    let clearance = FrameCount(seconds: Suggestions.clearance, at: rate)
    let first = document.segment(containing: span.lowerBound)
    let last = document.segment(containing: span.upperBound - FrameCount(1))
    let isStartCut =
      first.assignment == nil && span.lowerBound - first.span.lowerBound >= clearance
    let isEndCut = last.assignment == nil && last.span.upperBound - span.upperBound >= clearance
    return
      (isStartCut ? span.lowerBound : first.span.lowerBound)..<(isEndCut
      ? span.upperBound : last.span.upperBound)
  }

  /// What the recording was aligned with, where that is to be aligned once more: from a segment in it that is
  /// confirmed or names something, as long as others are not confirmed.
  var alignmentToRepeat: AlignmentMemory? {
    guard let known = currentAlignment, known.span.overlaps(selectedSegment.span),
      gaps(in: known.span).segments > 0,
      selectedSegment.isConfirmed || selectedSegment.assignment != nil
    else { return nil }
    return known.corrected(by: document)
  }

  /// How many stretches of a span nobody has confirmed, and how many segments these have.
  func gaps(in span: Range<FramePosition>) -> (stretches: Int, segments: Int) {
    var gaps = (stretches: 0, segments: 0)
    var isOpen = false
    for segment in document.segments where segment.span.overlaps(span) {
      if !segment.isConfirmed {
        gaps.segments += 1
        if !isOpen { gaps.stretches += 1 }
      }
      isOpen = !segment.isConfirmed
    }
    return gaps
  }

  /// The ayah with which a segment probably begins, going by what is recited around it.
  func proposedAyah(for index: Int) -> AyahReference? {
    if case .ayah(let ayah, _, _) = offer(for: index) ?? proposal(for: index) { ayah } else { nil }
  }

  /// The ayah with which reciting begins in a segment or, where nothing is recited there, after it, as far as
  /// that is known.
  func ayah(recitedFrom segment: Segment) -> AyahReference? {
    let silent = document.segments[segment.index...].prefix {
      if case .unused = $0.assignment { true } else { false }
    }
    let index = silent.endIndex < document.records.count ? silent.endIndex : segment.index
    return document.segments[index].passages.first?.ayah ?? proposedAyah(for: index)
      ?? namedStart(for: segment.index)
  }

  /// The first ayah in a span that is not one of al-Fatiha, going by what is assigned there.
  func firstAfterFatiha(in span: Range<FramePosition>) -> AyahReference? {
    document.segments.lazy.filter { $0.span.overlaps(span) }.flatMap(\.passages)
      .first { !$0.ayah.isInFatiha }?.ayah
  }

  /// What is recited last in a span, going by what is assigned there.
  func lastPassage(in span: Range<FramePosition>) -> Passage? {
    document.segments.last { $0.span.overlaps(span) && !$0.passages.isEmpty }?.passages.last
  }

  func seconds(of span: Range<FramePosition>) -> Range<Double> {
    span.lowerBound.seconds(at: rate)..<span.upperBound.seconds(at: rate)
  }

  /// The last ayah before the end of a span, going by what a person has said is recited there; nil where nobody
  /// has.
  func ayah(at end: FramePosition) -> AyahReference? {
    guard end > .zero else { return nil }
    let last = document.segment(containing: end - FrameCount(1))
    if last.content.isGiven { return last.passages.last?.ayah }
    guard last.span.upperBound == end, last.index + 1 < document.records.count else { return nil }
    let next = document.segments[last.index + 1]
    return next.content.isGiven ? next.passages.first?.ayah.previous : nil
  }

  /// What a person said when the recording was last aligned: now, or before it was opened.
  var knownAlignment: AlignmentMemory? {
    alignment ?? judgement.request.map { AlignmentMemory($0, end: end) }
  }

  /// What the suggestions of the recording come from: what is known or, where nothing is,
  /// what they say themselves.
  var currentAlignment: AlignmentMemory? {
    if let knownAlignment { return knownAlignment }
    let recited = document.segments.lazy.filter { !$0.passages.isEmpty }
    guard holdsAlignment(0..<document.records.count),
      let first = recited.first?.passages.first?.ayah, let last = recited.last?.passages.last?.ayah,
      first <= last
    else { return nil }
    var parameters = DetectionParameters()
    parameters.first = first
    parameters.last = last
    return AlignmentMemory(span: .zero..<end, parameters: parameters)
  }

  /// What the suggestions around a segment come from: the part that was aligned by itself, or the whole.
  func alignment(around segment: Segment) -> AlignmentMemory? {
    judgement.parts.last { $0.span.overlaps(segment.span) }.map { AlignmentMemory($0, end: end) }
      ?? currentAlignment
  }

  private func holdsAlignment(_ segments: Range<Int>) -> Bool {
    segments.contains { document.records[$0].content.attribution?.origin == .aligned }
  }
}

// MARK: Mending the neighbours

extension State {
  /// Has ready what the first confirmation would else wait for.
  func prepareRealignment(_ effects: inout [Effect]) {
    guard obstacleToEditing == nil, let memory = knownAlignment?.corrected(by: document) else {
      return
    }
    effects.append(
      .prepare(
        DetectionRequest(
          id: lastDetection, span: memory.span, parameters: memory.parameters, annotation: document,
          isRealignment: true)))
  }

  /// Has what lies between a segment and what a person has said on its sides aligned anew.
  mutating func realign(around id: SegmentID, _ effects: inout [Effect]) {
    guard let index = document.index(of: id),
      let memory = alignment(around: document.segments[index])
    else { return }
    let part = judgement.parts.contains { $0 == memory.request } ? memory.span : nil
    let spans = gaps(around: index, of: memory)
    guard !spans.isEmpty || part == nil && judgement.doubt != nil else { return }
    realign(Realignment(spans: spans, confirmed: id, part: part), as: memory, &effects)
  }

  /// Has an alignment that was doubted judged anew, after what was confirmed has changed.
  mutating func judgeAnew(_ effects: inout [Effect]) {
    guard judgement.doubt != nil || judgement.isTakenInDoubt, let knownAlignment else { return }
    realign(Realignment(spans: []), as: knownAlignment, &effects)
  }

  private mutating func realign(
    _ realignment: Realignment, as memory: AlignmentMemory, _ effects: inout [Effect]
  ) {
    if realignment.part == nil { alignment = memory }
    // What was taken stays known, for a correction may be taken back.
    let memory = memory.corrected(by: document)
    lastDetection += 1
    // One that is still under way knows less than this.
    realignments = [lastDetection: realignment]
    effects.append(
      .detect(
        DetectionRequest(
          id: lastDetection, span: memory.span, parameters: memory.parameters,
          annotation: document,
          besides: realignment.part == nil ? judgement.parts.map(\.span) : [],
          isRealignment: true)))
  }

  /// The suggestions before and after a segment, and its own if it is one, as far as a person has said
  /// nothing and within what was aligned so; only where an alignment has made them.
  private func gaps(around index: Int, of memory: AlignmentMemory) -> [Range<FramePosition>] {
    let (records, segments) = (document.records, document.segments)
    func isOpen(_ index: Int) -> Bool {
      !records[index].content.isGiven
        && memory.span.clamped(to: segments[index].span) == segments[index].span
        && alignment(around: segments[index]) == memory
    }
    var start = index
    while start > 0, isOpen(start - 1) { start -= 1 }
    let isGiven = records[index].content.isGiven
    var end = isGiven ? index + 1 : index
    while end < records.count, isOpen(end) { end += 1 }
    let runs = isGiven ? [start..<index, index + 1..<end] : [start..<index, index..<end]
    return runs.filter { !$0.isEmpty && holdsAlignment($0) }.map { run in
      segments[run.lowerBound].span.lowerBound..<segments[run.upperBound - 1].span.upperBound
    }
  }

  /// Puts what was found between confirmed neighbours in the place of the suggestions there, and says
  /// what has changed.
  mutating func takeRealignment(
    _ realignment: Realignment, _ report: DetectionReport, _ effects: inout [Effect]
  ) {
    let before = judgement
    var judgement = before
    guard
      realignment.part != nil
        ? !report.isContradicted
        : judgement.follow(
          report, isStartGiven: isStartGiven, besides: judgement.parts.map { seconds(of: $0.span) })
    else {
      judge(judgement, &effects)
      if banner == nil { announce(facts.suggestions) }
      notice = Notice(.warning, report.doubt?.text.sentence ?? "")
      return
    }
    var report = report
    report.addDoubt(ofStart: judgement)
    let isLifted = before.doubt != nil && judgement.doubt == nil
    let old = document
    for span in realignment.spans {
      // A place that was edited meanwhile has an alignment of its own under way, or wants none.
      let isFree = document.segments.allSatisfy { segment in
        !segment.span.overlaps(span) || !segment.content.isGiven
      }
      guard isFree, let part = report.part(in: span) else { continue }
      let suggestions = part.suggestions(in: span, from: annotation.unusedMarkerID)
      var mended = document
      guard (try? mended.apply(.replaceSuggestions(suggestions))) != nil,
        !mended.says(sameAs: document, in: span)
          || !mended.isAsSure(as: document, in: span) || mended.words != document.words
      else { continue }
      edit(.replaceSuggestions(suggestions), joinsPrevious: true, &effects)
    }
    retimeWords(of: realignment.confirmed, report, &effects)
    if let part = realignment.part {
      judgement.replaceRemarks(in: seconds(of: part), with: report)
      if isStartGiven { judgement.settleStart() }
    }
    judge(judgement, &effects)
    if isLifted { banner = nil }
    let changes = old.changes(to: document, in: realignment.spans)
    var said = [changes.sentence(around: realignment.confirmed.flatMap(document.segment))]
    if isLifted { said.append("the alignment now fits") }
    let text = said.compactMap(\.self).joined(separator: "; ")
    guard !text.isEmpty else { return }
    // What was asked of the edge that is heard meanwhile is still to be answered.
    let asked = edgeUnderReview.map { ". " + question(of: $0) } ?? ""
    notice = Notice(.done, text.sentence + asked)
  }
}

extension State {
  /// Whether a person has said with what the recitation begins; of a prayer what follows al-Fatiha.
  private var isStartGiven: Bool {
    guard let memory = knownAlignment else { return false }
    let isPrayer = memory.parameters.prayer != .none
    return document.segments.lazy.filter { segment in
      segment.span.overlaps(memory.span)
        && segment.passages.contains { !(isPrayer && $0.ayah.isInFatiha) }
    }.first?.content.isGiven ?? false
  }

  /// What is known of how an ayah was found to be the first, as long as no person has said that it is.
  func addRemarks(ofStart first: AyahReference, to report: inout DetectionReport) {
    guard judgement.request?.first == first, !isStartGiven else { return }
    report.remarks = judgement.remarks.filter { $0.startCode != nil } + report.remarks
    report.addDoubt(ofStart: judgement)
  }

  /// Times the words of what was confirmed anew: its edges may have moved.
  private mutating func retimeWords(
    of confirmed: SegmentID?, _ report: DetectionReport, _ effects: inout [Effect]
  ) {
    guard let words = report.words, let segment = confirmed.flatMap(document.segment),
      segment.isConfirmed
    else { return }
    let edit = Edit.replaceSuggestions(Suggestions(in: segment.span, [], words: words))
    guard (try? document.plan(edit).isEmpty) == false else { return }
    self.edit(edit, joinsPrevious: true, &effects)
  }
}

extension DetectionReport {
  /// Adds the doubt of a judgement, where that is of the start.
  fileprivate mutating func addDoubt(ofStart judgement: AlignmentJudgement) {
    guard let doubt = judgement.doubt, doubt.startCode != nil else { return }
    add(.init(doubt, mostConfidence: AlignmentJudgement.greatestDoubted))
  }

  /// What it says of a span; nil where it says nothing.
  fileprivate func part(in span: Range<FramePosition>) -> DetectionReport? {
    let before = boundaries.last { $0.position <= span.lowerBound }
    guard let opening = before.map(\.attribution) ?? self.opening else { return nil }
    return DetectionReport(
      boundaries: boundaries.filter {
        $0.position > span.lowerBound && $0.position < span.upperBound
      },
      opening: opening, words: words)
  }
}

extension SegmentContent {
  /// Whether a person has said what is heard in it.
  fileprivate var isGiven: Bool { isConfirmed || attribution?.origin == .person }
}

extension AnnotationDocument {
  /// Whether two documents have the same boundaries and assignments in a span, however sure.
  func says(sameAs other: AnnotationDocument, in span: Range<FramePosition>) -> Bool {
    func said(_ document: AnnotationDocument) -> [[AnyHashable]] {
      document.segments.filter { $0.span.overlaps(span) }.map { [$0.span, $0.assignment] }
    }
    return said(self) == said(other)
  }

  /// Less is no news.
  private static let minNews = 0.1

  /// Whether every segment in a span is about as sure as the same one of another document.
  fileprivate func isAsSure(as other: AnnotationDocument, in span: Range<FramePosition>) -> Bool {
    func sureness(_ document: AnnotationDocument) -> [Double?] {
      document.segments.filter { $0.span.overlaps(span) }.map { $0.content.attribution?.confidence }
    }
    return zip(sureness(self), sureness(other)).allSatisfy { one, other in
      guard let one, let other else { return true }
      return abs(one - other) < Self.minNews
    }
  }

  /// What a mend has changed in some spans.
  fileprivate func changes(
    to mended: AnnotationDocument, in spans: [Range<FramePosition>]
  ) -> MendedPlaces {
    func inside(_ document: AnnotationDocument) -> [FramePosition: Assignment?] {
      var places: [FramePosition: Assignment?] = [:]
      for segment in document.segments
      where spans.contains(where: { $0.contains(segment.span.lowerBound) }) {
        places[segment.span.lowerBound] = .some(segment.assignment)
      }
      return places
    }
    return MendedPlaces(from: inside(self), to: inside(mended))
  }
}

/// What an alignment that follows a confirmation has changed.
struct MendedPlaces {
  private let moved: Int
  private let added: Int
  private let removed: Int
  /// Segments that begin where they did and hold something else.
  private let renamed: Int
  /// Where.
  private let places: [FramePosition]

  /// Both say what each segment holds, by where it begins.
  init(from old: [FramePosition: Assignment?], to new: [FramePosition: Assignment?]) {
    let gone = old.keys.filter { new[$0] == nil }
    let come = new.keys.filter { old[$0] == nil }
    let renamed = new.keys.filter { place in old[place].map { $0 != new[place] } ?? false }
    moved = min(gone.count, come.count)
    added = come.count - moved
    removed = gone.count - moved
    self.renamed = renamed.count
    places = gone + come + renamed
  }

  /// Nil where nothing has changed.
  var description: String? {
    var parts: [String] = []
    for (count, what) in [(moved, "moved"), (added, "added"), (removed, "removed")] where count > 0
    {
      parts.append("\(counted(count, "boundary", "boundaries")) \(what)")
    }
    if renamed > 0 { parts.append("\(counted(renamed, "segment")) renamed") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same with the first place; nil where nothing has changed.
  func description(_ rate: SampleRate) -> String? {
    guard let description, let first = places.min() else { return nil }
    return "\(description) from \(Clock.text(first, rate)) on"
  }

  /// The same with where; nil where nothing has changed.
  func sentence(around confirmed: Segment?) -> String? {
    guard let what = description else { return nil }
    guard let confirmed else { return what }
    let name =
      confirmed.assignment.flatMap { $0.isRecitation ? "\($0)" : nil }
      ?? "segment \(confirmed.index + 1)"
    let isAfter = places.allSatisfy { $0 >= confirmed.span.lowerBound }
    let isBefore = places.allSatisfy { $0 <= confirmed.span.lowerBound }
    return "\(what) \(isAfter ? "after" : isBefore ? "before" : "around") \(name)"
  }
}
