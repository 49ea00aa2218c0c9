// SPDX-License-Identifier: GPL-3.0-or-later

/// The size that a picture is wanted in.
public struct PictureWish: Hashable, Sendable {
  /// Pixels.
  public let width: Int
  public let height: Int
  /// Width of a pixel through its height.
  public let pixelAspect: Double
  public let aspect: AspectMode
}

/// The cells that a picture has on the screen, and what it is drawn with.
public struct PictureRoom: Hashable, Sendable {
  public let rect: Rect
  /// Pixels of the picture in a cell where it is drawn in true pixels, and the width of one through its
  /// height; nil where it is drawn in blocks.
  private let cell: Cell?
  private let hasBlocks: Bool

  private struct Cell: Hashable {
    let columns: Int
    let rows: Int
    let aspect: Double
  }

  /// Pixels of a frame that is drawn in true pixels, at most: a terminal then takes many of them a second.
  private static let maxPixels = 640 * 360

  /// - Parameter pixels: the size of a cell where images in true pixels are drawn; nil elsewhere.
  public init(_ rect: Rect, pixels: CellPixels?, hasBlocks: Bool) {
    self.rect = rect
    self.hasBlocks = hasBlocks
    cell = pixels.map { cell in
      var (columns, rows) = (cell.width, cell.height)
      while columns * rect.size.columns * rows * rect.size.rows > Self.maxPixels, rows > 1 {
        rows -= 1
        columns = max((rows * cell.width + cell.height / 2) / cell.height, 1)
      }
      let aspect = Double(cell.width * rows) / Double(cell.height * columns)
      return Cell(columns: columns, rows: rows, aspect: aspect)
    }
  }

  /// The picture that fits here; nil where there is no room.
  public func wish(_ aspect: AspectMode) -> PictureWish? {
    guard !rect.isEmpty else { return nil }
    if let cell {
      return PictureWish(
        width: rect.size.columns * cell.columns, height: rect.size.rows * cell.rows,
        pixelAspect: cell.aspect, aspect: aspect)
    }
    let perCell = Surface.pixelsPerCell(hasBlocks: hasBlocks)
    // Cells are about twice as high as wide.
    return PictureWish(
      width: rect.size.columns * perCell.columns, height: rect.size.rows * perCell.rows,
      pixelAspect: Double(perCell.rows) / Double(2 * perCell.columns), aspect: aspect)
  }

  /// Draws the picture, or why there is none.
  ///
  /// - Parameter slot: which of the surface's images it is where it is drawn in true pixels.
  public func draw(_ picture: Picture, on surface: inout Surface, slot: Int) {
    guard !rect.isEmpty else { return }
    let note: String
    switch picture {
    case .shown(let pixels, let isCurrent):
      if let cell {
        let (image, size) = pixels.filling(cellsOf: (cell.columns, cell.rows), atMost: rect.size)
        surface.place(PixelImage(image), in: rect.centred(size), slot: slot)
      } else {
        surface.draw(pixels, in: rect, hasBlocks: hasBlocks)
      }
      // An older frame is marked, so that nobody takes it for what is heard.
      if !isCurrent { surface.write("...", at: rect.origin, style: Style(.dim)) }
      return
    case .waiting: note = "..."
    case .beforeStart: note = "The picture begins later"
    case .missing(let reason): note = reason
    }
    let lines = Paragraph.lines(of: note, width: rect.size.columns).prefix(rect.size.rows)
    let top = rect.origin.row + (rect.size.rows - lines.count) / 2
    for (row, line) in lines.enumerated() {
      let column = rect.origin.column + (rect.size.columns - line.width) / 2
      surface.write(line, at: Point(column: column, row: top + row), style: Style(.dim))
    }
  }
}

extension PixelGrid {
  /// As many whole cells as it takes, and the picture in the middle of them; what is left is black.
  func filling(
    cellsOf cell: (columns: Int, rows: Int), atMost most: Size
  ) -> (PixelGrid, Size) {
    let size = Size(
      columns: min((width + cell.columns - 1) / cell.columns, most.columns),
      rows: min((height + cell.rows - 1) / cell.rows, most.rows))
    let (wide, high) = (size.columns * cell.columns, size.rows * cell.rows)
    // One that was made for another room is squeezed into this one.
    guard wide >= width, high >= height, (wide, high) != (width, height) else {
      return (self, size)
    }
    let left = (wide - width) / 2
    let top = (high - height) / 2
    var padded = [UInt8](repeating: 0, count: 3 * wide * high)
    for row in 0..<height {
      let start = 3 * ((top + row) * wide + left)
      padded.replaceSubrange(
        start..<start + 3 * width, with: bytes[3 * row * width..<3 * (row + 1) * width])
    }
    return (PixelGrid(width: wide, height: high, bytes: padded), size)
  }
}
