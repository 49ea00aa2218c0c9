// SPDX-License-Identifier: GPL-3.0-or-later

/// A value between two ends, with a sign at the middle.
public struct Slider: Sendable {
  /// 0...1.
  public var value: Double
  public var isFocused: Bool

  public init(value: Double, isFocused: Bool) {
    self.value = value
    self.isFocused = isFocused
  }

  /// Draws it in the first row of a rectangle.
  public func draw(on surface: inout Surface, in rect: Rect) {
    surface.fill(rect, with: "─", style: Style(.empty))
    let last = max(rect.size.columns - 1, 0)
    func place(_ value: Double) -> Rect {
      let column = Int((min(max(value, 0), 1) * Double(last)).rounded())
      return Rect(
        column: rect.origin.column + column, row: rect.origin.row, columns: 1, rows: 1)
    }
    surface.fill(place(0.5), with: "┼", style: Style(.border))
    surface.fill(
      place(value), with: "●", style: isFocused ? Style(.accent).bold : Style(.title))
  }
}
