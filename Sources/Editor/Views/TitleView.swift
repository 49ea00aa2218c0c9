// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  /// Recording, reciter and riwayah on the left; how far it is and whether it is kept on the right.
  func drawTitle(on surface: inout Surface, in rect: Rect) {
    let bar = Style(.standard, on: .role(.bar))
    surface.fill(rect, style: bar)
    surface.within(rect) { surface in
      // Reciter and riwayah stand where there is room for them, the title in any case.
      var leastWidth = 0
      var details: [StyledText] = []
      var left = StyledText(" ", bar)
      if let card = state.card {
        if let place = state.queue.place {
          left.append(TerminalText(place) + "  ", Style(.accent, on: .bar))
        }
        left.append(outside(card.title), Style(.title, on: .bar).bold)
        leastWidth = left.width
        if !card.reciter.isEmpty { details.append(StyledText("  " + outside(card.reciter), bar)) }
        details.append(
          StyledText("  " + TerminalText(card.riwayah.displayName), Style(.dim, on: .bar)))
      } else {
        left.append("tilawa-annotate", Style(.title, on: .bar).bold)
      }
      var right = whatIsDone(inFull: true)
      if leastWidth > surface.size.columns - right.width - 2 { right = whatIsDone(inFull: false) }
      let room = surface.size.columns - right.width - 2
      for detail in details where left.width + detail.width <= room { left = left + detail }
      surface.write(left.truncated(to: room), at: .zero)
      surface.write(right, at: Point(column: surface.size.columns - right.width, row: 0))
    }
  }

  /// How far the annotation is, and whether it is kept.
  /// - Parameter inFull: with the number of suggestions that were published.
  private func whatIsDone(inFull: Bool) -> StyledText {
    guard state.isOpen else { return StyledText() }
    let progress = state.facts.progress
    var line = StyledText(
      "\(progress.status.title.sentence), \(progress.confirmed)/\(progress.segments)  ",
      Style(progress.status == .complete ? .success : .dim, on: .bar))
    line.append(keptText(inFull: inFull), keptStyle)
    line.append(" ", Style(.standard, on: .role(.bar)))
    return line
  }

  /// Whether all edits are on disk.
  private func keptText(inFull: Bool) -> TerminalText {
    if state.isProvisional { return "being added" }
    if case .readOnly = state.annotation.access { return "read-only" }
    switch state.unkept {
    case 0:
      let publication = state.annotation.publication
      if publication == .nothing, state.facts.progress.assigned == 0 { return "saved" }
      return "saved, \(TerminalText(inFull ? publication.title : publication.shortTitle))"
    case 1: return "1 edit not on disk yet"
    case let count: return "\(count) edits not on disk yet"
    }
  }

  private var keptStyle: Style {
    if state.isProvisional { return Style(.dim, on: .bar) }
    if case .readOnly = state.annotation.access { return Style(.warning, on: .bar) }
    return Style(state.unkept == 0 ? .success : .warning, on: .bar)
  }
}
