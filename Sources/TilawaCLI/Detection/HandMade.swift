// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran

/// What a person has said is heard in segments of a recording, confirmed or not.
struct HandMade {
  let segments: [Segment]
  /// Nearer to a person's work nothing is suggested.
  let clearance: FrameCount
  private let document: AnnotationDocument

  init(_ document: AnnotationDocument) {
    self.document = document
    segments = document.segments.filter {
      $0.isConfirmed || $0.content.attribution?.origin == .person
    }
    clearance = FrameCount(seconds: Suggestions.clearance, at: document.rate)
  }

  /// Whether a place lies in such a segment, or too near to be told from its edge.
  func isNear(_ position: FramePosition) -> Bool {
    segments.contains {
      $0.span.lowerBound < position + clearance && position < $0.span.upperBound + clearance
    }
  }

  /// What the first segment holds, if a person has said it.
  var opening: Attribution? {
    segments.first.flatMap { $0.index == 0 ? $0.content.attribution : nil }
  }

  /// The markers at which such segments start and end, and what a person has said is heard from there on;
  /// nil where nobody has. In order.
  var edges: [(marker: Marker, content: Attribution?)] {
    let indices = Set(segments.map(\.index))
    return document.segments.compactMap { segment in
      guard let marker = document.records[segment.index].start else { return nil }
      if indices.contains(segment.index) { return (marker, segment.content.attribution) }
      return indices.contains(segment.index - 1) ? (marker, nil) : nil
    }
  }
}

// MARK: - What a person should know

extension HandMade {
  /// What became of it when a finding was kept, one sentence each.
  ///
  /// - Parameter kept: the document afterwards.
  func remarks(on finding: DetectionFinding, _ kept: AnnotationDocument) -> [String] {
    guard !segments.isEmpty else { return [] }
    let staying = segments.filter { segment in
      kept.segment(segment.id).map { $0.span == segment.span && $0.content == segment.content }
        ?? false
    }
    let confirmed = staying.count { $0.isConfirmed }
    let counts = [
      confirmed > 0 ? PlainText.count(confirmed, "confirmed segment") : nil,
      confirmed < staying.count
        ? PlainText.count(staying.count - confirmed, "segment") + " assigned by hand" : nil,
    ].compactMap { $0 }
    var remarks: [String] = []
    if !counts.isEmpty {
      remarks.append("kept \(counts.joined(separator: " and ")) as they were")
    }
    if staying.count < segments.count {
      let lost = PlainText.count(segments.count - staying.count, "segment")
      remarks.append("replaced \(lost) assigned by hand; 'undo' restores them")
    }
    return remarks + [contradiction(finding)].compactMap { $0 }
  }

  /// The segments whose ayat are not those that were found there.
  private func contradiction(_ finding: DetectionFinding) -> String? {
    let contradicted = segments.compactMap { segment -> (Segment, Assignment)? in
      guard let other = finding.segment(at: segment.span)?.attribution?.assignment,
        let said = segment.assignment, said.contradicts(other)
      else { return nil }
      return (segment, other)
    }
    guard let (first, other) = contradicted.first, let said = first.assignment else { return nil }
    let time = TimeText.short(first.span.lowerBound, at: document.rate)
    let others = contradicted.count > 1 ? " (and \(contradicted.count - 1) more)" : ""
    return
      "the alignment contradicts them: segment \(first.index + 1) at \(time) is \(said), but "
      + "\(other) was found\(others); check --start and --end"
  }
}

extension DetectionFinding {
  /// The segment that holds most of a span.
  fileprivate func segment(at span: Range<FramePosition>) -> Segment? {
    segments.max {
      $0.span.clamped(to: span).length < $1.span.clamped(to: span).length
    }
  }
}

extension Assignment {
  /// Whether two cannot both be what is heard.
  fileprivate func contradicts(_ other: Assignment) -> Bool {
    switch (ayat, other.ayat) {
    case (nil, nil): false
    case (let range?, let others?): range.last < others.first || others.last < range.first
    default: true
    }
  }

  /// Those of which at least a part is heard.
  var ayat: AyahRange? {
    switch self {
    case .ayah(let ayah, _, _): AyahRange(ayah)
    case .crossSurah(let ayah, _, let end, _): AyahRange(first: ayah, last: end)
    case .ayat(let range, _, _): range
    case .leadIn, .unused: nil
    }
  }
}
