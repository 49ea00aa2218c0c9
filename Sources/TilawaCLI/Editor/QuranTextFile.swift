// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

/// The text of the Quran as people have it in a file: a line for each ayah in order, or lines of
/// `surah|ayah|text` as Tanzil gives them. Empty lines and lines after `#` say nothing.
enum QuranTextFile {
  static func read(_ path: String) throws(Failure) -> QuranText {
    guard let text = TextFile.read(path) else {
      throw Failure(
        code: "no_such_file",
        message:
          "\(path): the text of the Quran cannot be read: \(String(cString: strerror(errno)))"
      )
    }
    var ayat: [String] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = line.drop { $0 == "\u{FEFF}" || $0 == " " }
      guard !line.isEmpty, line.first != "#" else { continue }
      let parts = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else {
        ayat.append(String(line))
        continue
      }
      let ayah = try? AyahReference(parsing: "\(parts[0]):\(parts[1])")
      guard ayah?.absoluteIndex == ayat.count + 1 else {
        throw Failure(
          code: "bad_text",
          message: "\(path), line \(number): \(parts[0]):\(parts[1]) is not the next ayah;"
            + " the file needs all \(AyahReference.count) ayat in order")
      }
      ayat.append(String(parts[2]))
    }
    guard let text = QuranText(ayat: ayat) else {
      throw Failure(
        code: "bad_text",
        message: "\(path): the file has \(ayat.count) ayat and should have \(AyahReference.count),"
          + " one per line")
    }
    return text
  }
}
