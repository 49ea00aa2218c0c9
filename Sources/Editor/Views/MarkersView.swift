// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// How a marker is told from others, by shape as well as by colour.
struct MarkerLook {
  let handle: Unicode.Scalar
  let line: Unicode.Scalar
  let role: Role

  init(_ marker: Marker) {
    if marker.isConfirmed {
      (handle, line, role) = ("◆", "│", .confirmed)
    } else if marker.isSuggestion {
      (handle, line, role) = ("◇", "┊", .suggested)
    } else {
      (handle, line, role) = ("▼", "┆", .accent)
    }
  }
}

/// How a segment is told from others.
struct SegmentLook {
  let sign: TerminalText
  let role: Role
  /// What it holds, as short as it goes.
  let label: String

  init(_ content: SegmentContent) {
    switch content.assignment {
    case nil:
      (sign, role, label) = ("·", .unassigned, "unassigned")
    case .unused(let reason):
      sign = content.isConfirmed ? "◆" : "◇"
      (role, label) = (.unused, "(\(reason.rawValue))")
    case let assignment?:
      sign = content.isConfirmed ? "◆" : "◇"
      (role, label) = (content.isConfirmed ? .confirmed : .suggested, "\(assignment)")
    }
  }
}

extension Screen {
  /// The markers in sight, in order.
  var shownMarkers: [Marker] {
    let span = state.viewport.span
    let first = document.segment(containing: span.lowerBound).index
    let last = document.segment(containing: span.upperBound).index
    return document.records[first...last].compactMap(\.start)
  }

  /// The handles, and below them what is heard from each on.
  func drawMarkers(on surface: inout Surface, handles: Rect, labels: Rect) {
    surface.within(handles) { drawHandles(on: &$0) }
    surface.within(labels) { drawLabels(on: &$0) }
  }

  private func drawHandles(on surface: inout Surface) {
    let row = Rect(column: 0, row: 0, columns: surface.size.columns, rows: 1)
    surface.fill(row, with: "─", style: Style(.border))
    let selected = state.movedMarker?.id ?? state.selectedMarker?.id
    var selectedColumn: Int?
    for marker in shownMarkers {
      guard let column = state.viewport.column(of: marker.position) else { continue }
      let look = MarkerLook(marker)
      let point = Point(column: column, row: 0)
      // Where several share a column, what is left to do shows.
      if let there = surface[point], there.shows("◇") || there.shows("▼") {
        if marker.id == selected { selectedColumn = column }
        continue
      }
      surface.fill(
        Rect(origin: point, size: Size(columns: 1, rows: 1)), with: look.handle,
        style: Style(look.role).bold)
      if marker.id == selected { selectedColumn = column }
    }
    if let column = selectedColumn {
      surface.restyle(Rect(column: column, row: 0, columns: 1, rows: 1)) {
        $0 = $0.reversed
      }
    }
  }

  private func drawLabels(on surface: inout Surface) {
    let viewport = state.viewport
    let width = surface.size.columns
    let first = document.segment(containing: viewport.span.lowerBound).index
    let last = document.segment(containing: viewport.span.upperBound).index
    var starts: [(column: Int, index: Int)] = []
    for index in first...last {
      let column =
        index == first
        ? 0 : viewport.column(of: document.records[index].start?.position ?? .zero)
      guard let column else { continue }
      // Of several in one column the last has the room.
      if starts.last?.column == column { starts.removeLast() }
      starts.append((column, index))
    }
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1].column : width
      let room = end - start.column - (end < width ? 1 : 0)
      guard room >= 2 else { continue }
      let record = document.records[start.index]
      let look = SegmentLook(record.content)
      let text = TerminalText(look.label).truncated(to: room)
      let isSelected = record.id == state.selection.segment
      var style = Style(look.role)
      if isSelected { style = style.bold.underlined }
      surface.write(text, at: Point(column: start.column, row: 0), style: style)
    }
  }
}
