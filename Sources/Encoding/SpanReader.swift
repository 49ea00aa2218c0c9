// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Decodes the frames of a span, no more and no fewer.
final class SpanReader {
  let format: AudioFormat
  private let source: MediaSource
  private let decoder: any AudioDecoder
  private let buffer: PCMBuffer
  private let length: Int64
  private var done: Int64 = 0
  private let watch: CutWatch

  private static let blockLength = 16_384

  init(
    _ source: MediaSource, _ span: Range<FramePosition>, _ watch: CutWatch
  ) throws(EncodingError) {
    self.source = source
    self.watch = watch
    length = span.length.frames
    format = source.description.format
    decoder = try EncodingError.reading { () throws(DecodingError) in
      let decoder = try source.makeDecoder()
      try decoder.seek(to: span.lowerBound)
      return decoder
    }
    buffer = PCMBuffer(channels: format.channels, frameCapacity: Self.blockLength)
  }

  /// What was wrong with the frames read, and mended.
  var warnings: [DecodingWarning] { decoder.warnings }

  /// The next samples, until the next call; nil after the last.
  ///
  /// - Throws: `.endsEarly` where the recording lacks frames, `.stopped`, `.source`.
  func next() throws(EncodingError) -> UnsafeBufferPointer<Float>? {
    guard done < length else { return nil }
    try watch.check()
    let got = try EncodingError.reading { () throws(DecodingError) in
      try decoder.read(into: buffer)
    }
    guard got > 0 else {
      throw EncodingError(
        .endsEarly(missing: FrameCount(length - done)), file: source.file.path)
    }
    let count = Int(min(Int64(got), length - done))
    done += Int64(count)
    watch.progress?(Double(done) / Double(length))
    return UnsafeBufferPointer(rebasing: buffer.filled[..<(count * format.channels)])
  }
}

/// How a caller follows a cut, and ends it.
struct CutWatch: Sendable {
  let isStopped: @Sendable () -> Bool
  let progress: (@Sendable (Double) -> Void)?
  /// The file that is being made, for messages.
  let file: String

  func check() throws(EncodingError) {
    if isStopped() { throw EncodingError(.stopped, file: file) }
  }
}
