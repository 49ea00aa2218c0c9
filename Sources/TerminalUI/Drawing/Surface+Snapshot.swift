// SPDX-License-Identifier: GPL-3.0-or-later

extension Surface {
  /// The characters of each row, trailing spaces included.
  public var textRows: [String] {
    (0..<fullSize.rows).map { row in
      var bytes: [UInt8] = []
      for cell in self.row(row) { cell.glyph.append(to: &bytes) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The whole surface as text, for comparing: the characters without trailing spaces, a second grid
  /// with a letter for the style of each cell, and what the letters mean.
  ///
  /// `.` is the plain style; the second cell of a wide character shows as `>` there.
  public var snapshot: String {
    var letters: [Style: Character] = [.plain: "."]
    var legend: [String] = []
    var styles: [String] = []
    for row in 0..<fullSize.rows {
      var line = ""
      for cell in self.row(row) {
        if cell.isContinuation {
          line.append(">")
          continue
        }
        if letters[cell.style] == nil {
          let letter = Self.letter(legend.count)
          letters[cell.style] = letter
          legend.append("\(letter) \(cell.style)")
        }
        line.append(letters[cell.style] ?? "?")
      }
      styles.append(Self.trimmed(line, of: "."))
    }
    var lines = textRows.map { Self.trimmed($0, of: " ") }
    lines += ["---"] + styles + ["---"] + legend
    if let cursor = cursor {
      lines.append("cursor \(cursor.column),\(cursor.row)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let alphabet = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  private static func letter(_ index: Int) -> Character {
    index < alphabet.count ? alphabet[index] : "?"
  }

  private static func trimmed(_ line: String, of character: Character) -> String {
    var line = line[...]
    while line.last == character { line.removeLast() }
    return String(line)
  }
}
