// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// What is odd in the recording, and what keeps it from being complete; each leads to its place.
public struct CompletionPanel: Sendable {
  struct Item: Hashable {
    let segment: SegmentID
    let index: Int
    let blocks: Bool
    let text: String
  }

  let items: [Item]
  var cursor: ListCursor

  init(_ state: State) {
    let document = state.document
    var items: [Item] = []
    for finding in document.validate() {
      guard let text = finding.text(in: document) else { continue }
      items.append(
        Item(segment: finding.segment, index: finding.index, blocks: false, text: text))
    }
    for segment in document.segments where !segment.isConfirmed {
      let text =
        segment.assignment.map { "not confirmed: \($0)" } ?? "neither assigned nor marked unused"
      items.append(Item(segment: segment.id, index: segment.index, blocks: true, text: text))
    }
    self.items = items
    // What is odd comes first; where nothing is, what is left to confirm from here on.
    let here = state.selectedSegment.index
    let isOdd = items.first?.blocks == false
    cursor = ListCursor(isOdd ? 0 : items.firstIndex { $0.index >= here } ?? 0)
  }

  var blockers: [Item] { items.filter(\.blocks) }

  func obstacle(to action: Action, _ state: State) -> String? {
    switch action {
    case .panelAccept: items.isEmpty ? "Nothing is left to do" : nil
    case .publishUnconfirmed:
      state.obstacleToEditing
        ?? (state.document.segments.contains {
          !$0.isConfirmed && $0.assignment?.isRecitation == true
        }
          ? nil : "No unconfirmed segment has an ayah")
    default: nil
    }
  }
}

extension Finding {
  /// For people; nil for what is no news in a list of what is odd: that a segment is unassigned.
  func text(in document: AnnotationDocument) -> String? {
    guard let segment = document.segment(segment) else { return nil }
    let name = segment.assignment.map { "\($0)" } ?? "segment \(index + 1)"
    switch kind {
    case .unassigned: return nil
    case .repeated(let ayah, let first):
      guard let first = document.index(of: first) else { return nil }
      let standing = segment.isConfirmed ? ", confirmed here," : ""
      return "\(ayah)\(standing) is also in segment \(first + 1)"
    case .short(let factor), .long(let factor):
      let share =
        factor < 0.01
        ? "less than 0.01" : Clock.decimal(factor, places: factor < 1 ? 2 : factor < 10 ? 1 : 0)
      return "\(name) is \(share) times as long as expected at this pace"
    case .outOfOrder, .missing, .incomplete: return description
    }
  }
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
    case .publishUnconfirmed:
      return [
        .close, .emit(.publish(includingUnconfirmed: true)),
        .notify(Notice(.done, "Publishing...")),
      ]
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
