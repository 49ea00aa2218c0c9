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

  /// Lets a boundary lie at a place: the nearest within reach that is not kept itself, or a new one.
  mutating func mark(_ place: FramePosition, reach: FrameCount, keeping places: Set<FramePosition>)
  {
    guard let index = segments.firstIndex(where: { $0.span.contains(place) }),
      segments[index].span.lowerBound < place
    else { return }
    let span = segments[index].span
    let before = index > 0 && !places.contains(span.lowerBound) ? place - span.lowerBound : nil
    let after =
      index + 1 < segments.count && !places.contains(span.upperBound)
      ? span.upperBound - place : nil
    if let before, before <= reach, before <= after ?? before {
      segments[index - 1].span = segments[index - 1].span.lowerBound..<place
      segments[index].span = place..<span.upperBound
      boundaries[index - 1] = Boundary(position: place, confidence: 1)
    } else if let after, after <= reach {
      segments[index].span = span.lowerBound..<place
      segments[index + 1].span = place..<segments[index + 1].span.upperBound
      boundaries[index] = Boundary(position: place, confidence: 1)
    } else {
      segments[index].span = span.lowerBound..<place
      var rest = segments[index]
      rest.span = place..<span.upperBound
      segments.insert(rest, at: index + 1)
      boundaries.insert(Boundary(position: place, confidence: 1), at: index)
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
