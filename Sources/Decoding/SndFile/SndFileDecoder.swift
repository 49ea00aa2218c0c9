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
  private let isFloat: Bool
  private var nonFinite = 0
  private var isAtEnd = false

  init(_ stream: SndFileStream, description: MediaDescription) {
    self.stream = stream
    format = description.format
    length = description.frameCount
    let codec = Int(stream.info.format) & Int(SF_FORMAT_SUBMASK)
    isFloat = codec == SF_FORMAT_FLOAT || codec == SF_FORMAT_DOUBLE
  }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    precondition(buffer.channels == format.channels)
    buffer.frameCount = 0
    guard !isAtEnd else { return 0 }
    let count = Int(
      sf_readf_float(stream.handle, buffer.samples.baseAddress!, sf_count_t(buffer.frameCapacity)))
    if let failure = stream.cursor.failure { throw failure }
    buffer.frameCount = count
    if isFloat { silenceNonFinite(buffer) }
    position = position + FrameCount(Int64(count))
    if count == 0 { noteEnd() }
    return count
  }

  func seek(to target: FramePosition) throws(DecodingError) {
    guard target >= .zero else {
      throw DecodingError(
        .outOfRange(.init(asked: target.frames, length: length?.frames ?? 0)),
        file: stream.cursor.file.path)
    }
    if let length, target >= FramePosition(length.frames) {
      position = target
      isAtEnd = true
      return
    }
    isAtEnd = false
    let reached = sf_seek(stream.handle, target.frames, Int32(SEEK_SET))
    if let failure = stream.cursor.failure { throw failure }
    // A damaged or cut-off FLAC refuses to seek to what it does not have.
    isAtEnd = reached != target.frames
    position = target
    if isAtEnd { warn(.cutOff) }
  }

  private func noteEnd() {
    isAtEnd = true
    guard let length, position.frames < length.frames else { return }
    warn(.endsEarly(promised: length, found: FrameCount(position.frames)))
  }

  private func warn(_ warning: DecodingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  private func silenceNonFinite(_ buffer: PCMBuffer) {
    let found = silenceNonFiniteSamples(
      UnsafeMutableBufferPointer(rebasing: buffer.samples[..<(buffer.frameCount * buffer.channels)])
    )
    guard found > 0 else { return }
    nonFinite += found
    warnings.removeAll { if case .notFinite = $0 { true } else { false } }
    warnings.append(.notFinite(samples: nonFinite))
  }
}

/// Sets NaN and infinite samples to 0 and returns how many there were.
func silenceNonFiniteSamples(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
  // 0 x finite is 0 and 0 x anything else is NaN: one vectorised pass finds out whether to look closer.
  var probe = SIMD8<Float>()
  let count = samples.count
  var index = 0
  let base = UnsafeRawPointer(samples.baseAddress!)
  while index + 8 <= count {
    probe += base.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self) * 0
    index += 8
  }
  var isClean = probe.sum() == 0
  while index < count {
    isClean = isClean && samples[index].isFinite
    index += 1
  }
  if isClean { return 0 }
  var found = 0
  for index in 0..<count where !samples[index].isFinite {
    samples[index] = 0
    found += 1
  }
  return found
}
