// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

extension Screen {
  func draw(_ panel: RemarksPanel, on surface: inout Surface, in frame: Rect) {
    drawBox("Remarks", on: &surface, in: frame)
    let lines = remarkLines(width: RemarksPanel.width(state))
    drawList(
      panel.cursor, count: lines.count, on: &surface, in: frame.inset(columns: 2, rows: 1)
    ) { lines[$0] }
  }

  /// Why nothing is heard, the note on the selected segment, and what the latest alignment says of itself.
  func remarkLines(width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    if let fault = state.transport.faultAndRemedy {
      lines += paragraph(fault.sentence, Style(.warning), width)
    }
    let segment = state.selectedSegment
    if !segment.content.note.isEmpty {
      lines += paragraph(
        "Note on segment \(segment.index + 1): \(segment.content.note)", Style(.accent), width)
    }
    return lines + remarkLines(state.judgement, width: width)
  }

  /// A doubt, and then each remark on a line of its own.
  func remarkLines(_ judgement: AlignmentJudgement, width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    if let doubt = judgement.doubt {
      lines += paragraph(doubt.text.sentence, Style(.warning).bold, width)
    }
    for remark in judgement.remarks { lines += paragraph(remark.text.sentence, .plain, width) }
    return lines
  }

  /// Text broken into lines, those after the first indented.
  private func paragraph(_ text: String, _ style: Style, _ width: Int) -> [StyledText] {
    Paragraph.lines(of: text, width: width - 2).enumerated().map { row, line in
      StyledText((row == 0 ? "" : "  ") + outside(line.string), style)
    }
  }
}
