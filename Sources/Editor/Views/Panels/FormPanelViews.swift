// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

// Panels of a question or of a few values.
extension Screen {
  func draw(_ panel: DetectionPanel, on surface: inout Surface, in frame: Rect) {
    let from = Clock.text(panel.span.lowerBound, state.rate)
    let to = Clock.text(panel.span.upperBound, state.rate)
    let what = panel.isAligning ? "Find each ayah" : "Auto-detect"
    let title: TerminalText =
      panel.isWhole
      ? "\(what) in the whole recording" : "\(what) in \(from) – \(to)"
    drawBox(title, note: panel.obstacle, on: &surface, in: frame)
    let inside = frame.inset(columns: 2, rows: 1)
    for (row, field) in panel.fields.enumerated() {
      let place = Rect(
        column: inside.origin.column, row: inside.origin.row + row, columns: 44, rows: 1)
      draw(field, of: panel, on: &surface, in: place)
    }
    var beside = inside
    _ = beside.takeLeft(46)
    surface.within(beside) { surface in
      for (row, line) in tallyLines(panel).enumerated()
      where row < surface.size.rows {
        surface.write(
          line.truncated(to: surface.size.columns), at: Point(column: 0, row: row))
      }
    }
    var below = inside
    _ = below.takeTop(panel.fields.count)
    if let report = panel.report {
      drawRemarks(of: report, on: &surface, in: below)
    }
  }

  /// What an alignment says of itself, as much as there is room for.
  private func drawRemarks(
    of report: DetectionReport, on surface: inout Surface, in rect: Rect
  ) {
    let judgement = AlignmentJudgement(doubt: report.doubt, remarks: report.remarks)
    var lines = remarkLines(judgement, width: rect.size.columns)
    let room = rect.size.rows
    // A line of its own between them and the fields, where there is one to spare.
    let top = lines.count < room ? 1 : 0
    if lines.count > room, room > 0 {
      let left = lines.count - room + 1
      let key = state.keymap.hint(for: .openRemarks, in: .normal)
      let how = key.map { "; \($0) shows them afterwards" } ?? ""
      lines[(room - 1)...] = [
        StyledText("... \(counted(left, "line")) more\(how)", Style(.dim))
      ]
    }
    surface.within(rect) { surface in
      for (row, line) in lines.enumerated() {
        surface.write(
          line.truncated(to: surface.size.columns), at: Point(column: 0, row: top + row))
      }
    }
  }

  private func draw(
    _ field: DetectionPanel.Field, of panel: DetectionPanel, on surface: inout Surface,
    in rect: Rect
  ) {
    let isFocused = field == panel.field
    let parameters = panel.parameters
    func value(_ label: TerminalText, _ text: TerminalText) {
      surface.within(rect) { surface in
        surface.write(label.padded(to: 18), at: .zero, style: Style(isFocused ? .accent : .dim))
        let shown: TerminalText = isFocused ? "‹ " + text + " ›" : "  " + text
        surface.write(
          shown, at: Point(column: 19, row: 0),
          style: isFocused ? Style(.standard, on: .role(.cursorLine)) : .plain)
      }
    }
    switch field {
    case .detector: value("Detector", TerminalText(parameters.detector.rawValue))
    case .threshold:
      value("Threshold", TerminalText(Clock.decimal(parameters.threshold, places: 3) + " of peak"))
    case .leastSilence: value("Shortest silence", "\(parameters.leastSilence) ms")
    case .mergeGap: value("Merge within", "\(parameters.mergeGap) ms")
    case .first:
      drawField(
        TerminalText("Begins with ayah").padded(to: 18), panel.first, isFocused: isFocused,
        placeholder: panel.isAligning ? "such as 2:1" : "if known: 2:1", width: 20, on: &surface,
        in: rect)
    case .last:
      drawField(
        TerminalText("Ends with ayah").padded(to: 18), panel.last, isFocused: isFocused,
        placeholder: "if known: 2:141", width: 20, on: &surface, in: rect)
    case .prayer:
      value("Prayer", parameters.prayer == .none ? "none: reciting only" : "taraweeh, rak'ahs")
    case .reference:
      value("Compare with", parameters.reference == .none ? "nothing" : "the library")
    }
  }

  private func tallyLines(_ panel: DetectionPanel) -> [StyledText] {
    guard panel.report != nil, let tally = panel.tally else {
      let text: TerminalText = panel.fault == nil && panel.mistake == nil ? "Searching..." : ""
      return [StyledText(text, Style(.dim))]
    }
    let found =
      panel.isAligning
      ? counted(tally.reciting, "segment") + " with ayat found"
      : counted(tally.found, "boundary", "boundaries") + " found"
    var lines = [StyledText(TerminalText(found), Style(.accent).bold)]
    if tally.suggestions > 0 {
      lines.append(
        StyledText(
          TerminalText(counted(tally.suggestions, "suggested marker") + " to review"),
          Style(.suggested)))
    } else {
      let nothing: TerminalText = tally.found > 0 ? "none of them new" : "no boundary within"
      lines.append(StyledText(nothing, Style(.dim)))
    }
    if tally.staying > 0 {
      lines.append(
        StyledText(
          TerminalText("beside \(counted(tally.staying, "marker")) of yours"),
          Style(.confirmed)))
    }
    if tally.losing > 0 {
      lines.append(
        StyledText(
          TerminalText(counted(tally.losing, "assignment") + " taken away"),
          Style(.warning).bold))
    }
    return lines
  }

  func draw(_ panel: NotePanel, on surface: inout Surface, in frame: Rect) {
    let number = document.index(of: panel.segment).map { "\($0 + 1)" } ?? "?"
    drawBox("Note on segment \(TerminalText(number))", on: &surface, in: frame)
    let inside = frame.inset(columns: 2, rows: 1)
    drawField(
      "Note", panel.text, isFocused: true, placeholder: "what to come back to; empty for none",
      width: inside.size.columns - 5, on: &surface, in: inside)
  }

  func draw(_ panel: DeletionPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Delete the marker?", on: &surface, in: frame)
    guard let right = document.segment(.from(panel.marker.id)), right.index > 0 else { return }
    let left = document.segments[right.index - 1]
    func name(_ segment: Segment) -> TerminalText {
      TerminalText(segment.assignment.map(\.description) ?? "unassigned")
    }
    var lines = [
      StyledText(
        "The marker at \(TerminalText(Clock.text(panel.marker.position, state.rate)))"
          + " between segments \(left.index + 1) (\(name(left))) and \(right.index + 1) (\(name(right)))"
      )
    ]
    var merged = document
    if (try? merged.apply(.deleteMarker(panel.marker.id))) != nil {
      let result = merged.segment(containing: left.span.lowerBound)
      lines.append(StyledText("They become one segment: " + name(result), Style(.accent)))
    }
    surface.within(frame.inset(columns: 2, rows: 1)) { surface in
      for (row, line) in lines.enumerated() where row < surface.size.rows {
        surface.write(line.truncated(to: surface.size.columns), at: Point(column: 0, row: row))
      }
    }
  }

  func draw(_ panel: EqualiserPanel, on surface: inout Surface, in frame: Rect) {
    let title: TerminalText = panel.equaliser.isOn ? "Equaliser: on" : "Equaliser: off"
    drawBox(title, on: &surface, in: frame)
    let layout = EqualiserLayout(frame)
    for row in 0..<min(EqualiserPanel.rows, layout.sliders.size.rows) {
      let isFocused = row == panel.cursor.index
      let line = layout.sliders.origin.row + row
      let label =
        row == 0 ? "Preamp" : Self.frequency(Equaliser.frequencies[row - 1])
      surface.write(
        TerminalText(label), at: Point(column: layout.labels.origin.column, row: line),
        style: Style(isFocused ? .accent : .dim))
      drawSlider(
        panel.slider(row), isFocused: isFocused, on: &surface,
        in: Rect(
          column: layout.sliders.origin.column, row: line, columns: layout.sliders.size.columns,
          rows: 1))
      let decibels = panel.decibels(row)
      let sign = decibels > 0.05 ? "+" : ""
      surface.write(
        TerminalText("\(sign)\(Clock.decimal(decibels, places: 1)) dB")
          .padded(to: layout.values.size.columns, alignment: .right),
        at: Point(column: layout.values.origin.column, row: line),
        style: isFocused ? .plain : Style(.dim))
    }
  }

  private static func frequency(_ hertz: Int) -> String {
    hertz < 1000
      ? "\(hertz) Hz"
      : Clock.decimal(Double(hertz) / 1000, places: hertz % 1000 == 0 ? 0 : 1) + " kHz"
  }

  private func drawSlider(
    _ value: Double, isFocused: Bool, on surface: inout Surface, in rect: Rect
  ) {
    surface.fill(rect, with: "─", style: Style(.empty))
    let last = max(rect.size.columns - 1, 0)
    func place(_ value: Double) -> Rect {
      let column = Int((min(max(value, 0), 1) * Double(last)).rounded())
      return Rect(
        column: rect.origin.column + column, row: rect.origin.row, columns: 1, rows: 1)
    }
    surface.fill(place(0.5), with: "┼", style: Style(.border))
    surface.fill(
      place(value), with: "●", style: isFocused ? Style(.accent).bold : Style(.title))
  }
}
