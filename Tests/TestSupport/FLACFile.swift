// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// FLAC files that tests change.
public enum FLACFile {
  /// The same file with a front cover, as the PICTURE block of the format (RFC 9639, section 8.8).
  public static func covered(_ file: Data, by picture: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let kind = Array("image/png".utf8)
    let block =
      number(3) + number(kind.count) + kind + number(0) + number(1) + number(1) + number(24)
      + number(0) + number(picture.count) + picture
    var bytes = Array(file)
    // Behind the marker and STREAMINFO, which always comes first and has 34 bytes.
    let isLast = bytes[4] & 0x80
    bytes[4] &= 0x7F
    bytes.insert(contentsOf: [6 | isLast] + number(block.count).dropFirst() + block, at: 42)
    return bytes
  }
}
