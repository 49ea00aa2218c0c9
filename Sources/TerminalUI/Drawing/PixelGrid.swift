// SPDX-License-Identifier: GPL-3.0-or-later

/// Pixels of a picture: red, green and blue, 8 bits each, row by row from the top left.
public struct PixelGrid: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// `3 x width x height` bytes.
  public let bytes: [UInt8]

  /// Traps unless the bytes are as many as the size asks for.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width >= 0 && height >= 0 && bytes.count == 3 * width * height)
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  func color(column: Int, row: Int) -> Color {
    let start = 3 * (row * width + column)
    return .rgb(bytes[start], bytes[start + 1], bytes[start + 2])
  }
}

extension Surface {
  /// Pixels that a cell shows as blocks: two, one above the other, or one where there are no blocks.
  public static func pixelsPerCell(hasBlocks: Bool) -> (columns: Int, rows: Int) {
    (1, hasBlocks ? 2 : 1)
  }

  /// Draws a picture in coloured cells, in the middle of a rectangle, with as many pixels to a cell as
  /// ``pixelsPerCell(hasBlocks:)`` says; cut where it is larger.
  public mutating func draw(_ pixels: PixelGrid, in rect: Rect, hasBlocks: Bool = true) {
    let perCell = Self.pixelsPerCell(hasBlocks: hasBlocks).rows
    let rows = (pixels.height + perCell - 1) / perCell
    let area = rect.centred(Size(columns: pixels.width, rows: rows))
    let upperHalf = Glyph("\u{2580}")
    for row in 0..<area.size.rows {
      for column in 0..<area.size.columns {
        let upper = pixels.color(column: column, row: perCell * row)
        let point = Point(column: area.origin.column + column, row: area.origin.row + row)
        if perCell == 1 {
          put(.space, at: point, style: Style(.standard, on: upper))
        } else {
          let hasLower = 2 * row + 1 < pixels.height
          let lower = hasLower ? pixels.color(column: column, row: 2 * row + 1) : .standard
          // A space takes fewer bytes, and joins its neighbours.
          put(
            upper == lower ? .space : upperHalf, at: point,
            style: upper == lower ? Style(.standard, on: upper) : Style(upper, on: lower))
        }
      }
    }
  }
}
