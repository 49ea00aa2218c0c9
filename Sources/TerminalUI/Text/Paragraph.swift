// SPDX-License-Identifier: GPL-3.0-or-later

/// Text broken into lines between words.
public enum Paragraph {
  /// Lines of at most `width` columns, in the order of the text; a word that is longer is cut.
  public static func lines(of text: String, width: Int) -> [TerminalText] {
    guard width > 0 else { return [] }
    var lines: [TerminalText] = []
    var line = TerminalText.empty
    for word in text.split(whereSeparator: \.isWhitespace) {
      let word = TerminalText(String(word)).truncated(to: width)
      if line.width > 0, line.width + 1 + word.width > width {
        lines.append(line)
        line = .empty
      }
      line = line.width == 0 ? word : line + " " + word
    }
    if line.width > 0 { lines.append(line) }
    return lines
  }
}
