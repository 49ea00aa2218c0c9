// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// All keys, and what a newcomer asks first.
public struct HelpPanel: Sendable {
  var top = 0
  /// What it lies over, at most one.
  private var over: [Panel]

  init(over panel: Panel?) { over = panel.map { [$0] } ?? [] }

  /// What is read meanwhile is for the panel below.
  mutating func take(_ event: Event) {
    for index in over.indices { over[index].take(event) }
  }
}

extension HelpPanel: PanelModel {
  var context: Context { .help }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (top, last(state) + 1)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    switch action {
    case .panelUp: scroll(by: -1, state)
    case .panelDown: scroll(by: 1, state)
    case .panelPageUp: scroll(by: -rows(state), state)
    case .panelPageDown: scroll(by: rows(state), state)
    case .panelAccept, .panelCancel: return [over.first.map { .open($0) } ?? .close]
    default: break
    }
    return []
  }

  /// The keys that a person would try close it too.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    let closing = state.keymap.keys(for: .openHelp) + state.keymap.keys(for: .quit)
    return closing.contains(key) ? perform(.panelCancel, state) : []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    switch mouse.action {
    case .wheel(let direction):
      scroll(by: direction == .down || direction == .right ? 3 : -3, state)
    case .press(.left), .drag(.left):
      let list = frame.inset(columns: 2, rows: 1)
      if let (bar, place) = ListView(count: last(state) + rows(state)).bar(in: list),
        place.contains(mouse.position)
      {
        top = bar.offset(to: mouse.position.row - place.origin.row)
      }
    case .press, .drag, .release: break
    }
    return []
  }

  private func rows(_ state: State) -> Int {
    max(state.layout.largePanel.size.rows - 2, 1)
  }

  /// Columns of its text.
  static func width(_ state: State) -> Int {
    min(state.layout.largePanel.size.columns - 5, 100)
  }

  /// The line at the top when the page is scrolled to its end.
  private func last(_ state: State) -> Int {
    max(HelpText(state.keymap, width: Self.width(state)).lines.count - rows(state), 0)
  }

  private mutating func scroll(by lines: Int, _ state: State) {
    top = min(max(top + lines, 0), last(state))
  }
}

/// The lines of the help page.
struct HelpText {
  enum Line: Hashable {
    case heading(String)
    case text(String)
    case key(String, action: String, summary: String)
    case blank
  }

  let lines: [Line]

  /// - Parameter width: columns that a line of text may take.
  init(_ keymap: Keymap, width: Int) {
    func key(_ action: Action) -> String {
      keymap.hint(for: action, in: .normal) ?? ":\(action.rawValue)"
    }
    func text(_ text: String) -> [Line] {
      Paragraph.lines(of: text, width: width).map { .text($0.string) }
    }
    var lines: [Line] = [.heading("The first five minutes")]
    lines += text(
      "A marker is a boundary; a segment lies between two markers. Each segment gets an ayah, or a"
        + " reason why it is not used. Every edit is saved at once.")
    lines.append(.blank)
    for step in [
      "1. \(key(.openAlignment)) finds each ayah, if you say which one comes first; "
        + "\(key(.openDetection)) finds boundaries alone. All are suggestions (◇).",
      "2. Where you know better, \(key(.segmentAssign)) says what a segment is, such as 2:1.",
      "3. \(key(.segmentCommit)) confirms the segment (◆), goes on and plays the next.",
      "4. \(key(.reviewLeastSure)) plays the least sure boundary, \(key(.reviewConfirmNext)) confirms it and plays the"
        + " next; \(key(.openConfirmation)) confirms the segments that are left.",
      "5. \(key(.markerEarlier10)) \(key(.markerLater10)) move a marker; "
        + "\(key(.markerDelete)) deletes it; \(key(.markerAdd)) adds one where you hear it.",
      "6. \(key(.segmentUnused)) marks takbir, ruku and so on as unused.",
      "7. \(key(.save)) publishes confirmed segments and lists the work left.",
      "\(key(.undo)) undoes any number of edits. \(key(.openPalette)) finds any command.",
      "Mouse: click adds a marker, drag moves it (Alt: without snapping), a long press asks to delete it,"
        + " the wheel scrolls and with Ctrl zooms, a click on a segment assigns it.",
    ] { lines += text(step) }
    lines += [.blank, .heading("The list")]
    lines += text(
      "x0.80 is the length of the segment divided by the usual length of its words in this recording."
        + " 62% is the probability that the suggestion is right: its start or content, whichever is less"
        + " sure. ◆ is confirmed, ◇ suggested, ? less sure than 60%.")
    for (title, rows) in keymap.sections {
      lines += [.blank, .heading(title)]
      lines += rows.map {
        .key(
          $0.keys.joined(separator: "  "), action: $0.action.rawValue,
          summary: $0.action.summary)
      }
    }
    self.lines = lines
  }
}
