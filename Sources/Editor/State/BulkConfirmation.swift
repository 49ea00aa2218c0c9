// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Segments that are to be confirmed together, and how many of them are probably wrong.
struct BulkConfirmation: Hashable {
  enum Scope: Hashable, CaseIterable { case sure, upToHere, unused, visible, span }

  let segments: [SegmentID]
  /// How many of their edges are wrong, if these are as sure as they say, and of what they hold as far as their edges
  /// do not account for that. An edge counts once, though it bounds two segments.
  let expectedWrong: Double
  /// How many stay as they are since a person has flagged them, or the segment beside them: the edge between may
  /// be what the flag is for.
  let leftOut: Int
  /// Whether it begins after a flag, and takes nothing before that.
  let startsAfterFlag: Bool
}

extension State {
  /// What of a scope can be confirmed: what is assigned, not confirmed yet, not flagged, and has no undecided
  /// edge in common with a flagged segment.
  ///
  /// - Parameter percent: how sure segments have to be at least, for ``BulkConfirmation/Scope/sure``.
  func confirmable(_ scope: BulkConfirmation.Scope, percent: Int) -> BulkConfirmation {
    let document = self.document
    let open = document.segments.filter { !$0.isConfirmed && $0.assignment != nil }
    let odd = document.oddSegments
    var startsAfterFlag = false
    let inside: [Segment]
    switch scope {
    case .sure:
      inside = open.filter {
        !odd.contains($0.index) && document.sureness(ofSegmentAt: $0.index).percent >= percent
      }
    case .upToHere:
      let here = open.filter { $0.index <= selectedSegment.index }
      let flag = here.last { $0.content.isFlagged }
      startsAfterFlag = flag != nil
      inside = here.filter { $0.index >= flag?.index ?? 0 }
    case .unused:
      inside = open.filter { if case .unused = $0.assignment { true } else { false } }
    case .visible: inside = open.filter { viewport.span.clamped(to: $0.span) == $0.span }
    case .span:
      inside = open.filter { segment in
        selection.span.map { $0.clamped(to: segment.span) == segment.span } ?? false
      }
    }
    let taken = inside.filter { !document.isHeldByFlag($0.index) }
    return BulkConfirmation(
      segments: taken.map(\.id),
      expectedWrong: expectedWrong(taken, odd),
      leftOut: inside.count - taken.count, startsAfterFlag: startsAfterFlag)
  }

  private func expectedWrong(_ segments: [Segment], _ odd: Set<Int>) -> Double {
    let bounds = Set(segments.flatMap { [$0.index, $0.index + 1] })
    let edges = document.openEdges.filter { bounds.contains($0.index) }
    let open = Set(edges.map(\.index))
    // An edge that is open counts with what begins there.
    let held = segments.filter { !open.contains($0.index) }.compactMap {
      document.ownDoubt(ofSegmentAt: $0.index)
    }
    return (edges.map(\.sureness) + held).reduce(0) { $0 + 1 - $1 }
      + Double(odd.intersection(segments.map(\.index)).count) * Marker.unmeasured
  }
}

extension AnnotationDocument {
  /// Whether a segment is flagged, or would decide an edge of one that is by being confirmed.
  fileprivate func isHeldByFlag(_ index: Int) -> Bool {
    func isFlagged(_ index: Int) -> Bool {
      records.indices.contains(index) && records[index].content.isFlagged
    }
    func isOpen(edgeOf index: Int) -> Bool { records[index].start?.isConfirmed == false }
    return isFlagged(index) || isFlagged(index - 1) && isOpen(edgeOf: index)
      || isFlagged(index + 1) && isOpen(edgeOf: index + 1)
  }
}
