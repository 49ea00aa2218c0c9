// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
import TerminalUI

extension State {
  /// Where the rows of the panel's list lie.
  var panelList: Rect {
    var inside = layout.panel.inset(columns: 2, rows: 1)
    if panel?.field != nil { _ = inside.takeTop(2) }
    return inside
  }

  /// The columns of the screen over which a slider goes.
  func sliderColumns(in list: Rect) -> Range<Int> {
    let first = list.origin.column + 12
    return first..<max(list.columns.upperBound - 12, first + 1)
  }
}

extension State {
  fileprivate func note(of panel: Panel) -> TerminalText {
    switch panel {
    case .jump:
      switch jumpTarget {
      case .success(let ayah):
        "\(ayah) \(TerminalText(ayah.surah.name))"
          + (isQueued(ayah) ? "" : ": enter adds it and the rest of its surah")
      case .failure(let problem): TerminalText(problem.text)
      }
    case .palette: paletteMatches.isEmpty ? "No such command" : ""
    case .check: noteOfMissing
    case .repeats: queue.count > 1 ? "for every item of the queue" : ""
    case .reciters: "[x] sources are used"
    case .add, .equaliser, .fades, .sleep, .shuffle, .help: ""
    }
  }

  private var noteOfMissing: TerminalText {
    let rows = missingRows
    if rows.contains(where: \.isFillable) {
      return "enter: other reciters fill the gaps of that item"
    }
    return rows.contains { $0.range != nil } ? "no other reciter has them here" : ""
  }
}

extension Screen {
  func drawPanel(on surface: inout Surface, in frame: Rect) {
    guard let panel = state.panel else { return }
    let list = state.panelList
    TerminalUI.Panel(title: title(of: panel), isFocused: true).draw(on: &surface, in: frame)
    defer { TerminalUI.Panel.draw(note: state.note(of: panel), on: &surface, in: frame) }
    if let field = panel.field { drawField(field, of: panel, on: &surface, in: frame) }
    switch panel {
    case .jump: break
    case .add(_, _, let problem):
      guard let problem else { break }
      let lines = Paragraph.lines(of: problem, width: list.size.columns).prefix(list.size.rows)
      for (row, line) in zip(list.rows, lines) {
        surface.write(
          outside(line.string), at: Point(column: list.origin.column, row: row),
          style: Style(.error).bold)
      }
    case .equaliser(let cursor):
      drawSliders(cursor, on: &surface, in: list)
    case .fades(let cursor):
      drawList(cursor, on: &surface, in: list) { fadeLine(FadeRow.allCases[$0]) }
    case .repeats(let cursor):
      drawList(cursor, on: &surface, in: list) { repeatLine(RepeatRow.allCases[$0]) }
    case .reciters(let cursor):
      let rows = state.reciterRows
      drawList(cursor, on: &surface, in: list) { index in
        var line = reciterButtons(rows[index])
        line.append(outside(rows[index].name))
        line.append("  " + TerminalText(rows[index].riwayah.displayName), Style(.dim))
        if rows[index].riwayah != state.queue.first?.request.riwayah {
          line.append("  stops playback", Style(.warning))
        }
        return line
      }
    case .check(let cursor):
      let rows = state.missingRows
      drawList(cursor, on: &surface, in: list) { missingLine(rows[$0]) }
      if rows.isEmpty {
        surface.write(
          "Nothing is missing.", at: list.origin, style: Style(.success))
      }
    case .sleep(let cursor):
      drawList(cursor, on: &surface, in: list) { index in
        StyledText(" " + TerminalText(SleepChoice.allCases[index].title))
      }
    case .shuffle(let cursor):
      drawList(cursor, on: &surface, in: list) { index in
        let units = ShuffleUnit.allCases
        return StyledText(
          " "
            + TerminalText(
              units.indices.contains(index) ? units[index].summary : "restore the original order"))
      }
    case .palette(_, let cursor):
      let matches = state.paletteMatches
      drawList(cursor, on: &surface, in: list) { index in
        let keys = state.keymap.keys(for: matches[index]).map(\.name).joined(separator: " ")
        var line = StyledText(" " + TerminalText(matches[index].rawValue).padded(to: 22))
        line.append(TerminalText(keys).padded(to: 18), Style(.key))
        line.append(TerminalText(matches[index].summary), Style(.dim))
        return line
      }
    case .help(let cursor):
      let lines = state.helpLines
      drawList(cursor, on: &surface, in: list) { helpLine(lines[$0], width: list.size.columns) }
    }
  }

  /// What can be clicked before the name of a reciter.
  enum ReciterButton {
    case earlier, later, toggle
  }

  /// - Parameter column: of the list, from 0.
  static func reciterButton(at column: Int) -> ReciterButton? {
    switch column {
    case 1: .earlier
    case 3: .later
    case 5...7: .toggle
    default: nil
    }
  }

  private func reciterButtons(_ row: ReciterRow) -> StyledText {
    guard row.id != nil else { return StyledText("         ") }
    var line = StyledText(" \u{2191} \u{2193} ", Style(.key))
    switch row.usesSources {
    case true?: line.append("[x]", Style(.key))
    case false?: line.append("[ ]", Style(.key))
    case nil: line.append("   ")
    }
    line.append(" ")
    return line
  }

  private func title(of panel: Panel) -> TerminalText {
    switch panel {
    case .equaliser: state.settings.hasEqualiser ? "Equaliser: on" : "Equaliser: off"
    case .add(_, let next, _): next ? "Play next" : "Add to the queue"
    case .jump, .fades, .repeats, .reciters, .check, .sleep, .shuffle, .palette, .help:
      TerminalText(panel.context.title)
    }
  }

  private func drawField(
    _ field: TextField, of panel: Panel, on surface: inout Surface, in frame: Rect
  ) {
    let (label, placeholder): (TerminalText, TerminalText) =
      switch panel {
      case .add: ("What to add", "67, juz 30, 2:1-20, @list or \"a recording\"")
      case .palette: (":", "part of the name")
      case .jump, .equaliser, .fades, .repeats, .reciters, .check, .sleep, .shuffle, .help:
        ("Ayah", "2:255, baqarah 255, or its number in this surah")
      }
    surface.within(frame.inset(columns: 2, rows: 1)) { surface in
      surface.write(label, at: .zero, style: Style(.accent))
      field.draw(
        on: &surface,
        in: Rect(
          column: label.width + 1, row: 0,
          columns: max(surface.size.columns - label.width - 1, 1), rows: 1),
        placeholder: placeholder, style: Style(.standard, on: .role(.cursorLine)))
    }
  }

  private func drawList(
    _ cursor: ListCursor, on surface: inout Surface, in rect: Rect, row: (Int) -> StyledText
  ) {
    let count = state.panelRowCount
    let window = cursor.window(count: count, rows: rect.size.rows)
    ListView(count: count, selected: count > 0 ? cursor.index : nil, offset: window.lowerBound)
      .draw(on: &surface, in: rect, row: row)
  }

  private func drawSliders(_ cursor: ListCursor, on surface: inout Surface, in rect: Rect) {
    let columns = state.sliderColumns(in: rect)
    drawList(cursor, on: &surface, in: rect) { row in
      let name =
        row == 0 ? "Preamp" : Self.frequency(Equaliser.frequencies[row - 1])
      return StyledText(TerminalText(name), Style(row == cursor.index ? .accent : .dim))
    }
    for row in 0..<min(state.panelRowCount, rect.size.rows) {
      let range = row == 0 ? Equaliser.preampRange : Equaliser.bandRange
      let decibels = Int(((state.slider(row) * 2 - 1) * range).rounded())
      let line = rect.origin.row + row
      Slider(value: state.slider(row), isFocused: row == cursor.index).draw(
        on: &surface,
        in: Rect(column: columns.lowerBound, row: line, columns: columns.count, rows: 1))
      surface.write(
        TerminalText("\(decibels > 0 ? "+" : "")\(decibels) dB").padded(to: 10, alignment: .right),
        at: Point(column: columns.upperBound + 1, row: line))
    }
  }

  private static func frequency(_ hertz: Double) -> String {
    let whole = Int(hertz)
    if whole < 1000 { return "\(whole) Hz" }
    return whole % 1000 == 0 ? "\(whole / 1000) kHz" : "\(whole / 1000).\(whole / 100 % 10) kHz"
  }

  private func fadeLine(_ row: FadeRow) -> StyledText {
    let settings = state.settings
    var line = StyledText(" " + TerminalText(row.title).padded(to: 14))
    let value: TerminalText =
      switch row {
      case .crossfade:
        settings.crossfadeMilliseconds == 0 ? "off" : "\(settings.crossfadeMilliseconds) ms"
      case .curve: TerminalText(settings.crossfadeCurve.name)
      case .fadeIn: "\(settings.fadeInMilliseconds) ms"
      case .fadeOut: "\(settings.fadeOutMilliseconds) ms"
      }
    line.append(value, Style(.accent))
    return line
  }

  private func repeatLine(_ row: RepeatRow) -> StyledText {
    guard let repeats = state.repeats else { return StyledText() }
    func times(_ count: RepeatCount) -> TerminalText {
      count.times.map { $0 == 1 ? "once" : "\($0) times" } ?? "forever"
    }
    var line = StyledText(" " + TerminalText(row.title).padded(to: 24))
    let value: TerminalText =
      switch row {
      case .ayah: times(repeats.ayah)
      case .range: times(repeats.range)
      case .practice: TerminalText(repeats.practice.summary)
      case .silence: repeats.gapMilliseconds == 0 ? "none" : "\(repeats.gapMilliseconds) ms"
      case .factor:
        repeats.gapFactor == 0 ? "none" : "\(TerminalText("\(repeats.gapFactor)")) times"
      }
    line.append(value, Style(.accent))
    return line
  }

  private func missingLine(_ row: MissingRow) -> StyledText {
    var line = StyledText(" ")
    guard let range = row.range else {
      line.append("… ", Style(.dim))
      line.append(outside(row.title), Style(.dim))
      return line
    }
    line.append(TerminalText("\(range)").padded(to: 16), Style(.warning))
    line.append(outside(row.title))
    line.append(row.isFillable ? "  another reciter has it" : "", Style(.success))
    if let reason = row.reason { line.append("  " + outside(reason), Style(.dim)) }
    return line
  }

  private func helpLine(_ line: State.HelpLine, width: Int) -> StyledText {
    switch line {
    case .blank: return StyledText()
    case .heading(let text): return StyledText(TerminalText(text), Style(.title).bold)
    case .text(let text): return StyledText("  " + TerminalText(text))
    case .key(let keys, let action):
      var line = StyledText("  " + TerminalText(keys).padded(to: 20), Style(.key))
      let summary = TerminalText(action.summary)
      let padded = summary.padded(to: 46)
      let name = " " + TerminalText(action.rawValue)
      // Half a name helps nobody; the palette has them all.
      guard line.width + padded.width + name.width < width else {
        return line + StyledText(summary)
      }
      line.append(padded)
      line.append(name, Style(.dim))
      return line
    }
  }
}

extension RangePractice {
  /// In a word.
  var name: String {
    switch self {
    case .plain: "in order"
    case .stepping: "stepping"
    case .cumulative: "cumulative"
    }
  }

  /// For people.
  fileprivate var summary: String {
    switch self {
    case .plain: "ayah after ayah"
    case .stepping: "stepping: the 2nd ayah twice, the 3rd 3 times"
    case .cumulative: "cumulative: 1, then 1-2, then 1-3"
    }
  }
}

extension FadeCurve {
  /// For people.
  var name: String {
    switch self {
    case .linear: "linear"
    case .equalPower: "equal power"
    case .logarithmic: "logarithmic"
    case .exponential: "exponential"
    case .sCurve: "S-curve"
    }
  }
}
