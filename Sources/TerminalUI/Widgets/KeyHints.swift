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
      var room = surface.size.columns
      if let last {
        let line = Self.line(last)
        room -= line.width
        surface.write(line, at: Point(column: room, row: 0))
      }
      var column = 0
      for hint in hints {
        let line = Self.line(hint)
        if column + line.width > room { break }
        surface.write(line, at: Point(column: column, row: 0))
        column += line.width
      }
    }
  }

  private static func line(_ hint: Hint) -> StyledText {
    let bar = Style(.standard, on: .role(.bar))
    return StyledText([
      .init(" ", bar), .init(hint.key, Style(.key, on: .bar)), .init(" " + hint.meaning + " ", bar),
    ])
  }
}
