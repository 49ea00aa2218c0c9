// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Reads spans of a recording, block by block. Belongs to one thread, which it blocks.
struct SpanReader {
  private let decoder: any AudioDecoder
  private let buffer: PCMBuffer
  private let stopFlag: StopFlag

  var channels: Int { buffer.channels }
  /// What was found wrong with what has been read so far.
  var warnings: [DecodingWarning] { decoder.warnings }

  init(_ source: MediaSource, stopFlag: StopFlag) throws(AnalysisError) {
    decoder = try AnalysisError.wrapping { () throws(DecodingError) in
      try source.makeDecoder(isRepeatable: false)
    }
    buffer = PCMBuffer(channels: source.description.format.channels, frameCapacity: 8192)
    self.stopFlag = stopFlag
  }

  /// Gives the interleaved samples of a span to `body`, in order; those beyond the recording's end are
  /// not there.
  func read(
    _ span: Range<FramePosition>, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(AnalysisError) {
    try AnalysisError.wrapping { () throws(DecodingError) in
      if decoder.position != span.lowerBound { try decoder.seek(to: span.lowerBound) }
    }
    var left = span.length.frames
    while left > 0 {
      if stopFlag.isStopped { throw .cancelled }
      let count = try AnalysisError.wrapping { () throws(DecodingError) in
        try decoder.read(into: buffer)
      }
      if count == 0 { return }
      let wanted = Int(min(Int64(count), left)) * channels
      body(UnsafeBufferPointer(rebasing: buffer.filled[..<wanted]))
      left -= Int64(count)
    }
  }
}
