// SPDX-License-Identifier: GPL-3.0-or-later

/// Something for the person to know now, gone with the next key.
public struct Notice: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case hint, done, warning, failure }

  public let kind: Kind
  /// Not safe to print as it is.
  public let text: String
  /// Whether it says why nothing is heard, and is old once something is.
  public let isOfPause: Bool

  public init(_ kind: Kind, _ text: String, isOfPause: Bool = false) {
    self.kind = kind
    self.text = text
    self.isOfPause = isOfPause
  }

  /// By its kind.
  public var style: Style {
    switch kind {
    case .hint: Style(.accent)
    case .done: Style(.success)
    case .warning: Style(.warning)
    case .failure: Style(.error).bold
    }
  }

  /// The rows that it takes on a screen of so many columns.
  public func rowCount(columns: Int, ordersArabic: Bool) -> Int {
    lines(columns: columns, ordersArabic: ordersArabic).count
  }

  private func lines(columns: Int, ordersArabic: Bool) -> [TerminalText] {
    let width = columns - 2
    let whole = TerminalText(outside: text, ordersArabic: ordersArabic)
    return whole.width <= width
      ? [whole]
      : Paragraph.lines(of: text, width: width).suffix(Self.mostLines).map {
        TerminalText(outside: $0.string, ordersArabic: ordersArabic)
      }
  }

  /// Draws it in a row; one that is longer is said in full, over what stands above.
  public func draw(on surface: inout Surface, in row: Rect, ordersArabic: Bool) {
    let width = row.size.columns - 2
    let lines = lines(columns: row.size.columns, ordersArabic: ordersArabic)
    let place = Rect(
      column: row.origin.column, row: row.origin.row + 1 - lines.count, columns: row.size.columns,
      rows: lines.count)
    surface.fill(place)
    surface.within(place) { surface in
      for (row, line) in lines.enumerated() {
        surface.write(line.truncated(to: width), at: Point(column: 1, row: row), style: style)
      }
    }
  }

  private static let mostLines = 5
}
