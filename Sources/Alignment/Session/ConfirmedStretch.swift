// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran
import Acoustics

/// Ayat one after the other that a person has confirmed, and where each begins: what there is to learn from.
public struct ConfirmedStretch: Hashable, Sendable {
  /// Half-open; its edges are confirmed.
  public var span: Range<FramePosition>
  public var ayat: AyahRange
  /// Where each ayah after the first begins.
  public var edges: [FramePosition]

  /// Ayat in a stretch: a few, so that every third of them is a fair part of what is confirmed.
  private static let longest = 6

  /// What is confirmed in an annotation: whole ayat without anything between them.
  public static func stretches(of document: AnnotationDocument) -> [ConfirmedStretch] {
    var result: [ConfirmedStretch] = []
    for segment in document.segments {
      guard segment.content.isConfirmed,
        case .ayah(let ayah, nil, false) = segment.content.assignment
      else { continue }
      if let last = result.last, last.span.upperBound == segment.span.lowerBound,
        last.ayat.count < longest, last.ayat.last.next == ayah, last.ayat.last.surah == ayah.surah,
        let ayat = AyahRange(first: last.ayat.first, last: ayah)
      {
        result[result.count - 1] = ConfirmedStretch(
          span: last.span.lowerBound..<segment.span.upperBound, ayat: ayat,
          edges: last.edges + [segment.span.lowerBound])
      } else if let ayat = AyahRange(first: ayah, last: ayah) {
        result.append(ConfirmedStretch(span: segment.span, ayat: ayat, edges: []))
      }
    }
    return result
  }
}

/// What is heard in a stretch that a person has confirmed.
public struct StretchHearing: Hashable, Sendable {
  /// For each inner edge where it was found; nil where it was not.
  public var edges: [EdgePlacement.Example?]
  /// Frames of the recording,
  public var frames: Range<Int>
  /// and the sound of each of them; nil where none of the text is said.
  public var labels: [UInt8?]
}

extension AcousticAligner {
  /// Lays the text of a stretch over it without looking at its inner edges; nil where the text does not fit.
  public func hear(_ stretch: ConfirmedStretch) -> StretchHearing? {
    var edges = RecitationGrammar.Edges()
    edges.start = .at(stretch.ayat.first)
    if let next = stretch.ayat.last.next { edges.end = .before(next) }
    let section = section(
      stretch.span, edges: edges, first: stretch.ayat.first, last: stretch.ayat.last)
    guard let builder = builder(in: section, .none, .predicted) else { return nil }
    let margins = BoundaryMargins(
      chain: builder.grammar.chain, scores: builder.scores, path: builder.path)
    guard margins.misfitOfText <= Self.greatestMisfit else { return nil }
    let pieces = builder.pieces()
    let examples = zip(stretch.ayat.dropFirst(), stretch.edges).map { ayah, edge in
      pieces.first { $0.assignment.beginning == ayah }.map { piece in
        EdgePlacement.Example(
          found: piece.span.lowerBound.seconds(at: rate), confirmed: edge.seconds(at: rate),
          pause: pause(at: piece.span.lowerBound))
      }
    }
    let labels = builder.path.map { state in
      state < 0 ? nil : builder.grammar.chain.sounds[Int(state)]
    }
    return StretchHearing(edges: examples, frames: section.frames, labels: labels)
  }
}
