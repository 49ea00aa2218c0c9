// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// A span of a recording as frames of the session's format, from any frame of it on. The feeder's.
///
/// Frame k of the span is the source at `start + k * sourceRate / sessionRate`, whatever was read
/// before: where rates differ, conversion begins on a frame of the source that is a whole number of
/// session frames away, early enough for the filter to have seen what lies before.
final class Deck {
  private static let blockLength = 2048
  /// Source frames that the resampler sees before the first that counts.
  private static let context = 2048

  private let source: MediaSource
  private let start: Int64
  private let format: AudioFormat
  private let shelf: DecoderShelf
  private let decoder: any AudioDecoder
  private let buffer: PCMBuffer
  /// Frames of the buffer that were used up.
  private var used = 0
  private var isAtEnd = false
  private let resampler: Resampler?
  private let converted: PCMBuffer?
  private var convertedUsed = 0
  /// Converted frames still to be thrown away.
  private var surplus = 0

  /// A deck that reads from frame `frame` of the span that begins at source frame `start`.
  init(
    _ source: MediaSource, start: Int64, frame: Int, format: AudioFormat, shelf: DecoderShelf
  ) throws(PlaybackError) {
    self.source = source
    self.start = start
    self.format = format
    self.shelf = shelf
    let own = source.description.format
    let position: Int64
    if Self.needsResampler(own, format) {
      let grid = RateGrid(source: own.rate, session: format.rate)
      let origin = grid.origin(for: frame, start: start, context: Self.context)
      position = origin.source
      surplus = frame - origin.session
      let resampler = try Resampler(from: own, to: format)
      self.resampler = resampler
      converted = PCMBuffer(
        channels: format.channels,
        frameCapacity: resampler.outputCapacity(for: Self.blockLength))
    } else {
      position = start + Int64(frame)
      resampler = nil
      converted = nil
    }
    buffer = PCMBuffer(channels: own.channels, frameCapacity: Self.blockLength)
    do {
      decoder = try shelf.take(source, at: FramePosition(position))
    } catch {
      throw PlaybackError(.decoding(error), subject: source.file.path)
    }
  }

  deinit { shelf.giveBack(decoder, of: source) }

  /// Decodes the first block ahead of its use.
  func prime() throws(PlaybackError) {
    if used == buffer.frameCount, !isAtEnd { try refill() }
  }

  /// What is wrong where the recording ends before the span does.
  ///
  /// - Parameter isEmpty: whether it has nothing of the span; nil where it merely has less than its header says.
  func earlyEnd(isEmpty: Bool) -> PlaybackError? {
    guard isEmpty || source.file.hasShrunk else { return nil }
    return PlaybackError(.endsTooEarly, subject: source.file.path)
  }

  /// Reads up to `frames` frames; fewer only at the end of the recording.
  func read(
    into target: UnsafeMutablePointer<Float>, frames: Int
  ) throws(PlaybackError) -> Int {
    var done = 0
    while done < frames {
      let place = target + done * format.channels
      let count =
        resampler == nil
        ? try readDirect(into: place, frames: frames - done)
        : try readConverted(into: place, frames: frames - done)
      if count == 0 { break }
      done += count
    }
    return done
  }

  private func readDirect(
    into target: UnsafeMutablePointer<Float>, frames: Int
  ) throws(PlaybackError) -> Int {
    if used == buffer.frameCount { try refill() }
    let count = min(frames, buffer.frameCount - used)
    guard count > 0, let samples = buffer.samples.baseAddress else { return 0 }
    let first = samples + used * buffer.channels
    switch (buffer.channels, format.channels) {
    case (1, 2):
      for frame in 0..<count {
        target[2 * frame] = first[frame]
        target[2 * frame + 1] = first[frame]
      }
    case (2, 1):
      for frame in 0..<count { target[frame] = (first[2 * frame] + first[2 * frame + 1]) / 2 }
    default: target.update(from: first, count: count * format.channels)
    }
    used += count
    return count
  }

  private func readConverted(
    into target: UnsafeMutablePointer<Float>, frames: Int
  ) throws(PlaybackError) -> Int {
    guard let converted, let output = converted.samples.baseAddress else { return 0 }
    while true {
      let skipped = min(surplus, converted.frameCount - convertedUsed)
      surplus -= skipped
      convertedUsed += skipped
      if convertedUsed < converted.frameCount { break }
      guard try convertMore() else { return 0 }
    }
    let count = min(frames, converted.frameCount - convertedUsed)
    target.update(
      from: output + convertedUsed * format.channels, count: count * format.channels)
    convertedUsed += count
    return count
  }

  /// Fills `converted`; false at the end.
  private func convertMore() throws(PlaybackError) -> Bool {
    guard let resampler, let converted, let output = converted.samples.baseAddress else {
      return false
    }
    convertedUsed = 0
    converted.frameCount = 0
    while converted.frameCount == 0 {
      if used == buffer.frameCount, !isAtEnd { try refill() }
      let count = buffer.frameCount - used
      if count == 0 {
        converted.frameCount = try resampler.convert(
          nil, frames: 0, into: output, capacity: converted.frameCapacity)
        return converted.frameCount > 0
      }
      guard let samples = buffer.samples.baseAddress else { return false }
      converted.frameCount = try resampler.convert(
        samples + used * buffer.channels, frames: count, into: output,
        capacity: converted.frameCapacity)
      used += count
    }
    return true
  }

  private func refill() throws(PlaybackError) {
    used = 0
    do {
      if try decoder.read(into: buffer) == 0 { isAtEnd = true }
    } catch {
      isAtEnd = true
      buffer.frameCount = 0
      throw PlaybackError(.decoding(error), subject: source.file.path)
    }
  }

  private static func needsResampler(_ own: AudioFormat, _ format: AudioFormat) -> Bool {
    guard own.rate == format.rate else { return true }
    return own.channels != format.channels && !(own.channels <= 2 && format.channels <= 2)
  }
}

/// Which frames of two rates coincide.
struct RateGrid: Hashable, Sendable {
  /// Source frames, and session frames, between two that coincide.
  private let sourceStep: Int64
  private let sessionStep: Int64

  init(source: SampleRate, session: SampleRate) {
    var a = Int64(source.hertz)
    var b = Int64(session.hertz)
    while b != 0 { (a, b) = (b, a % b) }
    sourceStep = Int64(source.hertz) / a
    sessionStep = Int64(session.hertz) / a
  }

  /// Session frames whose time lies within the first `count` source frames.
  func sessionLength(of count: Int64) -> Int {
    // Both parts stay far below 2^63 for any stream of less than 2^40 frames.
    Int((count * sessionStep + sourceStep - 1) / sourceStep)
  }

  /// The source frame that is heard with a session frame: the last not after it.
  func sourceFrame(of frame: Int) -> Int64 { Int64(frame) * sourceStep / sessionStep }

  /// The coinciding pair from which to convert so that `frame` has `context` source frames before it,
  /// or as many as there are; counted from `start` in the session, from 0 in the source.
  func origin(for frame: Int, start: Int64, context: Int) -> (source: Int64, session: Int) {
    let wanted = Int64(frame) * sourceStep / sessionStep - Int64(context)
    var steps = wanted >= 0 ? wanted / sourceStep : -((-wanted + sourceStep - 1) / sourceStep)
    steps = max(steps, -(start / sourceStep))
    return (start + steps * sourceStep, Int(steps * sessionStep))
  }
}
