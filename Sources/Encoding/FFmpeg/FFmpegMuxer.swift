// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// A container being written by FFmpeg, with one audio stream in it, and a picture beside it where it is given one.
///
/// It writes through a `FileSink` and nothing else: FFmpeg gets no path. The same packets give the same
/// file, without dates and versions.
final class FFmpegMuxer {
  private let call: FFmpegCall
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let pictureStream: UnsafeMutablePointer<AVStream>?
  private let sinkReference: Unmanaged<FileSink>

  private static let bufferSize = 64 << 10

  /// - Parameters:
  ///   - hertz: what packets are timed in, and, in m4a, the unit of the edit list.
  ///   - describe: fills in what the stream is.
  convenience init(
    _ sink: FileSink, _ kind: AudioFileKind, hertz: Int, tags: AudioTags,
    describe: (UnsafeMutablePointer<AVCodecParameters>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    try self.init(
      sink, format: Self.name(of: kind), hertz: hertz, tags: tags, picture: nil, describe: describe)
  }

  /// - Parameters:
  ///   - format: FFmpeg's name of the container.
  ///   - hertz: what packets of the sound are timed in, and, in MP4, the unit of the edit list.
  ///   - picture: what the second stream is; nil for none.
  ///   - describe: fills in what the sound is.
  init(
    _ sink: FileSink, format: String, hertz: Int, tags: AudioTags, picture: PictureCopier?,
    describe: (UnsafeMutablePointer<AVCodecParameters>) throws(EncodingError) -> Void
  ) throws(EncodingError) {
    FFmpegCall.silence
    call = FFmpegCall(sink: sink)
    var context: UnsafeMutablePointer<AVFormatContext>?
    try call.checked(
      "avformat_alloc_output_context2",
      avformat_alloc_output_context2(&context, nil, format, nil))
    self.context = try call.allocated("avformat_alloc_output_context2", context)
    sinkReference = Unmanaged.passRetained(sink)
    do throws(EncodingError) {
      (stream, pictureStream) = try Self.open(
        self.context, call, sinkReference, format, hertz: hertz, tags: tags, picture: picture,
        describe: describe)
    } catch {
      Self.close(self.context, sinkReference)
      throw error
    }
  }

  deinit { Self.close(context, sinkReference) }

  /// Writes a packet timed in frames and takes its content over.
  func write(_ packet: UnsafeMutablePointer<AVPacket>, hertz: Int) throws(EncodingError) {
    try write(packet, in: AVRational(num: 1, den: Int32(hertz)))
  }

  /// Writes a packet of the sound and takes its content over.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, in base: AVRational
  ) throws(EncodingError) {
    packet.pointee.stream_index = 0
    av_packet_rescale_ts(packet, base, stream.pointee.time_base)
    try interleave(packet)
  }

  /// Writes a packet of the picture and takes its content over.
  ///
  /// - Parameter delay: seconds by which it is seen later than it says.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, ofPicture picture: PictureCopier,
    after delay: Double = 0
  ) throws(EncodingError) {
    guard let pictureStream else { return }
    let base = picture.timeBase
    let shift = Int64((delay * Double(base.den) / Double(max(base.num, 1))).rounded())
    packet.pointee.pts += shift
    packet.pointee.dts += shift
    packet.pointee.stream_index = pictureStream.pointee.index
    packet.pointee.pos = -1
    av_packet_rescale_ts(packet, base, pictureStream.pointee.time_base)
    try interleave(packet)
  }

  private func interleave(_ packet: UnsafeMutablePointer<AVPacket>) throws(EncodingError) {
    try call.checked(
      "av_interleaved_write_frame", av_interleaved_write_frame(context, packet),
      refusal: .damagedPacket)
  }

  /// Writes what is held back, and mends the headers.
  func finish() throws(EncodingError) {
    try call.checked("av_write_trailer", av_write_trailer(context))
    avio_flush(context.pointee.pb)
    try call.checked("avio_flush", context.pointee.pb.pointee.error)
  }

  static func name(of kind: AudioFileKind) -> String {
    kind == .m4a ? "ipod" : kind.rawValue
  }

  private static func open(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ call: FFmpegCall,
    _ sink: Unmanaged<FileSink>, _ format: String, hertz: Int, tags: AudioTags,
    picture: PictureCopier?,
    describe: (UnsafeMutablePointer<AVCodecParameters>) throws(EncodingError) -> Void
  ) throws(EncodingError) -> (
    sound: UnsafeMutablePointer<AVStream>, picture: UnsafeMutablePointer<AVStream>?
  ) {
    let memory = try call.allocated("av_malloc", av_malloc(bufferSize))
    let io = avio_alloc_context(
      memory.assumingMemoryBound(to: UInt8.self), Int32(bufferSize), 1, sink.toOpaque(),
      { sink, target, count in
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
        let got = Unmanaged<FileSink>.fromOpaque(sink!).takeUnretainedValue().read(into: buffer)
        return got > 0 ? Int32(got) : got == 0 ? tilawa_AVERROR_EOF : tilawa_AVERROR_EIO
      },
      { sink, bytes, count in
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        let isWritten = Unmanaged<FileSink>.fromOpaque(sink!).takeUnretainedValue().write(buffer)
        return isWritten ? count : tilawa_AVERROR_EIO
      },
      { sink, offset, whence in
        let sink = Unmanaged<FileSink>.fromOpaque(sink!).takeUnretainedValue()
        if whence & AVSEEK_SIZE != 0 { return sink.size }
        return sink.seek(by: offset, from: whence & 3)
      })
    if io == nil { av_free(memory) }
    context.pointee.pb = try call.allocated(
      "avio_alloc_context", io as UnsafeMutablePointer<AVIOContext>?)
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT

    let stream = try call.allocated(
      "avformat_new_stream",
      avformat_new_stream(context, nil) as UnsafeMutablePointer<AVStream>?)
    try describe(stream.pointee.codecpar)
    stream.pointee.time_base = AVRational(num: 1, den: Int32(hertz))
    var pictureStream: UnsafeMutablePointer<AVStream>?
    if let picture {
      let added = try call.allocated(
        "avformat_new_stream",
        avformat_new_stream(context, nil) as UnsafeMutablePointer<AVStream>?)
      try picture.describe(added, call)
      pictureStream = added
    }
    for (field, text) in tags.fields {
      av_dict_set(&context.pointee.metadata, field.rawValue, text, 0)
    }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    switch format {
    case "mp3":
      // Version 4 is still not read everywhere.
      av_dict_set(&options, "id3v2_version", "3", 0)
    case "ipod", "mp4", "mov":
      // Edit lists count in it: in milliseconds, a cut would not be exact.
      av_dict_set(&options, "movie_timescale", String(hertz), 0)
    default: break
    }
    try call.checked("avformat_write_header", avformat_write_header(context, &options))
    return (stream, pictureStream)
  }

  private static func close(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ sink: Unmanaged<FileSink>
  ) {
    var io: UnsafeMutablePointer<AVIOContext>? = context.pointee.pb
    avformat_free_context(context)
    if let opened = io {
      // FFmpeg may have replaced the buffer by another.
      av_free(opened.pointee.buffer)
      avio_context_free(&io)
    }
    sink.release()
  }
}
