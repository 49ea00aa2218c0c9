// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What the engine is doing.
public enum PlaybackState: Hashable, Sendable {
  /// Nothing is under way.
  case idle(Rest)
  case active(Activity)
  /// Fading out before a pause; what is heard goes on meanwhile.
  case pausing(Activity)
  /// Goes on, when asked to, with the frame after the last one heard.
  case paused(Activity)
  /// Fading out before the end that a person asked for.
  case stopping
  /// Cannot go on; `play` and `seek` try anew.
  case failed(PlaybackFailure)

  /// Why nothing is playing.
  public enum Rest: Hashable, Sendable, CaseIterable {
    /// Nothing has been asked for yet.
    case fresh
    case stopped
    /// All that was asked for has been heard.
    case finished
  }

  /// The phase of playback.
  public enum Activity: Hashable, Sendable, CaseIterable {
    /// The next ayah is looked up or decoded, or about to be heard.
    case loading
    case playing
    /// In the gap before the same ayah is heard again.
    case awaitingRepeat
    /// In the gap before another ayah, or in the silence that stands for a missing one.
    case awaitingNextAyah
    /// The range has been heard as often as was wanted, and what follows it has not begun.
    case rangeComplete
  }

  /// The phase of playback; nil when idle.
  public var activity: Activity? {
    switch self {
    case .active(let activity), .pausing(let activity), .paused(let activity): activity
    case .idle, .stopping, .failed: nil
    }
  }
}

/// Why playback failed.
public enum PlaybackFailure: Error, Hashable, Sendable {
  /// Not one ayah of what was asked for can be heard; why the first of them cannot of which that is known, with its name.
  case nothingAvailable(AyahRange, reason: String?)
  /// The renderer gave up; its own words.
  case renderer(String)
}

extension PlaybackState: CustomStringConvertible {
  /// One or two words, "playing", "paused (playing)", "idle (finished)".
  public var description: String {
    switch self {
    case .idle(let rest): "idle (\(rest))"
    case .active(let activity): "\(activity)"
    case .pausing(let activity): "fading out (\(activity))"
    case .paused(let activity): "paused (\(activity))"
    case .stopping: "fading out"
    case .failed: "error"
    }
  }
}

extension PlaybackFailure: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line. Not safe to print as it is.
  public var description: String {
    switch self {
    case .nothingAvailable(let range, let reason):
      "nothing of \(range) can be played" + (reason.map { "; \($0)" } ?? "")
    case .renderer(let reason): "playback failed: \(reason)"
    }
  }
}
