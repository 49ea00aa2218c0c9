// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Leads from the times in a container to the frames of its sound as `Decoding` counts them.
///
/// Sound is counted, not timed: a packet that was lost moves everything after it. So where the packets
/// are indexed, each that comes by says which frame belongs to its time. What they have said is kept, so that a look
/// at one place does not spoil another.
struct SoundClock {
  /// A stretch of sound without a gap, as far as its packets were seen.
  private struct Run {
    /// A frame of it, and its time.
    let seconds: Double
    let frame: Int64
    /// Seconds between which packets were seen.
    var start: Double
    var end: Double
  }

  let rate: SampleRate
  private let index: SeekIndex?
  /// The packets whose place in the file is known; nil where all are. Of the packets that share a block in MPEG-TS only
  /// the first has one.
  private let placed: [Int]?
  /// In order of both time and frames.
  private var runs = [Run(seconds: 0, frame: 0, start: 0, end: 0)]

  init(rate: SampleRate, index: SeekIndex?) {
    self.rate = rate
    self.index = index
    guard let offsets = index?.offsets, offsets.contains(where: { $0 < 0 }) else {
      placed = nil
      return
    }
    placed = offsets.indices.filter { offsets[$0] >= 0 }
  }

  /// Whether packets have to be looked at beyond the first.
  var followsPackets: Bool { index != nil }

  /// Whether a place in the file lies after all of the sound; false where that is not known.
  func isBehindLastPacket(_ offset: Int64) -> Bool {
    guard let offsets = index?.offsets, let last = placed.map(\.last) ?? offsets.indices.last else {
      return false
    }
    return offset > offsets[last]
  }

  /// Says when the first frame that is heard, encoder delay left out, has its time.
  mutating func begin(at seconds: Double) {
    runs = [Run(seconds: seconds, frame: 0, start: seconds, end: seconds)]
  }

  /// Takes in a packet of sound by its place in the file.
  mutating func take(offset: Int64, seconds: Double) {
    guard let index, let packet = packet(at: offset, in: index) else { return }
    let start = index.startFrame(ofPacket: packet)
    let frame = start - index.audible.lowerBound
    let length = Double(index.startFrame(ofPacket: packet + 1) - start) / Double(rate.hertz)
    let end = seconds + length
    // Times are rounded in many containers; a gap is a packet at least.
    let tolerance = length / 2 * Double(rate.hertz)
    let next = runs.partitioningIndex { $0.start > seconds }
    for number in [next - 1, next] where runs.indices.contains(number) {
      guard abs(frames(at: seconds, in: runs[number]) - Double(frame)) <= tolerance else {
        continue
      }
      runs[number].start = min(runs[number].start, seconds)
      runs[number].end = max(runs[number].end, end)
      return
    }
    let run = Run(seconds: seconds, frame: frame, start: seconds, end: end)
    let fits =
      (next == 0 || runs[next - 1].end <= seconds + length / 2 && runs[next - 1].frame <= frame)
      && (next == runs.count || frame <= runs[next].frame)
    // Times that go back: the last that came by is right about its surroundings.
    if fits { runs.insert(run, at: next) } else { runs = [run] }
  }

  func position(atSeconds seconds: Double) -> FramePosition {
    let count = frames(atSeconds: seconds).rounded()
    return Int64(exactly: count).map { FramePosition($0) } ?? FramePosition(.max)
  }

  /// Frames that are heard up to a time, with the part of the last that has passed.
  func frames(atSeconds seconds: Double) -> Double {
    let next = runs.partitioningIndex { $0.start > seconds }
    let before = next > 0 ? runs[next - 1] : nil
    let after = next < runs.count ? runs[next] : nil
    let isNearerBefore =
      before.map { run in after.map { seconds - run.end <= $0.start - seconds } ?? true } ?? false
    guard let run = isNearerBefore ? before : after else { return 0 }
    var count = frames(at: seconds, in: run)
    // In a gap no sound passes.
    if let before, seconds > before.end { count = max(count, frames(at: before.end, in: before)) }
    if let after { count = min(count, frames(at: after.start, in: after)) }
    return count
  }

  func seconds(at position: FramePosition) -> Double {
    let frame = Double(position.frames)
    let next = runs.partitioningIndex { frames(at: $0.start, in: $0) > frame }
    let before = next > 0 ? runs[next - 1] : nil
    let after = next < runs.count ? runs[next] : nil
    let isNearerBefore =
      before.map { run in
        after.map { other in
          frame - frames(at: run.end, in: run) <= frames(at: other.start, in: other) - frame
        } ?? true
      } ?? false
    guard let run = isNearerBefore ? before : after else { return 0 }
    return run.seconds + (frame - Double(run.frame)) / Double(rate.hertz)
  }

  private func frames(at seconds: Double, in run: Run) -> Double {
    (seconds - run.seconds) * Double(rate.hertz) + Double(run.frame)
  }

  /// The only packet that lies at an offset; nil where none does or several.
  private func packet(at offset: Int64, in index: SeekIndex) -> Int? {
    guard index.packetsPerOffset == 1, offset >= 0 else { return nil }
    let offsets = index.offsets
    func packet(_ number: Int) -> Int { placed?[number] ?? number }
    let count = placed?.count ?? offsets.count
    let number = (0..<count).partitioningIndex { offsets[packet($0)] >= offset }
    guard number < count, offsets[packet(number)] == offset,
      number + 1 == count || offsets[packet(number + 1)] != offset
    else { return nil }
    return packet(number)
  }
}
