// SPDX-License-Identifier: GPL-3.0-or-later

/// Words of the Quran in lines, as they are read, the one that is heard lit.
public struct WordLines: Sendable {
  /// How the word that is heard looks.
  public static let heard = Style(.playhead).bold

  private let width: Int
  private let ordersArabic: Bool
  private var rows: [[StyledText.Span]] = [[]]
  private var used = 0

  /// Keeps what follows in the line on its own side.
  private static let leftToRight: TerminalText = "\u{200E}"

  /// - Parameter ordersArabic: whether letters are joined and ordered here, for a terminal that does neither.
  public init(width: Int, ordersArabic: Bool) {
    self.width = max(width, 1)
    self.ordersArabic = ordersArabic
  }

  /// - Parameter heard: the word to light, counted from 0.
  public mutating func add(_ words: [String], heard: Int?, style: Style = .plain) {
    for (index, word) in words.enumerated() {
      // A terminal that orders Arabic does so by the whole line, which is marked at its end.
      let seen =
        (ordersArabic
        ? TerminalText(outside: word, ordersArabic: true) : TerminalText(word)).truncated(to: width)
      if used > 0, used + 1 + seen.width > width {
        rows.append([])
        used = 0
      }
      used += seen.width + (used > 0 ? 1 : 0)
      rows[rows.count - 1].append(StyledText.Span(seen, index == heard ? Self.heard : style))
    }
  }

  public var lines: [StyledText] {
    rows.filter { !$0.isEmpty }.map { line in
      // For a terminal that orders nothing the first word stands at the right.
      let ordered = ordersArabic ? line.reversed() : line
      var styled = StyledText()
      for (index, span) in ordered.enumerated() {
        if index > 0 { styled.append(" ") }
        let isMarked = !ordersArabic && index + 1 == line.count
        styled.append(isMarked ? span.text + Self.leftToRight : span.text, span.style)
      }
      guard ordersArabic else { return styled }
      let indent = String(repeating: " ", count: max(width - styled.width, 0))
      return StyledText(TerminalText(indent)) + styled
    }
  }

  /// So many of the lines, among them the one with the word that is heard.
  public func lines(showing count: Int) -> ArraySlice<StyledText> {
    let lines = lines
    let heard = lines.firstIndex { $0.spans.contains { $0.style == Self.heard } } ?? 0
    let first = max(min(heard, lines.count - count), 0)
    return lines[first...].prefix(count)
  }
}
