// SPDX-License-Identifier: GPL-3.0-or-later

extension TerminalText {
  /// Text that came from outside: names, notes, words of the Quran; at most a line.
  ///
  /// Terminals that order Arabic themselves do it by the whole line; a left-to-right mark behind it
  /// keeps the numbers that follow on their own side, and takes no column. For the others letters are
  /// joined and put in the order in which they are seen.
  public init(outside text: String, ordersArabic: Bool) {
    let runsLeft = text.unicodeScalars.contains { scalar in
      0x590...0x8FF ~= scalar.value || 0xFB1D...0xFDFF ~= scalar.value
        || 0xFE70...0xFEFE ~= scalar.value
    }
    if !runsLeft {
      self.init(text)
    } else if ordersArabic {
      self.init(visualOrder(TerminalText(text).string))
    } else {
      self.init(text + "\u{200E}")
    }
  }
}
