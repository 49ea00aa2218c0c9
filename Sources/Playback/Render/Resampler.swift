// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Converts a stream of interleaved floats to another rate and channel count, by libswresample with
/// the soxr engine, or with its own where libswresample was built without soxr.
final class Resampler {
  private var context: OpaquePointer?
  let source: AudioFormat
  let target: AudioFormat

  init(from source: AudioFormat, to target: AudioFormat) throws(PlaybackError) {
    self.source = source
    self.target = target
    var error = Self.configure(&context, from: source, to: target, engine: SWR_ENGINE_SOXR)
    if error < 0, source.rate != target.rate {
      swr_free(&context)
      error = Self.configure(&context, from: source, to: target, engine: SWR_ENGINE_SWR)
    }
    guard error >= 0 else {
      swr_free(&context)
      throw Self.failure("swr_init", error)
    }
  }

  deinit { swr_free(&context) }

  /// Room for all that comes out of so many frames at once: soxr keeps back what finds no room, and
  /// crashes when asked for it without new frames.
  func outputCapacity(for frames: Int) -> Int {
    (frames * target.rate.hertz / source.rate.hertz) + 4096
  }

  /// Feeds frames and takes what comes out, for which there must be room; returns how many frames. Nil
  /// says that no more follow, and takes what is left.
  func convert(
    _ input: UnsafePointer<Float>?, frames: Int, into output: UnsafeMutablePointer<Float>,
    capacity: Int
  ) throws(PlaybackError) -> Int {
    var out: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(output)
      .assumingMemoryBound(to: UInt8.self)
    let result: Int32
    if let input {
      var inPointer: UnsafePointer<UInt8>? = UnsafeRawPointer(input)
        .assumingMemoryBound(to: UInt8.self)
      result = swr_convert(context, &out, Int32(capacity), &inPointer, Int32(frames))
    } else {
      result = swr_convert(context, &out, Int32(capacity), nil, 0)
    }
    guard result >= 0 else { throw Self.failure("swr_convert", result) }
    return Int(result)
  }

  private static func configure(
    _ context: inout OpaquePointer?, from source: AudioFormat, to target: AudioFormat,
    engine: SwrEngine
  ) -> Int32 {
    var input = AVChannelLayout()
    var output = AVChannelLayout()
    av_channel_layout_default(&input, Int32(source.channels))
    av_channel_layout_default(&output, Int32(target.channels))
    let error = swr_alloc_set_opts2(
      &context, &output, AV_SAMPLE_FMT_FLT, Int32(target.rate.hertz), &input, AV_SAMPLE_FMT_FLT,
      Int32(source.rate.hertz), 0, nil)
    guard error >= 0, let context else { return min(error, tilawa_AVERROR_ENOMEM) }
    let object = UnsafeMutableRawPointer(context)
    av_opt_set_int(object, "resampler", Int64(engine.rawValue), 0)
    // 28 bits: what soxr calls very high quality. Ignored by the other engine.
    av_opt_set_double(object, "precision", 28, 0)
    return swr_init(context)
  }

  private static func failure(_ call: String, _ code: Int32) -> PlaybackError {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(code, &text, text.count)
    let detail = String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return PlaybackError(
      .conversion, subject: "libswresample", call: call, code: code, detail: detail)
  }
}
