// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation

/// What a person sets while working, kept from one session to the next.
public struct Settings: Hashable, Sendable, Codable {
  public var canvas = Canvas.waveform
  public var drawing = Drawing.blocks
  public var amplitude = Amplitude.decibels
  /// Draws the background's level and the threshold that the detector worked with.
  public var showsFloor = false
  public var snaps = true
  /// Whether the segment gone to is heard again and again.
  public var loopsSegments = true
  /// Whether the view turns the page with the playhead.
  public var follows = true
  /// Milliseconds between hearing a boundary and pressing the key, taken off a marker placed while
  /// playing.
  public var reactionTime = 200
  public var equaliser = Equaliser()
  /// 0...1.
  public var volume = 1.0
  public var lastUnusedReason = UnusedReason.takbir
  /// Whether the first-run hint has been seen.
  public var hasSeenHint = false

  public init() {}

  public enum Canvas: String, Hashable, Sendable, Codable { case waveform, spectrogram }
  public enum Drawing: String, Hashable, Sendable, Codable { case blocks, braille }
  public enum Amplitude: String, Hashable, Sendable, Codable { case decibels, linear }

  static let reactionTimes = 0...600
}

/// Six bands and a preamplifier, as sliders.
public struct Equaliser: Hashable, Sendable, Codable {
  /// 0...1 each, standing for -12...+12 dB.
  public var bands = [Double](repeating: 0.5, count: 6)
  /// 0...1, standing for -15...+15 dB.
  public var preamp = 0.5
  public var isOn = false

  public init() {}

  /// Centre or corner frequencies, Hz.
  public static let frequencies = [60, 150, 400, 1000, 2400, 15000]
  static let bandRange = 12.0
  static let preampRange = 15.0
}
