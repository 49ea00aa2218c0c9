// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension Screen {
  /// Draws what lies over the segments.
  func draw(_ panel: Panel, on surface: inout Surface, in frame: Rect) {
    switch panel {
    case .start(let panel): draw(panel, on: &surface, in: frame)
    case .assignment(let panel): draw(panel, on: &surface, in: frame)
    case .fill(let panel): draw(panel, on: &surface, in: frame)
    case .detection(let panel): draw(panel, on: &surface, in: frame)
    case .places(let panel): draw(panel, on: &surface, in: frame)
    case .find(let panel): draw(panel, on: &surface, in: frame)
    case .note(let panel): draw(panel, on: &surface, in: frame)
    case .unused(let panel): draw(panel, on: &surface, in: frame)
    case .confirmation(let panel): draw(panel, on: &surface, in: frame)
    case .deletion(let panel): draw(panel, on: &surface, in: frame)
    case .history(let panel): draw(panel, on: &surface, in: frame)
    case .completion(let panel): draw(panel, on: &surface, in: frame)
    case .equaliser(let panel): draw(panel, on: &surface, in: frame)
    case .palette(let panel): draw(panel, on: &surface, in: frame)
    case .remarks(let panel): draw(panel, on: &surface, in: frame)
    case .help(let panel): draw(panel, on: &surface, in: frame)
    }
    TerminalUI.Panel.draw(note: note(of: panel), on: &surface, in: frame)
  }

  /// Why a panel may not be accepted yet, and the like: in its lower rim, or over what was drawn in it.
  func note(of panel: Panel) -> TerminalText {
    let note: String? =
      switch panel {
      case .start(let panel): self.note(of: panel)
      case .assignment(let panel): self.note(of: panel)
      case .fill(let panel): panel.obstacle(state) ?? ending(of: panel)
      // A fault may be longer than the rim.
      case .detection(let panel): panel.fault == nil ? panel.obstacle : nil
      case .places(let panel):
        panel.fault == nil ? panel.report.map { panel.obstacle ?? "From \($0.source)" } : nil
      case .find(let panel): panel.obstacle(state)
      case .confirmation(let panel): self.note(of: panel)
      case .history:
        state.annotation.hasEarlierHistory ? nil : "Still reading the earlier edits"
      case .completion(let panel): panel.obstacle(to: .panelAccept, state) ?? cutFinding(of: panel)
      case .palette(let panel): panel.obstacle(state)
      case .note, .unused, .deletion, .equaliser, .remarks, .help: nil
      }
    return TerminalText(note ?? "")
  }

  /// The box of a panel.
  func drawBox(_ title: TerminalText, on surface: inout Surface, in frame: Rect) {
    TerminalUI.Panel(title: title, isFocused: true).draw(on: &surface, in: frame)
  }

  /// A list of which the choice is in sight.
  func drawList(
    _ cursor: ListCursor, count: Int, on surface: inout Surface, in rect: Rect,
    row: (Int) -> StyledText
  ) {
    let window = cursor.window(count: count, rows: rect.size.rows)
    ListView(count: count, selected: count > 0 ? cursor.index : nil, offset: window.lowerBound)
      .draw(on: &surface, in: rect, row: row)
  }

  /// A label and a field that is being written in.
  func drawField(
    _ label: TerminalText, _ field: TextField, isFocused: Bool, placeholder: TerminalText = .empty,
    width: Int, on surface: inout Surface, in rect: Rect
  ) {
    surface.within(rect) { surface in
      surface.write(label, at: .zero, style: Style(isFocused ? .accent : .dim))
      let column = label.width + 1
      let place = Rect(
        column: column, row: 0, columns: min(width, surface.size.columns - column), rows: 1)
      field.draw(
        on: &surface, in: place, placeholder: placeholder,
        style: isFocused ? Style(.standard, on: .role(.cursorLine)) : .plain,
        showsCursor: isFocused)
    }
  }
}
