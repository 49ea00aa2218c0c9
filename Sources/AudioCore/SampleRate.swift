// SPDX-License-Identifier: GPL-3.0-or-later

/// Frames per second of a stream; always positive.
public struct SampleRate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Frames per second.
  public let hertz: Int

  /// Returns nil unless `hertz` is between 1 and 768,000, the widest any supported codec has.
  public init?(hertz: Int) {
    guard (1...768_000).contains(hertz) else { return nil }
    self.hertz = hertz
  }

  public static func < (left: SampleRate, right: SampleRate) -> Bool { left.hertz < right.hertz }

  public var description: String { "\(hertz) Hz" }
}
