// SPDX-License-Identifier: GPL-3.0-or-later

/// A grid of cells to draw on, and where the terminal's cursor stands.
///
/// Everything drawn is clipped. Inside ``within(_:_:)`` the surface is that rectangle: coordinates
/// start at its corner and nothing outside it is touched. A wide character that is cut in half, by a
/// clip or by something drawn over it, leaves a space in its other column, so that what follows in
/// the row stays where it is.
public struct Surface: Hashable, Sendable {
  /// Row by row from the top left; the whole grid, whatever the present rectangle.
  public private(set) var cells: [Cell]

  /// The whole grid's.
  public let fullSize: Size

  /// The images behind the cells, one for each slot.
  public private(set) var images: [PlacedImage] = []

  /// The present rectangle in the grid; may reach beyond it.
  private var frame: Rect
  /// The part of the grid that may be drawn on.
  private var clip: Rect
  private var absoluteCursor: Point?

  public init(size: Size, filledWith cell: Cell = .blank) {
    fullSize = size
    frame = Rect(origin: .zero, size: size)
    clip = frame
    cells = Array(repeating: cell, count: size.columns * size.rows)
  }

  /// Of the present rectangle.
  public var size: Size { frame.size }

  /// The present rectangle in its own coordinates.
  public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// Where the terminal shows its cursor; nil hides it. Outside the clip it is hidden too.
  public var cursor: Point? {
    get {
      absoluteCursor.map {
        Point(column: $0.column - frame.origin.column, row: $0.row - frame.origin.row)
      }
    }
    set {
      let point = newValue.map {
        Point(column: $0.column + frame.origin.column, row: $0.row + frame.origin.row)
      }
      absoluteCursor = point.flatMap { clip.contains($0) ? $0 : nil }
    }
  }

  /// Draws in a rectangle as if it were the whole surface.
  @discardableResult
  public mutating func within<Result>(
    _ rect: Rect, _ draw: (inout Surface) -> Result
  ) -> Result {
    let (outerFrame, outerClip) = (frame, clip)
    frame = absolute(rect)
    clip = outerClip.intersection(frame)
    defer { (frame, clip) = (outerFrame, outerClip) }
    return draw(&self)
  }

  /// The cell at a place; nil outside the present rectangle or the grid.
  public subscript(point: Point) -> Cell? {
    let place = absolute(point)
    guard clip.contains(place) else { return nil }
    return cells[place.row * fullSize.columns + place.column]
  }

  /// The cells of a row of the whole grid.
  public func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * fullSize.columns..<(row + 1) * fullSize.columns]
  }

  private func absolute(_ point: Point) -> Point {
    Point(column: point.column + frame.origin.column, row: point.row + frame.origin.row)
  }

  private func absolute(_ rect: Rect) -> Rect {
    Rect(origin: absolute(rect.origin), size: rect.size)
  }
}

// MARK: - Drawing

extension Surface {
  /// Fills a rectangle, the present one unless told another, with spaces.
  public mutating func fill(_ rect: Rect? = nil, style: Style = .plain) {
    fill(rect ?? bounds, with: .blank(style))
  }

  /// Fills a rectangle with a character of one column; a wide one or a control is taken as a space.
  public mutating func fill(_ rect: Rect, with scalar: Unicode.Scalar, style: Style) {
    fill(rect, with: Cell(scalar, style))
  }

  private mutating func fill(_ rect: Rect, with cell: Cell) {
    let area = absolute(rect).intersection(clip)
    guard !area.isEmpty else { return }
    for row in area.rows {
      let start = row * fullSize.columns
      detach(column: area.columns.lowerBound, rowStart: start)
      detachAfter(column: area.columns.upperBound - 1, rowStart: start)
      for index in start + area.columns.lowerBound..<start + area.columns.upperBound {
        cells[index] = cell
      }
    }
  }

  /// Puts cells of one column into a rectangle, by what is there; nil leaves that as it is.
  public mutating func replace(_ rect: Rect, _ replacement: (Cell, Point) -> Cell?) {
    let area = absolute(rect).intersection(clip)
    for row in area.rows {
      for column in area.columns {
        let point = Point(column: column - frame.origin.column, row: row - frame.origin.row)
        if let cell = replacement(cells[row * fullSize.columns + column], point) {
          put(cell, column: column, row: row)
        }
      }
    }
  }

  /// Puts a character of one column into some rows of a column, before what is behind it there unless the style has
  /// a background.
  mutating func put(_ glyph: Glyph, column: Int, rows: Range<Int>, style: Style) {
    let area = absolute(Rect(column: column, row: rows.lowerBound, columns: 1, rows: rows.count))
      .intersection(clip)
    guard !area.isEmpty else { return }
    var cell = Cell(glyph: glyph, width: 1, style: style)
    for row in area.rows {
      if style.background == .standard {
        let behind = cells[row * fullSize.columns + area.origin.column].style.background
        cell.style.background = behind
      }
      put(cell, column: area.origin.column, row: row)
    }
  }

  /// Puts a character of one column at a place: for charts and borders, which draw many.
  mutating func put(_ glyph: Glyph, at point: Point, style: Style) {
    let place = absolute(point)
    guard clip.contains(place) else { return }
    put(Cell(glyph: glyph, width: 1, style: style), column: place.column, row: place.row)
  }

  /// Writes text to the right from a place, and returns the columns it takes, seen or not.
  ///
  /// Marks belong to the letter before them; those before any letter are dropped. What only some
  /// terminals join or widen is dropped too: joiners between emoji, and the selector of emoji
  /// presentation.
  @discardableResult
  public mutating func write(
    _ text: TerminalText, at point: Point, style: Style = .plain
  ) -> Int {
    let start = absolute(point)
    guard clip.rows.contains(start.row) else { return text.width }
    var column = start.column
    // Other characters have more bytes than columns.
    if text.string.utf8.count == text.width {
      for byte in text.string.utf8 {
        if clip.columns.contains(column) {
          let cell = Cell(glyph: Glyph(ascii: byte), width: 1, style: style)
          put(cell, column: column, row: start.row)
        }
        column += 1
      }
      return text.width
    }
    for (glyph, width) in text.glyphs {
      if column >= clip.columns.upperBound { break }
      place(glyph, width: width, column: column, row: start.row, style: style)
      column += width
    }
    return text.width
  }

  private mutating func place(_ glyph: Glyph, width: Int, column: Int, row: Int, style: Style) {
    let visible = (column..<column + width).clamped(to: clip.columns)
    if visible.count == width {
      put(Cell(glyph: glyph, width: width, style: style), column: column, row: row)
    } else {
      for column in visible { put(.blank(style), column: column, row: row) }
    }
  }

  /// Puts an image into a rectangle, whose cells become blank; what is written there later lies over it.
  ///
  /// An image fills its rectangle whole: where that reaches beyond what may be drawn on, there is none.
  public mutating func place(_ image: PixelImage, in rect: Rect, slot: Int) {
    precondition(PlacedImage.slots.contains(slot))
    let area = absolute(rect)
    guard !area.isEmpty, !image.isEmpty, clip.intersection(area) == area else { return }
    fill(rect)
    images.removeAll { $0.slot == slot }
    images.append(PlacedImage(slot: slot, image: image, rect: area))
  }

  /// Changes the style of what is there; a wide character takes the one of its first cell.
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = absolute(rect).intersection(clip)
    for row in area.rows {
      let start = row * fullSize.columns
      for column in area.columns {
        let cell = cells[start + column]
        if cell.isContinuation { continue }
        change(&cells[start + column].style)
        if cell.width == 2 { cells[start + column + 1].style = cells[start + column].style }
      }
    }
  }

  /// Draws another surface with its corner at a place; its cursor is left behind.
  public mutating func draw(_ other: Surface, at point: Point) {
    let corner = absolute(point)
    let area = Rect(origin: corner, size: other.fullSize).intersection(clip)
    for row in area.rows {
      let source = other.row(row - corner.row)
      for column in area.columns {
        let cell = source[source.startIndex + column - corner.column]
        if cell.isContinuation {
          // The first cell of the clip may be the second half of a character.
          if column == area.columns.lowerBound {
            put(.blank(cell.style), column: column, row: row)
          }
        } else {
          place(cell.glyph, width: cell.width, column: column, row: row, style: cell.style)
        }
      }
    }
  }

  /// Takes the pictures' cells of a row from another surface of the same size, blank where that has none.
  mutating func keepPicture(of other: Surface, row: Int) {
    for index in row * fullSize.columns..<(row + 1) * fullSize.columns
    where cells[index].style.isOfPicture {
      cells[index] = other.cells[index].style.isOfPicture ? other.cells[index] : .blank
    }
  }

  /// Puts a cell into the grid, and its second half where it is wide. Both columns must be inside.
  private mutating func put(_ cell: Cell, column: Int, row: Int) {
    let start = row * fullSize.columns
    detach(column: column, rowStart: start)
    detachAfter(column: column + cell.width - 1, rowStart: start)
    cells[start + column] = cell
    if cell.width == 2 { cells[start + column + 1] = .continuation(cell.style) }
  }

  /// Before a cell is overwritten: blanks the first half of a wide character whose second it is.
  private mutating func detach(column: Int, rowStart: Int) {
    guard column > 0, cells[rowStart + column].isContinuation else { return }
    cells[rowStart + column - 1] = .blank(cells[rowStart + column - 1].style)
  }

  /// Before a cell is overwritten: blanks the second half of a wide character whose first it is.
  private mutating func detachAfter(column: Int, rowStart: Int) {
    guard column + 1 < fullSize.columns, cells[rowStart + column].width == 2 else { return }
    cells[rowStart + column + 1] = .blank(cells[rowStart + column].style)
  }
}

extension TerminalText {
  /// What goes into cells: bases with their marks, and the columns of each.
  var glyphs: [(Glyph, width: Int)] {
    var glyphs: [(Glyph, width: Int)] = []
    glyphs.reserveCapacity(width)
    for scalar in string.unicodeScalars {
      let width = scalar.terminalWidth
      if width > 0 {
        glyphs.append((Glyph(scalar), width))
      } else if let last = glyphs.indices.last {
        switch scalar.value {
        case 0xFE0F: continue
        case 0x200D where (glyphs[last].0.base?.value ?? 0) >= 0x2000: continue
        default: glyphs[last].0.append(scalar)
        }
      }
    }
    return glyphs
  }
}
