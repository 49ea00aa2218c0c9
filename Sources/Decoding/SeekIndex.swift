// SPDX-License-Identifier: GPL-3.0-or-later

/// Where each packet of a stream lies in its file and which decoded frames it holds.
///
/// Immutable once made, and shared by all decoders of a file. Packets hold `framesPerPacket` frames
/// each unless `durations` says otherwise. "Decoded" frames include encoder delay and padding.
public struct SeekIndex: Hashable, Sendable {
  /// What the offsets point at.
  public enum Kind: UInt8, Sendable {
    /// MPEG audio frames, for libmpg123.
    case mpegFrames = 1
    /// Whole packets, contiguous in the file, that a decoder takes as they are.
    case directPackets = 2
    /// Packets as FFmpeg's demuxer reports them; only it can take them out of their container.
    case demuxedPackets = 3
  }

  public let kind: Kind
  /// Byte offset of each packet or, for `.mpegFrames`, of every `packetsPerOffset`th.
  public let offsets: [Int64]
  /// 1 but for `.mpegFrames`, where a decoder finds its way over the few frames between two offsets.
  public let packetsPerOffset: Int
  /// Bytes of each packet; empty for `.mpegFrames`.
  public let sizes: [UInt32]
  /// Decoded frames in every packet, or 0 when `startFrames` is needed.
  public let framesPerPacket: Int
  /// The first decoded frame of each packet and, last, the end; empty when `framesPerPacket` is not 0.
  public let startFrames: [Int64]
  /// Frames that decoding all packets gives.
  public let decodedLength: Int64
  /// The part of the decoded frames that is neither encoder delay nor padding.
  public var audible: Range<Int64>

  public var packetCount: Int {
    guard kind == .mpegFrames else { return offsets.count }
    return Int((decodedLength + Int64(framesPerPacket) - 1) / Int64(framesPerPacket))
  }

  /// An index of equal MPEG audio frames.
  init(
    frameOffsets: [Int64], packetsPerOffset: Int, framesPerPacket: Int, decodedLength: Int64
  ) {
    kind = .mpegFrames
    offsets = frameOffsets
    self.packetsPerOffset = packetsPerOffset
    sizes = []
    self.framesPerPacket = framesPerPacket
    startFrames = []
    self.decodedLength = decodedLength
    audible = 0..<decodedLength
  }

  /// An index of packets with a duration each, kept compactly when they are all alike.
  init(kind: Kind, offsets: [Int64], sizes: [UInt32], durations: [UInt32]) {
    self.kind = kind
    self.offsets = offsets
    packetsPerOffset = 1
    self.sizes = sizes
    let usual = durations.first ?? 0
    if usual > 0, durations.dropLast().allSatisfy({ $0 == usual }), durations.last ?? 0 <= usual {
      framesPerPacket = Int(usual)
      startFrames = []
    } else {
      framesPerPacket = 0
      var sum: Int64 = 0
      var starts: [Int64] = [0]
      starts.reserveCapacity(durations.count + 1)
      for duration in durations {
        sum += Int64(duration)
        starts.append(sum)
      }
      startFrames = starts
    }
    decodedLength = durations.reduce(0) { $0 + Int64($1) }
    audible = 0..<decodedLength
  }

  init(
    kind: Kind, offsets: [Int64], packetsPerOffset: Int, sizes: [UInt32], framesPerPacket: Int,
    startFrames: [Int64], decodedLength: Int64, audible: Range<Int64>
  ) {
    self.kind = kind
    self.offsets = offsets
    self.packetsPerOffset = packetsPerOffset
    self.sizes = sizes
    self.framesPerPacket = framesPerPacket
    self.startFrames = startFrames
    self.decodedLength = decodedLength
    self.audible = audible
  }

  /// The first decoded frame of a packet; for `packetCount` the end.
  public func startFrame(ofPacket packet: Int) -> Int64 {
    if framesPerPacket > 0 { return min(Int64(packet * framesPerPacket), decodedLength) }
    return startFrames[packet]
  }

  /// The packet that holds a decoded frame, clamped to what there is.
  public func packet(holding frame: Int64) -> Int {
    guard packetCount > 0 else { return 0 }
    if framesPerPacket > 0 {
      return min(max(Int(frame / Int64(framesPerPacket)), 0), packetCount - 1)
    }
    var low = 0
    var high = packetCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if startFrames[middle] <= frame { low = middle } else { high = middle }
    }
    return low
  }
}
