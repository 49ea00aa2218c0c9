// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  /// One line for what the person should know now: a notice, work under way, or the banner.
  func drawNotice(on surface: inout Surface, in rect: Rect) {
    if let notice = state.notice {
      notice.draw(on: &surface, in: rect, ordersArabic: state.ordersArabic)
      return
    }
    let width = rect.size.columns - 2
    surface.within(rect) { surface in
      surface.write(noticeLine(width).truncated(to: width), at: Point(column: 1, row: 0))
    }
  }

  private func noticeLine(_ width: Int) -> StyledText {
    if let moved = state.movedMarker, let before = state.document.marker(moved.id),
      let text = state.movedText(from: before, in: document)
    {
      return StyledText(TerminalText(text), Style(.accent))
    }
    if let fraction = state.sound.analysis {
      let line = ProgressLine(label: "Analysing the recording", fraction: fraction)
      return StyledText(line.text(width: width), Style(.accent))
    }
    if state.sceneMarks.isWanted, state.sceneMarks.fraction < 1 {
      let line = ProgressLine(
        label: "Searching the picture for cuts and stillness", fraction: state.sceneMarks.fraction)
      return StyledText(line.text(width: width), Style(.accent))
    }
    if let fault = state.storeFault {
      return StyledText(outside(fault), Style(.error).bold)
    }
    let note = state.selectedSegment.content.note
    if state.panel == nil, state.selection.span == nil, !note.isEmpty, !showsNotes {
      return StyledText("Note: " + outside(note), Style(.accent))
    }
    if let banner = state.banner { return bannerLine(banner, width) }
    if let span = state.selection.span {
      let text =
        "Selected \(Clock.text(span.lowerBound, state.rate)) – \(Clock.text(span.upperBound, state.rate))"
      return StyledText(TerminalText(text), Style(.dim))
    }
    return StyledText()
  }

  /// What is to be reviewed or, in its place, why it may all be wrong.
  private func bannerLine(_ banner: String, _ width: Int) -> StyledText {
    let judgement = state.judgement
    var rest = StyledText()
    let left = state.facts.suggestions
    if left > 0 {
      rest.append("  ")
      rest.append("\(left) left", Style(.suggested))
    }
    if state.panel == nil, !judgement.remarks.isEmpty,
      let key = state.keymap.hint(for: .openRemarks, in: .normal)
    {
      rest.append("  " + TerminalText(key), Style(.key))
      rest.append(" " + TerminalText(counted(judgement.remarks.count, "remark")), Style(.dim))
    }
    let said = TerminalText(judgement.doubt?.text.sentence ?? banner)
    return StyledText(
      said.truncated(to: max(width - rest.width, 0)),
      Style(judgement.doubt == nil ? .accent : .warning).bold) + rest
  }
}
