// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension Screen {
  /// The whole recording in a strip: its loudness, what is confirmed, and what the canvas shows.
  func drawOverview(on surface: inout Surface, in rect: Rect) {
    let columns = rect.size.columns
    guard columns > 0 else { return }
    let points = state.sound.overview
    let bars = (0..<columns).map { column -> ColumnChart.Bar in
      guard !points.isEmpty else { return ColumnChart.Bar(height: 0) }
      let first = column * points.count / columns
      let end = max((column + 1) * points.count / columns, first + 1)
      let loudest = points[first..<min(end, points.count)].max() ?? 0
      return ColumnChart.Bar(height: 0, inner: Double(max(loudest, 0)))
    }
    if points.isEmpty { surface.fill(rect, with: "·", style: Style(.empty)) }
    ColumnChart(bars).draw(on: &surface, in: rect)
    for column in 0..<columns where segment(at: column, of: columns).isConfirmed {
      let cell = Rect(
        column: rect.origin.column + column, row: rect.origin.row, columns: 1,
        rows: rect.size.rows)
      surface.restyle(cell) { $0.foreground = .role(.confirmed) }
    }
    highlight(state.viewport.span, on: &surface, in: rect)
    let playhead = column(of: state.transport.position, of: columns)
    surface.fill(
      Rect(
        column: rect.origin.column + playhead, row: rect.origin.row, columns: 1,
        rows: rect.size.rows), with: "┃", style: Style(.playhead))
  }

  private func segment(at column: Int, of columns: Int) -> Segment {
    let share = (Double(column) + 0.5) / Double(columns)
    return document.segment(
      containing: FramePosition(Int64(Double(document.length.frames) * share)))
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
    ) { $0.attributes.formSymmetricDifference(.reverse) }
  }
}
