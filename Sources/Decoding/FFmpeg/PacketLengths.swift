// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// Tells how many frames a packet decodes to.
final class PacketLengths {
  private enum Method {
    case constant(UInt32)
    case bytesPerFrame(Int)
    case opus
    /// The payload is what a packet decodes to that does not say otherwise.
    case alac(UInt32)
    case parser(UnsafeMutablePointer<AVCodecParserContext>)
    case decoding
  }

  private let method: Method
  private let codec: FFmpegCodec
  private var isFirst = true

  init(
    _ parameters: CodecParameters, opening: StreamOpening, file: String
  ) throws(DecodingError) {
    codec = try FFmpegCodec(parameters, file: file)
    let bytes = parameters.bytesPerFrame
    switch parameters.codec {
    case _ where bytes > 0: method = .bytesPerFrame(bytes)
    case AV_CODEC_ID_ALAC: method = .alac(UInt32(opening.framesPerPacket))
    case AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_MP3, AV_CODEC_ID_MP2,
      AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB:
      method = .constant(UInt32(opening.framesPerPacket))
    case AV_CODEC_ID_OPUS: method = .opus
    case AV_CODEC_ID_VORBIS:
      if let parser = av_parser_init(Int32(AV_CODEC_ID_VORBIS.rawValue)) {
        method = .parser(parser)
      } else {
        method = .decoding
      }
    default: method = .decoding
    }
  }

  deinit {
    if case .parser(let parser) = method { av_parser_close(parser) }
  }

  func frames(in packet: UnsafeMutablePointer<AVPacket>) throws(DecodingError) -> UInt32 {
    switch method {
    case .constant(let count): return count
    case .bytesPerFrame(let bytes): return UInt32(Int(packet.pointee.size) / bytes)
    case .opus:
      let bytes = UnsafeBufferPointer(
        start: packet.pointee.data, count: Int(min(packet.pointee.size, 2)))
      return opusFrames(bytes)
    case .alac(let usual):
      let bytes = UnsafeBufferPointer(
        start: packet.pointee.data, count: Int(min(packet.pointee.size, 7)))
      return alacFrames(bytes) ?? usual
    case .parser(let parser):
      var output: UnsafeMutablePointer<UInt8>?
      var size: Int32 = 0
      av_parser_parse2(
        parser, codec.context, &output, &size, packet.pointee.data, packet.pointee.size,
        tilawa_AV_NOPTS_VALUE, tilawa_AV_NOPTS_VALUE, 0)
      // The first block only prepares the overlap of the second.
      defer { isFirst = false }
      return isFirst ? 0 : UInt32(clamping: parser.pointee.duration)
    case .decoding:
      guard try codec.send(packet) else { return 0 }
      var count: UInt32 = 0
      while codec.receive() { count += UInt32(codec.frame.pointee.nb_samples) }
      return count
    }
  }

  /// Frames in an ALAC packet that is not a full one, as the last need not be; nil for the others.
  ///
  /// The element begins with 19 bits, a flag for "has a length", 3 bits and that length in 32 (Apple's
  /// `ALACDecoder.cpp`).
  private func alacFrames(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard bytes.count == 7, bytes[2] & 0x10 != 0 else { return nil }
    let bits = bytes[2...6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UInt32(truncatingIfNeeded: bits >> 1)
  }

  /// Frames at 48 kHz in an Opus packet, from its first two bytes (RFC 6716, section 3.1).
  private func opusFrames(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    guard let head = bytes.first else { return 0 }
    let configuration = head >> 3
    let size: UInt32 =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][Int(configuration & 3)]
      case 12..<16: [480, 960][Int(configuration & 1)]
      default: [120, 240, 480, 960][Int(configuration & 3)]
      }
    switch head & 3 {
    case 0: return size
    case 1, 2: return 2 * size
    default:
      // No packet is longer than 120 ms; the decoder refuses one that says so (section 3.4, R5).
      let count = bytes.count > 1 ? UInt32(bytes[1] & 63) * size : 0
      return count <= 5760 ? count : 0
    }
  }
}
