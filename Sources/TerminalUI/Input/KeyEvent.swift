// SPDX-License-Identifier: GPL-3.0-or-later

/// A key as a terminal tells of it.
public struct KeyEvent: Hashable, Sendable {
  public enum Key: Hashable, Sendable {
    /// What the key writes; capitals are characters of their own, not `shift`.
    case character(Character)
    case enter, tab, backspace, escape
    case up, down, left, right
    case home, end, pageUp, pageDown
    case insert, delete
    /// F1...F35.
    case function(Int)
  }

  public var key: Key
  public var modifiers: Modifiers

  public init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  public init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  /// The character, when the key alone was pressed and writes one.
  public var typed: Character? {
    if case .character(let character) = key, modifiers.isEmpty { character } else { nil }
  }

  /// Whether it is one of F1 to F35, which nobody types.
  public var isFunction: Bool {
    if case .function = key { true } else { false }
  }
}

/// Keys held down meanwhile.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Only with keys that write nothing, with Alt or Ctrl where the terminal tells, and with the mouse.
  public static let shift = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let control = Modifiers(rawValue: 4)
}
