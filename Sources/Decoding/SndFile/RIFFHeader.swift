// SPDX-License-Identifier: GPL-3.0-or-later

/// The outermost header of a WAV file.
enum RIFFHeader {
  /// Whether a RIFF file is shorter than its header says. Recorders that stream leave the size 0 or all
  /// ones, which says nothing.
  static func isCutOff(_ file: MediaFile) throws(DecodingError) -> Bool {
    let head = try file.head(8)
    guard head.count == 8, head.starts(with: "RIFF".utf8) else { return false }
    let size = head[4..<8].reversed().reduce(0) { $0 << 8 | Int64($1) }
    return size > 0 && size < 0xFFFF_FFFF && size + 8 > file.size + 1
  }
}
