// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Finds out from the times of packets which others between them were lost.
struct PacketGaps {
  /// The decoded frame before which the first are missing; nil where none are.
  private(set) var first: Int64?
  /// Frames that are missing in all.
  private(set) var missing: Int64 = 0

  private let rate: Double
  private var packets = 0
  private var frames: Int64 = 0
  /// Seconds at which the packets so far end; nil before the first with a time. The first of all does not count: it holds
  /// the encoder's delay, and its time is as the muxer chose it.
  private var end: Double?
  /// Seconds.
  private var longestPacket = 0.0

  init(rate: SampleRate) { self.rate = Double(rate.hertz) }

  /// Takes in the next packet, with its time in units of `base`.
  mutating func take(frames count: UInt32, at time: Int64, in base: AVRational) {
    defer {
      frames += Int64(count)
      packets += 1
    }
    guard packets > 0 else { return }
    let length = Double(count) / rate
    longestPacket = max(longestPacket, length)
    guard time != tilawa_AV_NOPTS_VALUE, base.num > 0, base.den > 0 else {
      end = end.map { $0 + length }
      return
    }
    let seconds = Double(time) * Double(base.num) / Double(base.den)
    // Times are rounded in many containers, and some waver; a gap is a packet at least.
    if let end, seconds - end > longestPacket / 2 {
      let lost = ((seconds - end) * rate).rounded()
      if lost + Double(missing) < Double(SeekIndexBuilder.longest) {
        first = first ?? frames
        missing += Int64(lost)
      }
    }
    end = max(end ?? -.infinity, seconds + length)
  }
}
