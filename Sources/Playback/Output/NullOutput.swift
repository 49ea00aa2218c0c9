// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// No device at all, which takes as long over what it is given as one would.
///
/// alsa-lib's own `null` takes everything at once, so that nothing could be followed on a screen.
final class NullOutput: OutputDevice {
  /// As alsa-lib names it.
  static let name = "null"

  let format: AudioFormat
  let periodFrames: Int
  let bufferFrames: Int
  var isRealTime: Bool { true }

  /// Frames given to it since ``prepare()``, and of those how many were heard when it was last looked.
  private var given = 0
  private var heard = 0
  /// When it was last looked, on ``clock``; nil while it is not playing.
  private var lookedAt: Int?

  /// Of the buffer, in periods.
  private static let periods = 4
  private static let periodSeconds = 0.02

  init(settings: RenderSettings) {
    format = settings.format
    periodFrames = max(Int(Double(format.rate.hertz) * Self.periodSeconds), 1)
    bufferFrames = periodFrames * Self.periods
  }

  /// Moves what is heard on to now. It is never ahead of what was given, as if it had waited for that.
  private func look() {
    guard let lookedAt else { return }
    let now = clock
    let frames = Int(Double(now - lookedAt) / 1e9 * Double(format.rate.hertz))
    guard frames > 0 else { return }
    heard = min(heard + frames, given)
    self.lookedAt =
      heard == given ? now : lookedAt + Int(Double(frames) * 1e9 / Double(format.rate.hertz))
  }

  func prepare() -> DeviceAnswer {
    stop()
    return .frames(0)
  }

  func start() -> DeviceAnswer {
    if lookedAt == nil { lookedAt = clock }
    return .frames(0)
  }

  func room() -> DeviceAnswer {
    look()
    return .frames(bufferFrames - (given - heard))
  }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> DeviceAnswer {
    look()
    let taken = min(frames, bufferFrames - (given - heard))
    given += taken
    return .frames(taken)
  }

  func unheard() -> DeviceAnswer {
    look()
    return .frames(given - heard)
  }

  func stop() {
    given = 0
    heard = 0
    lookedAt = nil
  }

  func wait(wake: Int32, forRoom: Bool, milliseconds: Int) {
    let period = Int(Self.periodSeconds * 1000)
    waitUntilReadable(wake, milliseconds: Int(forRoom ? min(milliseconds, period) : milliseconds))
  }

  func close() {}
}
