// SPDX-License-Identifier: GPL-3.0-or-later

/// One line that a person types.
public struct TextField: Hashable, Sendable {
  public private(set) var text: String
  /// Characters before the cursor.
  public private(set) var cursor: Int

  /// Characters at most; more are not taken in.
  public static let longest = 1000

  public init(_ text: String = "") {
    self.text = String(text.prefix(Self.longest))
    cursor = self.text.count
  }

  /// Puts text in at the cursor; line breaks become spaces.
  public mutating func insert(_ string: String) {
    let room = Self.longest - text.count
    let oneLine = string.map { $0.isNewline ? " " : $0 }.prefix(max(0, room))
    let place = index(cursor)
    let after = text.distance(from: place, to: text.endIndex)
    text.insert(contentsOf: oneLine, at: place)
    // A mark joins the letter before it, so the cursor is counted from the end.
    cursor = max(0, text.count - after)
  }

  public mutating func clear() { self = TextField() }

  /// Does what a key means in a field; false when it means nothing here.
  ///
  /// Besides the arrows, Home, End, Backspace and Delete: the keys of readline Ctrl-A, -B, -D, -E,
  /// -F, -K, -U, -W, Alt-B, Alt-D, Alt-F, and Ctrl or Alt with an arrow for words.
  public mutating func handle(_ event: KeyEvent) -> Bool {
    if let character = event.typed {
      insert(String(character))
      return true
    }
    let byWord = !event.modifiers.isDisjoint(with: [.control, .alt])
    switch event.key {
    case .left: cursor = byWord ? wordStart : max(0, cursor - 1)
    case .right: cursor = byWord ? wordEnd : min(text.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = text.count
    case .backspace: remove(byWord ? wordStart..<cursor : max(0, cursor - 1)..<cursor)
    case .delete: remove(cursor..<(byWord ? wordEnd : min(text.count, cursor + 1)))
    case .character(let character): return handle(character, event.modifiers)
    default: return false
    }
    return true
  }

  private mutating func handle(_ character: Character, _ modifiers: Modifiers) -> Bool {
    switch (character, modifiers) {
    case ("a", .control): cursor = 0
    case ("e", .control): cursor = text.count
    case ("b", .control): cursor = max(0, cursor - 1)
    case ("f", .control): cursor = min(text.count, cursor + 1)
    case ("d", .control): remove(cursor..<min(text.count, cursor + 1))
    case ("k", .control): remove(cursor..<text.count)
    case ("u", .control): remove(0..<cursor)
    case ("w", .control): remove(wordStart..<cursor)
    case ("b", .alt): cursor = wordStart
    case ("f", .alt): cursor = wordEnd
    case ("d", .alt): remove(cursor..<wordEnd)
    default: return false
    }
    return true
  }

  /// Draws it in the first row of a rectangle, scrolled so that the cursor is seen.
  public func draw(
    on surface: inout Surface, in rect: Rect, placeholder: TerminalText = .empty,
    style: Style = .plain, showsCursor: Bool = true
  ) {
    guard !rect.isEmpty else { return }
    let before = TerminalText(String(text.prefix(cursor)))
    surface.within(rect) { surface in
      surface.fill(
        Rect(column: 0, row: 0, columns: surface.size.columns, rows: 1), with: " ", style: style)
      let shift = max(0, before.width - surface.size.columns + 1)
      if text.isEmpty {
        let grey = Style(.role(.empty), on: style.background)
        surface.write(placeholder, at: .zero, style: grey)
      } else {
        surface.write(TerminalText(text), at: Point(column: -shift, row: 0), style: style)
      }
      if showsCursor { surface.cursor = Point(column: before.width - shift, row: 0) }
    }
  }

  private func index(_ offset: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: offset)
  }

  private mutating func remove(_ range: Range<Int>) {
    let after = text.count - range.upperBound
    text.removeSubrange(index(range.lowerBound)..<index(range.upperBound))
    cursor = max(0, text.count - after)
  }

  private var wordStart: Int {
    let characters = Array(text)
    var place = cursor
    while place > 0, !characters[place - 1].isPartOfWord { place -= 1 }
    while place > 0, characters[place - 1].isPartOfWord { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    let characters = Array(text)
    var place = cursor
    while place < characters.count, !characters[place].isPartOfWord { place += 1 }
    while place < characters.count, characters[place].isPartOfWord { place += 1 }
    return place
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
