// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Encoding

/// A FLAC file that holds what was recorded at any time, whatever becomes of the program.
///
/// libFLAC hands over each block of 4,096 frames (85 ms at 48 kHz) as it is full, in one piece, and it is
/// written at once. Until `finish` the header says that the length is unknown, which decoders take for
/// "read on".
final class RecordingFile {
  private(set) var frameCount: Int64 = 0
  private let sink: FileSink
  private let writer: SndFileWriter
  private let channels: Int
  private var silence: [Int32] = []

  /// - Throws: `.alreadyExists` and what else creating a file may meet.
  init(
    _ path: String, format: AudioFormat, depth: SampleDepth, tags: AudioTags,
    calls: FileCalls = FileCalls()
  ) throws(EncodingError) {
    sink = try FileSink(creating: path, calls: calls)
    writer = try SndFileWriter(
      sink, container: .flac, depth: depth, format: format, tags: tags)
    channels = format.channels
  }

  /// Takes interleaved samples, left-justified in 32 bits.
  func write(_ samples: UnsafeBufferPointer<Int32>) throws(EncodingError) {
    try writer.write(samples)
    frameCount += Int64(samples.count / channels)
  }

  func writeSilence(frames: Int64) throws(EncodingError) {
    let block = 4_096
    if silence.isEmpty { silence = Array(repeating: 0, count: block * channels) }
    var left = frames
    while left > 0 {
      let count = Int(min(left, Int64(block)))
      try silence.withUnsafeBufferPointer { (silence) throws(EncodingError) in
        try write(UnsafeBufferPointer(rebasing: silence[..<(count * channels)]))
      }
      left -= Int64(count)
    }
  }

  /// Writes the last block, and the length and checksum into the header, and waits for the disk.
  func finish() throws(EncodingError) {
    try writer.finish()
    try sink.sync()
  }
}
