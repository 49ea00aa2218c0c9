// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// Packets as FFmpeg's demuxer, or the index of a plain file, gives them.
final class FFmpegPackets: CodedPacketSource {
  private let packets: any PacketReader
  private let packet: UnsafeMutablePointer<AVPacket>

  init(_ packets: any PacketReader, file: String) throws(DecodingError) {
    guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else {
      throw DecodingError(.outOfMemory, file: file, call: "av_packet_alloc")
    }
    self.packets = packets
    self.packet = packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  func bytes(ofPacket number: Int) throws(DecodingError) -> [UInt8]? {
    if packets.nextPacket != number { try packets.seek(toPacket: number) }
    while packets.nextPacket <= number {
      guard try packets.next(into: packet) else { return nil }
    }
    return Array(
      UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }
}

extension CodecParameters {
  /// What they say, as a value.
  var codedStream: CodedStream {
    let setup = UnsafeBufferPointer(
      start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size))
    return CodedStream(
      codec: codecName, setup: Array(setup), hertz: rate,
      channels: Int(pointer.pointee.ch_layout.nb_channels))
  }
}
