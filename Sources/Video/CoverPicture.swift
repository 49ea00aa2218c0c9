// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
public import Decoding

/// The picture that a recording carries in its tags, as it is stored.
public struct CoverPicture: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable { case jpeg = "jpg", png, gif, webp }

  public let kind: Kind
  public let bytes: [UInt8]

  /// More is no cover, and is to be shown by other programs.
  private static let largestSize = 16 << 20

  /// Blocks. Nil where there is none, or one of another kind.
  public init?(_ file: MediaFile) {
    guard let container = try? FFmpegContainer(file) else { return nil }
    for stream in container.streams
    where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
      let packet = stream.pointee.attached_pic
      guard let data = packet.data, (1...Self.largestSize).contains(Int(packet.size)) else {
        continue
      }
      let bytes = [UInt8](UnsafeBufferPointer(start: data, count: Int(packet.size)))
      if let kind = Kind(bytes) {
        self.kind = kind
        self.bytes = bytes
        return
      }
    }
    return nil
  }
}

extension CoverPicture.Kind {
  /// By the first bytes, whatever the tag calls it; nil for anything else.
  init?(_ bytes: [UInt8]) {
    func begins(_ start: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: start)
    }
    if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins([0x89] + "PNG\r\n".utf8 + [0x1A, 0x0A]) {
      self = .png
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }
}
