// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys that work now, as many as fit, the first ones first.
public struct KeyHints: Sendable {
  public struct Hint: Hashable, Sendable {
    public var key: TerminalText
    public var meaning: TerminalText

    public init(_ key: TerminalText, _ meaning: TerminalText) {
      self.key = key
      self.meaning = meaning
    }
  }

  public var hints: [Hint]
  /// Always shown, at the right end: how to see all of them.
  public var last: Hint?

  public init(_ hints: [Hint], last: Hint? = nil) {
    self.hints = hints
    self.last = last
  }

  /// Draws them in the first row of a rectangle.
  public func draw(on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty else { return }
    surface.within(rect) { surface in
      let row = Rect(column: 0, row: 0, columns: surface.size.columns, rows: 1)
      surface.fill(row, with: " ", style: Style(.standard, on: .role(.bar)))
      for (hint, columns) in shown(in: surface.size.columns) {
        surface.write(Self.line(hint), at: Point(column: columns.lowerBound, row: 0))
      }
    }
  }

  /// The one that is drawn at a column of so many; nil where there is none.
  public func hint(at column: Int, of width: Int) -> Hint? {
    shown(in: width).first { $0.columns.contains(column) }?.hint
  }

  /// Those that there is room for, and their columns.
  private func shown(in width: Int) -> [(hint: Hint, columns: Range<Int>)] {
    var room = width
    var shown: [(hint: Hint, columns: Range<Int>)] = []
    if let last {
      room -= Self.line(last).width
      shown.append((last, room..<width))
    }
    var column = 0
    for hint in hints {
      let end = column + Self.line(hint).width
      if end > room { break }
      shown.append((hint, column..<end))
      column = end
    }
    return shown
  }

  private static func line(_ hint: Hint) -> StyledText {
    let bar = Style(.standard, on: .role(.bar))
    return StyledText([
      .init(" ", bar), .init(hint.key, Style(.key, on: .bar)), .init(" " + hint.meaning + " ", bar),
    ])
  }
}
