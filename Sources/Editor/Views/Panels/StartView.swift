// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import TerminalUI

extension Screen {
  func draw(_ panel: StartPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Open a recording", on: &surface, in: frame)
    let layout = PanelLayout(frame)
    if let path = panel.path {
      drawField(
        "Open the file", path, isFocused: true, placeholder: "path",
        width: layout.field.size.columns - 14, on: &surface, in: layout.field)
      return
    }
    drawTabs(panel, on: &surface, in: layout.field)
    switch panel.page {
    case .library: drawLibrary(panel, on: &surface, in: layout.list)
    case .files: drawFiles(panel, on: &surface, in: layout.list)
    case .capture: drawCapture(panel, on: &surface, in: layout.list)
    }
  }

  func note(of panel: StartPanel) -> String? {
    guard let work = panel.work else {
      guard panel.page == .library, let recordings = panel.recordings, !recordings.isEmpty else {
        return panel.obstacle
      }
      return panel.obstacle ?? overall(recordings)
    }
    guard let fraction = work.fraction, fraction.isFinite else { return "\(work.text)..." }
    return "\(work.text)  \(Int(min(max(fraction, 0), 1) * 100))%"
  }

  private func drawTabs(_ panel: StartPanel, on surface: inout Surface, in rect: Rect) {
    let pages: [(StartPanel.Page, Action, String)] = [
      (.library, .startLibrary, "Library"), (.files, .startImport, "Import a file"),
      (.capture, .startRecord, "Record now"),
    ]
    surface.within(rect) { surface in
      for (index, (page, action, label)) in pages.enumerated() {
        let isShown = page == panel.page
        let key = state.keymap.hint(for: action, in: .start).map { "\($0) " } ?? ""
        let style = isShown ? Style(.accent, on: .selection).bold : Style(.dim)
        surface.write(
          TerminalText(" \(key)\(label) "),
          at: Point(column: index * StartPanel.tabWidth, row: 0), style: style)
      }
      if let place = panel.leftListening {
        let key = state.keymap.hint(for: .startListening, in: .start).map { "\($0) " } ?? ""
        let column = pages.count * StartPanel.tabWidth
        surface.write(
          TerminalText(" \(key)Resume \(place)").truncated(to: surface.size.columns - column),
          at: Point(column: column, row: 0), style: Style(.dim))
      }
    }
  }

  private func drawLibrary(_ panel: StartPanel, on surface: inout Surface, in rect: Rect) {
    guard let recordings = panel.recordings else {
      write("Reading the library", on: &surface, in: rect)
      return
    }
    guard !recordings.isEmpty else {
      write(
        "The library is empty: import a file, record now, or type or paste a path",
        on: &surface, in: rect)
      return
    }
    var list = rect
    let header = list.takeTop(1).origin
    let bar = ListView(count: recordings.count).bar(in: list)
    let columns = LibraryColumns(rect.size.columns - (bar == nil ? 0 : 1))
    surface.write(columns.header.truncated(to: rect.size.columns), at: header)
    drawList(panel.cursor, count: recordings.count, on: &surface, in: list) { row in
      let entry = recordings[row]
      let progress = entry.progress
      var line = StyledText(" ")
      switch progress.status {
      case .complete: line.append("◆ ", Style(.confirmed))
      case .partial: line.append("◇ ", Style(.suggested))
      case .none: line.append("○ ", Style(.unassigned))
      }
      line.append(
        outside(entry.title).truncated(to: columns.title).padded(to: columns.title),
        entry.obstacle == nil ? .plain : Style(.dim))
      if columns.reciter > 0 {
        line.append(
          " "
            + outside(entry.reciter).truncated(to: columns.reciter - 1).padded(
              to: columns.reciter - 1), Style(.dim))
      }
      line.append(
        TerminalText("\(progress.confirmed)/\(progress.segments)").padded(
          to: columns.done, alignment: .right))
      line.append(
        TerminalText(entry.openEdges > 0 ? "\(entry.openEdges)" : ""), Style(.suggested),
        paddedTo: columns.open, alignment: .right)
      line.append(
        TerminalText(entry.edited).padded(to: columns.edited, alignment: .right), Style(.dim))
      let whole = FramePosition(Int64(max(min(entry.seconds, 1e9), 0).rounded()))
      let length = SampleRate(hertz: 1).map { Clock.text(whole, $0, decimals: 0) } ?? ""
      line.append(TerminalText(length).padded(to: columns.length, alignment: .right))
      if columns.showsCoverage {
        line.append("  " + TerminalText(entry.obstacle ?? entry.coverage), Style(.dim))
      }
      return line
    }
  }

  /// How far the whole library is.
  private func overall(_ recordings: [LibraryEntry]) -> String {
    let complete = recordings.count { $0.progress.status == .complete }
    let confirmed = recordings.reduce(0) { $0 + $1.progress.confirmed }
    let segments = recordings.reduce(0) { $0 + $1.progress.segments }
    let open = recordings.reduce(0) { $0 + $1.openEdges }
    return "\(complete) of \(counted(recordings.count, "recording")) complete; "
      + "\(confirmed)/\(segments) segments confirmed; \(counted(open, "edge")) left"
  }

  private func drawFiles(_ panel: StartPanel, on surface: inout Surface, in rect: Rect) {
    guard let files = panel.files else {
      write("Reading the folder", on: &surface, in: rect)
      return
    }
    var list = rect
    let heading = list.takeTop(1)
    write(panel.folder, on: &surface, in: heading)
    drawList(panel.cursor, count: files.count, on: &surface, in: list) { row in
      let entry = files[row]
      return StyledText(
        " " + outside(entry.name) + (entry.isFolder ? "/" : ""),
        entry.isFolder ? Style(.title) : .plain)
    }
  }

  private func drawCapture(_ panel: StartPanel, on surface: inout Surface, in rect: Rect) {
    guard let capture = panel.capture else {
      write("Opening the microphone", on: &surface, in: rect)
      return
    }
    surface.within(rect) { surface in
      if let fault = capture.fault {
        let lines = Paragraph.lines(of: fault, width: surface.size.columns - 2)
        for (row, line) in lines.enumerated() {
          surface.write(line, at: Point(column: 1, row: row + 1), style: Style(.error))
        }
      }
      guard capture.isRecording else { return }
      let whole = FramePosition(Int64(max(min(capture.seconds, 1e9), 0)))
      let time = SampleRate(hertz: 1).map { Clock.text(whole, $0, decimals: 0) } ?? ""
      surface.write(
        "● recording  \(TerminalText(time))", at: Point(column: 1, row: 2),
        style: Style(.error).bold)
      for (row, label, level) in [(4, "Peak", capture.peak), (5, "Level", capture.rms)] {
        surface.write(
          TerminalText(label), at: Point(column: 1, row: row), style: Style(.dim))
        let isHot = level > 0.97
        ProgressBar(
          fraction: Self.meter(level), style: Style(isHot ? .error : .waveformRMS)
        ).draw(
          on: &surface, in: Rect(column: 8, row: row, columns: surface.size.columns - 20, rows: 1))
        let decibels = level > 0 ? Clock.decimal(20 * log10(Double(level)), places: 1) : "-inf"
        surface.write(
          TerminalText("\(decibels) dB").padded(to: 11, alignment: .right),
          at: Point(column: surface.size.columns - 11, row: row))
      }
      surface.write(
        "Everything recorded so far is on disk.", at: Point(column: 1, row: 7),
        style: Style(.dim))
    }
  }

  /// -60 dB to full scale as 0...1.
  private static func meter(_ level: Float) -> Double {
    level > 0 ? min(max((20 * log10(Double(level)) + 60) / 60, 0), 1) : 0
  }

  private func write(_ text: String, on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      let lines = Paragraph.lines(of: text, width: surface.size.columns - 2)
      for (row, line) in lines.enumerated() where row < surface.size.rows {
        _ = surface.write(line, at: Point(column: 1, row: row), style: Style(.dim))
      }
    }
  }
}

/// How the list of the library divides its width.
private struct LibraryColumns {
  let title: Int
  /// 0 where there is no room for it.
  let reciter: Int
  let done = 10
  let open = 11
  let edited = 12
  let length = 9
  let showsCoverage: Bool

  private static let sign = 3
  private static let shortestTitle = 10
  /// Columns from which on there is room for reciters and for what is covered.
  private static let withReciter = 100
  private static let reciters = 20...32
  private static let coverage = 14

  init(_ width: Int) {
    reciter =
      width >= Self.withReciter
      ? min(max(width / 6, Self.reciters.lowerBound), Self.reciters.upperBound) : 0
    let fixed = Self.sign + reciter + done + open + edited + length
    showsCoverage = width - fixed - Self.coverage >= Self.shortestTitle
    title = max(
      min(width - fixed - (showsCoverage ? Self.coverage : 0), width * 2 / 5), Self.shortestTitle)
  }

  var header: StyledText {
    var text = TerminalText("   title").truncated(to: Self.sign + title).padded(
      to: Self.sign + title)
    if reciter > 0 { text = text + TerminalText(" reciter").padded(to: reciter) }
    for (name, width) in [
      ("confirmed", done), ("to decide", open), ("edited", edited), ("length", length),
    ] {
      text = text + TerminalText(name).padded(to: width, alignment: .right)
    }
    return StyledText(showsCoverage ? text + "  ayat" : text, Style(.dim))
  }
}
