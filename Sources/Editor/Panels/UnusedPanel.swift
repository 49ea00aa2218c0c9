// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// Asks why nothing in a segment is recited; a letter for each reason.
public struct UnusedPanel: Sendable {
  let segment: SegmentID
  var cursor: ListCursor

  init(_ segment: SegmentID, last: UnusedReason) {
    self.segment = segment
    cursor = ListCursor(UnusedReason.allCases.firstIndex(of: last) ?? 0)
  }
}

extension UnusedPanel: PanelModel {
  var context: Context { .unused }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, UnusedReason.allCases.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    let reasons = UnusedReason.allCases
    if cursor.take(action, count: reasons.count) { return [] }
    switch action {
    case .panelAccept: return mark(reasons[cursor.index], state)
    case .panelCancel: return [.close]
    default: return action.unusedReason.map { mark($0, state) } ?? []
    }
  }

  /// The key that opened the panel, pressed again, takes the reason chosen last.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    guard state.keymap.action(for: key, in: .normal) == .segmentUnused else { return [] }
    return mark(UnusedReason.allCases[cursor.index], state)
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let reasons = UnusedReason.allCases
    let list = frame.inset(columns: 2, rows: 1)
    guard cursor.point(mouse, in: list, count: reasons.count) else { return [] }
    return mark(reasons[cursor.index], state)
  }

  private func mark(_ reason: UnusedReason, _ state: State) -> [PanelRequest] {
    var settings = state.settings
    settings.lastUnusedReason = reason
    return [
      .edit(.markUnused(segment, reason, confirming: true)), .close, .change(settings),
      .goOn(from: segment),
    ]
  }
}
