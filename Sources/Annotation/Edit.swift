// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// What can be done to a document, each whole or not at all, and undone as one.
public enum Edit: Hashable, Sendable {
  /// Cuts the segment there in two. Its assignment stays on the left; where the cut lies on a join,
  /// the ayat after it go to the right.
  case addMarker(Marker)
  /// Moves a marker as near as ``AnnotationDocument/room(forMarker:)`` lets it, and confirms it.
  case moveMarker(MarkerID, to: FramePosition)
  /// Merges the segments on its sides. The left one's assignment stays, or the right one's if the
  /// left is unassigned; the result is confirmed if both were.
  case deleteMarker(MarkerID)
  case confirmMarker(MarkerID)
  /// Unconfirms the segments on its sides too.
  case unconfirmMarker(MarkerID)
  /// Says what is heard in a segment, and that it is right if `confirming`; else it is unconfirmed.
  case assign(SegmentID, Attribution, confirming: Bool = false)
  /// Leaves a segment unassigned and unconfirmed, with its note and flag.
  case clear(SegmentID)
  /// Confirms an assignment and both edges of its segment.
  case confirm(SegmentID)
  /// Confirms the assignments and edges of several segments, in any order.
  case confirmAll([SegmentID])
  /// Takes back what was said of the assignment; the edges stay confirmed.
  case unconfirm(SegmentID)
  /// Moves one of a segment's joins, counted from 0; refused beyond its
  /// ``AnnotationDocument/room(forJoin:of:)``.
  case moveJoin(SegmentID, index: Int, to: FramePosition)
  case setNote(SegmentID, String)
  case setFlag(SegmentID, Bool)
  case fill(SequentialFill)
  case replaceSuggestions(Suggestions)
  /// Puts a whole other annotation in place of this one, as when one is imported; without words, those
  /// known stay.
  case replaceAll([SegmentRecord], words: [TimedWord]? = nil)

  /// Says that nothing is recited in a segment.
  public static func markUnused(
    _ segment: SegmentID, _ reason: UnusedReason, confirming: Bool = false
  ) -> Edit {
    .assign(segment, Attribution(.unused(reason)), confirming: confirming)
  }
}

extension Edit {
  /// The same without the words that it brings: what it did holds those that were taken.
  public var withoutWords: Edit {
    switch self {
    case .replaceSuggestions(let suggestions):
      .replaceSuggestions(
        Suggestions(
          in: suggestions.range, opening: suggestions.opening, suggestions.boundaries))
    case .replaceAll(let records, _): .replaceAll(records)
    default: self
    }
  }

  /// Whether other suggestions come into the place of those that were there.
  var replacesSuggestions: Bool {
    switch self {
    case .replaceSuggestions, .replaceAll: true
    default: false
    }
  }
}
