// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndFile
import Glibc

/// Decodes with libsndfile.
final class SndFileDecoder: AudioDecoder {
  let format: AudioFormat
  private(set) var position: FramePosition = .zero
  private(set) var warnings: [DecodingWarning] = []

  private let stream: SndFileStream
  private let length: FrameCount?
  private let isFLAC: Bool
  private let isFloat: Bool
  private var nonFinite = 0
  private var isAtEnd = false
  /// Frames of silence to give in place of what a damaged FLAC has lost.
  private var silenceLeft: Int64 = 0

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
    let count = Int(
      sf_readf_float(stream.handle, buffer.samples.baseAddress!, sf_count_t(buffer.frameCapacity)))
    if let failure = stream.cursor.failure { throw failure }
    // libFLAC finds the next good frame by itself and goes on as if nothing were missing.
    let isDamaged = isFLAC && (sf_error(stream.handle) != SF_ERR_NO_ERROR || count == 0)
    if isDamaged, let lost = lostFrames(upTo: Int64(buffer.frameCapacity)) {
      warnings.append(.damaged(at: position, frames: FrameCount(lost)))
      silenceLeft = lost
      return giveSilence(buffer)
    }
    if count == 0 {
      isAtEnd = true
      if let length, position.frames < length.frames {
        warn(.endsEarly(promised: length, found: FrameCount(position.frames)))
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
    isAtEnd = length.map { target >= FramePosition($0.frames) } ?? false
    guard !isAtEnd else { return }
    let reached = sf_seek(stream.handle, target.frames, Int32(SEEK_SET))
    if let failure = stream.cursor.failure { throw failure }
    guard reached != target.frames else { return }
    // A damaged or cut-off FLAC cannot go to what it does not have.
    if let lost = lostFrames(upTo: 1) { silenceLeft = lost } else { isAtEnd = true }
  }

  private func giveSilence(_ buffer: PCMBuffer) -> Int {
    let count = min(Int(silenceLeft), buffer.frameCapacity)
    buffer.samples[..<(count * format.channels)].update(repeating: 0)
    buffer.frameCount = count
    silenceLeft -= Int64(count)
    position = position + FrameCount(Int64(count))
    return count
  }

  /// How many frames from `position` on cannot be decoded, up to the next that can, which is where the
  /// stream stands afterwards; nil when none can.
  private func lostFrames(upTo read: Int64) -> Int64? {
    guard let length else { return nil }
    var step: Int64 = 256
    var bad: Int64 = 0
    var good: Int64?
    while good == nil, position.frames + bad < length.frames {
      if canDecode(at: position.frames + bad) {
        good = bad
      } else {
        bad += step
        step *= 2
      }
    }
    guard var good else { return nil }
    // The last leap may have gone too far.
    var low = max(0, good - step / 2)
    while good - low > 256 {
      let middle = (low + good) / 2
      if canDecode(at: position.frames + middle) { good = middle } else { low = middle }
    }
    guard good > 0, canDecode(at: position.frames + good) else { return good > 0 ? good : nil }
    sf_seek(stream.handle, position.frames + good, Int32(SEEK_SET))
    return good
  }

  private func canDecode(at frame: Int64) -> Bool {
    var samples = [Float](repeating: 0, count: 256 * format.channels)
    guard sf_seek(stream.handle, frame, Int32(SEEK_SET)) == frame else { return false }
    let wanted = min(256, (length?.frames ?? .max) - frame)
    return sf_readf_float(stream.handle, &samples, wanted) == wanted
      && sf_error(stream.handle) == SF_ERR_NO_ERROR
  }

  private func warn(_ warning: DecodingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  private func silenceNonFinite(_ buffer: PCMBuffer) {
    let samples = UnsafeMutableBufferPointer(
      rebasing: buffer.samples[..<(buffer.frameCount * buffer.channels)])
    let found = samples.isEmpty ? 0 : silenceNonFiniteSamples(samples)
    guard found > 0 else { return }
    nonFinite += found
    warnings.removeAll { if case .notFinite = $0 { true } else { false } }
    warnings.append(.notFinite(samples: nonFinite))
  }
}
