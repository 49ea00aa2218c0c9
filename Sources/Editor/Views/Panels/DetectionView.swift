// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Quran
import TerminalUI

// Boundaries and ayat before they are taken, and where they may begin.
extension Screen {
  func draw(_ panel: DetectionPanel, on surface: inout Surface, in frame: Rect) {
    drawBox(title(of: panel, width: frame.size.columns), on: &surface, in: frame)
    let inside = frame.inset(columns: 2, rows: 1)
    let tally = tallyLines(panel)
    let hasRoomBeside = (tally.map(\.width).max() ?? 0) < inside.size.columns - Self.fieldColumns
    for (row, field) in panel.fields.enumerated() {
      let place = Rect(
        column: inside.origin.column, row: inside.origin.row + row,
        columns: hasRoomBeside && row < tally.count ? Self.fieldColumns : inside.size.columns,
        rows: 1)
      draw(field, of: panel, on: &surface, in: place)
    }
    var below = inside
    _ = below.takeTop(panel.fields.count)
    var place = inside
    if hasRoomBeside {
      _ = place.takeLeft(Self.fieldColumns + 1)
    } else {
      place = below.takeTop(tally.count)
    }
    surface.within(place) { surface in
      for (row, line) in tally.enumerated() where row < surface.size.rows {
        surface.write(
          line.truncated(to: surface.size.columns), at: Point(column: 0, row: row))
      }
    }
    if let report = panel.report {
      drawRemarks(of: report, on: &surface, in: below)
    } else if let fault = panel.fault {
      draw(fault, Style(.error), on: &surface, in: below)
    } else if panel.isStartSought {
      let key = state.keymap.hint(for: .panelAccept, in: .detection) ?? "the accept key"
      draw("\(key) searches for \(panel.question)", Style(.accent), on: &surface, in: below)
    }
  }

  /// What is to be found, where, and how much of that nobody has confirmed; shorter where there is less room.
  private func title(of panel: DetectionPanel, width: Int) -> TerminalText {
    let gaps =
      panel.gaps.segments == 0
      ? ""
      : ": \(counted(panel.gaps.stretches, "gap")), \(counted(panel.gaps.segments, "segment"))"
    func title(_ what: String, decimals: Int) -> TerminalText {
      let times = [panel.span.lowerBound, panel.span.upperBound]
        .map { Clock.text($0, state.rate, decimals: decimals) }.joined(separator: " – ")
      return TerminalText("\(what) \(panel.isWhole ? "the whole recording" : times)\(gaps)")
    }
    let what = panel.isAligning ? "Find each ayah in" : "Auto-detect in"
    let titles = [
      title(what, decimals: 3), title(what, decimals: 0),
      title(panel.isAligning ? "Ayat in" : "Pauses in", decimals: 0),
    ]
    // The box takes a corner, a line and a space on either side.
    return titles.first { $0.width <= width - 6 } ?? titles[2]
  }

  /// Columns of a field beside which something is said.
  private static let fieldColumns = 44

  /// A sentence under a line that is left free.
  private func draw(
    _ text: String, _ style: Style, on surface: inout Surface, in rect: Rect
  ) {
    let lines = Paragraph.lines(of: text.sentence, width: rect.size.columns)
    surface.within(rect) { surface in
      for (row, line) in lines.enumerated() where row + 1 < surface.size.rows {
        surface.write(outside(line.string), at: Point(column: 0, row: row + 1), style: style)
      }
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
    case .minSilence: value("Shortest silence", "\(parameters.minSilence) ms")
    case .mergeGap: value("Merge within", "\(parameters.mergeGap) ms")
    case .first:
      drawField(
        TerminalText("Begins with ayah").padded(to: 18), panel.first, isFocused: isFocused,
        placeholder: panel.isAligning ? "2:1, or a surah: 2" : "if known: 2:1", width: 20,
        on: &surface, in: rect)
    case .last:
      let first = panel.isStartSought ? nil : parameters.first
      let example = first.map { ": \($0.surah.lastAyah)" } ?? ""
      drawField(
        TerminalText("Ends with ayah").padded(to: 18), panel.last, isFocused: isFocused,
        placeholder: TerminalText("if known\(example)"), width: 20, on: &surface, in: rect)
    case .prayer:
      value("Prayer", parameters.prayer == .none ? "no: recitation only" : "taraweeh, rak'ahs")
    }
  }

  private func tallyLines(_ panel: DetectionPanel) -> [StyledText] {
    guard panel.report != nil, let tally = panel.tally else {
      guard panel.fault == nil, panel.mistake == nil, !panel.isStartSought else { return [] }
      let percent = panel.progress.map { "Listening... \(Int($0 * 100))%" }
      return [StyledText(TerminalText(percent ?? "Searching..."), Style(.dim))]
    }
    let found =
      panel.isAligning
      ? counted(tally.reciting, "segment") + " with ayat found"
      : counted(tally.found, "boundary", "boundaries") + " found"
    var lines = [StyledText(TerminalText(found), Style(.accent).bold)]
    if tally.suggestions > 0 {
      lines.append(
        StyledText(
          TerminalText(counted(tally.suggestions, "marker") + " to review"),
          Style(.suggested)))
    } else {
      let nothing: TerminalText = tally.found > 0 ? "none of them is new" : "no boundary found"
      lines.append(StyledText(nothing, Style(.dim)))
    }
    if tally.staying > 0 {
      lines.append(
        StyledText(
          TerminalText("keeps \(counted(tally.staying, "marker")) of yours"),
          Style(.confirmed)))
    }
    if tally.losing > 0 {
      lines.append(
        StyledText(
          TerminalText(counted(tally.losing, "assignment") + " removed"),
          Style(.warning).bold))
    }
    return lines
  }

  func draw(_ panel: PlacesPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Start of the recitation", on: &surface, in: frame)
    let layout = panel.layout(frame)
    if let fault = panel.fault {
      return draw(fault, Style(.error), on: &surface, in: layout.inside)
    }
    surface.within(layout.field) { surface in
      let width = surface.size.columns
      guard let report = panel.report else {
        let line = ProgressLine(label: "Searching for the start", fraction: panel.progress)
        surface.write(StyledText(line.text(width: width), Style(.accent)), at: .zero)
        return
      }
      let style = report.doubt == nil ? Style(.accent) : Style(.warning).bold
      for (row, line) in panel.heading(in: frame).enumerated() {
        surface.write(StyledText(line, style), at: Point(column: 0, row: row))
      }
    }
    let proposals = panel.proposals
    let hasNames = proposals.allSatisfy {
      line(of: $0, isNamed: true).width <= layout.list.size.columns
    }
    drawList(panel.cursor, count: proposals.count, on: &surface, in: layout.list) { row in
      let proposal = proposals[row]
      var line = line(of: proposal, isNamed: hasNames)
      if let words = state.text?[proposal.first] { line.append("  " + outside(words), Style(.dim)) }
      return line
    }
  }

  /// - Parameter isNamed: whether the surah is named, which its number tells too.
  private func line(of proposal: AyahProposal, isNamed: Bool) -> StyledText {
    var line = StyledText("  ")
    line.append(TerminalText("\(proposal.first)"), Style(.suggested), paddedTo: 9)
    if isNamed {
      line.append(TerminalText(proposal.first.surah.name), Style(.suggested), paddedTo: 18)
    }
    line.append(TerminalText(proposal.percent).padded(to: 13, alignment: .right))
    if proposal.isWithin { line.append("  begins within it", Style(.accent)) }
    if proposal.isWordedAlike { line.append("  same wording", Style(.accent)) }
    return line
  }
}
