// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Leads from the times in a container to the frames of its sound as `Decoding` counts them.
///
/// Sound is counted, not timed: a packet that was lost moves everything after it. So where the packets
/// are indexed, each that comes by says anew which frame belongs to its time.
struct SoundClock {
  let rate: SampleRate
  private let index: SeekIndex?
  private var anchor: (seconds: Double, frame: Int64) = (0, 0)

  init(rate: SampleRate, index: SeekIndex?) {
    self.rate = rate
    self.index = index
  }

  /// Whether packets have to be looked at beyond the first.
  var followsPackets: Bool { index != nil }

  /// Says when the first frame that is heard, encoder delay left out, has its time.
  mutating func begin(at seconds: Double) { anchor = (seconds, 0) }

  /// Takes in a packet of sound by its place in the file.
  mutating func take(offset: Int64, seconds: Double, length: Double) {
    guard let index, let packet = Self.packet(at: offset, in: index) else { return }
    let frame = index.startFrame(ofPacket: packet) - index.audible.lowerBound
    // Times are rounded in many containers; a gap is a packet at least.
    let expected = position(atSeconds: seconds).frames
    guard abs(Double(frame - expected)) > length / 2 * Double(rate.hertz) else { return }
    anchor = (seconds, frame)
  }

  func position(atSeconds seconds: Double) -> FramePosition {
    let frames = (seconds - anchor.seconds) * Double(rate.hertz)
    guard let whole = Int64(exactly: frames.rounded()) else { return FramePosition(.max) }
    let (sum, isTooLarge) = whole.addingReportingOverflow(anchor.frame)
    return FramePosition(isTooLarge ? .max : sum)
  }

  func seconds(at position: FramePosition) -> Double {
    anchor.seconds + (Double(position.frames) - Double(anchor.frame)) / Double(rate.hertz)
  }

  /// The only packet that lies at an offset; nil where none does or several.
  private static func packet(at offset: Int64, in index: SeekIndex) -> Int? {
    let offsets = index.offsets
    guard index.packetsPerOffset == 1, offset >= 0 else { return nil }
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] < offset { low = middle + 1 } else { high = middle }
    }
    guard low < offsets.count, offsets[low] == offset,
      low + 1 == offsets.count || offsets[low + 1] != offset
    else { return nil }
    return low
  }
}
