// SPDX-License-Identifier: GPL-3.0-or-later

/// How the engine plays, whatever it plays.
public struct PlaybackSettings: Hashable, Sendable {
  /// Fade before a stop or a pause, in milliseconds.
  public var fadeOutMilliseconds = 150
  /// Fade when play starts or goes on, in milliseconds.
  public var fadeInMilliseconds = 5
  /// How far ahead of what is heard items are scheduled, in milliseconds of their own length: more than
  /// a renderer decodes ahead. One more ayah is scheduled in any case.
  public var lookaheadMilliseconds = 10_000
  /// Whether play goes on by itself when what interrupted it is over.
  public var resumesAfterInterruption = false

  public init() {}
}
