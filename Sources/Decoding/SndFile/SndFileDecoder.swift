// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndFile
import Glibc

/// Decodes with libsndfile.
final class SndFileDecoder: AudioDecoder {
  let format: AudioFormat
  private(set) var position: FramePosition = .zero
  private(set) var warnings: [DecodingWarning] = []

  private var stream: SndFileStream
  private let length: FrameCount?
  private let isFLAC: Bool
  private let isFloat: Bool
  private var isAtEnd = false
  /// Frames of silence to give in place of what a damaged FLAC has lost.
  private var silenceLeft: Int64 = 0
  /// Up to here a damaged place is near, and blocks are small.
  private var carefulUntil: FramePosition = .zero
  private static let carefulBlock = 256

  init(_ stream: SndFileStream, format: AudioFormat, length: FrameCount?) throws(DecodingError) {
    self.stream = stream
    self.format = format
    self.length = length
    isFLAC = Int(stream.info.format) & Int(SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC
    let codec = Int(stream.info.format) & Int(SF_FORMAT_SUBMASK)
    isFloat = codec == SF_FORMAT_FLOAT || codec == SF_FORMAT_DOUBLE
  }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    precondition(buffer.channels == format.channels)
    buffer.frameCount = 0
    if silenceLeft > 0 { return giveSilence(buffer) }
    guard !isAtEnd else { return 0 }
    var count = try readBlock(
      buffer, limit: position < carefulUntil ? Self.carefulBlock : buffer.frameCapacity)
    if isFLAC, isDamaged(count), position >= carefulUntil,
      let fresh = try streamAt(position.frames)
    {
      // What comes before the damaged place is still good: go up to it in small steps.
      carefulUntil = position + FrameCount(Int64(buffer.frameCapacity))
      stream = fresh
      count = try readBlock(buffer, limit: Self.carefulBlock)
    }
    // libFLAC finds the next good frame by itself and goes on as if nothing were missing.
    if isFLAC, isDamaged(count), let lost = try lostFrames() {
      warnings.note(.damaged(at: position, frames: FrameCount(lost)))
      silenceLeft = lost
      return giveSilence(buffer)
    }
    if count == 0 {
      isAtEnd = true
      if let length, position.frames < length.frames {
        warnings.note(.endsEarly(promised: length, found: FrameCount(position.frames)))
      }
    }
    buffer.frameCount = count
    position = position + FrameCount(Int64(count))
    if isFloat { silenceNonFinite(buffer) }
    return count
  }

  func seek(to target: FramePosition) throws(DecodingError) {
    guard target >= .zero else {
      throw DecodingError(
        .outOfRange(.init(asked: target.frames, length: length?.frames ?? 0)),
        file: stream.cursor.file.path)
    }
    position = target
    silenceLeft = 0
    carefulUntil = .zero
    isAtEnd = length.map { target >= FramePosition($0.frames) } ?? false
    guard !isAtEnd else { return }
    let reached = sf_seek(stream.handle, target.frames, Int32(SEEK_SET))
    if let failure = stream.cursor.failure { throw failure }
    guard reached != target.frames else { return }
    // A damaged or cut-off FLAC cannot go to what it does not have.
    if let lost = try lostFrames() { silenceLeft = lost } else { isAtEnd = true }
  }

  private func readBlock(_ buffer: PCMBuffer, limit: Int) throws(DecodingError) -> Int {
    let wanted = sf_count_t(min(limit, buffer.frameCapacity))
    let count = sf_readf_float(stream.handle, buffer.samples.baseAddress!, wanted)
    if let failure = stream.cursor.failure { throw failure }
    return Int(count)
  }

  /// Whether the last read of a FLAC, which gave `count` frames, met something that is no audio.
  private func isDamaged(_ count: Int) -> Bool {
    let isEarly = length.map { position.frames + Int64(count) < $0.frames } ?? false
    return isEarly && (sf_error(stream.handle) != SF_ERR_NO_ERROR || count == 0)
  }

  private func giveSilence(_ buffer: PCMBuffer) -> Int {
    let count = min(Int(silenceLeft), buffer.frameCapacity)
    buffer.samples[..<(count * format.channels)].update(repeating: 0)
    buffer.frameCount = count
    silenceLeft -= Int64(count)
    position = position + FrameCount(Int64(count))
    return count
  }

  /// How many frames from `position` on cannot be decoded, up to the next that can, where the stream
  /// then stands; nil when none can.
  private func lostFrames() throws(DecodingError) -> Int64? {
    guard let length else { return nil }
    var bad: Int64 = 0
    var step: Int64 = 256
    var good: (frames: Int64, stream: SndFileStream)?
    while good == nil {
      let probe = bad + step
      guard position.frames + probe < length.frames else { return nil }
      if let stream = try streamAt(position.frames + probe) {
        good = (probe, stream)
      } else {
        bad = probe
        step *= 2
      }
    }
    // The last leap may have gone too far.
    while let (frames, _) = good, frames - bad > 64 {
      let middle = (bad + frames) / 2
      if let stream = try streamAt(position.frames + middle) {
        good = (middle, stream)
      } else {
        bad = middle
      }
    }
    if let good { stream = good.stream }
    return good?.frames
  }

  /// A stream that stands at a frame and can decode from there; nil when the file cannot.
  ///
  /// It is a new one each time, because libFLAC does not recover from a seek that failed.
  private func streamAt(_ frame: Int64) throws(DecodingError) -> SndFileStream? {
    let stream = try SndFileStream(self.stream.cursor.file)
    guard stream.hasFrame(frame), sf_error(stream.handle) == SF_ERR_NO_ERROR,
      sf_seek(stream.handle, frame, Int32(SEEK_SET)) == frame
    else { return nil }
    return stream
  }

  private func silenceNonFinite(_ buffer: PCMBuffer) {
    let samples = UnsafeMutableBufferPointer(
      rebasing: buffer.samples[..<(buffer.frameCount * buffer.channels)])
    let found = samples.isEmpty ? 0 : silenceNonFiniteSamples(samples)
    if found > 0 { warnings.note(.notFinite(samples: found)) }
  }
}
