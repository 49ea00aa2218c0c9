// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Segments put end to end.
struct SegmentList {
  private(set) var segments: [AyahAlignment.Segment] = []
  private(set) var boundaries: [Boundary] = []
  private let end: FramePosition
  private(set) var position = FramePosition.zero
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

  /// Lets the last segment go on.
  mutating func extend(upTo next: FramePosition) {
    guard next > position, let last = segments.last else { return }
    segments[segments.count - 1].span = last.span.lowerBound..<next
    if !boundaries.isEmpty, boundaries[boundaries.count - 1].position == position {
      boundaries[boundaries.count - 1].position = next
    }
    position = next
  }

  /// Why nothing is heard after what was heard last.
  var silenceReason: UnusedReason {
    let calls = segments.lazy.compactMap { segment -> UnusedReason? in
      if case .unused(let reason) = segment.assignment, reason != .silence { reason } else { nil }
    }
    guard case .unused(let reason) = segments.last?.assignment else { return .silence }
    let isAfterReciting = segments.dropLast().last?.assignment.isRecitation == true
    switch reason {
    case .takbir where isAfterReciting: return .ruku
    case .takbir where calls.reversed().dropFirst().first == .tasmee: return .sujud
    default: return .silence
    }
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
