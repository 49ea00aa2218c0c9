// SPDX-License-Identifier: GPL-3.0-or-later

/// The characters in whose cells a terminal shows the parts of an image: it is text to tmux, which moves, clips and
/// erases it as such.
///
/// Source: kitty's "Terminal graphics protocol", "Unicode placeholders". The foreground says which image, the marks
/// which row and column of it, and the third mark the highest byte of its number. A character without marks goes on
/// from its neighbour on the left.
enum KittyPlaceholder {
  static let scalar: Unicode.Scalar = "\u{10EEEE}"

  /// The marks that stand for 0, 1, 2 and so on: kitty's `rowcolumn-diacritics.txt`. It has the marks of combining class
  /// 230 in Unicode 6.0 without a decomposition, but for those that other characters decompose into.
  static let marks = ranges.flatMap { range in range.compactMap { Unicode.Scalar($0) } }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346,
    0x34A...0x34C, 0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487,
    0x592...0x595, 0x597...0x599, 0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF,
    0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B, 0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2,
    0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730, 0x732...0x733, 0x735...0x736,
    0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745, 0x747...0x747,
    0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F,
    0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B,
    0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1,
    0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1,
    0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9,
    0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
    0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38,
    0x1D185...0x1D189, 0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
  ]

  /// Columns after which one has marks again, although its neighbour on the left would do: what lies over that hides no
  /// more than these. More marks are more bytes, four times as many where tmux draws.
  private static let interval = 8

  /// Numbers of images as a palette's colour and a third mark can tell them, eight in a row: other colours do not pass
  /// through every tmux unchanged.
  ///
  /// - Parameter seed: tells apart the images of programs that share a terminal.
  static func firstNumber(seed: UInt32) -> UInt32 {
    // Colours 0...15 are sent in other ways.
    let colors = 16 + seed % 29 * 8
    return (1 + seed / 29 % 255) << 24 | colors
  }

  private static func glyph(row: Int, column: Int, number: UInt32) -> Glyph {
    var glyph = Glyph(scalar)
    for index in [row, column, Int(number >> 24)] where index < marks.count {
      glyph.append(marks[index])
    }
    return glyph
  }

  /// Puts the characters of an image into its rectangle, but for the cells in which something is written.
  static func draw(_ number: UInt32, in rect: Rect, on surface: inout Surface) {
    let bare = Glyph(scalar)
    // Rows without a mark of their own could not be told from others.
    for row in 0..<min(rect.size.rows, marks.count) {
      var hasNeighbour = false
      for column in 0..<rect.size.columns {
        let point = Point(column: rect.origin.column + column, row: rect.origin.row + row)
        guard let cell = surface[point], cell.isBlank, !cell.style.attributes.contains(.reverse)
        else {
          hasNeighbour = false
          continue
        }
        let isMarked = !hasNeighbour || column % interval == 0 && column < marks.count
        surface.put(
          isMarked ? glyph(row: row, column: column, number: number) : bare, at: point,
          style: Style(.palette(UInt8(truncatingIfNeeded: number)), on: cell.style.background))
        hasNeighbour = true
      }
    }
  }
}
