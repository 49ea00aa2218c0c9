// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore

/// What keys act on: a segment, the edge of it that is nudged, and maybe a span of time.
public struct Selection: Hashable, Sendable {
  public enum Edge: Hashable, Sendable { case start, end }

  public private(set) var segment: SegmentID = .first
  /// Which of the segment's two markers is meant.
  public internal(set) var edge: Edge = .start
  /// A span marked with the mouse or from an anchor; never empty.
  public internal(set) var span: Range<FramePosition>?
  /// Where the marking of a span began.
  var anchor: FramePosition?
  /// Where the segment began when it was selected, should it vanish.
  private var place: FramePosition = .zero

  mutating func select(_ segment: Segment, edge: Edge = .start) {
    self.segment = segment.id
    self.edge = edge
    place = segment.span.lowerBound
  }

  /// Finds a segment again after the document has changed: the same, else the one heard there.
  mutating func mend(for document: AnnotationDocument) {
    if let same = document.segment(segment) {
      place = same.span.lowerBound
    } else {
      select(document.segment(containing: place))
    }
    if marker(in: document) == nil { edge = edge == .start ? .end : .start }
    if marker(in: document) == nil { edge = .start }
    let whole = FramePosition.zero..<(.zero + document.length)
    span = span?.clamped(to: whole)
    if span?.isEmpty == true { span = nil }
    anchor = anchor.map { min(max($0, whole.lowerBound), whole.upperBound) }
  }

  /// The marker at the selected edge; nil where that is an end of the recording.
  func marker(in document: AnnotationDocument) -> Marker? {
    switch edge {
    case .start: return segment.marker.flatMap(document.marker)
    case .end:
      guard let index = document.index(of: segment), index + 1 < document.records.count else {
        return nil
      }
      return document.records[index + 1].start
    }
  }
}
