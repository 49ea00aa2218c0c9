// SPDX-License-Identifier: GPL-3.0-or-later

/// A table of text in columns as wide as their content.
public struct TextTable: Sendable {
  public struct Column: Sendable {
    public var title: TerminalText
    public var alignment: TerminalText.Alignment
    /// Whether the column gives way when the table is wider than the terminal.
    public var isFlexible: Bool

    public init(
      _ title: TerminalText, alignment: TerminalText.Alignment = .left, isFlexible: Bool = false
    ) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible
    }
  }

  public var columns: [Column]

  /// One array per row, one cell per column; missing cells are empty, surplus ones are not shown.
  public var rows: [[TerminalText]]

  public init(columns: [Column], rows: [[TerminalText]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The header and the rows, without newlines or trailing spaces.
  ///
  /// Columns stand two spaces apart. Where that is wider than `width`, the flexible columns are
  /// truncated in the middle, the widest first, down to ``narrowestFlexibleColumn``; if even that is
  /// not enough, lines are cut at `width`. No width means no limit, as for a pipe.
  public func lines(fitting width: Int? = nil) -> [TerminalText] {
    let widths = columnWidths(fitting: width)
    return ([columns.map(\.title)] + rows).map { cells in
      let line = self.line(cells, widths: widths)
      return width.map { line.truncated(to: $0) } ?? line
    }
  }

  /// Columns below which a flexible column is not shortened.
  public static let narrowestFlexibleColumn = 8

  private static let gap = 2

  private func columnWidths(fitting limit: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.width) { widest, row in
        index < row.count ? max(widest, row[index].width) : widest
      }
    }
    guard let limit else { return widths }
    var surplus = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - limit
    while surplus > 0 {
      let candidates = columns.indices.filter {
        columns[$0].isFlexible && widths[$0] > Self.narrowestFlexibleColumn
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      surplus -= 1
    }
    return widths
  }

  private func line(_ cells: [TerminalText], widths: [Int]) -> TerminalText {
    var line = TerminalText.empty
    var owed = 0  // spaces that are written only if something follows
    for (index, column) in columns.enumerated() {
      let cell = index < cells.count ? cells[index] : .empty
      let text = cell.truncated(to: widths[index], omitting: .middle)
      let slack = widths[index] - text.width
      if text.width > 0 {
        line += TerminalText(spaces: owed + (column.alignment == .right ? slack : 0)) + text
        owed = column.alignment == .right ? 0 : slack
      } else {
        owed += widths[index]
      }
      owed += Self.gap
    }
    return line
  }
}
