// SPDX-License-Identifier: GPL-3.0-or-later

package import CFFmpeg
import Glibc

/// An open container, for the sound in it or its picture.
///
/// It reads the one file through a `ByteCursor` and nothing else: FFmpeg gets neither a path nor a
/// protocol, and a container that wants to open another file is refused.
package final class FFmpegContainer {
  package let file: MediaFile
  package let context: UnsafeMutablePointer<AVFormatContext>
  private let io: FFmpegIO

  /// Containers that carry audio in one file. Playlists, image sequences and device formats are not
  /// among them, so that no content can make FFmpeg reach beyond the file.
  private static let formats = [
    "aac", "ac3", "aiff", "amr", "amrnb", "amrwb", "ape", "asf", "au", "avi", "caf", "dsf", "dts",
    "dtshd", "eac3", "flac", "flv", "gsm", "iff", "ircam", "loas", "matroska", "webm", "mlp", "mov",
    "mp4",
    "m4a", "3gp", "3g2", "mj2", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "nut", "ogg", "qcp", "rm",
    "shn", "tak", "truehd", "tta", "voc", "w64", "wav", "wtv", "wv", "xwma",
  ].joined(separator: ",")

  /// Opens the file; what is in it may only be known after ``findStreams()``.
  package init(_ file: MediaFile) throws(DecodingError) {
    FFmpegLibrary.preparation
    self.file = file
    do throws(DecodingError) {
      (context, io) = try Self.open(file, until: file.size)
    } catch {
      // FFmpeg wants all of a fragment's table, which whoever saves a livestream may be about to write.
      guard error.kind == .damaged, let end = try ISOMediaBoxes(file).cutFragment else {
        throw error
      }
      (context, io) = try Self.open(file, until: end)
    }
  }

  private static func open(
    _ file: MediaFile, until end: Int64
  ) throws(DecodingError) -> (UnsafeMutablePointer<AVFormatContext>, FFmpegIO) {
    let io = try FFmpegIO(file, until: end)
    guard let context = avformat_alloc_context() as UnsafeMutablePointer<AVFormatContext>? else {
      throw DecodingError(.outOfMemory, file: file.path, call: "avformat_alloc_context")
    }
    context.pointee.pb = io.context
    context.pointee.interrupt_callback = io.interruption
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.io_open = { _, _, _, _, _ in tilawa_AVERROR_EPERM }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", formats, 0)
    av_dict_set(&options, "protocol_whitelist", "none", 0)
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    // On failure FFmpeg frees the context.
    let result = io.cursor.readingHeader { avformat_open_input(&opened, nil, nil, &options) }
    guard result >= 0, let opened else {
      if let failure = io.failure { throw failure }
      throw openError(result, file: file)
    }
    return (opened, io)
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  package var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
  }

  /// The stream with the picture: the one marked as default, else the first; nil where there is sound alone, or a
  /// cover.
  package var pictureStream: UnsafeMutablePointer<AVStream>? {
    let pictures = streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)
          == 0
    }
    return pictures.first { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? pictures.first
  }

  /// FFmpeg's name of a stream's codec, or the file's own where FFmpeg does not know it; nil for neither.
  package static func codecName(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    let parameters = stream.pointee.codecpar.pointee
    guard parameters.codec_id == AV_CODEC_ID_NONE else {
      return String(cString: avcodec_get_name(parameters.codec_id))
    }
    let tag = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * $0)) }
    let isName = tag.allSatisfy { (0x21..<0x7F).contains($0) }
    return isName ? String(decoding: tag, as: UTF8.self) : nil
  }

  /// Why reading failed, or was to end, where it was.
  package var failure: DecodingError? { io.failure }

  /// Reads packets until it is known what each stream carries.
  package func findStreams() throws(DecodingError) {
    let result = io.cursor.readingHeader { avformat_find_stream_info(context, nil) }
    try checked("avformat_find_stream_info", file: file.path, failure: io.failure, result)
  }

  /// Runs what reads the first packets, which fails where that goes on as no file's does.
  func readingHeader<Result>(
    _ body: () throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try io.cursor.readingHeader(body)
  }

  /// Formats whose files only say where sound is to be had.
  private static let referring: Set<Substring> = [
    "applehttp", "concat", "dash", "hls", "imf", "rtsp", "sdp", "webm_dash_manifest",
  ]

  /// What to say of a file whose format is outside the list.
  private static func foreignKind(of file: MediaFile) -> DecodingError.Kind {
    var head = (try? file.head(ContentSniffer.headLength)) ?? []
    let count = head.count
    // FFmpeg looks past the end a little way, for zeros.
    head += [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
    let format = head.withUnsafeMutableBufferPointer { bytes in
      "".withCString { name in
        var data = AVProbeData(
          filename: name, buf: bytes.baseAddress, buf_size: Int32(count), mime_type: nil)
        var score: Int32 = 0
        return av_probe_input_format3(&data, 1, &score)
      }
    }
    guard let format else { return .notAudio(looksLike: nil) }
    let names = String(cString: format.pointee.name).split(separator: ",")
    if names.contains(where: referring.contains) {
      return .refersElsewhere("a playlist or a format that reads other files")
    }
    return .unsupportedFormat(String(cString: format.pointee.long_name ?? format.pointee.name))
  }

  private static func openError(_ code: Int32, file: MediaFile) -> DecodingError {
    let detail = FFmpegError.text(code)
    if code == tilawa_AVERROR_EXIT { return DecodingError(.cancelled, file: file.path) }
    let kind: DecodingError.Kind =
      switch (try? ContentSniffer.kind(of: file)) ?? .unknown {
      // EINVAL is FFmpeg's answer to a format outside the list.
      case .unknown where code == tilawa_AVERROR_EINVAL: foreignKind(of: file)
      case .unknown: .notAudio(looksLike: nil)
      default: code == tilawa_AVERROR_ENOMEM ? .outOfMemory : .damaged
      }
    return DecodingError(
      kind, file: file.path, call: "avformat_open_input", code: code, detail: detail)
  }
}
