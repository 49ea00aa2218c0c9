// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension Screen {
  /// Text that came from outside: names, notes, words of the Quran; at most a line.
  func outside(_ text: String) -> TerminalText {
    TerminalText(outside: text, ordersArabic: state.ordersArabic)
  }
}

/// A number of things, `1 segment`, `3 segments`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// A number that is only estimated, in words.
func estimated(_ count: Double) -> String {
  switch count {
  case ..<0.05: "none"
  case ..<0.95: "under 1"
  default: "about \(Int(count.rounded()))"
  }
}
