// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// What keeps the recording from being complete, and what is worth a look; each leads to its place.
public struct CompletionPanel: Sendable {
  struct Item: Hashable {
    let segment: SegmentID
    let index: Int
    let blocks: Bool
    let text: String
  }

  let items: [Item]
  var cursor = ListCursor()

  init(_ state: State) {
    let document = state.document
    var items: [Item] = []
    for segment in document.segments where !segment.isConfirmed {
      let text =
        segment.assignment.map { "not confirmed: \($0)" } ?? "neither assigned nor marked unused"
      items.append(Item(segment: segment.id, index: segment.index, blocks: true, text: text))
    }
    for finding in document.validate() where finding.severity == .worthALook {
      items.append(
        Item(
          segment: finding.segment, index: finding.index, blocks: false,
          text: finding.description))
    }
    self.items = items
  }

  var blockers: [Item] { items.filter(\.blocks) }

  var obstacle: String? { items.isEmpty ? "Nothing is left to do" : nil }
}

extension CompletionPanel: PanelModel {
  var context: Context { .completion }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, items.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: items.count) { return [] }
    switch action {
    case .panelAccept:
      guard items.indices.contains(cursor.index) else { return [] }
      return [.close, .select(items[cursor.index].segment, playing: true)]
    case .panelCancel: return [.close]
    default: return []
    }
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let list = frame.inset(columns: 2, rows: 1)
    let isChosen = cursor.point(mouse, in: list, count: items.count)
    return isChosen ? perform(.panelAccept, state) : []
  }
}
