// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CMpg123

/// Decodes with libmpg123, encoder delay and padding cut off.
final class Mpg123Decoder: AudioDecoder {
  var format: AudioFormat { stream.format }
  private(set) var position: FramePosition = .zero
  private(set) var warnings: [DecodingWarning] = []

  private let stream: Mpg123Stream
  private let index: SeekIndex
  private var audible: Range<Int64> { index.audible }
  private var isAtEnd = false

  init(_ stream: Mpg123Stream, index: SeekIndex) throws(DecodingError) {
    self.stream = stream
    self.index = index
    if index.audible.lowerBound > 0 { try seek(to: .zero) }
  }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    precondition(buffer.channels == format.channels)
    buffer.frameCount = 0
    let left = Int64(audible.count) - position.frames
    guard left > 0, !isAtEnd else { return 0 }
    let wanted = Int(min(left, Int64(buffer.frameCapacity)))
    let room = UnsafeMutableBufferPointer(rebasing: buffer.samples[..<(wanted * format.channels)])
    switch try stream.read(into: room) {
    case .frames(let count):
      buffer.frameCount = count
      position = position + FrameCount(Int64(count))
      return count
    case .formatChange:
      warnings.append(.formatChange(at: position))
      isAtEnd = true
      return 0
    case .end:
      warnings.append(
        .endsEarly(
          promised: FrameCount(Int64(audible.count)), found: FrameCount(position.frames)))
      isAtEnd = true
      return 0
    }
  }

  func seek(to target: FramePosition) throws(DecodingError) {
    guard target >= .zero else {
      throw DecodingError(
        .outOfRange(.init(asked: target.frames, length: Int64(audible.count))),
        file: stream.file.path)
    }
    position = target
    isAtEnd = target.frames >= Int64(audible.count)
    if !isAtEnd {
      try stream.seek(to: audible.lowerBound + target.frames, in: index)
    }
  }
}
