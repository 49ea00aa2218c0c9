// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// What the first packets of a stream show that no header says reliably.
struct StreamOpening {
  /// As decoded, which is twice the header's rate with implicit SBR.
  let format: AudioFormat
  let precision: SamplePrecision
  /// Frames in the first decoded packet.
  let framesPerPacket: Int
  /// Encoder delay in decoded frames.
  let delay: Int64
  /// Whether the file holds packets just as the decoder takes them, at the offsets that the demuxer says.
  let isDirect: Bool

  /// Packets that may be undecodable before the file is given up.
  private static let patience = 64

  init(_ demuxer: FFmpegDemuxer, _ parameters: CodecParameters) throws(DecodingError) {
    let file = demuxer.file
    let codec = try FFmpegCodec(parameters, file: file.path)
    var delay: Int64 = 0
    var isDirect = true
    var isFirst = true
    for _ in 0..<Self.patience {
      guard try demuxer.nextPacket() else { break }
      let packet = demuxer.packet
      if isFirst {
        delay = max(
          Self.skippedSamples(packet), Int64(parameters.pointer.pointee.initial_padding))
        isFirst = false
      }
      if isDirect { isDirect = try Self.isInFile(packet, file) }
      let isSent = try codec.send(packet)
      guard isSent, codec.receive(), let format = codec.frameFormat else { continue }
      self.format = format
      precision = parameters.precision(decodedAs: codec.frame.pointee.format)
      framesPerPacket = Int(codec.frame.pointee.nb_samples)
      let nominal = max(parameters.rate, 1)
      self.delay = delay * Int64(format.rate.hertz) / Int64(nominal)
      self.isDirect = isDirect
      return
    }
    if isFirst { throw DecodingError(.noFrames, file: file.path) }
    throw DecodingError(
      .damaged, file: file.path, call: "avcodec_receive_frame", detail: "no packet can be decoded")
  }

  private static func skippedSamples(_ packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
    var size = 0
    let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
    guard let data, size >= 8 else { return 0 }
    return Int64(littleEndian32(data))
  }

  /// Frames of padding that the stream's last packet says to throw away.
  static func discardedSamples(_ packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
    var size = 0
    let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
    guard let data, size >= 8 else { return 0 }
    return Int64(littleEndian32(data + 4))
  }

  private static func littleEndian32(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << (8 * UInt32($1)) }
  }

  private static func isInFile(
    _ packet: UnsafeMutablePointer<AVPacket>, _ file: MediaFile
  ) throws(DecodingError) -> Bool {
    let size = Int(packet.pointee.size)
    guard packet.pointee.pos >= 0, size > 0 else { return false }
    let bytes = try file.bytes(at: packet.pointee.pos, count: size)
    return UnsafeBufferPointer(start: packet.pointee.data, count: size).elementsEqual(bytes)
  }
}
