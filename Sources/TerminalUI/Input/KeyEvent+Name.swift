// SPDX-License-Identifier: GPL-3.0-or-later

extension KeyEvent: CustomStringConvertible {
  /// As settings and help name it: `ctrl-s`, `alt-left`, `F5`, `space`, `G`, `-`.
  public var description: String { name }

  public var name: String {
    var name = ""
    if modifiers.contains(.control) { name += "ctrl-" }
    if modifiers.contains(.alt) { name += "alt-" }
    if modifiers.contains(.shift) { name += "shift-" }
    switch key {
    case .character(" "): name += "space"
    case .character(let character): name.append(character)
    case .function(let number): name += "F\(number)"
    default: name += Self.names.first { $0.key == key }?.name ?? ""
    }
    return name
  }

  /// Reads a name; nil for what names no key. Modifiers and named keys in any case, modifiers in any order.
  public init?(named name: String) {
    var rest = name[...]
    var modifiers: Modifiers = []
    while let dash = rest.dropFirst().firstIndex(of: "-"), rest.index(after: dash) < rest.endIndex {
      switch rest[..<dash].lowercased() {
      case "ctrl", "c": modifiers.insert(.control)
      case "alt", "a", "m": modifiers.insert(.alt)
      case "shift", "s": modifiers.insert(.shift)
      default: return nil
      }
      rest = rest[rest.index(after: dash)...]
    }
    guard let key = Self.key(rest) else { return nil }
    self.init(key, modifiers)
  }

  private static func key(_ name: Substring) -> Key? {
    if name.count == 1, let character = name.first { return .character(character) }
    let lower = name.lowercased()
    if lower == "space" { return .character(" ") }
    if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), 1...35 ~= number {
      return .function(number)
    }
    return names.first { $0.name == lower || $0.others.contains(lower) }?.key
  }

  private static let names: [(key: Key, name: String, others: [String])] = [
    (.enter, "enter", ["return", "ret"]), (.tab, "tab", []), (.backspace, "backspace", []),
    (.escape, "esc", ["escape"]), (.up, "up", []), (.down, "down", []), (.left, "left", []),
    (.right, "right", []), (.home, "home", []), (.end, "end", []),
    (.pageUp, "pageup", ["pgup"]), (.pageDown, "pagedown", ["pgdn", "pgdown"]),
    (.insert, "insert", ["ins"]), (.delete, "delete", ["del"]),
  ]
}
