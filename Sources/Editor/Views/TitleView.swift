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
      var right = StyledText()
      if state.isOpen {
        let progress = state.facts.progress
        right.append(
          "\(progress.status.title.sentence), \(progress.confirmed)/\(progress.segments)  ",
          Style(progress.status == .complete ? .success : .dim, on: .bar))
        right.append(keptText, keptStyle)
        right.append(" ", bar)
      }
      let room = surface.size.columns - right.width - 2
      var left = StyledText(" ", bar)
      if let card = state.card {
        if let place = state.queue.place {
          left.append(TerminalText(place) + "  ", Style(.accent, on: .bar))
        }
        left.append(outside(card.title), Style(.title, on: .bar).bold)
        if !card.reciter.isEmpty { left.append("  " + outside(card.reciter), bar) }
        left.append("  " + TerminalText(card.riwayah.displayName), Style(.dim, on: .bar))
      } else {
        left.append("tilawa-annotate", Style(.title, on: .bar).bold)
      }
      surface.write(left.truncated(to: room), at: .zero)
      surface.write(right, at: Point(column: surface.size.columns - right.width, row: 0))
    }
  }

  /// Whether all edits are on disk.
  private var keptText: TerminalText {
    if state.isProvisional { return "being added" }
    if case .readOnly = state.annotation.access { return "read-only" }
    switch state.unkept {
    case 0:
      let publication = state.annotation.publication
      if publication == .nothing, state.facts.progress.assigned == 0 { return "saved" }
      return "saved, \(TerminalText(publication.title))"
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
