// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// The edits in order; choosing a place among them goes there.
public struct HistoryPanel: Sendable {
  /// How many edits are in force at the place chosen.
  var cursor: ListCursor

  init(_ state: State) { cursor = ListCursor(state.annotation.history.undoable.count) }

  /// One more than there are edits: the first is before any.
  static func count(_ state: State) -> Int {
    state.annotation.history.undoable.count + state.annotation.history.redoable.count + 1
  }

  /// The edit that leads to a place; nil for the beginning.
  static func entry(_ index: Int, _ state: State) -> History.Entry? {
    let history = state.annotation.history
    guard index > 0 else { return nil }
    let done = history.undoable.count
    if index <= done { return history.undoable[index - 1] }
    let ahead = history.redoable.count - (index - done)
    return history.redoable.indices.contains(ahead) ? history.redoable[ahead] : nil
  }
}

extension HistoryPanel: PanelModel {
  var context: Context { .history }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, Self.count(state))
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: Self.count(state)) { return [] }
    switch action {
    case .panelAccept:
      if let obstacle = state.obstacleToEditing {
        return [.notify(Notice(.warning, obstacle))]
      }
      return [.close, .goBack(state.annotation.history.undoable.count - cursor.index)]
    case .panelCancel: return [.close]
    default: return []
    }
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let list = frame.inset(columns: 2, rows: 1)
    let isChosen = cursor.point(mouse, in: list, count: Self.count(state))
    return isChosen ? perform(.panelAccept, state) : []
  }
}
