// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension TerminalText {
  /// Text that came from outside: names, notes, words of the Quran.
  ///
  /// Some terminals order each line by the Unicode bidirectional algorithm. A left-to-right mark after
  /// what runs to the left keeps the numbers behind it on their own side; it takes no column.
  init(outside text: String) {
    let runsLeft = text.unicodeScalars.contains { scalar in
      0x590...0x8FF ~= scalar.value || 0xFB1D...0xFDFF ~= scalar.value
        || 0xFE70...0xFEFE ~= scalar.value
    }
    self.init(runsLeft ? text + "\u{200E}" : text)
  }
}

/// A number of things, `1 segment`, `3 segments`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
