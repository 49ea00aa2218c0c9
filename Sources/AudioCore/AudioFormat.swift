// SPDX-License-Identifier: GPL-3.0-or-later

/// The shape of decoded audio: 32-bit float samples, interleaved, nominally within -1...1.
public struct AudioFormat: Hashable, Sendable {
  public let rate: SampleRate
  /// Samples per frame, at least 1.
  public let channels: Int

  /// Returns nil unless `channels` is between 1 and 64.
  public init?(rate: SampleRate, channels: Int) {
    guard (1...64).contains(channels) else { return nil }
    self.rate = rate
    self.channels = channels
  }
}
