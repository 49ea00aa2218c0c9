// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// An open FFmpeg encoder: interleaved floats in, packets out.
final class FFmpegEncoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  /// What it takes, which may be another rate or fewer channels than was offered.
  let format: AudioFormat

  private let call: FFmpegCall
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private var pending: [Float] = []
  private var framesSent: Int64 = 0

  /// - Throws: `.noEncoder`, or `.refused` for a bit rate that it does not have.
  init(
    _ kind: AudioFileKind, for offered: AudioFormat, bitRate: Int?, _ call: FFmpegCall
  ) throws(EncodingError) {
    FFmpegCall.silence
    let name = Self.name(of: kind)
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw EncodingError(.noEncoder(name), file: call.sink.path)
    }
    self.call = call
    format = Self.closestFormat(to: offered, of: codec, kind)
    context = try call.allocated(
      "avcodec_alloc_context3",
      avcodec_alloc_context3(codec) as UnsafeMutablePointer<AVCodecContext>?)
    frame = try call.allocated(
      "av_frame_alloc", av_frame_alloc() as UnsafeMutablePointer<AVFrame>?)
    packet = try call.allocated(
      "av_packet_alloc", av_packet_alloc() as UnsafeMutablePointer<AVPacket>?)
    let bitRate = bitRate ?? kind.usualBitRate(for: format) ?? 0
    context.pointee.bit_rate = Int64(bitRate)
    context.pointee.sample_rate = Int32(format.rate.hertz)
    context.pointee.time_base = AVRational(num: 1, den: Int32(format.rate.hertz))
    context.pointee.sample_fmt = Self.isPlanar(codec) ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_FLT
    av_channel_layout_default(&context.pointee.ch_layout, Int32(format.channels))
    context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
    context.pointee.thread_count = 1
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // Noise substitution makes decoders differ from each other.
    if kind == .m4a { av_dict_set(&options, "aac_pns", "0", 0) }
    let result = avcodec_open2(context, codec, &options)
    guard result >= 0 else {
      let what = "\(bitRate) bits per second at \(format.rate), \(format.channels) channels"
      throw EncodingError(
        .refused(what), file: call.sink.path, call: "avcodec_open2", code: result,
        detail: FFmpegCall.text(result))
    }
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// Encodes frames in the encoder's own format, and gives `take` the packets that are ready.
  func encode(
    _ samples: some Collection<Float>,
    _ take: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    pending += samples
    let block = Int(context.pointee.frame_size) * format.channels
    var start = 0
    while pending.count - start >= block {
      try send(pending[start..<(start + block)])
      try receive(take)
      start += block
    }
    pending.removeFirst(start)
  }

  /// Encodes what is left, shorter than a packet, and gives the packets that were held back.
  func finish(
    _ take: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    if !pending.isEmpty {
      try send(pending[...])
      try receive(take)
    }
    try call.checked("avcodec_send_frame", avcodec_send_frame(context, nil))
    try receive(take)
  }

  private func send(_ samples: ArraySlice<Float>) throws(EncodingError) {
    let count = samples.count / format.channels
    av_frame_unref(frame)
    frame.pointee.nb_samples = Int32(count)
    frame.pointee.format = context.pointee.sample_fmt.rawValue
    frame.pointee.sample_rate = context.pointee.sample_rate
    try call.checked(
      "av_channel_layout_copy",
      av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout))
    try call.checked("av_frame_get_buffer", av_frame_get_buffer(frame, 0))
    frame.pointee.pts = framesSent
    framesSent += Int64(count)
    let isPlanar = context.pointee.sample_fmt == AV_SAMPLE_FMT_FLTP
    samples.withUnsafeBufferPointer { samples in
      for plane in 0..<(isPlanar ? format.channels : 1) {
        guard let bytes = frame.pointee.extended_data[plane] else { continue }
        let target = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: Float.self)
        if isPlanar {
          for index in 0..<count { target[index] = samples[index * format.channels + plane] }
        } else if let source = samples.baseAddress {
          target.update(from: source, count: samples.count)
        }
      }
    }
    try call.checked("avcodec_send_frame", avcodec_send_frame(context, frame))
  }

  private func receive(
    _ take: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    while true {
      let result = avcodec_receive_packet(context, packet)
      if result == tilawa_AVERROR_EAGAIN || result == tilawa_AVERROR_EOF { return }
      try call.checked("avcodec_receive_packet", result)
      try take(packet)
      av_packet_unref(packet)
    }
  }

  private static func name(of kind: AudioFileKind) -> String {
    switch kind {
    case .wav: "pcm_f32le"
    case .flac: "flac"
    case .mp3: "libmp3lame"
    case .m4a: "aac"
    case .opus: "libopus"
    case .ogg: "libvorbis"
    }
  }

  private static func isPlanar(_ codec: UnsafePointer<AVCodec>) -> Bool {
    guard var formats = codec.pointee.sample_fmts else { return true }
    while formats.pointee != AV_SAMPLE_FMT_NONE {
      if formats.pointee == AV_SAMPLE_FMT_FLTP { return true }
      formats += 1
    }
    return false
  }

  /// The encoder's rate next above, or its highest; and two channels where it has not so many.
  private static func closestFormat(
    to offered: AudioFormat, of codec: UnsafePointer<AVCodec>, _ kind: AudioFileKind
  ) -> AudioFormat {
    var rates: [Int] = []
    if var rate = codec.pointee.supported_samplerates {
      while rate.pointee != 0 {
        rates.append(Int(rate.pointee))
        rate += 1
      }
    }
    var hertz = offered.rate.hertz
    // Opus decodes to 48 kHz whatever went in, so that lengths are only exact there. Above it, libvorbis
    // knows no bit rates.
    if kind == .opus || kind == .ogg && hertz > 48_000 { rates = [48_000] }
    if !rates.isEmpty, !rates.contains(hertz) {
      hertz = rates.filter { $0 > hertz }.min() ?? rates.max() ?? hertz
    }
    var channels = offered.channels
    if var layout = codec.pointee.ch_layouts {
      var counts: [Int] = []
      while layout.pointee.nb_channels != 0 {
        counts.append(Int(layout.pointee.nb_channels))
        layout += 1
      }
      if !counts.contains(channels) { channels = 2 }
    }
    return SampleRate(hertz: hertz).flatMap { AudioFormat(rate: $0, channels: channels) }
      ?? offered
  }
}
