// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Converts rate and channel count with libswresample, to exactly as many frames as the length comes to.
final class Resampler {
  private let call: FFmpegCall
  private let input: AudioFormat
  private let output: AudioFormat
  private var context: OpaquePointer?
  private var converted: [Float] = []
  private var framesIn: Int64 = 0
  private var framesOut: Int64 = 0

  /// Taps of the filter; twice FFmpeg's own, for a steeper edge at half the rate.
  private static let filterSize: Int64 = 64

  init(from input: AudioFormat, to output: AudioFormat, _ call: FFmpegCall) throws(EncodingError) {
    self.call = call
    self.input = input
    self.output = output
    var source = AVChannelLayout()
    var target = AVChannelLayout()
    av_channel_layout_default(&source, Int32(input.channels))
    av_channel_layout_default(&target, Int32(output.channels))
    try call.checked(
      "swr_alloc_set_opts2",
      swr_alloc_set_opts2(
        &context, &target, AV_SAMPLE_FMT_FLT, Int32(output.rate.hertz), &source,
        AV_SAMPLE_FMT_FLT, Int32(input.rate.hertz), 0, nil))
    av_opt_set_int(UnsafeMutableRawPointer(context), "filter_size", Self.filterSize, 0)
    try call.checked("swr_init", swr_init(context))
  }

  deinit { swr_free(&context) }

  /// Frames of output for so many of input.
  static func length(of frames: Int64, from input: SampleRate, to output: SampleRate) -> Int64 {
    av_rescale_rnd(frames, Int64(output.hertz), Int64(input.hertz), AV_ROUND_NEAR_INF)
  }

  /// Converts whole frames, and gives what of the result is ready, until the next call.
  func convert(
    _ samples: UnsafeBufferPointer<Float>
  ) throws(EncodingError) -> ArraySlice<Float> {
    let frames = samples.count / input.channels
    framesIn += Int64(frames)
    let bytes = UnsafeRawPointer(samples.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    return try run(bytes, Int32(frames))
  }

  /// What the filter still holds, cut or filled up to the exact length.
  func finish() throws(EncodingError) -> [Float] {
    var rest: [Float] = []
    let wanted = Self.length(of: framesIn, from: input.rate, to: output.rate)
    while framesOut < wanted {
      let more = try run(nil, 0)
      if more.isEmpty { break }
      rest += more
    }
    let missing = Int(wanted - framesOut) * output.channels
    if missing < 0 { rest.removeLast(min(-missing, rest.count)) }
    if missing > 0 { rest += repeatElement(0, count: missing) }
    return rest
  }

  private func run(
    _ input: UnsafePointer<UInt8>?, _ frames: Int32
  ) throws(EncodingError) -> ArraySlice<Float> {
    let room = max(0, swr_get_out_samples(context, frames))
    let needed = Int(room) * output.channels
    if converted.count < needed { converted = Array(repeating: 0, count: needed) }
    let got = converted.withUnsafeMutableBytes { buffer -> Int32 in
      var target = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      // Without input it gives up what it holds.
      guard input != nil else { return swr_convert(context, &target, room, nil, 0) }
      var source = input
      return swr_convert(context, &target, room, &source, frames)
    }
    try call.checked("swr_convert", got)
    framesOut += Int64(got)
    return converted[..<(Int(got) * output.channels)]
  }
}
