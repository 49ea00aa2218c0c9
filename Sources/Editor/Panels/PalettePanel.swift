// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// Finds a command by a part of its name or of what it does.
public struct PalettePanel: Sendable {
  var text = TextField()
  var cursor = ListCursor()

  init() {}

  /// The commands that fit what is typed, the best first.
  var matches: [Action] {
    Action.matching(
      text.text,
      among: Action.allCases.filter { $0.contexts.contains(.normal) && $0 != .openPalette })
  }

  var chosen: Action? {
    let matches = self.matches
    return matches.indices.contains(cursor.index) ? matches[cursor.index] : nil
  }

  func obstacle(_ state: State) -> String? {
    guard let chosen else { return "No such command" }
    var behind = state
    behind.panel = nil
    return behind.obstacle(to: chosen)
  }
}

extension PalettePanel: PanelModel {
  var context: Context { .palette }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, matches.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: matches.count) { return [] }
    switch action {
    case .panelAccept: return chosen.map { [.close, .perform($0)] } ?? []
    case .panelCancel: return [.close]
    default: return []
    }
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    if key.key == .tab {
      if let chosen { text = TextField(chosen.rawValue) }
      cursor = ListCursor()
    } else if key.key == .backspace, text.text.isEmpty {
      return [.close]
    } else {
      let before = text.text
      _ = text.handle(key)
      if text.text != before { cursor = ListCursor() }
    }
    return []
  }

  mutating func paste(_ pasted: String, _ state: State) -> [PanelRequest] {
    text.insert(pasted)
    cursor = ListCursor()
    return []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let isChosen = cursor.point(mouse, in: PanelLayout(frame).list, count: matches.count)
    return isChosen ? perform(.panelAccept, state) : []
  }
}
