// SPDX-License-Identifier: GPL-3.0-or-later

/// Looks at the page structure of an Ogg file (RFC 3533).
enum OggPages {
  /// Whether the file stops before the page that is marked as its last.
  static func isCutOff(_ file: MediaFile) throws(DecodingError) -> Bool {
    // A page is at most 65,307 bytes long.
    let start = max(0, file.size - 65_307)
    let tail = try file.bytes(at: start, count: Int(file.size - start))
    guard tail.count >= 27 else { return true }
    for offset in stride(from: tail.count - 27, through: 0, by: -1)
    where tail[offset] == 0x4F && tail[offset..<(offset + 4)].elementsEqual("OggS".utf8) {
      let segments = Int(tail[offset + 26])
      guard offset + 27 + segments <= tail.count else { return true }
      let body = tail[(offset + 27)..<(offset + 27 + segments)].reduce(0) { $0 + Int($1) }
      let isComplete = offset + 27 + segments + body <= tail.count
      let isLast = tail[offset + 5] & 4 != 0
      return !(isComplete && isLast)
    }
    return true
  }
}
