// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// Words of the Quran in lines, the one that is heard lit. It knows no editor: whoever plays says what is heard.
struct RecitedWords {
  private var words: [(text: TerminalText, style: Style)] = []
  /// Whether letters are joined and put in the order in which they are seen, for a terminal that does neither.
  private let ordersArabic: Bool

  static let heard = Style(.playhead).bold
  /// Keeps what follows in the line on its own side.
  private static let leftToRight: TerminalText = "\u{200E}"

  init(ordersArabic: Bool) { self.ordersArabic = ordersArabic }

  mutating func add(_ word: String, isHeard: Bool) {
    // A terminal that orders Arabic does so by the whole line, which is marked at its end.
    let text =
      ordersArabic ? outsideText(word, ordersArabic: true) : TerminalText(word)
    words.append((text, isHeard ? Self.heard : .plain))
  }

  /// The lines from the top, each as it is read.
  func lines(width: Int) -> [StyledText] {
    guard width > 0 else { return [] }
    var lines: [[StyledText.Span]] = [[]]
    var used = 0
    for word in words {
      let text = word.text.truncated(to: width)
      if used > 0, used + 1 + text.width > width {
        lines.append([])
        used = 0
      }
      used += text.width + (used > 0 ? 1 : 0)
      lines[lines.count - 1].append(StyledText.Span(text, word.style))
    }
    return lines.filter { !$0.isEmpty }.map { line(of: $0, width: width) }
  }

  private func line(of spans: [StyledText.Span], width: Int) -> StyledText {
    // For a terminal that orders nothing the first word stands at the right.
    let ordered = ordersArabic ? spans.reversed() : spans
    var line = StyledText()
    for (index, span) in ordered.enumerated() {
      if index > 0 { line.append(" ") }
      let isMarked = !ordersArabic && index + 1 == spans.count
      line.append(isMarked ? span.text + Self.leftToRight : span.text, span.style)
    }
    guard ordersArabic else { return line }
    let indent = String(repeating: " ", count: max(width - line.width, 0))
    return StyledText(TerminalText(indent)) + line
  }
}
