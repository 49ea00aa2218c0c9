// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension Screen {
  /// The whole recording in a strip: its loudness, what is confirmed, what is unsure, and what the canvas
  /// shows.
  func drawOverview(on surface: inout Surface, in rect: Rect) {
    let columns = rect.size.columns
    guard columns > 0 else { return }
    if state.sound.overview.isEmpty { surface.fill(rect, with: "·", style: Style(.empty)) }
    chart(state.overviewBars.bars).draw(on: &surface, in: rect)
    drawConfirmed(on: &surface, in: rect)
    drawDoubts(on: &surface, in: rect)
    drawSceneMarks(on: &surface, in: rect)
    highlight(state.viewport.span, on: &surface, in: rect)
    let playhead = column(of: state.transport.position, of: columns)
    surface.fill(
      Rect(
        column: rect.origin.column + playhead, row: rect.origin.row, columns: 1,
        rows: rect.size.rows), with: "┃", style: Style(.playhead))
  }

  /// What a person has confirmed, by the middle of each column.
  private func drawConfirmed(on surface: inout Surface, in rect: Rect) {
    let (records, columns) = (document.records, rect.size.columns)
    var index = 0
    for column in 0..<columns {
      let share = (Double(column) + 0.5) / Double(columns)
      let position = FramePosition(Int64(Double(document.length.frames) * share))
      while index + 1 < records.count, let next = records[index + 1].start,
        next.position <= position
      {
        index += 1
      }
      guard records[index].content.isConfirmed else { continue }
      let place = Rect(
        column: rect.origin.column + column, row: rect.origin.row, columns: 1,
        rows: rect.size.rows)
      surface.restyle(place) { $0 = $0.confirmed }
    }
  }

  /// Where something unsure is suggested, so that what is left to look at is seen at a glance.
  private func drawDoubts(on surface: inout Surface, in rect: Rect) {
    for record in document.records {
      guard let start = record.start, Certainty(start) == .unsure else { continue }
      let place = Point(
        column: rect.origin.column + column(of: start.position, of: rect.size.columns),
        row: rect.rows.upperBound - 1)
      surface.fill(
        Rect(origin: place, size: Size(columns: 1, rows: 1)), with: Certainty.doubt,
        style: Style(.unsure).bold)
    }
  }

  /// Underlines the places of marks, so that what is drawn there stays.
  private func drawSceneMarks(on surface: inout Surface, in rect: Rect) {
    for mark in state.sceneMarks.marks {
      let place = Rect(
        column: rect.origin.column + column(of: mark.position, of: rect.size.columns),
        row: rect.rows.upperBound - 1, columns: 1, rows: 1)
      surface.restyle(place) { $0 = $0.underlined }
    }
  }

  private func column(of position: FramePosition, of columns: Int) -> Int {
    let length = max(Double(document.length.frames), 1)
    let column = Int(Double(position.frames) / length * Double(columns))
    return min(max(column, 0), columns - 1)
  }

  /// What the canvas shows, unless that is all.
  private func highlight(
    _ span: Range<FramePosition>, on surface: inout Surface, in rect: Rect
  ) {
    guard !state.viewport.showsAll else { return }
    let first = column(of: span.lowerBound, of: rect.size.columns)
    let last = column(of: span.upperBound, of: rect.size.columns)
    surface.restyle(
      Rect(
        column: rect.origin.column + first, row: rect.origin.row, columns: last - first + 1,
        rows: rect.size.rows)
    ) { $0 = $0.inView }
  }
}

extension Style {
  /// The same for what the canvas shows.
  fileprivate var inView: Style {
    var style = self
    if background == .standard { style.background = .role(.selection) }
    if foreground == .role(.waveformRMS) { style.foreground = .standard }
    if background == .role(.waveformRMS) { style.background = .role(.selection) }
    return style
  }

  /// The same for a waveform that a person has confirmed.
  fileprivate var confirmed: Style {
    func confirmed(_ color: Color) -> Color {
      color == .role(.waveformRMS) ? .role(.confirmed) : color
    }
    return Style(confirmed(foreground), on: confirmed(background), attributes: attributes)
  }
}
