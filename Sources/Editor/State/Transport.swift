// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore

/// What playback was last told and what it said since.
public struct Transport: Hashable, Sendable {
  public internal(set) var phase: PlaybackReport.Phase = .stopped
  /// What is heard now or next; the cursor while nothing plays.
  public internal(set) var position: FramePosition = .zero
  /// Where it began, or went on after a jump: all from there to ``position`` has been heard.
  var start: FramePosition = .zero
  /// What is being played.
  public internal(set) var target: Target?
  public internal(set) var isLooping = false
  public internal(set) var speed = 1.0
  /// dB given to quiet recordings.
  public internal(set) var gain = 0.0
  /// Why nothing can be heard, for people; nil while all is well.
  public internal(set) var fault: String?
  /// Where it is paused because its device is gone.
  public internal(set) var wait: PlaybackReport.DeviceWait?
  /// Decibels that the limiter takes away.
  var limited = 0

  public enum Target: Hashable, Sendable {
    case recording
    case segment(SegmentID)
    case span(Range<FramePosition>)
  }

  public var isPlaying: Bool { phase == .playing }

  /// Why nothing can be heard, and what to do about a device that is gone.
  var faultAndRemedy: String? {
    fault.map { fault in
      switch wait {
      case .goesOn: "\(fault); playback continues when it is back"
      case .staysPaused: "\(fault); reconnect it and play again"
      case nil: fault
      }
    }
  }

  /// 0.25x to 3x.
  public static let speeds = [0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3]
  static let gains = -12.0...36.0

  /// The next speed up or down, itself at the end.
  func speed(stepped up: Bool) -> Double {
    up
      ? Self.speeds.first { $0 > speed + 0.001 } ?? speed
      : Self.speeds.last { $0 < speed - 0.001 } ?? speed
  }
}
