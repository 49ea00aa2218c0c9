// SPDX-License-Identifier: GPL-3.0-or-later

/// The choice in a list that may be longer than its place.
public struct ListCursor: Hashable, Sendable {
  public private(set) var index = 0

  public static let page = 8

  public init(_ index: Int = 0) { self.index = max(index, 0) }

  public mutating func move(by steps: Int, count: Int) {
    index = min(max(index + steps, 0), max(count - 1, 0))
  }

  public mutating func clamp(count: Int) { move(by: 0, count: count) }

  /// The items shown in so many rows: the choice near the middle.
  public func window(count: Int, rows: Int) -> Range<Int> {
    let rows = max(rows, 0)
    let top = min(max(index - rows / 2, 0), max(count - rows, 0))
    return top..<min(top + rows, count)
  }

  /// The item that a click or a turn of the wheel on a list chooses, or its scroll bar leads to.
  /// - Returns: whether one was clicked.
  public mutating func point(_ mouse: MouseEvent, in rect: Rect, count: Int) -> Bool {
    guard rect.contains(mouse.position) else { return false }
    let bar = ListView(count: count).bar(in: rect)
    switch mouse.action {
    case .press(.left) where bar?.place.contains(mouse.position) == true, .drag(.left):
      if let (bar, place) = bar, place.contains(mouse.position) {
        index = bar.offset(to: mouse.position.row - place.origin.row) + rect.size.rows / 2
        clamp(count: count)
      }
    case .wheel(.up): move(by: -1, count: count)
    case .wheel(.down): move(by: 1, count: count)
    case .press(.left):
      let window = window(count: count, rows: rect.size.rows)
      let clicked = window.lowerBound + mouse.position.row - rect.origin.row
      guard window.contains(clicked) else { return false }
      index = clicked
      return true
    default: break
    }
    return false
  }
}
