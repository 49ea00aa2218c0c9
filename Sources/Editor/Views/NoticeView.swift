// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  /// One line for what the person should know now: a notice, work under way, or the banner.
  ///
  /// A notice that is longer than a line is said in full, over what stands above it.
  func drawNotice(on surface: inout Surface, in rect: Rect) {
    let width = rect.size.columns - 2
    if let notice = state.notice, outside(notice.text).width > width {
      let lines = Paragraph.lines(of: notice.text, width: width).suffix(Self.longestNotice)
      let place = Rect(
        column: rect.origin.column, row: rect.origin.row + 1 - lines.count,
        columns: rect.size.columns, rows: lines.count)
      surface.fill(place)
      surface.within(place) { surface in
        for (row, line) in lines.enumerated() {
          surface.write(
            outside(line.string), at: Point(column: 1, row: row), style: notice.style)
        }
      }
      return
    }
    surface.within(rect) { surface in
      surface.write(noticeLine(width).truncated(to: width), at: Point(column: 1, row: 0))
    }
  }

  /// Lines.
  private static let longestNotice = 5

  private func noticeLine(_ width: Int) -> StyledText {
    if let notice = state.notice {
      return StyledText(outside(notice.text), notice.style)
    }
    if let moved = state.movedMarker { return StyledText(movingText(moved), Style(.accent)) }
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
    if left > 0 { rest.append("  \(left) left", Style(.suggested)) }
    if state.panel == nil, !judgement.remarks.isEmpty,
      let key = state.keymap.hint(for: .openRemarks, in: .normal)
    {
      rest.append("  " + TerminalText(key), Style(.key))
      rest.append(" " + TerminalText(counted(judgement.remarks.count, "remark")), Style(.dim))
    }
    let said = TerminalText(judgement.doubt?.sentence ?? banner)
    return StyledText(
      said.truncated(to: max(width - rest.width, 0)),
      Style(judgement.doubt == nil ? .accent : .warning).bold) + rest
  }

  private func movingText(_ moved: (id: MarkerID, position: FramePosition)) -> TerminalText {
    let before = state.document.marker(moved.id)?.position ?? moved.position
    let milliseconds = (moved.position - before).seconds(at: state.rate) * 1000
    let sign = milliseconds >= 0 ? "+" : ""
    let segment = document.segment(.from(moved.id))
    let left = segment.map { document.segments[max($0.index - 1, 0)] }
    let lengths = [left, segment].compactMap { $0?.span.length.seconds(at: state.rate) }
      .map(Clock.seconds).joined(separator: " s | ")
    return TerminalText(
      "Marker at \(Clock.text(moved.position, state.rate))  \(sign)\(Clock.decimal(milliseconds, places: 0)) ms"
        + "  lengths \(lengths) s")
  }
}

extension Notice {
  fileprivate var style: Style {
    switch kind {
    case .hint: Style(.accent)
    case .done: Style(.success)
    case .warning: Style(.warning)
    case .failure: Style(.error).bold
    }
  }
}
