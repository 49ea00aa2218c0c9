// SPDX-License-Identifier: GPL-3.0-or-later

/// What has the keys in a program.
public protocol KeyContext: Hashable, Sendable, CaseIterable {
  /// What has them when no panel is open.
  static var main: Self { get }
  /// Whether letters are text there, and no keys of actions.
  var takesText: Bool { get }
  /// For people.
  var title: String { get }
}

/// Everything that a program can be told to do by a key, its palette or its footer; named as in
/// `config.toml`.
public protocol KeyAction: Hashable, Sendable, CaseIterable, RawRepresentable<String>
where AllCases == [Self] {
  associatedtype Place: KeyContext

  static var table: [KeyRow<Self>] { get }
  /// Its row of the table, looked up quickly.
  var row: KeyRow<Self>? { get }
  /// The heading that it stands under on the help page.
  var group: String { get }
}

/// What the keymap, the help page, the palette, the footer and the table of the documentation know of an
/// action.
public struct KeyRow<Action: KeyAction>: Sendable {
  public let action: Action
  /// One sentence's end, after "to".
  public let summary: String
  /// A word or two for the footer.
  public let label: String
  public let contexts: Set<Action.Place>
  /// Named as ``KeyEvent/name`` names them; the first is the one shown.
  public let keys: [String]

  public init(
    _ action: Action, _ keys: [String], _ label: String, _ summary: String,
    in contexts: Set<Action.Place> = [.main]
  ) {
    self.action = action
    self.summary = summary
    self.label = label
    self.contexts = contexts
    self.keys = keys
  }
}

extension KeyAction {
  /// What it does, after "to".
  public var summary: String { row?.summary ?? "" }

  /// A word or two.
  public var label: String { row?.label ?? rawValue }

  /// Where it can be asked for.
  public var contexts: Set<Place> { row?.contexts ?? [] }

  /// The commands that fit what is typed, the best first; all while nothing is.
  public static func matching(_ typed: String, among commands: [Self]) -> [Self] {
    let words = typed.lowercased().split(separator: " ").map(String.init)
    if words.isEmpty { return commands }
    let ranked = commands.enumerated().compactMap { order, action -> (Int, Int, Self)? in
      var rank = 0
      for word in words {
        guard let fit = action.fit(word) else { return nil }
        rank += fit
      }
      return (rank, order, action)
    }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// How well a word fits, 0 the best; nil if not.
  private func fit(_ word: String) -> Int? {
    let name = rawValue
    if name.hasPrefix(word) { return 0 }
    let parts = name.split { $0 == "." || $0 == "_" } + label.lowercased().split(separator: " ")
    if parts.contains(where: { $0.hasPrefix(word) }) { return 1 }
    if summary.lowercased().split(separator: " ").contains(where: { $0.hasPrefix(word) }) {
      return 2
    }
    if name.contains(word) { return 3 }
    var rest = name[...]
    for character in word {
      guard let place = rest.firstIndex(of: character) else { return nil }
      rest = rest[rest.index(after: place)...]
    }
    return 4
  }
}
