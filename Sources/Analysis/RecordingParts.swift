// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// How far the reading of a recording has come.
struct RecordingReading {
  var length: FrameCount
  var warnings: [DecodingWarning]
  var mix = MixEnergy()
  var isComplete = false
}

/// What became of a part.
enum PartResult: Sendable {
  /// What was measured of it, and how many samples were not finite.
  case sound(MeasuredSound, nonFinite: Int)
  /// The part is damaged or has not the frames that the file promised.
  case irregular
  case stopped
}

/// The division of a recording into parts that can be measured independently.
struct PartPlan: Sendable {
  /// Zero where the recording has to be read in one go.
  let count: Int
  let length: FrameCount
  private let grid: HopGrid
  private let hopCount: Int

  private let hopsPerPart: Int
  private let measuresLogMel: Bool

  /// Half a minute: short enough to share evenly and to show progress, long enough that the preroll of a
  /// few packets does not count.
  static let usualHopsPerPart = 30 * HopGrid.hopsPerSecond

  init(source: MediaSource, grid: HopGrid, hopsPerPart: Int, measuresLogMel: Bool) {
    self.grid = grid
    self.measuresLogMel = measuresLogMel
    self.hopsPerPart = hopsPerPart
    guard source.isSeekCheap, let length = source.description.frameCount else {
      self.length = .zero
      hopCount = 0
      count = 0
      return
    }
    self.length = length
    hopCount = grid.hopCount(covering: length)
    count = (hopCount + hopsPerPart - 1) / hopsPerPart
  }

  /// Decodes and measures a part.
  ///
  /// With a decoder of its own, so that what the decoder makes up, as AAC's does where the encoder only
  /// said "noise", does not depend on which parts its thread did before. It need not be repeatable in other
  /// parts of the recording, which takes a fifth longer.
  func measure(
    _ part: Int, of source: MediaSource, _ buffer: PCMBuffer, _ stopFlag: StopFlag
  ) -> PartResult {
    do throws(DecodingError) {
      let decoder = try source.makeDecoder(isRepeatable: false)
      let firstHop = part * hopsPerPart
      let lastHop = min(firstHop + hopsPerPart, hopCount)
      let start = grid.start(ofHop: firstHop)
      let end = min(grid.start(ofHop: lastHop), FramePosition(length.frames))
      var meter = SoundMeter(
        format: source.description.format, firstHop: firstHop, measuresLogMel: measuresLogMel)
      try meter.prime(from: decoder)
      // The samples before the part are for the part before to count, and likewise those after it.
      let warningsBefore = decoder.warnings
      meter.sound.hops.reserveCapacity(lastHop - firstHop)
      var position = start
      while position < end {
        if stopFlag.isStopped { return .stopped }
        let left = Int((end - position).frames)
        let block =
          left < buffer.frameCapacity
          ? PCMBuffer(channels: buffer.channels, frameCapacity: left) : buffer
        let count = try decoder.read(into: block)
        guard count > 0 else { return .irregular }
        meter.push(block.filled)
        position = position + FrameCount(Int64(count))
      }
      meter.finish(endsRecording: lastHop == hopCount)
      var nonFinite = 0
      for warning in decoder.warnings.added(since: warningsBefore) {
        guard case .notFinite(let samples) = warning else { return .irregular }
        nonFinite += samples
      }
      return .sound(meter.sound, nonFinite: nonFinite)
    } catch {
      return .irregular
    }
  }
}

/// Who does which part, and what is done. Threads take parts in order and wait when they are too far
/// ahead of the one that collects.
struct PartBoard {
  private let count: Int
  private let ahead: Int
  private var next = 0
  private var collected = 0
  private var isAbandoned = false
  private var results: [Int: PartResult] = [:]

  init(count: Int, ahead: Int) {
    self.count = count
    self.ahead = ahead
  }

  /// The next part to do; `.some(nil)` when there is none left, nil to wait.
  mutating func take() -> Int?? {
    if isAbandoned || next >= count { return .some(nil) }
    guard next < collected + ahead else { return nil }
    next += 1
    return next - 1
  }

  mutating func deliver(_ result: PartResult, for part: Int) { results[part] = result }

  /// The result of a part; nil to wait.
  mutating func collect(_ part: Int) -> PartResult? {
    guard let result = results.removeValue(forKey: part) else { return nil }
    collected = part + 1
    return result
  }

  /// Sends the threads home after the parts they are doing.
  mutating func abandon() { isAbandoned = true }
}
