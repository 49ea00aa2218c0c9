// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// What to record from, and how, as far as the device can.
public struct CaptureRequest: Hashable, Sendable {
  /// An ALSA PCM name, such as "default" or "plughw:1".
  public var device: String
  /// Nil for 48,000 or 44,100 Hz, whichever the device has by itself, or what is nearest.
  public var rate: SampleRate?
  /// Nil for two or one, whichever the device has.
  public var channels: Int?
  /// Whether to keep more than 16 bits of each sample where the device has them.
  public var wantsDeepSamples: Bool

  public init(
    device: String = "default", rate: SampleRate? = nil, channels: Int? = nil,
    wantsDeepSamples: Bool = true
  ) {
    self.device = device
    self.rate = rate
    self.channels = channels
    self.wantsDeepSamples = wantsDeepSamples
  }
}
