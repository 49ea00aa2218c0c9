// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// Six sliders and a preamplifier; what they say is heard at once.
public struct EqualiserPanel: Sendable {
  var equaliser: Equaliser
  /// 0 is the preamplifier, then the bands.
  var cursor = ListCursor()

  init(_ equaliser: Equaliser) { self.equaliser = equaliser }

  static let rows = 1 + Equaliser.frequencies.count

  /// dB that a row gives.
  func decibels(_ row: Int) -> Double {
    row == 0
      ? (equaliser.preamp * 2 - 1) * Equaliser.preampRange
      : (equaliser.bands[row - 1] * 2 - 1) * Equaliser.bandRange
  }

  func slider(_ row: Int) -> Double { row == 0 ? equaliser.preamp : equaliser.bands[row - 1] }

  private mutating func set(_ row: Int, _ value: Double) {
    let value = min(max(value, 0), 1)
    if row == 0 { equaliser.preamp = value } else { equaliser.bands[row - 1] = value }
    equaliser.isOn = true
  }
}

extension EqualiserPanel: PanelModel {
  var context: Context { .equaliser }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, Self.rows)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: Self.rows) { return [] }
    switch action {
    case .panelLess, .panelMore:
      let range = cursor.index == 0 ? Equaliser.preampRange : Equaliser.bandRange
      let decibels = decibels(cursor.index).rounded() + (action == .panelMore ? 1 : -1)
      set(cursor.index, (decibels / range + 1) / 2)
    case .equaliserToggle: equaliser.isOn.toggle()
    case .equaliserReset:
      let isOn = equaliser.isOn
      equaliser = Equaliser()
      equaliser.isOn = isOn
    case .panelAccept, .panelCancel: return [.close]
    default: return []
    }
    return heard(state)
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let layout = EqualiserLayout(frame)
    let row = mouse.position.row - layout.sliders.origin.row
    guard (0..<Self.rows).contains(row) else { return [] }
    switch mouse.action {
    case .wheel(let direction):
      cursor = ListCursor(row)
      return perform(direction == .up || direction == .right ? .panelMore : .panelLess, state)
    case .press(.left), .drag(.left):
      cursor = ListCursor(row)
      let column = mouse.position.column - layout.sliders.origin.column
      guard layout.sliders.size.columns > 1, column >= -1 else { return [] }
      set(row, Double(column) / Double(layout.sliders.size.columns - 1))
      return heard(state)
    default: return []
    }
  }

  private func heard(_ state: State) -> [PanelRequest] {
    var settings = state.settings
    settings.equaliser = equaliser
    return [.change(settings), .emit(.play(.setEqualiser(equaliser)))]
  }
}

/// Where the sliders lie.
struct EqualiserLayout {
  let labels: Rect
  let sliders: Rect
  let values: Rect

  init(_ frame: Rect) {
    var rest = frame.inset(columns: 2, rows: 1)
    labels = rest.takeLeft(12)
    values = rest.takeRight(12)
    sliders = rest.inset(columns: 1, rows: 0)
  }
}
