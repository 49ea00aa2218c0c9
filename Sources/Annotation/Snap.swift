// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Draws a place that a hand chose to the quietest place near it.
public struct Snap: Sendable {
  /// In order.
  private let troughs: [FramePosition]
  private let reach: FrameCount

  /// How far a trough draws, in seconds.
  public static let reach = 0.2

  /// - Parameter troughs: where the sound is quietest, in any order.
  public init(to troughs: [FramePosition], at rate: SampleRate) {
    self.troughs = troughs.sorted()
    reach = FrameCount(seconds: Self.reach, at: rate)
  }

  /// The nearest trough at most 200 ms away, the earlier of two as near; else the place itself.
  public func callAsFunction(_ position: FramePosition) -> FramePosition {
    guard let near = nearest(in: troughs, to: position), near.distance <= reach else {
      return position
    }
    return near.position
  }
}

/// The nearest of places in order, the earlier of two as near.
func nearest(
  in positions: [FramePosition], to position: FramePosition
) -> (position: FramePosition, distance: FrameCount)? {
  var low = 0
  var high = positions.count
  while low < high {
    let middle = low + (high - low) / 2
    if positions[middle] < position { low = middle + 1 } else { high = middle }
  }
  return positions[max(low - 1, 0)..<min(low + 1, positions.count)]
    .map { (position: $0, distance: distance($0, position)) }
    .min { $0.distance < $1.distance }
}

private func distance(_ left: FramePosition, _ right: FramePosition) -> FrameCount {
  let (low, high) = (min(left, right).frames, max(left, right).frames)
  let (frames, overflows) = high.subtractingReportingOverflow(low)
  return FrameCount(overflows ? .max : frames)
}
