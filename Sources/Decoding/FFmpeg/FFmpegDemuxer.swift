// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// An open container: finds the audio track and hands out its packets in file order.
///
/// It reads the one file through a `ByteCursor` and nothing else: FFmpeg gets neither a path nor a
/// protocol, and a container that wants to open another file is refused.
final class FFmpegDemuxer {
  let file: MediaFile
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  let trackCount: Int
  let track: Int
  let packet: UnsafeMutablePointer<AVPacket>

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

  init(_ file: MediaFile, track wanted: Int?) throws(DecodingError) {
    FFmpegLibrary.preparation
    let io = try FFmpegIO(file)
    guard var context = avformat_alloc_context() as UnsafeMutablePointer<AVFormatContext>? else {
      throw DecodingError(.outOfMemory, file: file.path, call: "avformat_alloc_context")
    }
    context.pointee.pb = io.context
    context.pointee.interrupt_callback = io.interruption
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.io_open = { _, _, _, _, _ in tilawa_AVERROR_EPERM }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", Self.formats, 0)
    av_dict_set(&options, "protocol_whitelist", "none", 0)
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    // On failure FFmpeg frees the context.
    let result = avformat_open_input(&opened, nil, nil, &options)
    if result < 0 {
      if let failure = io.failure { throw failure }
      throw Self.openError(result, file: file)
    }
    context = opened!

    do throws(DecodingError) {
      let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
      let isComplete = streams.allSatisfy { stream in
        let parameters = stream.pointee.codecpar.pointee
        return parameters.codec_type != AVMEDIA_TYPE_AUDIO || parameters.sample_rate > 0
      }
      // Headerless streams (ADTS, MPEG-TS) show what they carry only in their packets.
      if !isComplete || streams.isEmpty {
        try checked(
          "avformat_find_stream_info", file: file.path, failure: io.failure,
          avformat_find_stream_info(context, nil))
      }
      let chosen = try Self.chooseTrack(wanted, in: context, file: file)
      stream = chosen.stream
      track = chosen.track
      trackCount = chosen.count
      guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else {
        throw DecodingError(.outOfMemory, file: file.path, call: "av_packet_alloc")
      }
      self.packet = packet
    } catch {
      var closing: UnsafeMutablePointer<AVFormatContext>? = context
      avformat_close_input(&closing)
      throw error
    }
    self.file = file
    self.context = context
    self.io = io
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  var containerName: String { String(cString: context.pointee.iformat.pointee.name) }

  /// Reads the track's next packet into `packet`; false at the end.
  func nextPacket() throws(DecodingError) -> Bool {
    while true {
      av_packet_unref(packet)
      let result = av_read_frame(context, packet)
      if let failure = io.failure { throw failure }
      // A demuxer that meets garbage reports it and can often go on; one that is stuck ends.
      if result < 0 { return false }
      if packet.pointee.stream_index == stream.pointee.index { return true }
    }
  }

  /// Goes to a packet at or before a time in seconds, counted from the stream's beginning.
  func seek(toSeconds seconds: Double) -> Bool {
    let base = stream.pointee.time_base
    guard base.num > 0, base.den > 0 else { return false }
    let units = seconds * Double(base.den) / Double(base.num)
    guard var target = Int64(exactly: units.rounded(.down)) else { return false }
    if stream.pointee.start_time != tilawa_AV_NOPTS_VALUE {
      target &+= stream.pointee.start_time
    }
    return av_seek_frame(context, stream.pointee.index, target, AVSEEK_FLAG_BACKWARD) >= 0
  }

  private static func chooseTrack(
    _ wanted: Int?, in context: UnsafeMutablePointer<AVFormatContext>, file: MediaFile
  ) throws(DecodingError) -> (stream: UnsafeMutablePointer<AVStream>, track: Int, count: Int) {
    let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    let audio = streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    guard !audio.isEmpty else { throw DecodingError(.noAudioTrack, file: file.path) }
    let index: Int
    if let wanted {
      guard (1...audio.count).contains(wanted) else {
        throw DecodingError(.noSuchTrack(of: audio.count), file: file.path)
      }
      index = wanted - 1
    } else {
      index = audio.firstIndex { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? 0
    }
    for stream in streams where stream != audio[index] {
      stream.pointee.discard = AVDISCARD_ALL
    }
    return (audio[index], index + 1, audio.count)
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
