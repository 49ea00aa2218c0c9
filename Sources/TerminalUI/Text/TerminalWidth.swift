// SPDX-License-Identifier: GPL-3.0-or-later

extension Unicode.Scalar {
  /// Columns a terminal gives this scalar: 0, 1 or 2.
  ///
  /// Widths add up scalar by scalar, as `wcwidth` has them and as xterm, tmux and ncurses draw; a
  /// terminal that draws an emoji sequence as one glyph leaves columns free, it never runs over.
  /// `wcwidth` itself is not asked, since it answers -1 for everything outside ASCII until the
  /// process has set a UTF-8 locale, and differs from one C library to the next.
  ///
  /// - Combining marks (general categories Mn and Me), format characters and the vowels and finals
  ///   of conjoining Hangul take no column.
  /// - East Asian Wide and Fullwidth take two: `EastAsianWidth.txt` of Unicode 17.0, where every
  ///   scalar with emoji presentation is Wide.
  /// - Everything else takes one: ambiguous width, private use, the soft hyphen, the Arabic number
  ///   signs and the end of ayah U+06DD, which are format characters that are drawn.
  public var terminalWidth: Int {
    // Lines, blocks, signs of markers, and braille: what charts are made of, without a look at the tables.
    if value < 0x300 || 0x2500...0x25FC ~= value || 0x2800...0x28FF ~= value { return 1 }
    let properties = self.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return Self.drawnFormatCharacters.contains(value) ? 1 : 0
    default: break
    }
    if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FB ~= value { return 0 }
    if value < 0x1100 { return 1 }
    // A flag is two regional indicators and takes two columns.
    if 0x1F1E6...0x1F1FF ~= value { return 1 }
    if properties.isEmojiPresentation { return 2 }
    return Self.wideRanges.contains { $0.contains(value) } ? 2 : 1
  }

  /// Prepended concatenation marks (`PropList.txt`): they enclose the digits that follow.
  private static let drawnFormatCharacters: Set<UInt32> = [
    0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
  ]

  /// Wide and Fullwidth scalars apart from those with emoji presentation.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x16FF6,
    0x17000...0x18DF2,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
