// SPDX-License-Identifier: GPL-3.0-or-later

/// What a decoder has to be told before a stream's packets mean anything to it.
public struct CodedStream: Hashable, Sendable {
  /// FFmpeg's name of the codec, such as "aac", "mp3" or "opus".
  public let codec: String
  /// The codec's setup bytes as containers keep them (AudioSpecificConfig, OpusHead, the three Vorbis
  /// headers in Xiph lacing); empty where the packets say it all.
  public let setup: [UInt8]
  /// Frames per second as the container counts them: half the decoded rate with implicit SBR.
  public let hertz: Int
  public let channels: Int
}

/// The coded packets of a stream by number, for those who cut it without decoding.
///
/// The numbers are those of `index`. Belongs to one thread at a time.
public final class CodedPacketReader {
  public let stream: CodedStream
  /// Which decoded frames each packet holds.
  public let index: SeekIndex

  private let source: any CodedPacketSource

  init(stream: CodedStream, index: SeekIndex, source: any CodedPacketSource) {
    self.stream = stream
    self.index = index
    self.source = source
  }

  /// The bytes of a packet, in the form in which the file has them; nil when the file has it no more.
  ///
  /// Packets asked for in order are read in order; any other is found again first.
  public func packet(_ number: Int) throws(DecodingError) -> [UInt8]? {
    precondition((0..<index.packetCount).contains(number))
    return try source.bytes(ofPacket: number)
  }
}

/// Gets packets out of a container.
protocol CodedPacketSource: AnyObject {
  func bytes(ofPacket number: Int) throws(DecodingError) -> [UInt8]?
}
