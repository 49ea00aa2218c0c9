// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// A copy of a track's codec parameters that outlives its container.
final class CodecParameters: @unchecked Sendable {
  // Unchecked because of the pointer: what it points to is written in `init` only.
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  init(copying source: UnsafePointer<AVCodecParameters>, file: String) throws(DecodingError) {
    guard let copy = avcodec_parameters_alloc() as UnsafeMutablePointer<AVCodecParameters>? else {
      throw DecodingError(.outOfMemory, file: file, call: "avcodec_parameters_alloc")
    }
    pointer = copy
    try checked("avcodec_parameters_copy", file: file, avcodec_parameters_copy(copy, source))
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }

  var codec: AVCodecID { pointer.pointee.codec_id }
  var codecName: String { String(cString: avcodec_get_name(codec)) }
  var rate: Int { Int(pointer.pointee.sample_rate) }

  /// Bytes of one frame, for uncompressed audio; 0 for everything else.
  var bytesPerFrame: Int {
    let bits = Int(av_get_exact_bits_per_sample(codec))
    guard codecName.hasPrefix("pcm_"), bits > 0 else { return 0 }
    return bits / 8 * Int(pointer.pointee.ch_layout.nb_channels)
  }

  /// What the samples are, of which FFmpeg's decoder makes a given sample format.
  func precision(decodedAs format: Int32) -> SamplePrecision {
    guard isLossless else { return .lossy }
    let bytes = Int(av_get_bytes_per_sample(AVSampleFormat(rawValue: format)))
    switch AVSampleFormat(rawValue: format) {
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
      return .float
    default:
      let known = Int(pointer.pointee.bits_per_raw_sample)
      return .integer(bits: known > 0 ? min(known, 8 * bytes) : 8 * bytes)
    }
  }

  private var isLossless: Bool {
    (avcodec_descriptor_get(codec)?.pointee.props ?? 0) & AV_CODEC_PROP_LOSSLESS != 0
  }

  /// Packets in a block that is always decoded from the same fresh start; nil where a frame is the same
  /// from whichever packet decoding starts.
  ///
  /// As many as for libmpg123, or so many that the preroll is a tenth of them.
  var blockLength: Int? { isLossless || preroll == 0 ? nil : max(256, 10 * preroll) }

  /// Packets to decode and throw away after a jump, so that the next frame sounds as if never jumped.
  ///
  /// AAC overlaps one packet; SBR and parametric stereo remember more; Opus is specified to converge in
  /// 80 ms and its last differences take longer; the MP3 bit reservoir reaches back a dozen frames.
  var preroll: Int {
    switch codec {
    case AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC, AV_CODEC_ID_WAVPACK: 0
    case _ where bytesPerFrame > 0: 0
    case AV_CODEC_ID_AAC:
      pointer.pointee.profile == FF_PROFILE_AAC_LOW || pointer.pointee.profile < 0 ? 4 : 16
    case AV_CODEC_ID_VORBIS: 3
    case AV_CODEC_ID_OPUS: 50
    default: 16
    }
  }
}

/// An open FFmpeg decoder: packets in, frames out.
final class FFmpegCodec {
  let context: UnsafeMutablePointer<AVCodecContext>
  let frame: UnsafeMutablePointer<AVFrame>
  private let file: String

  init(_ parameters: CodecParameters, file: String) throws(DecodingError) {
    guard let codec = avcodec_find_decoder(parameters.codec) else {
      throw DecodingError(.unsupportedCodec(parameters.codecName), file: file)
    }
    guard let context = avcodec_alloc_context3(codec) as UnsafeMutablePointer<AVCodecContext>?,
      let frame = av_frame_alloc() as UnsafeMutablePointer<AVFrame>?
    else { throw DecodingError(.outOfMemory, file: file, call: "avcodec_alloc_context3") }
    self.context = context
    self.frame = frame
    self.file = file
    try checked(
      "avcodec_parameters_to_context", file: file,
      avcodec_parameters_to_context(context, parameters.pointer))
    // Delay and padding are cut by the seek index; FFmpeg's own cutting would do it twice.
    context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    context.pointee.thread_count = 1
    try checked("avcodec_open2", file: file, avcodec_open2(context, codec, nil))
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// Gives the decoder a packet, nil at the end; false when it cannot make sense of it.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(DecodingError) -> Bool {
    let result = avcodec_send_packet(context, packet)
    if result == tilawa_AVERROR_ENOMEM {
      throw DecodingError(.outOfMemory, file: file, call: "avcodec_send_packet")
    }
    return result >= 0
  }

  /// Takes the next decoded frame into `frame`; false when the decoder wants a packet or has ended.
  func receive() -> Bool {
    while true {
      let result = avcodec_receive_frame(context, frame)
      if result >= 0, frame.pointee.nb_samples > 0 { return true }
      // A frame that fails to decode is gone; the one after it may be good.
      if result < 0 { return false }
    }
  }

  /// Forgets everything, as before the first packet.
  func flush() { avcodec_flush_buffers(context) }

  /// The shape of the frame that `receive` left in `frame`.
  var frameFormat: AudioFormat? {
    SampleRate(hertz: Int(frame.pointee.sample_rate)).flatMap {
      AudioFormat(rate: $0, channels: Int(frame.pointee.ch_layout.nb_channels))
    }
  }
}
