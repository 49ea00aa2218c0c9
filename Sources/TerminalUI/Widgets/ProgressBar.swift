// SPDX-License-Identifier: GPL-3.0-or-later

/// A bar that fills from the left, to an eighth of a column.
public struct ProgressBar: Sendable {
  /// 0...1; values outside are taken as the nearest, NaN as 0.
  public var fraction: Double
  public var style: Style

  public init(fraction: Double, style: Style = Style(.accent)) {
    self.fraction = fraction
    self.style = style
  }

  /// Draws it in the first row of a rectangle.
  public func draw(on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty else { return }
    let known = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let eighths = Int(known * Double(rect.size.columns * 8))
    for column in 0..<rect.size.columns {
      let filled = min(max(eighths - column * 8, 0), 8)
      let point = Point(column: rect.origin.column + column, row: rect.origin.row)
      if filled == 0 {
        surface.put(Glyph("─"), at: point, style: Style(.empty))
      } else {
        surface.put(Self.glyphs[filled - 1], at: point, style: style)
      }
    }
  }

  private static let glyphs = "▏▎▍▌▋▊▉█".unicodeScalars.map { Glyph($0) }
}
