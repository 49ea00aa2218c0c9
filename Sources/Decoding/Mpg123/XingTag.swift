// SPDX-License-Identifier: GPL-3.0-or-later

/// The number of frames that a Xing or Info tag in the first MPEG frame promises.
enum XingTag {
  static func frameCount(in file: MediaFile) throws(DecodingError) -> Int? {
    let head = try file.head(ContentSniffer.headLength)
    let start = ContentSniffer.id3Length(head) ?? 0
    let bytes = try file.bytes(at: Int64(start), count: 2048)
    // The tag follows the side information, whose length depends on version and channels.
    for offset in 4..<max(4, min(bytes.count - 12, 200)) {
      let mark = bytes[offset..<(offset + 4)]
      guard mark.elementsEqual("Xing".utf8) || mark.elementsEqual("Info".utf8) else { continue }
      guard bytes[offset + 7] & 1 != 0 else { return nil }
      return bytes[(offset + 8)..<(offset + 12)].reduce(0) { $0 << 8 | Int($1) }
    }
    return nil
  }
}
