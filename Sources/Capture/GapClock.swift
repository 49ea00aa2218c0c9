// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Measures how many frames were lost while a device stood still.
///
/// A device that overran drops what it holds and starts anew. What is missing runs from the last frame
/// that was read to that start; the clock counts it, because the device does not.
struct GapClock {
  private let rate: SampleRate
  /// When the frames that were then waiting had been heard, in nanoseconds.
  private var time: Int64
  /// Frames heard by then and not read.
  private var waiting: Int64 = 0
  /// Frames lost since the last that were read.
  private var lost: Int64 = 0

  init(rate: SampleRate, startedAt time: Int64) {
    self.rate = rate
    self.time = time
  }

  /// Frames have been read, and so many more are waiting; returns how many were lost before those read.
  mutating func didRead(at time: Int64, waiting: Int64) -> Int64 {
    defer { lost = 0 }
    self.time = time
    self.waiting = max(0, waiting)
    return lost
  }

  /// The device has started anew; what it held is lost.
  mutating func didRestart(at time: Int64) {
    let elapsed = max(0, time - self.time)
    let (seconds, nanoseconds) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let hertz = Int64(rate.hertz)
    lost += seconds * hertz + nanoseconds * hertz / 1_000_000_000 + waiting
    self.time = time
    waiting = 0
  }
}
