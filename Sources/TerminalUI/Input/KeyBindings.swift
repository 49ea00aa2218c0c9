// SPDX-License-Identifier: GPL-3.0-or-later

/// Which keys ask for which actions of a program.
public struct KeyBindings<Action: KeyAction>: Hashable, Sendable {
  public typealias Context = Action.Place

  private var keys: [Action: [KeyEvent]] = [:]
  private var actions: [Context: [KeyEvent: Action]] = [:]
  /// The names of the first keys, which every frame shows.
  private var hints: [Context: [Action: String]] = [:]
  /// What was wrong with the bindings asked for, for people; the others hold.
  public private(set) var problems: [Problem] = []

  public enum Problem: Hashable, Sendable, CustomStringConvertible {
    case unknownAction(String)
    case unreadableKey(String, for: Action)
    /// Both were bound to the key in the same place; the first has it.
    case conflict(String, Action, Action, in: Context)
    /// Letters are text wherever the action can be asked for.
    case typedAsText(String, Action)

    public var description: String {
      switch self {
      case .unknownAction(let name):
        "there is no action '\(name)'; the ? page lists all actions"
      case .unreadableKey(let key, let action):
        "'\(key)' for \(action.rawValue) is not a key;"
          + " write x, ctrl-x, alt-left, space, enter, f1 and so on"
      case .conflict(let key, let first, let second, let context):
        "\(key) is bound to \(first.rawValue) and to \(second.rawValue) in \(context.title);"
          + " \(first.rawValue) keeps it"
      case .typedAsText(let key, let action):
        "\(key) cannot be bound to \(action.rawValue), because letters are text there;"
          + " add ctrl- or alt-"
      }
    }
  }

  /// The usual keys.
  public static var usual: KeyBindings { KeyBindings() }

  /// The usual keys with other ones in the place of some actions'.
  ///
  /// Keys that a person binds go before usual ones: the usual key of another action gives way
  /// without a word, while two bindings asked for that meet are a conflict.
  /// - Parameter bindings: names of actions and the keys each is to have, none to have none.
  public init(rebinding bindings: [(action: String, keys: [String])] = []) {
    var wanted: [(action: Action, keys: [KeyEvent])] = []
    for (name, notations) in bindings {
      guard let action = Action(rawValue: name) else {
        problems.append(.unknownAction(name))
        continue
      }
      var keys: [KeyEvent] = []
      for notation in notations {
        guard let key = KeyEvent(named: notation) else {
          problems.append(.unreadableKey(notation, for: action))
          continue
        }
        if key.typed != nil, action.contexts.allSatisfy(\.takesText) {
          problems.append(.typedAsText(notation, action))
        } else {
          keys.append(key)
        }
      }
      wanted.append((action, keys))
    }
    for (action, keys) in wanted { bind(action, keys, reporting: true) }
    let rebound = Set(wanted.map(\.action))
    for row in Action.table where !rebound.contains(row.action) {
      bind(row.action, row.keys.compactMap(KeyEvent.init(named:)), reporting: false)
    }
    for action in keys.keys {
      for context in action.contexts {
        hints[context, default: [:]][action] = keys(for: action, in: context).first?.name
      }
    }
  }

  private mutating func bind(_ action: Action, _ keys: [KeyEvent], reporting: Bool) {
    for key in keys {
      var isBound = false
      for context in Context.allCases where action.contexts.contains(context) {
        if key.typed != nil, context.takesText { continue }
        if let other = actions[context]?[key] {
          if reporting, other != action {
            problems.append(.conflict(key.name, other, action, in: context))
          }
        } else {
          actions[context, default: [:]][key] = action
          isBound = true
        }
      }
      if isBound, self.keys[action]?.contains(key) != true {
        self.keys[action, default: []].append(key)
      }
    }
  }

  /// What a key asks for.
  public func action(for key: KeyEvent, in context: Context) -> Action? {
    actions[context]?[key]
  }

  /// The keys that ask for an action there, the usual one first.
  public func keys(for action: Action, in context: Context) -> [KeyEvent] {
    (keys[action] ?? []).filter { actions[context]?[$0] == action }
  }

  /// All its keys, wherever.
  public func keys(for action: Action) -> [KeyEvent] { keys[action] ?? [] }

  /// What the key is called that asks for an action there.
  public func hint(for action: Action, in context: Context) -> String? {
    hints[context]?[action]
  }
}

// MARK: Tables

extension KeyBindings {
  /// A table of all keys for the documentation, in Markdown, a heading for each place.
  public var markdown: String {
    var lines: [String] = []
    for (title, rows) in sections {
      if !lines.isEmpty { lines.append("") }
      lines += ["### \(title)", "", "| key | action | what it does |", "|---|---|---|"]
      lines += rows.map { row in
        let keys = row.keys.map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: " ")
        return "| \(keys) | `\(row.action.rawValue)` | \(row.action.summary) |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A heading and the actions under it, each with its keys.
  public typealias Section = (title: String, rows: [(action: Action, keys: [String])])

  /// The rows of the help page: what can be done outside of panels, then panel by panel.
  public var sections: [Section] {
    let actions = Action.allCases
    var sections: [Section] = []
    for action in actions.filter({ $0.contexts.contains(Context.main) })
      + actions.filter({ !$0.contexts.contains(Context.main) })
    {
      let row = (action: action, keys: keys(for: action).map(\.name))
      if let index = sections.firstIndex(where: { $0.title == action.group }) {
        sections[index].rows.append(row)
      } else {
        sections.append((action.group, [row]))
      }
    }
    return sections
  }
}
