// SPDX-License-Identifier: GPL-3.0-or-later

/// The chunks of a CAF file ("Apple Core Audio Format Specification 1.0") that neither library passes on.
struct CoreAudioChunks {
  /// How many frames the packets give and which of them are to be heard.
  struct PacketTable: Hashable {
    let validFrames: Int64
    /// Frames before the first valid one: the encoder's delay.
    let primingFrames: Int64
    /// Frames after the last valid one: what fills up the last packet.
    let remainderFrames: Int64
  }

  private(set) var packetTable: PacketTable?
  /// Whether the sound is coded in packets, instead of one frame after another.
  private(set) var isMadeOfPackets = false

  /// Chunks looked at before giving up.
  private static let maxChunks = 1000

  init(_ file: MediaFile) throws(DecodingError) {
    var offset: Int64 = 8
    for _ in 0..<Self.maxChunks {
      let head = try file.bytes(at: offset, count: 12)
      guard head.count == 12 else { return }
      let size = bigEndian(head[4..<12])
      let content = offset + 12
      switch head[0..<4] {
      case let type where type.elementsEqual("desc".utf8):
        let bytes = try file.bytes(at: content, count: 32)
        // After the rate comes the codec, and a packet of PCM holds one frame.
        isMadeOfPackets = bytes.count == 32 && bigEndian(bytes[20..<24]) != 1
      case let type where type.elementsEqual("pakt".utf8):
        let bytes = try file.bytes(at: content, count: 24)
        guard bytes.count == 24 else { return }
        let valid = bigEndian(bytes[8..<16])
        guard valid >= 0 else { return }
        packetTable = PacketTable(
          validFrames: valid, primingFrames: bigEndian(bytes[16..<20]),
          remainderFrames: bigEndian(bytes[20..<24]))
      default: break
      }
      // The data of a recording that was cut off have no size and reach to the end.
      guard size >= 0, size <= file.size - content else { return }
      offset = content + size
    }
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
