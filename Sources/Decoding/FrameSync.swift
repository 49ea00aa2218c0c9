// SPDX-License-Identifier: GPL-3.0-or-later

/// Recognises streams of frames by the words that each of them begins with.
///
/// Such a stream has no signature, and MPEG audio headers turn up in it by chance.
enum FrameSync {
  /// The codec whose sync word returns within the first bytes; nil where none does.
  static func codec(of head: [UInt8]) -> String? {
    if dtsWords.contains(where: { returns($0, in: head) }) { return "DTS" }
    if isAC3(head) { return "AC-3" }
    return nil
  }

  /// The sync word of a DTS core frame (ETSI TS 102 114, 5.3): as it is, with its bytes swapped, and either
  /// in words of 14 bits.
  private static let dtsWords: [[UInt8]] = [
    [0x7F, 0xFE, 0x80, 0x01], [0xFE, 0x7F, 0x01, 0x80],
    [0x1F, 0xFF, 0xE8, 0x00], [0xFF, 0x1F, 0x00, 0xE8],
  ]

  /// Whether four bytes come twice, which by chance they do once in 2^36 heads.
  private static func returns(_ word: [UInt8], in head: [UInt8]) -> Bool {
    var count = 0
    for start in 0..<max(0, head.count - 3)
    where head[start] == word[0] && head[start + 1] == word[1] {
      if head[start + 2] == word[2], head[start + 3] == word[3] { count += 1 }
      if count == 2 { return true }
    }
    return false
  }

  /// Whether the sync word of AC-3 (ETSI TS 102 366, 4.3) stands at the beginning and twice more, equally
  /// far apart.
  private static func isAC3(_ head: [UInt8]) -> Bool {
    func isSync(_ offset: Int) -> Bool {
      offset + 1 < head.count && head[offset] == 0x0B && head[offset + 1] == 0x77
    }
    // From the shortest frame, of 32 kbit/s at 48 kHz, to the longest, of 640 kbit/s at 32 kHz.
    return isSync(0)
      && stride(from: 128, through: 3840, by: 2).contains { isSync($0) && isSync(2 * $0) }
  }
}
