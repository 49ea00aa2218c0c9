// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Annotation
import AudioCore
import Exchange

/// What was found in a file, as far as it is saved in the library; workers send it to their parent.
struct DetectionFinding: Hashable, Sendable, Codable {
  /// For the whole of a recording of which nothing is known yet.
  private let suggestions: Suggestions
  /// What the alignment says of itself; nil where there is none.
  let judgement: AlignmentJudgement?

  init(_ report: DetectionReport, _ judgement: AlignmentJudgement?) {
    self.judgement = judgement
    func attribution(_ segment: DetectionReport.Segment) -> Attribution? {
      segment.assignment.map {
        Attribution($0, origin: .aligned, confidence: segment.confidence)
      }
    }
    let origin: Origin = report.segments.contains { $0.assignment != nil } ? .aligned : .detected
    let found = zip(report.segments.dropFirst(), report.boundaries).enumerated()
    let boundaries = found.map { number, found in
      Suggestions.Boundary(
        Marker(
          id: MarkerID(Int64(number + 1)), position: found.0.span.lowerBound, origin: origin,
          confidence: found.1.confidence), attribution(found.0))
    }
    suggestions = Suggestions(
      in: .zero..<(.zero + report.frames), opening: report.segments.first.flatMap(attribution),
      boundaries, words: report.words)
  }

  struct Segment: Hashable {
    var span: Range<FramePosition>
    var attribution: Attribution?
  }

  /// What tiles the recording.
  var segments: [Segment] {
    let starts = [suggestions.range.lowerBound] + suggestions.boundaries.map(\.marker.position)
    let ends = starts.dropFirst() + [suggestions.range.upperBound]
    let contents = [suggestions.opening] + suggestions.boundaries.map(\.attribution)
    return zip(zip(starts, ends), contents).map { Segment(span: $0.0..<$0.1, attribution: $1) }
  }

  /// As suggestions for a document: a segment that a person has assigned stays as it is, confirmed or not. It
  /// is not cut, and what was found in it counts for nothing.
  func suggestions(for document: AnnotationDocument) -> Suggestions {
    let handMade = HandMade(document)
    let segments = segments
    let found = suggestions.boundaries.filter { !handMade.isNear($0.marker.position) }
    let edges = handMade.edges.map { edge in
      let later = edge.marker.position + handMade.clearance
      let next = segments.last { $0.span.lowerBound <= later }
      return Suggestions.Boundary(edge.marker, edge.content ?? next?.attribution)
    }
    let firstID = document.unusedMarkerID.rawValue
    let boundaries = (found + edges).sorted { $0.marker.position < $1.marker.position }
      .enumerated().map { number, boundary in
        Suggestions.Boundary(
          Marker(
            id: MarkerID(firstID + Int64(number)), position: boundary.marker.position,
            origin: boundary.marker.origin, confidence: boundary.marker.confidence),
          boundary.attribution)
      }
    return Suggestions(
      in: .zero..<(.zero + document.length), opening: handMade.opening ?? suggestions.opening,
      boundaries, words: suggestions.words)
  }
}

extension AlignmentJudgement {
  /// What is saved of an alignment of a whole recording, in the words of the editor, in which it is read.
  ///
  /// - Parameters:
  ///   - uncertainty: why the start, where nobody said it, may be another.
  ///   - remark: what else is to be known of the start.
  init(
    _ alignment: AyahAlignment, of request: AlignmentRequest, length: FrameCount,
    acousticVersion: UInt32, uncertainty: Remark? = nil, remark: Remark? = nil
  ) {
    let doubt = alignment.doubt?.kept ?? uncertainty
    let remarks = alignment.remarks.filter { $0 != alignment.doubt }.map(\.kept)
    self.init(
      doubt: doubt, isTakenInDoubt: doubt != nil,
      remarks: remarks + [uncertainty, remark].compactMap { $0 }.filter { $0 != doubt },
      request: Request(
        span: .zero..<(.zero + length), first: request.first, last: request.last,
        prayer: request.prayer == .taraweeh ? .taraweeh : .none),
      acousticVersion: acousticVersion)
  }
}
