// SPDX-License-Identifier: GPL-3.0-or-later

/// A place in a stream: the number of frames before it, counted from the first audible frame.
public struct FramePosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var frames: Int64

  public static let zero = FramePosition(0)

  public init(_ frames: Int64) { self.frames = frames }

  /// The frame nearest to a time in seconds, the last there is for one beyond; 0 for what is no number.
  public init(seconds: Double, at rate: SampleRate) {
    frames = nearestFrame(seconds, at: rate)
  }

  /// Seconds from the start of the stream.
  public func seconds(at rate: SampleRate) -> Double { Double(frames) / Double(rate.hertz) }

  public static func < (left: FramePosition, right: FramePosition) -> Bool {
    left.frames < right.frames
  }

  public static func + (position: FramePosition, count: FrameCount) -> FramePosition {
    FramePosition(position.frames + count.frames)
  }

  public static func - (position: FramePosition, count: FrameCount) -> FramePosition {
    FramePosition(position.frames - count.frames)
  }

  /// The frames between two places, negative when `right` lies after `left`.
  public static func - (left: FramePosition, right: FramePosition) -> FrameCount {
    FrameCount(left.frames - right.frames)
  }

  public var description: String { "frame \(frames)" }
}

/// A length in frames (one sample per channel each).
public struct FrameCount: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var frames: Int64

  public static let zero = FrameCount(0)

  public init(_ frames: Int64) { self.frames = frames }

  /// The whole number of frames nearest to a duration in seconds, clamped as a position is.
  public init(seconds: Double, at rate: SampleRate) {
    frames = nearestFrame(seconds, at: rate)
  }

  /// Duration in seconds.
  public func seconds(at rate: SampleRate) -> Double { Double(frames) / Double(rate.hertz) }

  public static func < (left: FrameCount, right: FrameCount) -> Bool { left.frames < right.frames }

  public static func + (left: FrameCount, right: FrameCount) -> FrameCount {
    FrameCount(left.frames + right.frames)
  }

  public static func - (left: FrameCount, right: FrameCount) -> FrameCount {
    FrameCount(left.frames - right.frames)
  }

  public var description: String { "\(frames) frames" }
}

extension Range where Bound == FramePosition {
  /// The number of frames in the half-open span.
  public var length: FrameCount { upperBound - lowerBound }
}

private func nearestFrame(_ seconds: Double, at rate: SampleRate) -> Int64 {
  let frame = (seconds * Double(rate.hertz)).rounded()
  if frame.isNaN { return 0 }
  return Int64(exactly: frame) ?? (frame < 0 ? .min : .max)
}
