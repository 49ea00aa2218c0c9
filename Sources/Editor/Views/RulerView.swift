// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TerminalUI

extension Screen {
  /// Seconds between two labels, of which the smallest that fits is taken.
  private static let steps: [Double] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
    18000, 36000,
  ]

  /// Times above the canvas.
  func drawRuler(on surface: inout Surface, in rect: Rect) {
    let viewport = state.viewport
    let columnSeconds = Double(viewport.framesPerColumn) / Double(state.rate.hertz)
    let step = Self.steps.first { $0 / columnSeconds >= 14 } ?? 86400
    let decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0
    let start = viewport.start.seconds(at: state.rate)
    let last = viewport.span.upperBound.seconds(at: state.rate)
    var tick = Int((start / step).rounded(.up))
    surface.within(rect) { surface in
      while Double(tick) * step <= last {
        let position = FramePosition(seconds: Double(tick) * step, at: state.rate)
        if let column = viewport.column(of: position) {
          let text = TerminalText(Clock.text(position, state.rate, decimals: decimals))
          surface.write("╷", at: Point(column: column, row: 0), style: Style(.border))
          // Numbers of pauses among times could not be told from them.
          if state.numberedPauses.isEmpty, column + 1 + text.width <= surface.size.columns {
            surface.write(text, at: Point(column: column + 1, row: 0), style: Style(.dim))
          }
        }
        tick += 1
      }
      for mark in state.sceneMarks.marks {
        guard let column = viewport.column(of: mark.position) else { continue }
        surface.fill(
          Rect(column: column, row: 0, columns: 1, rows: 1), with: mark.sign,
          style: Style(.accent).bold)
      }
      for (index, place) in state.numberedPauses.enumerated() {
        guard let column = viewport.column(of: place) else { continue }
        surface.write(
          TerminalText("\(index + 1)"), at: Point(column: column, row: 0),
          style: Style(.key, on: .bar).bold)
      }
    }
  }
}
