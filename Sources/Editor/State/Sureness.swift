// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// A boundary that a machine suggested and no person has decided.
struct OpenEdge: Hashable {
  let marker: Marker
  /// The place of the segment that begins there, from 0.
  let index: Int

  /// Whether neither side of it is recited, as between a takbir and silence.
  let isBetweenUnused: Bool

  var sureness: Double { marker.sureness }

  /// The less sure comes first; edges that bound no recitation come after all that do.
  func isHeardBefore(_ other: OpenEdge) -> Bool {
    isBetweenUnused == other.isBetweenUnused
      ? sureness < other.sureness : !isBetweenUnused
  }
}

extension AnnotationDocument {
  /// Whether there is a boundary that nobody has decided.
  var hasOpenEdges: Bool { records.contains { $0.start?.isSuggestion ?? false } }

  /// The boundaries that nobody has decided, in order. One that a person has placed is decided.
  var openEdges: [OpenEdge] {
    records.enumerated().compactMap { index, record in
      guard let marker = record.start, marker.isSuggestion else { return nil }
      return OpenEdge(
        marker: marker, index: index,
        isBetweenUnused: [index - 1, index].allSatisfy {
          if case .unused = records[$0].content.assignment { true } else { false }
        })
    }
  }

  /// How sure it is that a segment is right as it stands, 0...1: its edges and what it holds, as far as a
  /// machine has suggested them and no person has decided.
  func sureness(ofSegmentAt index: Int) -> Double {
    if records[index].content.isConfirmed { return 1 }
    let edges = edges(ofSegmentAt: index).filter(\.isSuggestion).map(\.sureness)
    return (edges + [undecidedHold(ofSegmentAt: index)].compactMap(\.self)).min() ?? 1
  }

  /// How sure a segment and the edge at its start are, each edge being told of once; nil where a person has decided.
  func sureness(listedAt index: Int) -> Double? {
    if records[index].content.isConfirmed { return nil }
    let start = records[index].start.flatMap { $0.isSuggestion ? $0.sureness : nil }
    return [start, undecidedHold(ofSegmentAt: index)].compactMap(\.self).min()
  }

  /// How sure it is what a segment holds; nil where a person has said it, or has decided what the doubt was of.
  private func undecidedHold(ofSegmentAt index: Int) -> Double? {
    suggestedAttribution(ofSegmentAt: index).map { $0.confidence ?? Marker.unmeasured }
  }
}

extension Marker {
  /// Taken where nothing was measured.
  fileprivate static let unmeasured = 0.5

  /// How sure its finder is, 0...1.
  fileprivate var sureness: Double { confidence ?? Self.unmeasured }
}
