// SPDX-License-Identifier: GPL-3.0-or-later

/// A place in a grid of cells: columns to the right, rows downwards, both from 0.
public struct Point: Hashable, Sendable {
  public var column: Int
  public var row: Int

  public static let zero = Point(column: 0, row: 0)

  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// An extent in cells; never negative.
public struct Size: Hashable, Sendable {
  public let columns: Int
  public let rows: Int

  public static let zero = Size(columns: 0, rows: 0)

  /// Takes negative numbers as 0.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  public var isEmpty: Bool { columns == 0 || rows == 0 }
}

extension Size: CustomStringConvertible {
  public var description: String { "\(columns)x\(rows)" }
}

/// A rectangle of cells; half-open on the right and at the bottom.
public struct Rect: Hashable, Sendable {
  public var origin: Point
  public var size: Size

  public static let zero = Rect(column: 0, row: 0, columns: 0, rows: 0)

  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Takes negative numbers of columns or rows as 0.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(origin: Point(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  public var columns: Range<Int> { origin.column..<origin.column + size.columns }
  public var rows: Range<Int> { origin.row..<origin.row + size.rows }
  public var isEmpty: Bool { size.isEmpty }

  public func contains(_ point: Point) -> Bool {
    columns.contains(point.column) && rows.contains(point.row)
  }

  /// What both cover; empty where they do not meet.
  public func intersection(_ other: Rect) -> Rect {
    let columns = self.columns.clamped(to: other.columns)
    let rows = self.rows.clamped(to: other.rows)
    return Rect(
      column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
  }

  /// Without a rim of as many cells; empty when nothing is left.
  public func inset(columns: Int, rows: Int) -> Rect {
    Rect(
      column: origin.column + columns, row: origin.row + rows,
      columns: size.columns - 2 * columns, rows: size.rows - 2 * rows)
  }
}

// MARK: - Layout

extension Rect {
  /// Cuts rows off the top, at most all of them, and returns them.
  public mutating func takeTop(_ count: Int) -> Rect {
    let count = min(max(0, count), size.rows)
    let taken = Rect(origin: origin, size: Size(columns: size.columns, rows: count))
    origin.row += count
    size = Size(columns: size.columns, rows: size.rows - count)
    return taken
  }

  /// Cuts rows off the bottom, at most all of them, and returns them.
  public mutating func takeBottom(_ count: Int) -> Rect {
    let count = min(max(0, count), size.rows)
    size = Size(columns: size.columns, rows: size.rows - count)
    return Rect(
      column: origin.column, row: origin.row + size.rows, columns: size.columns, rows: count)
  }

  /// Cuts columns off the left, at most all of them, and returns them.
  public mutating func takeLeft(_ count: Int) -> Rect {
    let count = min(max(0, count), size.columns)
    let taken = Rect(origin: origin, size: Size(columns: count, rows: size.rows))
    origin.column += count
    size = Size(columns: size.columns - count, rows: size.rows)
    return taken
  }

  /// Cuts columns off the right, at most all of them, and returns them.
  public mutating func takeRight(_ count: Int) -> Rect {
    let count = min(max(0, count), size.columns)
    size = Size(columns: size.columns - count, rows: size.rows)
    return Rect(
      column: origin.column + size.columns, row: origin.row, columns: count, rows: size.rows)
  }

  /// A rectangle of `size` in the middle of this one, made smaller where it does not fit.
  public func centred(_ size: Size) -> Rect {
    let columns = min(size.columns, self.size.columns)
    let rows = min(size.rows, self.size.rows)
    return Rect(
      column: origin.column + (self.size.columns - columns) / 2,
      row: origin.row + (self.size.rows - rows) / 2, columns: columns, rows: rows)
  }
}
