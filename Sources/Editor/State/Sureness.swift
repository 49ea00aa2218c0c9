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

  /// How sure it is, 0...1, and what begins there as far as neither of its edges accounts for a doubt of that.
  let sureness: Double

  /// The less sure comes first; edges that bound no recitation come after all that do.
  func isHeardBefore(_ other: OpenEdge) -> Bool {
    guard isBetweenUnused == other.isBetweenUnused else { return !isBetweenUnused }
    return (sureness, marker.sureness) < (other.sureness, other.marker.sureness)
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
        }, sureness: min(marker.sureness, ownDoubt(ofSegmentAt: index) ?? 1))
    }
  }

  /// How sure it is what a segment holds, where it is less sure than both of its edges; else nil.
  func ownDoubt(ofSegmentAt index: Int) -> Double? {
    guard let held = undecidedHold(ofSegmentAt: index) else { return nil }
    let open = edges(ofSegmentAt: index).filter(\.isSuggestion)
    return open.allSatisfy { held < $0.sureness } ? held : nil
  }

  /// Segments that a person has named and not confirmed, and that do not go with the rest: their ayah is there twice, out
  /// of order or after a gap, or they last much too long or short for it.
  var oddSegments: Set<Int> {
    let odd = validate().flatMap { finding -> [Int] in
      switch finding.kind {
      case .repeated(_, let first): [finding.index] + [index(of: first)].compactMap(\.self)
      case .outOfOrder, .missing, .short, .long: [finding.index]
      case .unassigned, .incomplete: []
      }
    }
    return Set(odd).filter {
      !records[$0].content.isConfirmed && records[$0].content.attribution?.origin == .person
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
  static let unmeasured = 0.5

  /// How sure its finder is, 0...1.
  fileprivate var sureness: Double { confidence ?? Self.unmeasured }
}
