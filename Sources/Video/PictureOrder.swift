// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// When the frames of H.264 are seen, in a container that says only when they are decoded (AVI).
///
/// Each picture has its place in the order of display in its own header, its picture order count (ITU-T H.264, 8.2.1).
/// The frames that follow a keyframe are seen in that order, at the times at which they are decoded in theirs.
final class PictureOrder {
  typealias Packet = UnsafeMutablePointer<AVPacket>

  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private let codec: UnsafeMutablePointer<AVCodecContext>
  /// Packets that are looked at before their turn, with their counts.
  private var ahead: [(packet: Packet, count: Int64)] = []
  private var hasEnded = false
  /// The count of the last keyframe, and how many frames are decoded after it and seen before it.
  private var origin: (count: Int64, leading: Int64)?
  /// When packets are decoded, from that keyframe on.
  private var times: [Int64] = []
  /// By how much counts differ from one picture to the next: 2, as each field counts, or 1.
  private var step: Int64 = 2

  /// Twice the pictures that may be decoded before one that is seen first (A.3.1 h, MaxDpbFrames).
  private static let patience = 32

  /// Nil without memory.
  init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    guard let parser = av_parser_init(Int32(AV_CODEC_ID_H264.rawValue)) else { return nil }
    var codec = avcodec_alloc_context3(nil) as UnsafeMutablePointer<AVCodecContext>?
    guard let context = codec, avcodec_parameters_to_context(context, parameters) >= 0 else {
      av_parser_close(parser)
      avcodec_free_context(&codec)
      return nil
    }
    // Each packet is one frame.
    parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    self.parser = parser
    self.codec = context
  }

  deinit {
    forget()
    av_parser_close(parser)
    var codec: UnsafeMutablePointer<AVCodecContext>? = codec
    avcodec_free_context(&codec)
  }

  /// Forgets what was read, for reading goes on elsewhere.
  func forget() {
    for (packet, _) in ahead {
      var packet: Packet? = packet
      av_packet_free(&packet)
    }
    ahead = []
    times = []
    origin = nil
    hasEnded = false
  }

  /// The next packet, with the time at which its frame is seen, to be freed by the caller; nil at the end.
  func nextPacket(
    _ read: () -> Packet?
  ) -> Packet? {
    while !hasEnded, ahead.count < Self.patience {
      guard let packet = read() else {
        hasEnded = true
        break
      }
      ahead.append((packet, count(of: packet)))
      times.append(packet.pointee.dts)
    }
    guard let (packet, count) = ahead.first else { return nil }
    if Self.isKeyframe(packet) { begin() }
    ahead.removeFirst()
    if let origin {
      let rank = origin.leading + (count - origin.count) / step
      packet.pointee.pts = times[Int(min(max(rank, 0), Int64(times.count - 1)))]
    }
    return packet
  }

  /// Reckons from the keyframe that is next.
  private func begin() {
    guard let count = ahead.first?.count else { return }
    times = ahead.map(\.packet.pointee.dts)
    let own = [count] + ahead.dropFirst().prefix { !Self.isKeyframe($0.packet) }.map(\.count)
    let sorted = Set(own).sorted()
    let steps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
    if let least = steps.min() { step = min(least, 2) }
    origin = (count, Int64(own.count { $0 < count }))
  }

  private func count(of packet: Packet) -> Int64 {
    var output: UnsafeMutablePointer<UInt8>?
    var size: Int32 = 0
    av_parser_parse2(
      parser, codec, &output, &size, packet.pointee.data, packet.pointee.size,
      packet.pointee.pts, packet.pointee.dts, packet.pointee.pos)
    return Int64(parser.pointee.output_picture_number)
  }

  private static func isKeyframe(_ packet: Packet) -> Bool {
    packet.pointee.flags & AV_PKT_FLAG_KEY != 0
  }
}
