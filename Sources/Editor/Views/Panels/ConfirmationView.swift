// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

extension Screen {
  func draw(_ panel: ConfirmationPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Confirm several", on: &surface, in: frame)
    let scopes = ConfirmationPanel.Scope.allCases
    let list = frame.inset(columns: 2, rows: 1)
    drawList(panel.cursor, count: scopes.count, on: &surface, in: list) { row in
      let confirmation = state.confirmable(scopes[row], percent: panel.percent)
      let isEmpty = confirmation.segments.isEmpty
      var line = StyledText(
        " " + TerminalText(title(scopes[row], panel)).padded(to: 20),
        isEmpty ? Style(.dim) : .plain)
      let rest = TerminalText(confirmation.leftOut > 0 ? ", \(confirmation.rest)" : "")
      let room = list.size.columns - line.width - rest.width
      let summaries = confirmation.summaries.map { TerminalText($0) }
      let summary = summaries.first { $0.width <= room } ?? summaries.last ?? .empty
      line.append(summary, Style(isEmpty ? .dim : .confirmed))
      line.append(rest, Style(.warning))
      return line
    }
  }

  /// Why nothing can be confirmed, or some are left out.
  func note(of panel: ConfirmationPanel) -> String? {
    let confirmation = state.confirmable(panel.scope, percent: panel.percent)
    return panel.obstacle(state)
      ?? (confirmation.leftOut > 0
        ? "Left out: flagged segments, and those beside them up to an open edge" : nil)
  }

  private func title(_ scope: ConfirmationPanel.Scope, _ panel: ConfirmationPanel) -> String {
    switch scope {
    case .sure: "at least \(panel.percent) % sure"
    case .upToHere: "up to here"
    case .unused: "parts of prayer"
    case .visible: "all in view"
    case .span: "the selected span"
    }
  }
}

extension BulkConfirmation {
  /// For people: how many, and how many are probably wrong; in fewer words each.
  var summaries: [String] {
    if segments.isEmpty { return ["nothing"] }
    let wrong = "\(estimated(expectedWrong))"
    let count = counted(segments.count, "segment")
    return [
      "\(count), \(wrong) expected wrong", "\(count), \(wrong) wrong",
      "\(segments.count), \(wrong) wrong",
    ]
  }

  /// For people: what is left out.
  var rest: String {
    startsAfterFlag ? "after the flag" : "\(leftOut) left out"
  }
}
