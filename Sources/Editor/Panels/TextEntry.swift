// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// A line of text that is being written, as it was typed; made safe where it is drawn.
public struct TextEntry: Hashable, Sendable {
  public private(set) var text: String
  /// Characters before the cursor.
  public private(set) var cursor: Int

  init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Longer than anything meant; a paste of a whole file stops here.
  static let capacity = 2000

  var isEmpty: Bool { text.isEmpty }
  var beforeCursor: String { String(text.prefix(cursor)) }

  mutating func insert(_ addition: String) {
    // What was inserted may join the character before it into one.
    let before = (text.prefix(cursor) + addition.prefix(max(Self.capacity - text.count, 0)))
    let after = text.dropFirst(cursor)
    cursor = before.count
    text = String(before) + after
    cursor = min(cursor, text.count)
  }

  /// Edits by a key; false for one that means nothing here.
  mutating func take(_ key: KeyEvent) -> Bool {
    switch (key.key, key.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.left, []): cursor = max(cursor - 1, 0)
    case (.right, []): cursor = min(cursor + 1, text.count)
    case (.home, []), (.character("a"), .control): cursor = 0
    case (.end, []), (.character("e"), .control): cursor = text.count
    case (.backspace, []):
      guard cursor > 0 else { return true }
      remove(cursor - 1..<cursor)
    case (.delete, []):
      guard cursor < text.count else { return true }
      remove(cursor..<cursor + 1)
    case (.character("u"), .control): remove(0..<cursor)
    case (.character("w"), .control), (.backspace, .alt):
      let kept = text.prefix(cursor).reversed().drop { $0 == " " }.drop { $0 != " " }
      remove(kept.count..<cursor)
    default: return false
    }
    return true
  }

  private mutating func remove(_ range: Range<Int>) {
    text = String(text.prefix(range.lowerBound)) + text.dropFirst(range.upperBound)
    cursor = min(range.lowerBound, text.count)
  }
}
