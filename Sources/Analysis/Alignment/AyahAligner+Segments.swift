// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

extension AyahAligner {
  /// Silences at the ends of a recording shorter than this belong to what is recited there, in seconds.
  private static let shortestSilence = 1.5

  /// The alignment of a whole recording from that of its voiced stretch.
  func alignment(_ result: LengthAligner.Result, _ leadIn: LeadInModel) -> AyahAlignment {
    var spans = SegmentList(length: length)
    let start = result.points[0]
    let opening = voiceStart
    if opening.seconds(at: rate) >= Self.shortestSilence {
      spans.append(upTo: opening, .unused(.silence), edge: Self.certain)
    }
    if result.hypothesis.hasLeadIn {
      let pace = exp(result.paces.first ?? 0)
      let said = leadIn.likeliest(seconds: start.active, pace: pace)
      spans.append(
        upTo: start.position, said.map { .leadIn($0) } ?? .unused(.other),
        edge: result.probabilities[0])
    }
    for (index, token) in result.tokens.enumerated() {
      let end = result.points[index + 1]
      guard end.position > result.points[index].position else { continue }
      let assignment: Assignment =
        switch token.content {
        case .ayah(let ayah): .ayah(ayah)
        case .basmalah(let surah): .leadIn(.basmalah(of: surah))
        }
      spans.append(upTo: end.position, assignment, edge: result.probabilities[index + 1])
    }
    spans.close(afterSilenceOf: Self.shortestSilence, rate: rate)
    return AyahAlignment(
      segments: spans.segments, boundaries: spans.boundaries, pauses: pauses,
      last: result.tokens.reversed().lazy.compactMap { token -> AyahReference? in
        if case .ayah(let ayah) = token.content { ayah } else { nil }
      }.first,
      verdict: .plausible)
  }

  /// Nothing is known but the pauses.
  func unaligned(_ reason: String) -> AyahAlignment {
    let whole = FramePosition.zero..<(.zero + length)
    return AyahAlignment(
      segments: whole.isEmpty ? [] : [.init(whole, .unused(.other), confidence: 0)],
      boundaries: [], pauses: pauses, last: nil, verdict: .doubtful(reason))
  }

  private static let certain = 1.0

  private var voiceStart: FramePosition {
    guard let first = candidates.candidates.first(where: \.isDip),
      first.span.lowerBound.seconds(at: rate) < 0.1
    else { return .zero }
    return first.position
  }

  private var pauses: [Pause] {
    candidates.dips.filter(\.isPause).map {
      Pause(span: $0.span, depth: $0.depth, confidence: PauseDetector.confidence($0))
    }
  }
}

/// Segments put end to end.
private struct SegmentList {
  private(set) var segments: [AyahAlignment.Segment] = []
  private(set) var boundaries: [Boundary] = []
  private let end: FramePosition
  private var position = FramePosition.zero
  private var edge = 1.0

  init(length: FrameCount) { end = .zero + length }

  /// - Parameter edge: the probability that this end is right.
  mutating func append(upTo next: FramePosition, _ assignment: Assignment, edge nextEdge: Double) {
    guard next > position else { return }
    segments.append(
      .init(position..<next, assignment, confidence: min(edge, nextEdge)))
    if next < end { boundaries.append(Boundary(position: next, confidence: nextEdge)) }
    position = next
    edge = nextEdge
  }

  /// What is left becomes silence, or part of the last segment when it is short.
  mutating func close(afterSilenceOf shortest: Double, rate: SampleRate) {
    guard position < end else { return }
    if (end - position).seconds(at: rate) >= shortest || segments.isEmpty {
      append(upTo: end, .unused(.silence), edge: 1)
    } else {
      segments[segments.count - 1].span = segments[segments.count - 1].span.lowerBound..<end
      boundaries.removeLast()
    }
  }
}
