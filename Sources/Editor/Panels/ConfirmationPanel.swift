// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran
import TerminalUI

/// Confirms several segments at once, and says first how many and how many of them are probably wrong.
public struct ConfirmationPanel: Sendable {
  typealias Scope = BulkConfirmation.Scope

  var cursor = ListCursor()
  /// How sure a segment has to be at least.
  private(set) var percent: Int
  /// Whether a digit that is typed begins another number.
  private var isFresh = true

  static let percents = 0...100

  init(_ state: State) { percent = state.settings.sureEnough }

  var scope: Scope { Scope.allCases[cursor.index] }

  func obstacle(_ state: State) -> String? {
    guard state.confirmable(scope, percent: percent).segments.isEmpty else { return nil }
    return switch scope {
    case .sure: "No unconfirmed segment is that sure"
    case .upToHere: "Nothing up to here is left to confirm"
    case .unused: "No part of prayer is left to confirm"
    case .visible: "No whole segment in view is left to confirm"
    case .span:
      state.selection.span == nil
        ? "No span of time is selected" : "No whole segment in the span is left to confirm"
    }
  }
}

extension ConfirmationPanel: PanelModel {
  var context: Context { .confirmation }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, Scope.allCases.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    isFresh = true
    if cursor.take(action, count: Scope.allCases.count) { return [] }
    switch action {
    case .panelLess: change(to: percent - 1)
    case .panelMore: change(to: percent + 1)
    case .panelAccept:
      let confirmed = state.confirmable(scope, percent: percent).segments
      var settings = state.settings
      settings.sureEnough = percent
      let undo = state.keymap.hint(for: .undo, in: .normal).map { "; \($0) undoes that" } ?? ""
      return [
        .edit(.confirmAll(confirmed)), .change(settings), .close,
        .notify(Notice(.done, "Confirmed \(counted(confirmed.count, "segment"))\(undo)")),
      ]
    case .panelCancel: return [.close]
    default: break
    }
    return []
  }

  /// Digits are the percentage; one that would make it more than all is left out.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    if let digit = key.typed?.decimalDigit {
      let longer = percent * 10 + digit
      if isFresh {
        change(to: digit)
      } else if longer <= Self.percents.upperBound {
        change(to: longer)
      }
    } else if key.key == .backspace {
      change(to: percent / 10)
    } else {
      return []
    }
    isFresh = false
    return []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    _ = cursor.point(
      mouse, in: frame.inset(columns: 2, rows: 1), count: Scope.allCases.count)
    return []
  }

  private mutating func change(to percent: Int) {
    cursor = ListCursor()
    self.percent = min(max(percent, Self.percents.lowerBound), Self.percents.upperBound)
  }
}
