// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// An open container: finds the audio track and hands out its packets in file order.
final class FFmpegDemuxer {
  let file: MediaFile
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  let trackCount: Int
  let track: Int
  let packet: UnsafeMutablePointer<AVPacket>

  private let container: FFmpegContainer

  init(_ file: MediaFile, track wanted: Int?) throws(DecodingError) {
    let container = try FFmpegContainer(file)
    let context = container.context
    let streams = container.streams
    let isComplete = streams.allSatisfy { stream in
      let parameters = stream.pointee.codecpar.pointee
      return parameters.codec_type != AVMEDIA_TYPE_AUDIO || parameters.sample_rate > 0
    }
    // Headerless streams (ADTS, MPEG-TS) show what they carry only in their packets.
    if !isComplete || streams.isEmpty { try container.findStreams() }
    let chosen = try Self.chooseTrack(wanted, in: container)
    guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else {
      throw DecodingError(.outOfMemory, file: file.path, call: "av_packet_alloc")
    }
    stream = chosen.stream
    track = chosen.track
    trackCount = chosen.count
    self.packet = packet
    self.file = file
    self.context = context
    self.container = container
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  var containerName: String { String(cString: context.pointee.iformat.pointee.name) }

  /// What the track's first packets show.
  func opening(_ parameters: CodecParameters) throws(DecodingError) -> StreamOpening {
    try container.readingHeader { () throws(DecodingError) in try StreamOpening(self, parameters) }
  }

  /// Reads the track's next packet into `packet`; false at the end.
  func nextPacket() throws(DecodingError) -> Bool {
    while true {
      av_packet_unref(packet)
      let result = av_read_frame(context, packet)
      if let failure = container.failure { throw failure }
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
    _ wanted: Int?, in container: FFmpegContainer
  ) throws(DecodingError) -> (stream: UnsafeMutablePointer<AVStream>, track: Int, count: Int) {
    let streams = container.streams
    let audio = streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    guard !audio.isEmpty else { throw DecodingError(.noAudioTrack, file: container.file.path) }
    let index: Int
    if let wanted {
      guard (1...audio.count).contains(wanted) else {
        throw DecodingError(.noSuchTrack(of: audio.count), file: container.file.path)
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
}
