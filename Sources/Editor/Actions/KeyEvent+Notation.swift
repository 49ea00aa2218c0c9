// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// Keys as they are written in `config.toml` and shown on the screen: `x`, `ctrl-s`, `alt-left`,
/// `space`, `f1`.
extension KeyEvent {
  /// Reads what ``notation`` writes, in either case of the names; nil for anything else.
  public init?(notation: String) {
    var rest = notation[...]
    var modifiers: Modifiers = []
    while let (name, modifier) = Self.prefixes.first(where: {
      rest.count > $0.0.count && rest.lowercased().hasPrefix($0.0)
    }) {
      guard !modifiers.contains(modifier) else { return nil }
      modifiers.insert(modifier)
      rest = rest.dropFirst(name.count)
    }
    if rest.count == 1, let character = rest.first {
      guard character != " ", !character.isNewline else { return nil }
      self.init(.character(character), modifiers)
      return
    }
    let name = rest.lowercased()
    if let key = Self.names.first(where: { $0.1 == name })?.0 {
      self.init(key, modifiers)
    } else if name.first == "f", let number = Int(name.dropFirst()), (1...35).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  public var notation: String {
    let prefix = Self.prefixes.filter { modifiers.contains($0.1) }.map(\.0).joined()
    switch key {
    case .function(let number): return prefix + "f\(number)"
    case .character(let character) where character != " ": return prefix + String(character)
    default: return prefix + (Self.names.first { $0.0 == key }?.1 ?? "?")
    }
  }

  /// Whether it writes something where text is entered.
  var isTyping: Bool { typed != nil }

  private static let prefixes: [(String, Modifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  private static let names: [(Key, String)] = [
    (.character(" "), "space"), (.enter, "enter"), (.tab, "tab"), (.backspace, "backspace"),
    (.escape, "esc"), (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
    (.home, "home"), (.end, "end"), (.pageUp, "pageup"), (.pageDown, "pagedown"),
    (.insert, "insert"), (.delete, "delete"),
  ]
}
