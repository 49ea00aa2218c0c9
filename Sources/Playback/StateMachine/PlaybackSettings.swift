// SPDX-License-Identifier: GPL-3.0-or-later

/// Settings of the engine for all requests.
public struct PlaybackSettings: Hashable, Sendable {
  /// Fade before a stop or a pause, in milliseconds.
  public var fadeOutMilliseconds = 150
  /// Fade when play starts or goes on, in milliseconds.
  public var fadeInMilliseconds = 5
  /// How far ahead of what is heard items are scheduled, in milliseconds of their own length: more than
  /// a renderer decodes ahead. One more ayah is scheduled in any case.
  public var lookaheadMilliseconds = 10_000
  /// Whether playback resumes by itself after an interruption.
  public var resumesAfterInterruption = false

  public init() {}
}
