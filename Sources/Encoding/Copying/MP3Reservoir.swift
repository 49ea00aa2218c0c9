// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding

/// The bytes that an MP3 frame borrows from those before it (ISO 11172-3, 2.4.2.7).
///
/// A frame's samples may begin up to 511 bytes (255 in MPEG-2) before it, in the space that earlier frames
/// left free. A stream that is cut before such a frame lacks them, and would begin with a gap.
enum MP3Reservoir {
  /// A frame of silence that ends with the bytes which `packet` borrows, to be put before it.
  ///
  /// Nil where `packet` is no layer III frame of a fixed length.
  static func primingFrame(
    before packet: Int, _ bytes: [UInt8], of reader: CodedPacketReader
  ) throws(EncodingError) -> [UInt8]? {
    guard let header = layerIIIHeader(bytes) else { return nil }
    let needed = borrowedBytes(bytes, header)
    var lent: [UInt8] = []
    var earlier = packet - 1
    while lent.count < needed, earlier >= 0 {
      let frame = try EncodingError.reading { () throws(DecodingError) in
        try reader.packet(earlier)
      }
      guard let frame, let header = layerIIIHeader(frame) else { break }
      lent = Array(frame.dropFirst(mainDataStart(header))) + lent
      earlier -= 1
    }
    return silentFrame(like: bytes, endingWith: lent.suffix(needed))
  }

  /// How far back a frame's samples begin: 9 bits after the header in MPEG-1, 8 in MPEG-2.
  static func borrowedBytes(_ frame: [UInt8], _ header: MPEGAudioHeader) -> Int {
    let start = header.hasChecksum ? 6 : 4
    guard frame.count > start + 1 else { return 0 }
    return header.isFirstVersion
      ? Int(frame[start]) << 1 | Int(frame[start + 1] >> 7) : Int(frame[start])
  }

  /// A frame whose side information is all zeros, which decodes to silence and borrows nothing, with just
  /// the bit rate that gives room for `bytes`.
  static func silentFrame(
    like frame: [UInt8], endingWith bytes: some Collection<UInt8>
  ) -> [UInt8]? {
    for rate in UInt8(1)...14 {
      // Bit rate index in the upper half of the third byte, padding off; no checksum.
      let head = [frame[0], frame[1] | 1, rate << 4 | frame[2] & 0x0D, frame[3]]
      guard let header = layerIIIHeader(head), let length = header.frameLength,
        length >= mainDataStart(header) + bytes.count
      else { continue }
      return head + Array(repeating: 0, count: length - head.count - bytes.count) + bytes
    }
    return nil
  }

  private static func layerIIIHeader(_ frame: [UInt8]) -> MPEGAudioHeader? {
    guard let header = MPEGAudioHeader(frame, at: 0), header.layer == 3,
      header.frameLength != nil
    else { return nil }
    return header
  }

  /// Header, checksum and side information, after which a frame holds samples.
  private static func mainDataStart(_ header: MPEGAudioHeader) -> Int {
    let sideInformation =
      header.isFirstVersion ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17)
    return 4 + (header.hasChecksum ? 2 : 0) + sideInformation
  }
}
