// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes pieces of a surface, knowing where the terminal's cursor stands and which style is set.
struct Pen {
  var bytes: [UInt8] = []
  private let dialect: TerminalDialect
  private let size: Size
  /// nil when it is not known: at first, at the end of a row, after characters whose width is in doubt.
  private var position: Point?
  private var style = ResolvedStyle.plain

  init(dialect: TerminalDialect, size: Size) {
    self.dialect = dialect
    self.size = size
  }

  mutating func draw(_ piece: Piece, of surface: Surface, repertoire: Repertoire) {
    move(to: Point(column: piece.columns.lowerBound, row: piece.row))
    setStyle(piece.style)
    if piece.clearsLine {
      bytes += [0x1B, UInt8(ascii: "["), UInt8(ascii: "K")]
      return
    }
    let row = surface.row(piece.row)
    for column in piece.columns {
      let cell = row[row.startIndex + column]
      if cell.isContinuation { continue }
      if dialect.scrollsAtLastCell, piece.row == size.rows - 1,
        column + cell.width == size.columns
      {
        continue
      }
      if position == nil { move(to: Point(column: column, row: piece.row)) }
      write(cell, at: Point(column: column, row: piece.row), repertoire: repertoire)
    }
  }

  private mutating func write(_ cell: Cell, at point: Point, repertoire: Repertoire) {
    if let ascii = cell.glyph.ascii {
      bytes.append(ascii)
    } else {
      let glyph = cell.glyph.shown(in: repertoire)
      glyph.append(to: &bytes)
      // What stands for a wide character takes one column.
      if cell.width == 2, glyph.ascii != nil { bytes.append(UInt8(ascii: " ")) }
    }
    let next = point.column + cell.width
    position =
      next < size.columns && cell.glyph.hasCertainWidth ? Point(column: next, row: point.row) : nil
  }

  mutating func setStyle(_ new: ResolvedStyle) {
    guard let parameters = dialect.parameters(from: style, to: new) else {
      style = new
      return
    }
    bytes += [0x1B, UInt8(ascii: "[")]
    // A lone 0 may be left out.
    if parameters != [UInt8(ascii: "0")] { bytes += parameters }
    bytes.append(UInt8(ascii: "m"))
    style = new
  }

  /// Moves the cursor in as few bytes as possible.
  mutating func move(to target: Point) {
    if position == target { return }
    if let position, Self.relativeCount(position, target) < Self.absoluteCount(target) {
      moveVertically(from: position.row, to: target.row)
      moveHorizontally(from: position.column, to: target.column)
    } else {
      moveAbsolutely(to: target)
    }
    position = target
  }

  private mutating func moveAbsolutely(to target: Point) {
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    if target != .zero { append(target.row + 1) }
    if target.column > 0 {
      bytes.append(UInt8(ascii: ";"))
      append(target.column + 1)
    }
    bytes.append(UInt8(ascii: "H"))
  }

  private static func absoluteCount(_ target: Point) -> Int {
    3 + (target == .zero ? 0 : digits(target.row + 1))
      + (target.column > 0 ? 1 + digits(target.column + 1) : 0)
  }

  private mutating func moveVertically(from row: Int, to target: Int) {
    if target == row { return }
    // A line feed goes straight down, output not being processed.
    if target > row, target - row <= Self.fewSteps {
      for _ in row..<target { bytes.append(0x0A) }
    } else {
      step(abs(target - row), target > row ? UInt8(ascii: "B") : UInt8(ascii: "A"))
    }
  }

  private mutating func moveHorizontally(from column: Int, to target: Int) {
    if target == column { return }
    if target == 0 {
      bytes.append(0x0D)
    } else if target < column, column - target <= Self.fewSteps {
      for _ in target..<column { bytes.append(0x08) }
    } else {
      step(abs(target - column), target > column ? UInt8(ascii: "C") : UInt8(ascii: "D"))
    }
  }

  /// Steps that take no more bytes one by one than as a number.
  private static let fewSteps = 3

  private static func relativeCount(_ position: Point, _ target: Point) -> Int {
    let (rows, columns) = (target.row - position.row, target.column - position.column)
    let vertical = rows == 0 ? 0 : (1...fewSteps).contains(rows) ? rows : stepCount(abs(rows))
    if columns == 0 { return vertical }
    if target.column == 0 { return vertical + 1 }
    return vertical + ((1...fewSteps).contains(-columns) ? -columns : stepCount(abs(columns)))
  }

  private mutating func step(_ count: Int, _ letter: UInt8) {
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    if count > 1 { append(count) }
    bytes.append(letter)
  }

  private static func stepCount(_ count: Int) -> Int { 3 + (count > 1 ? digits(count) : 0) }

  private mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(0x30 + number % 10))
  }

  private static func digits(_ number: Int) -> Int { number < 10 ? 1 : 1 + digits(number / 10) }
}

extension Glyph {
  /// Whether terminals agree on the columns it takes.
  ///
  /// They do for the letters, lines and blocks that have been in Unicode for long; not for emoji,
  /// symbols that may be shown as such, scripts with marks that take space, and later additions.
  var hasCertainWidth: Bool {
    if ascii != nil || isLineOrBlock || base == KittyPlaceholder.scalar { return true }
    return scalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x00...0x06FF, 0x0750...0x077F, 0x2010...0x22FF, 0x2400...0x2426, 0x2500...0x25FC,
        0x2800...0x28FF,
        0x3000...0x3029, 0x3040...0x3096, 0x30A0...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xAC00...0xD7A3, 0xFB50...0xFDFF, 0xFE70...0xFEFE, 0xFF01...0xFF5E, 0x1FB00...0x1FB3B:
        true
      default: false
      }
    }
  }
}
