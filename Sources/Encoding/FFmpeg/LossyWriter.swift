// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Makes MP3, m4a, Opus or Ogg Vorbis of decoded frames.
///
/// What an encoder puts before the first frame and after the last is declared in the container's own
/// way, so that decoders which heed it give exactly the frames that went in: LAME tag, edit list,
/// pre-skip, granule position.
final class LossyWriter: PCMWriter {
  let clippedCount = 0
  private(set) var frameCount: Int64 = 0
  var format: AudioFormat { encoder.format }

  private let call: FFmpegCall
  private let encoder: FFmpegEncoder
  private let muxer: FFmpegMuxer
  private let resampler: Resampler?
  private let kind: AudioFileKind
  /// The packet that may turn out to be the last, which says how much of it is padding.
  private let held: UnsafeMutablePointer<AVPacket>
  private var packetCount: Int64 = 0

  init(
    _ sink: FileSink, settings: EncodingSettings, format: AudioFormat, tags: AudioTags
  ) throws(EncodingError) {
    let call = FFmpegCall(sink: sink)
    let encoder = try FFmpegEncoder(
      settings.kind, for: format, bitRate: settings.bitRate, call)
    muxer = try FFmpegMuxer(
      sink, settings.kind, hertz: encoder.format.rate.hertz, tags: tags
    ) { parameters throws(EncodingError) in
      try call.checked(
        "avcodec_parameters_from_context",
        avcodec_parameters_from_context(parameters, encoder.context))
    }
    resampler =
      encoder.format == format ? nil : try Resampler(from: format, to: encoder.format, call)
    kind = settings.kind
    held = try call.allocated(
      "av_packet_alloc", av_packet_alloc() as UnsafeMutablePointer<AVPacket>?)
    self.call = call
    self.encoder = encoder
  }

  deinit {
    var held: UnsafeMutablePointer<AVPacket>? = held
    av_packet_free(&held)
  }

  func write(_ samples: UnsafeBufferPointer<Float>) throws(EncodingError) {
    if let resampler {
      try encode(resampler.convert(samples))
    } else {
      try encode(samples)
    }
  }

  func finish() throws(EncodingError) {
    if let resampler { try encode(resampler.finish()) }
    try encoder.finish { packet throws(EncodingError) in try self.hold(packet) }
    if kind == .mp3 { try declarePadding() }
    if packetCount > 0 { try muxer.write(held, hertz: format.rate.hertz) }
    try muxer.finish()
  }

  private func encode(_ samples: some Collection<Float>) throws(EncodingError) {
    frameCount += Int64(samples.count / encoder.format.channels)
    try encoder.encode(samples) { packet throws(EncodingError) in try self.hold(packet) }
  }

  /// Takes a packet over, and writes the one before it.
  private func hold(_ packet: UnsafeMutablePointer<AVPacket>) throws(EncodingError) {
    if packetCount > 0 { try muxer.write(held, hertz: format.rate.hertz) }
    packetCount += 1
    av_packet_unref(held)
    av_packet_move_ref(held, packet)
  }

  /// Says in the last MP3 packet how much of the stream is padding. FFmpeg's encoder never says more than
  /// one packet, and LAME may add more.
  private func declarePadding() throws(EncodingError) {
    let decoded = packetCount * Int64(encoder.context.pointee.frame_size)
    let delay = Int64(encoder.context.pointee.initial_padding)
    let padding = max(0, decoded - delay - frameCount)
    try held.declareTrim(delay: delay, padding: padding, call)
  }
}
