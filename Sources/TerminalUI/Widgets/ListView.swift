// SPDX-License-Identifier: GPL-3.0-or-later

/// Rows of which some are seen, with a scroll bar where they are too many.
public struct ListView: Sendable {
  public var count: Int
  public var selected: Int?
  /// The first row that is seen.
  public var offset: Int
  /// Lines of the screen for each row, of which text takes the first.
  public var rowHeight: Int

  public init(count: Int, selected: Int? = nil, offset: Int = 0, rowHeight: Int = 1) {
    self.count = count
    self.selected = selected
    self.offset = offset
    self.rowHeight = max(rowHeight, 1)
  }

  /// Where to scroll to from `offset`, as little as possible, so that a row is seen with `margin`
  /// rows around it.
  public static func offset(
    _ offset: Int, showing row: Int, count: Int, height: Int, margin: Int = 2
  ) -> Int {
    guard height > 0 else { return 0 }
    let margin = min(margin, (height - 1) / 2)
    let latest = row - margin
    let earliest = row + margin - height + 1
    return min(max(min(max(offset, earliest), latest), 0), max(0, count - height))
  }

  /// Draws the rows in sight; `row` is asked for those only, and truncated to the width.
  public func draw(
    on surface: inout Surface, in rect: Rect, row: (Int) -> StyledText
  ) {
    var area = rect
    let inSight = rect.size.rows / rowHeight
    let bar = bar(in: rect)
    if bar != nil { _ = area.takeRight(1) }
    surface.within(area) { surface in
      surface.fill()
      for line in 0..<inSight {
        let index = offset + line
        guard index >= 0, index < count else { continue }
        let text = row(index).truncated(to: surface.size.columns)
        surface.write(text, at: Point(column: 0, row: line * rowHeight))
        if index == selected {
          let whole = Rect(
            column: 0, row: line * rowHeight, columns: surface.size.columns, rows: rowHeight)
          surface.restyle(whole) { $0.background = .role(.selection) }
        }
      }
    }
    if let (bar, place) = bar { draw(bar, on: &surface, in: place) }
  }

  /// The scroll bar in the last column of its place; nil where all rows are in sight.
  public func bar(in rect: Rect) -> (bar: ScrollBar, place: Rect)? {
    guard rect.size.columns > 1 else { return nil }
    var area = rect
    return ScrollBar(height: rect.size.rows, count: count, inSight: rect.size.rows / rowHeight)
      .map { ($0, area.takeRight(1)) }
  }

  private func draw(_ bar: ScrollBar, on surface: inout Surface, in rect: Rect) {
    let thumb = bar.thumb(at: offset)
    for (line, row) in rect.rows.enumerated() {
      let isThumb = thumb.contains(line)
      surface.put(
        Glyph(isThumb ? "█" : "│"), at: Point(column: rect.origin.column, row: row),
        style: Style(isThumb ? .border : .empty))
    }
  }
}
