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
  /// How much there is left to do with it: of several markers in a column the most urgent shows.
  let urgency: Int

  init(_ marker: Marker) {
    if marker.isConfirmed {
      (handle, line, role, urgency) = ("◆", "│", .confirmed, 0)
    } else if Certainty(marker) == .unsure {
      (handle, line, role, urgency) = (Certainty.doubt, "┊", .unsure, 2)
    } else if marker.isSuggestion {
      (handle, line, role, urgency) = ("◇", "┊", .suggested, 1)
    } else {
      (handle, line, role, urgency) = ("▼", "┆", .accent, 1)
    }
  }
}

/// How a segment is told from others.
struct SegmentLook {
  let sign: TerminalText
  let role: Role
  private let assignment: Assignment?

  init(_ content: SegmentContent) {
    assignment = content.assignment
    sign = assignment == nil ? "·" : content.isConfirmed ? "◆" : "◇"
    role =
      switch assignment {
      case nil: .unassigned
      case .unused: .unused
      default: content.isConfirmed ? .confirmed : .suggested
      }
  }

  /// What it holds, as short as it goes.
  var label: TerminalText {
    switch assignment {
    case nil: "unassigned"
    case .unused(let reason): TerminalText("(\(reason.rawValue))")
    case let assignment?: TerminalText("\(assignment)")
    }
  }
}

extension Screen {
  /// How the columns look in which there are markers, from the left.
  static func markedColumns(
    of document: AnnotationDocument, in viewport: Viewport
  ) -> [(column: Int, look: MarkerLook)] {
    let span = viewport.span
    let first = document.segment(containing: span.lowerBound).index
    let last = document.segment(containing: span.upperBound).index
    var columns: [(column: Int, look: MarkerLook)] = []
    for marker in document.records[first...last].lazy.compactMap(\.start) {
      guard let column = viewport.column(of: marker.position) else { continue }
      let look = MarkerLook(marker)
      if columns.last?.column != column {
        columns.append((column, look))
      } else if look.urgency > columns[columns.count - 1].look.urgency {
        columns[columns.count - 1].look = look
      }
    }
    return columns
  }

  /// The marker in hand, where it is seen.
  var markerInHand: (column: Int, look: MarkerLook)? {
    guard let id = state.movedMarker?.id ?? state.selectedMarker?.id,
      let marker = document.marker(id),
      let column = state.viewport.column(of: marker.position)
    else { return nil }
    return (column, MarkerLook(marker))
  }

  /// The handles, and below them what is heard from each on.
  func drawMarkers(on surface: inout Surface, handles: Rect, labels: Rect) {
    surface.within(handles) { drawHandles(on: &$0) }
    surface.within(labels) { drawLabels(on: &$0) }
  }

  private func drawHandles(on surface: inout Surface) {
    let row = Rect(column: 0, row: 0, columns: surface.size.columns, rows: 1)
    surface.fill(row, with: "─", style: Style(.border))
    for (column, look) in markedColumns {
      surface.fill(
        Rect(column: column, row: 0, columns: 1, rows: 1), with: look.handle,
        style: Style(look.role).bold)
    }
    if let column = markerInHand?.column {
      surface.restyle(Rect(column: column, row: 0, columns: 1, rows: 1)) { $0 = $0.reversed }
    }
  }

  private func drawLabels(on surface: inout Surface) {
    let viewport = state.viewport
    let first = document.segment(containing: viewport.span.lowerBound).index
    let last = document.segment(containing: viewport.span.upperBound).index
    let segments = (first...last).compactMap { index -> LabelRow.Segment? in
      let record = document.records[index]
      let start = record.start?.position ?? .zero
      guard let column = index == first ? 0 : viewport.column(of: start) else { return nil }
      let look = SegmentLook(record.content)
      let isSelected = record.id == state.selection.segment
      return LabelRow.Segment(
        column: column, text: look.label, ayah: record.content.assignment?.soleAyah,
        style: isSelected ? Style(look.role).bold.underlined : Style(look.role),
        isSelected: isSelected)
    }
    for label in LabelRow(segments, columns: surface.size.columns).labels {
      surface.write(label.text, at: Point(column: label.column, row: 0), style: label.style)
    }
  }
}

extension Assignment {
  /// The ayah of which it is the whole or a part; nil for anything else.
  fileprivate var soleAyah: AyahReference? {
    if case .ayah(let ayah, _, _) = self { ayah } else { nil }
  }
}
