// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg
import Decoding

/// Puts picture and sound of a span into Matroska, undecoded, for codecs that MP4 has no place for. It begins at
/// the keyframe before the span, since Matroska cannot say what is not to be seen.
struct PassageRemuxer {
  private let source: MediaSource
  private let picture: PictureCopier
  private let watch: CutWatch
  /// By how many seconds the file begins before the span.
  private let lead: Double

  /// - Parameter picture: none of whose packets have been given out.
  init(_ source: MediaSource, _ picture: PictureCopier, _ watch: CutWatch) {
    self.source = source
    self.picture = picture
    self.watch = watch
    lead = max(-(picture.firstSeconds ?? 0), 0)
  }

  /// - Returns: the frames of the sound by which the file begins before the span.
  func write(to sink: FileSink, tags: AudioTags) throws(EncodingError) -> FrameCount {
    let call = FFmpegCall(sink: sink)
    let container = try EncodingError.reading { () throws(DecodingError) in
      let container = try FFmpegContainer(source.file)
      try container.findStreams()
      return container
    }
    let sounds = container.streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    let track = source.description.track - 1
    guard sounds.indices.contains(track) else {
      throw EncodingError(
        .notCopyable(codec: source.description.codec), file: source.file.path)
    }
    let stream = sounds[track]
    for other in container.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    let muxer = try FFmpegMuxer(
      sink, format: "matroska", hertz: source.description.format.rate.hertz, tags: tags,
      picture: picture
    ) { parameters throws(EncodingError) in
      try call.checked(
        "avcodec_parameters_copy",
        avcodec_parameters_copy(parameters, stream.pointee.codecpar))
      parameters.pointee.codec_tag = 0
    }
    let early = try copy(stream, of: container, to: muxer, call)
    try picture.give(before: .infinity) { packet throws(EncodingError) in
      try muxer.write(packet, ofPicture: picture, after: lead)
    }
    try muxer.finish()
    return FrameCount(seconds: early, at: source.description.format.rate)
  }

  /// Copies the packets of the sound, each after those of the picture that come before it. Damaged ones are left out.
  ///
  /// - Returns: the seconds by which the first of them begins before the span.
  private func copy(
    _ stream: UnsafeMutablePointer<AVStream>, of container: FFmpegContainer,
    to muxer: FFmpegMuxer, _ call: FFmpegCall
  ) throws(EncodingError) -> Double {
    let base = stream.pointee.time_base
    let units = Double(base.den) / Double(max(base.num, 1))
    let begin = Int64(((picture.start - lead) * units).rounded())
    let end = Int64((picture.end * units).rounded(.up))
    // Not every container finds its way back to its first packet.
    if begin > stream.pointee.start_time,
      av_seek_frame(container.context, stream.pointee.index, begin, AVSEEK_FLAG_BACKWARD) < 0
    {
      avformat_seek_file(container.context, stream.pointee.index, .min, begin, .max, 0)
    }
    var held: UnsafeMutablePointer<AVPacket>? = try call.allocated(
      "av_packet_alloc", av_packet_alloc() as UnsafeMutablePointer<AVPacket>?)
    defer { av_packet_free(&held) }
    guard let packet = held else { return lead }
    var early: Double?
    var last = Int64.min
    var damage: EncodingError?
    while av_read_frame(container.context, packet) >= 0 {
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == stream.pointee.index else { continue }
      try watch.check()
      let time =
        packet.pointee.pts == tilawa_AV_NOPTS_VALUE ? packet.pointee.dts : packet.pointee.pts
      guard time != tilawa_AV_NOPTS_VALUE, time >= begin else { continue }
      guard time < end else { break }
      // Containers want times that only ever grow.
      guard time > last else { continue }
      last = time
      let seconds = Double(time) / units - picture.start
      try picture.give(before: seconds) { packet throws(EncodingError) in
        try muxer.write(packet, ofPicture: picture, after: lead)
      }
      packet.pointee.pts = time - begin
      packet.pointee.dts = time - begin
      do throws(EncodingError) {
        try muxer.write(packet, in: base)
      } catch {
        guard error.kind == .damagedPacket else { throw error }
        damage = error
        continue
      }
      if early == nil { early = -seconds }
      watch.progress?(min(max(seconds / max(picture.end - picture.start, 0.001), 0), 1))
    }
    if let failure = container.failure {
      throw try EncodingError.reading { () throws(DecodingError) -> EncodingError in throw failure }
    }
    if early == nil, let damage { throw damage }
    return early ?? lead
  }
}
