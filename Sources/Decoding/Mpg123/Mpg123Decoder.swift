// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CMpg123

/// Decodes with libmpg123, encoder delay and padding cut off.
///
/// In mono and in MPEG-2, the last bit of libmpg123's samples depends on the frames decoded before, in a
/// way that no preroll restores. There the stream is decoded in blocks, each from a fresh start, so
/// that a frame is the same however it was reached.
final class Mpg123Decoder: AudioDecoder {
  var format: AudioFormat { stream.format }
  private(set) var position: FramePosition = .zero
  private(set) var warnings: [DecodingWarning] = []

  private let stream: Mpg123Stream
  private let index: SeekIndex
  /// Frames in a block; nil where one start serves the whole stream.
  private let blockLength: Int64?
  /// The decoded frame that the next `read` starts with, for a position before the end.
  private var next: Int64 { position.frames + index.audible.lowerBound }
  /// The decoded frame that `stream` gives next.
  private var streamPosition: Int64 = 0
  private var isAtEnd = false

  init(_ stream: Mpg123Stream, index: SeekIndex) throws(DecodingError) {
    self.stream = stream
    self.index = index
    let isSteady = stream.format.channels == 2 && index.framesPerPacket == 1152
    blockLength = isSteady ? nil : Int64(256 * index.framesPerPacket)
  }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    precondition(buffer.channels == format.channels)
    buffer.frameCount = 0
    guard position.frames < Int64(index.audible.count), !isAtEnd else { return 0 }
    let next = next
    if streamPosition != next || blockLength.map({ next % $0 == 0 }) ?? false {
      try moveStream(to: next)
    }
    let blockEnd = blockLength.map { (next / $0 + 1) * $0 } ?? .max
    let end = min(index.audible.upperBound, blockEnd)
    let wanted = Int(min(end - next, Int64(buffer.frameCapacity)))
    let room = UnsafeMutableBufferPointer(rebasing: buffer.samples[..<(wanted * format.channels)])
    switch try stream.read(into: room) {
    case .frames(let count):
      buffer.frameCount = count
      position = position + FrameCount(Int64(count))
      streamPosition = next + Int64(count)
      return count
    case .formatChange:
      warnings.note(.formatChange(at: position))
    case .end:
      warnings.note(
        .endsEarly(
          promised: FrameCount(Int64(index.audible.count)), found: FrameCount(position.frames)))
    }
    isAtEnd = true
    return 0
  }

  func seek(to target: FramePosition) throws(DecodingError) {
    guard target >= .zero else {
      throw DecodingError(
        .outOfRange(.init(asked: target.frames, length: Int64(index.audible.count))),
        file: stream.file.path)
    }
    position = target
    isAtEnd = false
  }

  private func moveStream(to frame: Int64) throws(DecodingError) {
    guard let blockLength else {
      try stream.seek(to: frame)
      streamPosition = frame
      return
    }
    let start = frame / blockLength * blockLength
    let canReadOn = streamPosition > start && streamPosition < frame
    if !canReadOn {
      try stream.restart(with: index)
      try stream.seek(to: start)
      streamPosition = start
    }
    try stream.skip(Int(frame - streamPosition))
    streamPosition = frame
  }
}
