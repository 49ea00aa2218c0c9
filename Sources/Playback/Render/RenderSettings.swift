// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// The destination of the sound.
public enum RenderOutput: Sendable {
  /// Any PCM that alsa-lib knows by name: "default", "hw:0", "plughw:1,0", "pulse", "pipewire".
  case alsa(String)
  /// A WAV file of 32-bit floats, written as fast as it can be.
  case wavFile(String)
  /// Stepped by hand.
  case manual(ManualOutput)
}

/// How a session plays.
public struct RenderSettings: Hashable, Sendable {
  /// The format wanted; a device that cannot play at that rate decides itself.
  public var format: AudioFormat
  /// Seconds that the device plays in one go, and how many of those it holds. What is heard is known once a period,
  /// and a frame of the picture is late by as much: half of one of 50 a second.
  public var period = 0.01
  public var periods = 8
  /// Seconds that are rendered ahead.
  public var ahead = 0.3
  /// Seconds of fade on each side of a loop's join, within the repetitions, which keep their lengths.
  public var loopDeclick = 0.005
  /// Seconds of fade on each side of a seek.
  public var seekFade = 0.005
  /// Seconds without a frame heard after which a device counts as stalled.
  public var stallTimeout = 1.0

  public init(format: AudioFormat) { self.format = format }

  /// Nothing added and nothing smoothed: what is heard are the frames themselves.
  public var exact: RenderSettings {
    var settings = self
    settings.loopDeclick = 0
    settings.seekFade = 0
    return settings
  }
}

/// How loud the output was since the last look at it.
public struct OutputLevel: Hashable, Sendable {
  /// The highest sample, as an amplitude, after equaliser and volume.
  public let peak: Float
  /// Samples beyond -1...1, which a device cuts off.
  public let clippedSamples: Int
  /// By how many decibels the limiter has lowered the loudest place; 0 when it let all through. It is at work
  /// while equaliser, preamp or an item's gain make anything louder.
  public let limitedDecibels: Double

  /// Decibels between the highest sample and full scale; negative when it did not fit.
  public var headroomDecibels: Double { peak > 0 ? -20 * log10(Double(peak)) : .infinity }
}
