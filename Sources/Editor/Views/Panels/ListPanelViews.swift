// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Columns of a list of what a fill does.
private struct FillColumns {
  let number: Int
  let assignment: Int
  let length: Int
  let expected: Int

  static let wide = FillColumns(number: 5, assignment: 12, length: 7, expected: 6)
  static let narrow = FillColumns(number: 4, assignment: 8, length: 6, expected: 5)
}

// Panels that are a list, most of them with a field above.
extension Screen {
  func draw(_ panel: FillPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Fill", on: &surface, in: frame)
    let layout = PanelLayout(frame, hasOptions: true)
    drawField(
      "Assign ayat from here on, beginning with", panel.first,
      isFocused: panel.field == .first, placeholder: "2:1", width: 10, on: &surface,
      in: layout.field)
    drawField(
      "How many", panel.count, isFocused: panel.field == .count, placeholder: "all", width: 5,
      on: &surface, in: layout.options)
    let past = panel.passesConfirmed ? "past confirmed segments" : "up to a confirmed segment"
    surface.within(layout.options) { surface in
      surface.write(
        TerminalText(past), at: Point(column: 18, row: 0),
        style: panel.field == .passing ? Style(.accent, on: .cursorLine) : Style(.dim))
    }
    let rows = panel.rows(state)
    let filled = panel.filled(state)
    let facts = filled.map { DocumentFacts(of: $0) }
    let misfits = filled.map { FillPanel.misfits(in: $0) } ?? []
    // What is replaced matters more than the name and, where there is little room, than straight columns.
    let width = layout.list.size.columns
    let showsNames = width >= 84
    let showsTimes = width >= Self.widthWithTimes
    let columns = showsTimes ? FillColumns.wide : .narrow
    drawList(panel.cursor, count: rows.count, on: &surface, in: layout.list) { row in
      let segment = rows[row].segment
      var line = StyledText(
        TerminalText("\(segment.index + 1)").padded(to: columns.number, alignment: .right),
        Style(.dim))
      if showsTimes { line.append("  " + time(segment.span.lowerBound)) }
      line.append("  ")
      guard let placement = rows[row].placement else {
        let look = SegmentLook(segment.content)
        line.append(
          TerminalText(assignmentText(segment)), Style(look.role), paddedTo: columns.assignment)
        line.append(" confirmed, stays", Style(.dim))
        return line
      }
      line.append(
        TerminalText("\(placement.assignment)"), Style(.suggested), paddedTo: columns.assignment)
      if showsNames {
        line.append(TerminalText(placement.ayah.surah.name), Style(.suggested), paddedTo: 14)
      }
      let seconds = segment.span.length.seconds(at: state.rate)
      line.append(
        TerminalText(Clock.seconds(seconds)).padded(to: columns.length, alignment: .right))
      if let expected = filled?.segment(placement.segment).flatMap({ facts?.expectedSeconds($0) }) {
        let fits = !misfits.contains(placement.segment)
        line.append(
          " of " + TerminalText(Clock.seconds(expected)).padded(to: columns.expected)
            + (fits ? " " : "?"),
          Style(fits ? .dim : .warning))
      }
      if let before = segment.assignment, before != placement.assignment {
        line.append(" was " + TerminalText("\(before)"), Style(.warning))
      }
      return line
    }
  }

  /// Up to where a fill goes, and why no farther or what would be odd then; in a short recording also why no lengths are expected.
  func ending(of panel: FillPanel) -> String? {
    guard let preview = panel.preview(state), let last = preview.placements.last else { return nil }
    let filled = "\(counted(preview.placements.count, "segment")), up to \(last.ayah)"
    let oddities = panel.oddities(state)
    if let first = oddities.first {
      let more = oddities.count > 1 ? ", and \(oddities.count - 1) more" : ""
      return "\(filled); \(first)\(more)"
    }
    let expectsNone = panel.filled(state).map { DocumentFacts(of: $0).pace == nil } ?? false
    let reason: String? =
      switch preview.end {
      case .confirmed: "before a confirmed segment"
      // All of a short recording is in sight.
      case .endOfRecording: expectsNone ? nil : "at the end of the recording"
      case .endOfQuran: "at the end of the Quran"
      case .count: "the number asked for"
      }
    return filled + (reason.map { ", \($0)" } ?? "")
      + (expectsNone ? "; too few ayat to expect lengths" : "")
  }

  func draw(_ panel: FindPanel, on surface: inout Surface, in frame: Rect) {
    let matches = panel.matches(state)
    drawBox("Find", on: &surface, in: frame)
    let layout = PanelLayout(frame)
    drawField(
      "Ayah, surah, time or note", panel.text, isFocused: true, placeholder: "2:255", width: 30,
      on: &surface, in: layout.field)
    drawList(panel.cursor, count: matches.count, on: &surface, in: layout.list) { row in
      let segment = matches[row].segment
      let place = matches[row].position ?? segment.span.lowerBound
      let look = SegmentLook(segment.content)
      var line = StyledText(
        TerminalText("\(segment.index + 1)").padded(to: 5, alignment: .right), Style(.dim))
      line.append("  " + time(place))
      line.append("  " + look.sign + " ", Style(look.role))
      line.append(TerminalText(assignmentText(segment)), Style(look.role))
      if !segment.content.note.isEmpty {
        line.append("  " + outside(segment.content.note), Style(.dim))
      }
      return line
    }
  }

  func draw(_ panel: PalettePanel, on surface: inout Surface, in frame: Rect) {
    let matches = panel.matches
    drawBox("Commands", on: &surface, in: frame)
    let layout = PanelLayout(frame)
    drawField(
      ":", panel.text, isFocused: true, placeholder: "part of the name; Tab completes",
      width: 40, on: &surface, in: layout.field)
    var behind = state
    behind.panel = nil
    drawList(panel.cursor, count: matches.count, on: &surface, in: layout.list) { row in
      let action = matches[row]
      let isAvailable = behind.isAvailable(action)
      let keys = state.keymap.keys(for: action).map(\.name).joined(separator: " ")
      var line = StyledText(
        " " + TerminalText(action.rawValue).padded(to: 24), isAvailable ? .plain : Style(.dim))
      line.append(TerminalText(keys).padded(to: 16), Style(isAvailable ? .key : .dim))
      line.append(TerminalText(action.summary), Style(.dim))
      return line
    }
  }

  func draw(_ panel: HistoryPanel, on surface: inout Surface, in frame: Rect) {
    let count = HistoryPanel.count(state)
    let here = state.annotation.history.undoable.count
    drawBox("History: \(counted(count - 1, "edit"))", on: &surface, in: frame)
    drawList(panel.cursor, count: count, on: &surface, in: frame.inset(columns: 2, rows: 1)) {
      row in
      let entry = HistoryPanel.entry(row, state)
      var line = StyledText(row == here ? "▶" : " ", Style(.accent))
      line.append(TerminalText("\(row)").padded(to: 5, alignment: .right) + "  ", Style(.dim))
      line.append(
        TerminalText(entry?.summary(state.rate) ?? "the beginning"),
        row <= here ? .plain : Style(.dim))
      if row == here { line.append("  (now)", Style(.accent)) }
      return line
    }
  }

  func draw(_ panel: CompletionPanel, on surface: inout Surface, in frame: Rect) {
    let blockers = panel.blockers.count
    let title: TerminalText =
      blockers == 0
      ? "Every segment is confirmed"
      : "\(blockers) of \(state.facts.progress.segments) segments are left to confirm"
    drawBox(title, on: &surface, in: frame)
    let list = frame.inset(columns: 2, rows: 1)
    drawList(panel.cursor, count: panel.items.count, on: &surface, in: list) { row in
      let item = panel.items[row]
      var line = StyledText(
        TerminalText("\(item.index + 1)").padded(to: 5, alignment: .right) + "  ", Style(.dim))
      if list.size.columns >= Self.widthWithTimes,
        let segment = document.segment(item.segment)
      {
        line.append(time(segment.span.lowerBound) + "  ")
      }
      line.append(item.blocks ? "○ " : "? ", Style(item.blocks ? .error : .warning))
      line.append(TerminalText(item.text), Style(item.blocks ? .unassigned : .warning))
      return line
    }
  }

  /// The chosen line of the list where it is too long for it: the rim has more room.
  func cutFinding(of panel: CompletionPanel) -> String? {
    guard panel.items.indices.contains(panel.cursor.index) else { return nil }
    let text = panel.items[panel.cursor.index].text
    return TerminalText(text).width > room(in: panel) ? text.sentence : nil
  }

  /// Columns that a finding has.
  private func room(in panel: CompletionPanel) -> Int {
    let list = state.layout.frame(of: .completion(panel)).inset(columns: 2, rows: 1).size.columns
    return list - 9 - (list >= Self.widthWithTimes ? timeWidth + 2 : 0)
  }

  func draw(_ panel: UnusedPanel, on surface: inout Surface, in frame: Rect) {
    let reasons = UnusedReason.allCases
    drawBox("Why is the segment not used?", on: &surface, in: frame)
    let layout = UnusedLayout(frame)
    for (index, reason) in reasons.enumerated() {
      let action = Action(rawValue: "unused.\(reason.rawValue)")
      let key = action.flatMap { state.keymap.hint(for: $0, in: .unused) } ?? ""
      var line = StyledText(TerminalText(key).padded(to: 4, alignment: .right), Style(.key))
      line.append("  " + TerminalText(reason.rawValue), Style(.unused))
      ListView(count: 1, selected: index == panel.cursor.index ? 0 : nil)
        .draw(on: &surface, in: layout[index]) { _ in line }
    }
  }

  /// Columns from which on a list has room for times; what is wrong or replaced matters more.
  private static let widthWithTimes = 64

  /// Columns from which on the help page has room for the name of most actions.
  private static let widthWithActionNames = 90

  func draw(_ panel: HelpPanel, on surface: inout Surface, in frame: Rect) {
    let width = HelpPanel.width(state)
    let lines = HelpText(state.keymap, width: width).lines
    let showsNames = width >= Self.widthWithActionNames
    drawBox("Keys", on: &surface, in: frame)
    ListView(count: lines.count, offset: panel.top)
      .draw(on: &surface, in: frame.inset(columns: 2, rows: 1)) { row in
        switch lines[row] {
        case .blank: return StyledText()
        case .heading(let text): return StyledText(TerminalText(text), Style(.title).bold)
        case .text(let text): return StyledText(TerminalText(text))
        case .key(let keys, let action, let summary):
          var line = StyledText("  " + TerminalText(keys).padded(to: 16), Style(.key))
          line.append(TerminalText(summary).padded(to: 54))
          if showsNames { line.append("  " + TerminalText(action), Style(.dim)) }
          return line
        }
      }
  }
}
