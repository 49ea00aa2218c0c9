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

  /// Lets the last segment end earlier, if anything is left of it.
  mutating func shorten(to end: FramePosition) {
    guard let last = segments.last, end > last.span.lowerBound, end < position else { return }
    segments[segments.count - 1].span = last.span.lowerBound..<end
    if !boundaries.isEmpty, boundaries[boundaries.count - 1].position == position {
      boundaries[boundaries.count - 1].position = end
    }
    position = end
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
