// SPDX-License-Identifier: GPL-3.0-or-later

/// MPEG audio frames read straight from the file, found from the nearest place that the index knows.
final class MPEGAudioPackets: CodedPacketSource {
  private let file: MediaFile
  private let index: SeekIndex
  private var nextPacket = 0
  private var offset: Int64

  /// Bytes looked through for the next header where there is something else, as libmpg123 would.
  private static let resyncLimit = 64 << 10

  init(_ file: MediaFile, index: SeekIndex) {
    self.file = file
    self.index = index
    offset = index.offsets.first ?? 0
  }

  func bytes(ofPacket number: Int) throws(DecodingError) -> [UInt8]? {
    if number < nextPacket || number - nextPacket >= index.packetsPerOffset {
      let entry = min(number / index.packetsPerOffset, index.offsets.count - 1)
      nextPacket = entry * index.packetsPerOffset
      offset = index.offsets[entry]
    }
    while true {
      guard let length = try lengthOfFrame() else { return nil }
      defer {
        nextPacket += 1
        offset += Int64(length)
      }
      if nextPacket == number {
        let bytes = try file.bytes(at: offset, count: length)
        return bytes.count == length ? bytes : nil
      }
    }
  }

  /// The length of the frame at `offset`, which moves to the next header if there is none.
  private func lengthOfFrame() throws(DecodingError) -> Int? {
    if let length = MPEGAudioHeader(try file.bytes(at: offset, count: 4), at: 0)?.frameLength {
      return length
    }
    let bytes = try file.bytes(at: offset, count: Self.resyncLimit)
    for start in bytes.indices where bytes[start] == 0xFF {
      guard let length = MPEGAudioHeader(bytes, at: start)?.frameLength else { continue }
      // A lone sync word is chance; a header where the frame ends is not.
      guard MPEGAudioHeader(bytes, at: start + length) != nil else { continue }
      offset += Int64(start)
      return length
    }
    return nil
  }
}
