// SPDX-License-Identifier: GPL-3.0-or-later

import Playback

/// By how much the limiter has lowered the sound, kept up long enough to be read.
struct LimitedLevel {
  private var loudest: (since: ContinuousClock.Instant, decibels: Double)?

  /// Whole decibels to be shown, 0 for none.
  mutating func take(_ level: OutputLevel, at now: ContinuousClock.Instant = .now) -> Int {
    if let loudest, now - loudest.since > .seconds(1) { self.loudest = nil }
    // Half a decibel cannot be told by ear.
    if level.limitedDecibels >= 0.5, level.limitedDecibels >= loudest?.decibels ?? 0 {
      loudest = (now, level.limitedDecibels)
    }
    return Int((loudest?.decibels ?? 0).rounded())
  }
}
