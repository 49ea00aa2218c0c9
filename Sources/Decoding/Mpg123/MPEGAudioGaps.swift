// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// What lies between the frames of an MPEG audio file and is none, nor a tag: there something was cut out or
/// overwritten, and libmpg123 goes on at the next frame without a word.
struct MPEGAudioGaps {
  /// The packet that follows the first gap.
  private(set) var firstPacket: Int?
  /// Packets that were lost, as many as the bytes between can have held, at least one in each gap.
  private(set) var packetCount = 0

  /// Follows the headers from each place that an index knows to the next.
  init(in file: MediaFile, _ index: SeekIndex) throws(DecodingError) {
    let cursor = ByteCursor(file)
    for entry in index.offsets.indices.dropLast() {
      let (start, end) = (index.offsets[entry], index.offsets[entry + 1])
      var offset = start
      var walked = 0
      while walked < index.packetsPerOffset, offset < end,
        let length = try Self.lengthOfFrame(at: offset, cursor)
      {
        offset += Int64(length)
        walked += 1
      }
      // Of a free format nothing says how long a frame is.
      guard walked > 0 else { continue }
      let frameLength = (offset - start) / Int64(walked)
      let missing = end - offset - Int64(index.packetsPerOffset - walked) * frameLength
      guard missing > Self.slack, try !Self.isTag(at: offset, cursor) else { continue }
      firstPacket = firstPacket ?? entry * index.packetsPerOffset + walked
      packetCount += max(Int((missing + frameLength / 2) / frameLength), 1)
    }
  }

  /// The sound that was lost; nil for none.
  func warning(_ index: SeekIndex) -> DecodingWarning? {
    firstPacket.map { packet in
      let frame = Int64(packet * index.framesPerPacket) - index.audible.lowerBound
      return .missing(
        at: FramePosition(max(frame, 0)),
        frames: FrameCount(Int64(packetCount * index.framesPerPacket)))
    }
  }

  /// Bytes that an encoder may leave between two frames: as many as a header has.
  private static let slack = 4

  private static func lengthOfFrame(
    at offset: Int64, _ cursor: ByteCursor
  ) throws(DecodingError) -> Int? {
    MPEGAudioHeader(try bytes(at: offset, cursor), at: 0)?.frameLength
  }

  /// Whether a file was appended to another with its tags.
  private static func isTag(at offset: Int64, _ cursor: ByteCursor) throws(DecodingError) -> Bool {
    let bytes = try bytes(at: offset, cursor)
    return ["ID3", "TAG", "APE"].contains { bytes.starts(with: $0.utf8) }
  }

  private static func bytes(
    at offset: Int64, _ cursor: ByteCursor
  ) throws(DecodingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4)
    _ = cursor.seek(by: offset, from: SEEK_SET)
    let count = bytes.withUnsafeMutableBytes { cursor.read(into: $0) }
    guard let count else {
      throw cursor.failure ?? DecodingError(.inputOutput, file: cursor.file.path, call: "pread")
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
