// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI
import Testing

@Suite struct VisualOrderTests {
  @Test(arguments: [
    ("night 3.m4a", "night 3.m4a"),
    // Initial, medial, final; a letter that does not join the next; the lam-alef.
    ("بيت", "\u{FE96}\u{FEF4}\u{FE91}"),
    ("دار", "\u{FEAD}\u{FE8D}\u{FEA9}"),
    ("سلام", "\u{FEE1}\u{FEFC}\u{FEB3}"),
    ("بِسْمِ", "\u{FEE2}\u{FEB4}\u{FE91}"),
    ("ماء", "\u{FE80}\u{FE8E}\u{FEE3}"),
    ("ب\u{200C}ب", "\u{FE8F}\u{FE8F}"),
    ("a ب 12 (ت) b", "a (\u{FE95}) 12 \u{FE8F} b"),
    ("ب.m4a", "\u{FE8F}.m4a"),
    ("", ""),
  ])
  func joinsAndTurnsArabic(text: String, seen: String) {
    #expect(Array(visualOrder(text).unicodeScalars) == Array(seen.unicodeScalars))
  }
}
