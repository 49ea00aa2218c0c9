// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

// Panels of a question or of a few values.
extension Screen {
  func draw(_ panel: NotePanel, on surface: inout Surface, in frame: Rect) {
    let number = document.index(of: panel.segment).map { "\($0 + 1)" } ?? "?"
    drawBox("Note on segment \(TerminalText(number))", on: &surface, in: frame)
    let inside = frame.inset(columns: 2, rows: 1)
    drawField(
      "Note", panel.text, isFocused: true,
      placeholder: "a reminder for later; leave empty to remove it",
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
      lines.append(StyledText("The two become one segment: " + name(result), Style(.accent)))
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
      Slider(value: panel.slider(row), isFocused: isFocused).draw(
        on: &surface,
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
}
