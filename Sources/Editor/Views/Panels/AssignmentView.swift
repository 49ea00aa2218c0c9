// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  func draw(_ panel: AssignmentPanel, on surface: inout Surface, in frame: Rect) {
    guard let segment = document.segment(panel.segment) else { return }
    let seconds = segment.span.length.seconds(at: state.rate)
    let from = Clock.text(segment.span.lowerBound, state.rate)
    let to = Clock.text(segment.span.upperBound, state.rate)
    let title = TerminalText(
      "Segment \(segment.index + 1)  \(from) – \(to)  \(Clock.seconds(seconds)) s")
    drawBox(title, on: &surface, in: frame)
    let layout = AssignmentLayout(frame, panel)
    drawKinds(panel, on: &surface, in: layout.kinds)
    drawFields(panel, layout, on: &surface)
    drawOptions(panel, layout, on: &surface)
    drawChoices(panel, layout, on: &surface)
    if panel.showsSplit { drawStrip(panel, segment, on: &surface, in: layout.strip) }
  }

  /// What is missing or, when nothing is, what it comes to and how long that should take.
  func note(of panel: AssignmentPanel) -> String? {
    guard let segment = document.segment(panel.segment) else { return nil }
    let seconds = segment.span.length.seconds(at: state.rate)
    switch panel.assignment(state) {
    case .failure(let incomplete): return incomplete.reason
    case .success(let assignment):
      let ayat = assignment.wholeAyat.map(\.length)
      let lengths = assignment.hasBasmalah ? ayat + [.basmalah] : ayat
      let units = lengths.reduce(0) { $0 + $1.phoneticUnits }
      guard let pace = state.facts.pace, !ayat.isEmpty else { return "\(assignment)" }
      let expected = Double(units) * pace
      return "\(assignment)  \(Clock.seconds(seconds)) s of \(Clock.seconds(expected)) s expected"
    }
  }

  private func drawKinds(_ panel: AssignmentPanel, on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      var column = 0
      for (kind, label) in zip(AssignmentPanel.Kind.allCases, AssignmentLayout.labels) {
        var style = Style(kind == panel.kind ? .accent : .dim)
        if kind == panel.kind { style = style.bold.on(.selection) }
        if panel.field == .kind, kind == panel.kind { style = style.underlined }
        surface.write(
          " " + TerminalText(label) + " ", at: Point(column: column, row: 0), style: style)
        column += label.count + 3
      }
    }
  }

  private func drawFields(
    _ panel: AssignmentPanel, _ layout: AssignmentLayout, on surface: inout Surface
  ) {
    for (field, rect) in layout.fields {
      let isFocused = field == panel.field
      func draw(_ label: String, _ entry: TextField, _ width: Int, _ remark: TerminalText) {
        let label = TerminalText(label).padded(to: AssignmentLayout.labelWidth)
        drawField(label, entry, isFocused: isFocused, width: width, on: &surface, in: rect)
        surface.within(rect) {
          _ = $0.write(
            remark, at: Point(column: AssignmentLayout.labelWidth + width + 2, row: 0),
            style: Style(.dim))
        }
      }
      func choice(_ label: TerminalText, _ value: String) {
        surface.within(rect) { surface in
          surface.write(label, at: .zero, style: Style(isFocused ? .accent : .dim))
          surface.write(
            TerminalText(value), at: Point(column: AssignmentLayout.labelWidth + 1, row: 0),
            style: isFocused ? Style(.standard, on: .role(.cursorLine)) : .plain)
        }
      }
      switch field {
      case .surah: draw("Surah", panel.surah.surahText, 16, resolved(panel.surah))
      case .otherSurah: draw("Then surah", panel.other.surahText, 16, resolved(panel.other))
      case .ayah: draw("Ayah", panel.surah.ayahText, 6, count(panel.surah))
      case .lastAyah: draw("Up to ayah", panel.last.ayahText, 6, count(panel.surah))
      case .otherAyah: draw("Ayah", panel.other.ayahText, 6, count(panel.other))
      case .part: choice("Part", panel.ayahPart.map { "only its \($0.rawValue)" } ?? "whole")
      case .basmalah: choice("Basmalah", panel.withBasmalah ? "included" : "not included")
      default: break
      }
    }
  }

  private func resolved(_ picker: AyahPicker) -> TerminalText {
    guard let surah = picker.surah else { return "?" }
    let isNamed = picker.surahText.text == surah.name
    return TerminalText(isNamed ? "\(surah.number)" : "\(surah.number) \(surah.name)")
  }

  private func count(_ picker: AyahPicker) -> TerminalText {
    picker.surah.map { TerminalText("of \($0.ayahCount)") } ?? .empty
  }

  private func drawOptions(
    _ panel: AssignmentPanel, _ layout: AssignmentLayout, on surface: inout Surface
  ) {
    switch panel.kind {
    case .ayah, .several, .crossSurah: break
    case .unused:
      let reasons = UnusedReason.allCases
      drawList(panel.reason, count: reasons.count, on: &surface, in: layout.options) {
        StyledText(" " + TerminalText(reasons[$0].rawValue), Style(.unused))
      }
    case .leadIn:
      drawList(panel.leadIn, count: panel.leadIns.count, on: &surface, in: layout.options) {
        StyledText(" " + TerminalText(panel.leadIns[$0]))
      }
    }
  }

  /// The surahs that fit, or the words of the ayah.
  private func drawChoices(
    _ panel: AssignmentPanel, _ layout: AssignmentLayout, on surface: inout Surface
  ) {
    let isOther = panel.field == .otherSurah || panel.field == .otherAyah
    let picker = isOther ? panel.other : panel.surah
    if panel.field == .surah || panel.field == .otherSurah {
      let surahs = picker.candidates
      var words = layout.choices
      let list = words.takeTop(min(surahs.count + 1, words.size.rows))
      if surahs.count == 1, let ayah = picker.reference, let text = state.text {
        drawWords(text[ayah], on: &surface, in: words)
      }
      drawList(picker.choice, count: surahs.count, on: &surface, in: list) { row in
        let surah = surahs[row]
        var line = StyledText(
          TerminalText("\(surah.number)").padded(to: 4, alignment: .right) + " ", Style(.dim))
        line.append(TerminalText(surah.name).padded(to: 16))
        line.append(TerminalText(surah.englishName), Style(.dim))
        return line
      }
    } else if let ayah = picker.reference, let text = state.text {
      drawWords(text[ayah], on: &surface, in: layout.choices)
    }
  }

  /// Text of any script in as many lines as there are.
  private func drawWords(_ text: String, on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      for (row, line) in Paragraph.lines(of: text, width: surface.size.columns).enumerated() {
        guard row < surface.size.rows else { break }
        surface.write(outside(line.string), at: Point(column: 0, row: row))
      }
    }
  }

  /// The segment's own waveform, and below it where it is divided.
  private func drawStrip(
    _ panel: AssignmentPanel, _ segment: Segment, on surface: inout Surface, in rect: Rect
  ) {
    var chart = rect
    let marks = chart.takeBottom(1)
    let columns = rect.size.columns
    guard columns > 0, !segment.span.isEmpty else { return }
    let length = segment.span.length.frames
    func frames(_ column: Int) -> Range<FramePosition> {
      let first = segment.span.lowerBound + FrameCount(length * Int64(column) / Int64(columns))
      let end = segment.span.lowerBound + FrameCount(length * Int64(column + 1) / Int64(columns))
      return first..<end
    }
    func column(_ position: FramePosition) -> Int {
      let offset = position.frames - segment.span.lowerBound.frames
      return min(max(Int(offset * Int64(columns) / length), 0), columns - 1)
    }
    let scale = amplitudeScale
    let bars = (0..<columns).flatMap { column -> [ColumnChart.Bar] in
      let frames = frames(column)
      let half = frames.lowerBound + FrameCount(frames.length.frames / 2)
      return [frames.lowerBound..<half, half..<frames.upperBound].map {
        bar(over: $0, state.sound.miniature, scale)
      }
    }
    self.chart(bars).draw(on: &surface, in: chart)
    surface.fill(marks, with: "─", style: Style(.border))
    for (index, join) in panel.joins.enumerated() {
      let place = rect.origin.column + column(join)
      let isSelected = index == panel.selectedJoin && panel.field == .split
      let style = Style(isSelected ? .accent : .title).bold
      surface.fill(
        Rect(column: place, row: chart.origin.row, columns: 1, rows: chart.size.rows), with: "│",
        style: style)
      surface.fill(
        Rect(column: place, row: marks.origin.row, columns: 1, rows: 1), with: "▲", style: style)
      let time = TerminalText(Clock.text(join, state.rate))
      let isBefore = place + 2 + time.width > rect.columns.upperBound
      let column = isBefore ? place - 1 - time.width : place + 2
      if column >= rect.columns.lowerBound {
        surface.write(time, at: Point(column: column, row: marks.origin.row), style: style)
      }
    }
    if segment.span.contains(state.transport.position), state.transport.phase != .stopped {
      let place = rect.origin.column + column(state.transport.position)
      surface.fill(
        Rect(column: place, row: chart.origin.row, columns: 1, rows: chart.size.rows), with: "┃",
        style: Style(.playhead))
    }
  }
}

extension Assignment {
  /// The ayat it holds, unless only a part of one.
  fileprivate var wholeAyat: [AyahReference] {
    switch self {
    case .ayah(let ayah, nil, _): [ayah]
    case .crossSurah(let ayah, _, let end, _): [ayah, end]
    case .ayat(let range, _, _): Array(range)
    case .ayah, .leadIn, .unused: []
    }
  }
}
