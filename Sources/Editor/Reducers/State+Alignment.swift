// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// What a person said of the recording when it was last aligned.
struct AlignmentMemory: Hashable, Sendable {
  var first: AyahReference
  var last: AyahReference?
  var prayer: DetectionParameters.Prayer
  var reference: DetectionParameters.Reference
}

/// An alignment between what is confirmed, under way.
struct Realignment: Hashable, Sendable {
  let span: Range<FramePosition>
}

// MARK: What to align

extension State {
  /// From the start of the selected segment as far as a person has said nothing.
  var unconfirmedSpan: Range<FramePosition> {
    let segment = selectedSegment
    let next = document.records[(segment.index + 1)...].firstIndex { $0.content.isGiven }
    let end = next.map { document.segments[$0].span.lowerBound } ?? self.end
    return segment.span.lowerBound..<end
  }

  /// The ayah with which a segment probably begins, going by what is recited before it.
  func proposedAyah(for index: Int) -> AyahReference? {
    if case .ayah(let ayah, _) = proposal(for: index) { ayah } else { nil }
  }
}

// MARK: Mending the neighbours

extension State {
  /// Has what lies between a segment and what is confirmed on its sides aligned anew, told what the
  /// person has just said of it.
  mutating func realign(around id: SegmentID, _ effects: inout [Effect]) {
    // The order of a prayer is more than that of the ayat.
    guard let index = document.index(of: id),
      (alignment?.prayer ?? DetectionParameters.Prayer.none) == DetectionParameters.Prayer.none
    else { return }
    let segment = document.segments[index]
    let ayat = segment.passages.map(\.ayah)
    guard let first = ayat.first, let last = ayat.last else { return }
    let isEndFixed = segment.isConfirmed
    if let gap = gap(before: index), let end = first.previous, gap.first <= end {
      realign(gap.span, from: gap.first, to: end, &effects)
    }
    let start = isEndFixed ? segment.span.upperBound : segment.span.lowerBound
    let begin = isEndFixed ? last.next : first
    if let begin, let gap = gap(after: isEndFixed ? index + 1 : index, from: start) {
      guard gap.last.map({ begin <= $0 }) ?? true else { return }
      realign(gap.span, from: begin, to: gap.last, &effects)
    }
  }

  private mutating func realign(
    _ span: Range<FramePosition>, from first: AyahReference, to last: AyahReference?,
    _ effects: inout [Effect]
  ) {
    guard !span.isEmpty else { return }
    var parameters = DetectionParameters()
    parameters.first = first
    parameters.last = last
    parameters.reference = alignment?.reference ?? .library
    lastDetection += 1
    // One that is still under way in the same place is out of date.
    realignments = realignments.filter { !$0.value.span.overlaps(span) }
    realignments[lastDetection] = Realignment(span: span)
    effects.append(
      .detect(
        DetectionRequest(
          id: lastDetection, span: span, parameters: parameters, isRealignment: true)))
  }

  /// The suggestions before a segment, as far back as a person has said nothing, and the ayah that they begin
  /// with; nil where there are none that an alignment has made.
  private func gap(
    before index: Int
  ) -> (span: Range<FramePosition>, first: AyahReference)? {
    var start = index
    while start > 0, !document.records[start - 1].content.isGiven {
      start -= 1
      if document.records[start].start?.isConfirmed == true { break }
    }
    let segments = start..<index
    guard holdsAlignment(segments), let first = firstAyah(of: start) else { return nil }
    let end = document.segments[index].span.lowerBound
    return (document.segments[start].span.lowerBound..<end, first)
  }

  /// The suggestions from a segment on, as far as a person has said nothing, and the ayah that they end with;
  /// a last ayah of nil is not known.
  private func gap(
    after index: Int, from start: FramePosition
  ) -> (span: Range<FramePosition>, last: AyahReference?)? {
    let count = document.records.count
    var end = index
    while end < count, !document.records[end].content.isGiven {
      end += 1
      if end < count, document.records[end].start?.isConfirmed == true { break }
    }
    guard holdsAlignment(index..<end) else { return nil }
    guard end < count else { return (start..<self.end, alignment?.last) }
    let following = document.segments[end]
    // What lies before something that is not recited ends wherever it ends.
    let last = following.passages.first?.ayah.previous
    return (start..<following.span.lowerBound, last)
  }

  private func holdsAlignment(_ segments: Range<Int>) -> Bool {
    segments.contains { document.records[$0].content.attribution?.origin == .aligned }
  }

  private func firstAyah(of index: Int) -> AyahReference? {
    if let proposed = proposedAyah(for: index) { return proposed }
    if index == 0, let alignment { return alignment.first }
    return document.segments[index].passages.first?.ayah
  }

  /// Puts what was found between confirmed neighbours in the place of the suggestions there.
  mutating func takeRealignment(
    _ realignment: Realignment, _ report: DetectionReport, _ effects: inout [Effect]
  ) {
    let span = realignment.span
    // A place that was edited meanwhile has an alignment of its own under way, or wants none.
    let isFree = document.segments.allSatisfy { segment in
      !segment.span.overlaps(span) || !segment.content.isGiven
    }
    guard isFree, report.doubt == nil, report.opening != nil else { return }
    let suggestions = report.suggestions(in: span, from: annotation.unusedMarkerID)
    var mended = document
    guard (try? mended.apply(.replaceSuggestions(suggestions))) != nil,
      !mended.says(sameAs: document, in: span)
    else { return }
    if edit(.replaceSuggestions(suggestions), &effects) {
      realignedDepths.insert(annotation.history.undoable.count)
    }
  }
}

extension SegmentContent {
  /// Whether a person has said what is heard in it.
  fileprivate var isGiven: Bool { isConfirmed || attribution?.origin == .person }
}

extension AnnotationDocument {
  /// Whether two documents have the same boundaries and assignments in a span, however sure.
  fileprivate func says(sameAs other: AnnotationDocument, in span: Range<FramePosition>) -> Bool {
    func said(_ document: AnnotationDocument) -> [[AnyHashable]] {
      document.segments.filter { $0.span.overlaps(span) }.map { [$0.span, $0.assignment] }
    }
    return said(self) == said(other)
  }
}
