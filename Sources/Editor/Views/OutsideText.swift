// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension Screen {
  func outside(_ text: String) -> TerminalText {
    outsideText(text, ordersArabic: state.ordersArabic)
  }
}

/// Text that came from outside: names, notes, words of the Quran; at most a line.
///
/// Terminals that order Arabic themselves do it by the whole line; a left-to-right mark behind it
/// keeps the numbers that follow on their own side, and takes no column. For the others letters are
/// joined and put in the order in which they are seen.
func outsideText(_ text: String, ordersArabic: Bool) -> TerminalText {
  let runsLeft = text.unicodeScalars.contains { scalar in
    0x590...0x8FF ~= scalar.value || 0xFB1D...0xFDFF ~= scalar.value
      || 0xFE70...0xFEFE ~= scalar.value
  }
  guard runsLeft else { return TerminalText(text) }
  return ordersArabic
    ? TerminalText(visualOrder(TerminalText(text).string)) : TerminalText(text + "\u{200E}")
}

/// A number of things, `1 segment`, `3 segments`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
