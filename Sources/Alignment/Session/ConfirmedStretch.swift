// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran
import Acoustics

/// Consecutive confirmed ayat and their starts: training data for learning.
public struct ConfirmedStretch: Hashable, Sendable {
  /// Half-open; its edges are confirmed.
  public var span: Range<FramePosition>
  public var ayat: AyahRange
  /// Where each ayah after the first begins.
  public var edges: [FramePosition]

  /// Ayat in a stretch: a few, so that every third of them is a fair part of what is confirmed; judged by
  /// `Scripts/measure-learning.py`.
  private static let longest = 6

  /// The runs of confirmed whole ayat in an annotation, without gaps.
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

/// The alignment of a confirmed run of ayat.
public struct StretchHearing: Hashable, Sendable {
  /// The place where each inner edge was found; nil if it was not found.
  public var edges: [EdgePlacement.Example?]
  /// Frames of the recording,
  public var frames: Range<Int>
  /// and the sound of each frame; nil where no text is recited.
  public var labels: [UInt8?]
}

extension AcousticAligner {
  /// Aligns the text of a run with its sound, ignoring the inner edges; nil if the text does not
  /// fit.
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
