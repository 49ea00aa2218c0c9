// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// What the latest alignment said of itself, and the note on the selected segment, in full.
public struct RemarksPanel: Sendable {
  var cursor = ListCursor()

  init() {}
}

extension RemarksPanel: PanelModel {
  var context: Context { .remarks }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, Screen(state).remarkLines(width: Self.width(state)).count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: choice(state)?.count ?? 0) { return [] }
    return [.panelAccept, .panelCancel].contains(action) ? [.close] : []
  }

  /// The key that opened it closes it too.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    state.keymap.action(for: key, in: .normal) == .openRemarks ? [.close] : []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    _ = cursor.point(
      mouse, in: frame.inset(columns: 2, rows: 1), count: choice(state)?.count ?? 0)
    return []
  }

  /// Columns of its text.
  static func width(_ state: State) -> Int {
    state.layout.smallPanel.size.columns - 5
  }
}
