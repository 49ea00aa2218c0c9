// SPDX-License-Identifier: GPL-3.0-or-later

/// A line of text in several styles.
public struct StyledText: Hashable, Sendable {
  public struct Span: Hashable, Sendable {
    public var text: TerminalText
    public var style: Style

    public init(_ text: TerminalText, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  public var spans: [Span]

  public init(_ spans: [Span] = []) { self.spans = spans }

  public init(_ text: TerminalText, _ style: Style = .plain) { self.init([Span(text, style)]) }

  public var width: Int { spans.reduce(0) { $0 + $1.text.width } }

  public mutating func append(_ text: TerminalText, _ style: Style = .plain) {
    spans.append(Span(text, style))
  }

  /// Appends a text and the spaces that fill a column, which a style would underline.
  public mutating func append(
    _ text: TerminalText, _ style: Style, paddedTo columns: Int,
    alignment: TerminalText.Alignment = .left
  ) {
    let padding = TerminalText(spaces: max(columns - text.width, 0))
    let plain = Style(.standard, on: style.background)
    if alignment == .right { append(padding, plain) }
    append(text, style)
    if alignment == .left { append(padding, plain) }
  }

  public static func + (left: StyledText, right: StyledText) -> StyledText {
    StyledText(left.spans + right.spans)
  }

  /// Shortens to at most `limit` columns, with `…` where something was left out at the end.
  public func truncated(to limit: Int) -> StyledText {
    guard width > limit else { return self }
    var result = StyledText()
    var room = limit
    for span in spans where room > 0 {
      // What is cut needs its `…` even when this span alone would fill the room exactly.
      let isLast = span.text.width >= room
      let text = isLast ? (span.text + "…").truncated(to: room) : span.text
      result.append(text, span.style)
      room -= text.width
      if isLast { break }
    }
    return result
  }
}

extension Surface {
  /// Writes a line to the right from a place, and returns the columns it takes, seen or not.
  @discardableResult
  public mutating func write(_ line: StyledText, at point: Point) -> Int {
    line.spans.reduce(0) { columns, span in
      let start = Point(column: point.column + columns, row: point.row)
      return columns + write(span.text, at: start, style: span.style)
    }
  }
}
