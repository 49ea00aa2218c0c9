// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Makes WAV or FLAC of decoded frames.
///
/// 16-bit and 24-bit sound stays what it was to the bit. Where nothing else is asked for, WAV keeps
/// everything else as float, the very samples that were decoded; FLAC, which has no float, keeps 24 bits
/// of float and 32-bit recordings and 16 bits, dithered, of lossy ones, whose own noise lies far above.
final class LosslessWriter: PCMWriter {
  var clippedCount: Int { quantizer.clippedCount }
  private(set) var frameCount: Int64 = 0

  private let writer: SndFileWriter
  private let depth: SampleDepth
  private let channels: Int
  private var quantizer: SampleQuantizer
  private var whole: [Int32] = []

  init(
    _ sink: FileSink, settings: EncodingSettings, length: FrameCount, precision: SamplePrecision,
    format: AudioFormat, tags: AudioTags
  ) throws(EncodingError) {
    let isFLAC = settings.kind == .flac
    let depth = settings.depth ?? Self.usualDepth(for: precision, isFLAC: isFLAC)
    if isFLAC, depth == .float32 {
      throw EncodingError(.refused("float samples"), file: sink.path)
    }
    self.depth = depth
    channels = format.channels
    var isOnGrid = false
    if case .integer(let bits) = precision { isOnGrid = bits <= depth.bits }
    quantizer = SampleQuantizer(bits: depth.bits, isDithering: depth == .bits16 && !isOnGrid)
    writer = try SndFileWriter(
      sink, container: isFLAC ? .flac : .wav(expected: length), depth: depth, format: format,
      tags: tags)
  }

  func write(_ samples: UnsafeBufferPointer<Float>) throws(EncodingError) {
    frameCount += Int64(samples.count / channels)
    if depth == .float32 {
      try writer.write(samples)
      return
    }
    if whole.count < samples.count { whole = Array(repeating: 0, count: samples.count) }
    whole.withUnsafeMutableBufferPointer { quantizer.quantize(samples, into: $0) }
    try whole.withUnsafeBufferPointer { (whole) throws(EncodingError) in
      try writer.write(UnsafeBufferPointer(rebasing: whole[..<samples.count]))
    }
  }

  func finish() throws(EncodingError) { try writer.finish() }

  private static func usualDepth(for precision: SamplePrecision, isFLAC: Bool) -> SampleDepth {
    switch precision {
    case .integer(...16): .bits16
    case .integer(...24): .bits24
    case .integer, .float: isFLAC ? .bits24 : .float32
    case .lossy: isFLAC ? .bits16 : .float32
    }
  }
}
