// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// What a person said of the recording when it was last aligned, and where.
struct AlignmentMemory: Hashable, Sendable {
  var span: Range<FramePosition>
  var parameters: DetectionParameters
}

/// An alignment that follows a confirmation, under way.
struct Realignment: Hashable, Sendable {
  /// The stretches of suggestions that it may change.
  let spans: [Range<FramePosition>]
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

  /// The ayah that ends where a confirmed one begins; nil where none does.
  func ayah(before position: FramePosition) -> AyahReference? {
    guard position < end else { return nil }
    return document.segment(containing: position).passages.first?.ayah.previous
  }

  /// What the suggestions of the recording come from: what is remembered or, after it was opened anew,
  /// what they say themselves.
  var currentAlignment: AlignmentMemory? {
    if let alignment { return alignment }
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

  private func holdsAlignment(_ segments: Range<Int>) -> Bool {
    segments.contains { document.records[$0].content.attribution?.origin == .aligned }
  }
}

// MARK: Mending the neighbours

extension State {
  /// Has what lies between a segment and what a person has said on its sides aligned anew.
  mutating func realign(around id: SegmentID, _ effects: inout [Effect]) {
    guard let index = document.index(of: id), let alignment = currentAlignment else { return }
    let spans = gaps(around: index).filter { $0.overlaps(alignment.span) }
    guard !spans.isEmpty else { return }
    lastDetection += 1
    // One that is still under way knows less than this.
    realignments = [lastDetection: Realignment(spans: spans)]
    effects.append(
      .detect(
        DetectionRequest(
          id: lastDetection, span: alignment.span, parameters: alignment.parameters,
          annotation: document, isRealignment: true)))
  }

  /// The suggestions before and after a segment, and its own if it is one, as far as a person has said
  /// nothing; only where an alignment has made them.
  private func gaps(around index: Int) -> [Range<FramePosition>] {
    let records = document.records
    var start = index
    while start > 0, !records[start - 1].content.isGiven { start -= 1 }
    let isGiven = records[index].content.isGiven
    var end = isGiven ? index + 1 : index
    while end < records.count, !records[end].content.isGiven { end += 1 }
    let runs = isGiven ? [start..<index, index + 1..<end] : [start..<index, index..<end]
    return runs.filter { !$0.isEmpty && holdsAlignment($0) }.map { run in
      let last = document.segments[run.upperBound - 1]
      return document.segments[run.lowerBound].span.lowerBound..<last.span.upperBound
    }
  }

  /// Puts what was found between confirmed neighbours in the place of the suggestions there.
  mutating func takeRealignment(
    _ realignment: Realignment, _ report: DetectionReport, _ effects: inout [Effect]
  ) {
    guard report.doubt == nil else {
      notice = Notice(.warning, report.doubt?.sentence ?? "")
      return
    }
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
      else { continue }
      if edit(.replaceSuggestions(suggestions), &effects) {
        realignedDepths.insert(annotation.history.undoable.count)
      }
    }
  }
}

extension DetectionReport {
  /// What it says of a span; nil where it says nothing.
  fileprivate func part(in span: Range<FramePosition>) -> DetectionReport? {
    let before = boundaries.last { $0.position <= span.lowerBound }
    guard let opening = before.map(\.attribution) ?? self.opening else { return nil }
    return DetectionReport(
      boundaries: boundaries.filter {
        $0.position > span.lowerBound && $0.position < span.upperBound
      },
      opening: opening)
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
