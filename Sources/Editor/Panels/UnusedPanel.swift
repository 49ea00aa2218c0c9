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
    guard state.keymap.action(for: key, in: .normal) == .segmentUnused else {
      return [.notify(Notice(.hint, "No reason has the key \(key.name)"))]
    }
    return mark(UnusedReason.allCases[cursor.index], state)
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let reasons = UnusedReason.allCases
    let layout = UnusedLayout(frame)
    switch mouse.action {
    case .press(.left):
      guard let index = reasons.indices.first(where: { layout[$0].contains(mouse.position) })
      else { return [] }
      cursor = ListCursor(index)
      return mark(reasons[index], state)
    case .wheel(let direction):
      cursor.move(by: direction == .up ? -1 : 1, count: reasons.count)
      return []
    default: return []
    }
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

/// Where the reasons lie: one below the other, and the rest beside them where the panel is too low.
struct UnusedLayout {
  private let inside: Rect
  private let rows: Int
  private let width: Int

  init(_ frame: Rect) {
    inside = frame.inset(columns: 2, rows: 1)
    let count = UnusedReason.allCases.count
    let columns = (count + max(inside.size.rows, 1) - 1) / max(inside.size.rows, 1)
    rows = (count + columns - 1) / columns
    width = inside.size.columns / columns
  }

  /// The place of a reason by its number.
  subscript(index: Int) -> Rect {
    Rect(
      column: inside.origin.column + index / rows * width, row: inside.origin.row + index % rows,
      columns: width, rows: 1)
  }
}
