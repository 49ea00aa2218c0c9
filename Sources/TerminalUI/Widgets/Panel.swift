// SPDX-License-Identifier: GPL-3.0-or-later

extension Surface {
  public enum LineKind: Sendable {
    case light, rounded, heavy, double

    /// Horizontal, vertical, and the corners from the top left clockwise.
    fileprivate var glyphs: [Glyph] {
      let scalars: [Unicode.Scalar] =
        switch self {
        case .light: ["─", "│", "┌", "┐", "┘", "└"]
        case .rounded: ["─", "│", "╭", "╮", "╯", "╰"]
        case .heavy: ["━", "┃", "┏", "┓", "┛", "┗"]
        case .double: ["═", "║", "╔", "╗", "╝", "╚"]
        }
      return scalars.map { Glyph($0) }
    }
  }

  /// Draws the rim of a rectangle; what lies inside stays.
  public mutating func drawBox(_ rect: Rect, style: Style, lines: LineKind = .light) {
    guard rect.size.columns >= 2, rect.size.rows >= 2 else { return }
    let glyphs = lines.glyphs
    let (left, right) = (rect.columns.lowerBound, rect.columns.upperBound - 1)
    let (top, bottom) = (rect.rows.lowerBound, rect.rows.upperBound - 1)
    for column in rect.columns {
      put(glyphs[0], at: Point(column: column, row: top), style: style)
      put(glyphs[0], at: Point(column: column, row: bottom), style: style)
    }
    for row in rect.rows {
      put(glyphs[1], at: Point(column: left, row: row), style: style)
      put(glyphs[1], at: Point(column: right, row: row), style: style)
    }
    put(glyphs[2], at: Point(column: left, row: top), style: style)
    put(glyphs[3], at: Point(column: right, row: top), style: style)
    put(glyphs[4], at: Point(column: right, row: bottom), style: style)
    put(glyphs[5], at: Point(column: left, row: bottom), style: style)
  }

  /// Draws a line over the whole width of a rectangle, in its first row.
  public mutating func drawHorizontalLine(
    in rect: Rect, style: Style, lines: LineKind = .light
  ) {
    guard !rect.isEmpty else { return }
    for column in rect.columns {
      put(lines.glyphs[0], at: Point(column: column, row: rect.origin.row), style: style)
    }
  }

  /// Draws a line over the whole height of a rectangle, in its first column.
  public mutating func drawVerticalLine(in rect: Rect, style: Style, lines: LineKind = .light) {
    guard !rect.isEmpty else { return }
    for row in rect.rows {
      put(lines.glyphs[1], at: Point(column: rect.origin.column, row: row), style: style)
    }
  }
}

/// A box with a title in its upper rim, cleared inside, and a note in its lower one.
public struct Panel: Sendable {
  public var title: TerminalText
  public var note: TerminalText
  public var isFocused: Bool
  public var lines: Surface.LineKind

  public init(
    title: TerminalText = .empty, note: TerminalText = .empty, isFocused: Bool = false,
    lines: Surface.LineKind = .rounded
  ) {
    self.title = title
    self.note = note
    self.isFocused = isFocused
    self.lines = lines
  }

  /// Draws it, and returns what is left inside.
  @discardableResult
  public func draw(on surface: inout Surface, in rect: Rect) -> Rect {
    let style = Style(isFocused ? .focusedBorder : .border)
    surface.fill(rect)
    surface.drawBox(rect, style: style, lines: lines)
    let titleStyle = isFocused ? Style(.focusedBorder).bold : Style(.title)
    Self.label(title, row: rect.origin.row, style: titleStyle, in: rect, on: &surface)
    Self.draw(note: note, on: &surface, in: rect)
    return rect.inset(columns: 1, rows: 1)
  }

  /// Writes a note into the lower rim of a box, or, where it has no room there, over the last rows inside.
  public static func draw(note: TerminalText, on surface: inout Surface, in rect: Rect) {
    guard note.width > rect.size.columns - 6 else {
      label(note, row: rect.rows.upperBound - 1, style: Style(.dim), in: rect, on: &surface)
      return
    }
    let place = cover(of: note, in: rect)
    surface.fill(place)
    for (row, line) in zip(place.rows, lines(of: note, in: rect)) {
      surface.write(
        line, at: Point(column: place.origin.column + 1, row: row), style: Style(.dim))
    }
  }

  /// The last rows inside of a box over which its note is written; empty where it fits into the rim.
  public static func cover(of note: TerminalText, in rect: Rect) -> Rect {
    guard note.width > rect.size.columns - 6 else { return .zero }
    var inside = rect.inset(columns: 1, rows: 1)
    return inside.takeBottom(lines(of: note, in: rect).count)
  }

  private static func lines(of note: TerminalText, in rect: Rect) -> [TerminalText] {
    let inside = rect.inset(columns: 2, rows: 1)
    return Array(
      Paragraph.lines(of: note.string, width: inside.size.columns).prefix(inside.size.rows))
  }

  private static func label(
    _ text: TerminalText, row: Int, style: Style, in rect: Rect, on surface: inout Surface
  ) {
    let room = rect.size.columns - 6
    guard text.width > 0, room > 0, rect.size.rows >= 2 else { return }
    let label = " " + text.truncated(to: room) + " "
    surface.write(label, at: Point(column: rect.origin.column + 2, row: row), style: style)
  }
}
