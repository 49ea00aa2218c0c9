// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  /// The words of the selected segment under the waveform, the one that is heard lit.
  func drawWordsBelow(on surface: inout Surface, in rect: Rect) {
    guard rect.size.rows > 0 else { return }
    surface.within(rect) { surface in
      let words = words(of: state.selectedSegment, width: rect.size.columns - 2)
      for (row, line) in (words?.lines(showing: rect.size.rows) ?? []).enumerated() {
        surface.write(line, at: Point(column: 1, row: row))
      }
    }
  }

  /// The words of a segment in lines, as they are read.
  private func words(of segment: Segment, width: Int) -> WordLines? {
    guard let text = state.text, width > 0 else { return nil }
    let position = state.transport.position
    var words = WordLines(width: width, ordersArabic: state.ordersArabic)
    for passage in segment.passages {
      let texts = text[passage.ayah].split(whereSeparator: \.isWhitespace).map(String.init)
      let timed = document.words(in: passage)
      // Texts that divide words otherwise are shown without telling which is heard.
      let heard =
        texts.count == QuranSounds.wordCount(of: passage.ayah)
        ? timed.first { $0.span.contains(position) }?.number : nil
      words.add(texts, heard: heard.map { $0 - 1 })
    }
    return words
  }

  /// What is known of the selected segment, beside the list.
  func drawSide(on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty else { return }
    let segment = state.selectedSegment
    let look = SegmentLook(segment.content)
    surface.fill(rect)
    surface.within(rect) { surface in
      let width = surface.size.columns - 3
      surface.fill(
        Rect(column: 0, row: 0, columns: surface.size.columns, rows: 2),
        style: Style(.standard, on: .role(.bar)))
      surface.write(
        TerminalText("\(segment.index + 1)  \(assignmentText(segment))").truncated(to: width),
        at: Point(column: 2, row: 0), style: Style(look.role, on: .bar).bold)
      surface.write(
        TerminalText(standing(of: segment)).truncated(to: width), at: Point(column: 2, row: 1),
        style: Style(.dim, on: .bar))
      let rows = max(surface.size.rows - 2, 0)
      for (row, line) in sideLines(of: segment, width: width).prefix(rows).enumerated() {
        surface.write(line.truncated(to: width), at: Point(column: 2, row: row + 2))
      }
    }
  }

  private func standing(of segment: Segment) -> String {
    let confidence = document.sureness(listedAt: segment.index)
    return switch Certainty(confidence) {
    case .decided:
      segment.isConfirmed
        ? "confirmed by a person" : segment.assignment == nil ? "not assigned" : "not confirmed"
    case .sure: "suggested, sure"
    case .likely: "suggested, likely"
    case .unsure: "suggested, unsure: listen"
    }
  }

  private func sideLines(of segment: Segment, width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    func add(_ title: String, _ body: [StyledText]) {
      guard !body.isEmpty else { return }
      if !lines.isEmpty { lines.append(StyledText()) }
      lines.append(StyledText(TerminalText(title), Style(.title)))
      lines += body
    }
    add("Words", words(of: segment, width: width)?.lines ?? [])
    let note = Paragraph.lines(of: segment.content.note, width: width)
    add("Remark", note.map { StyledText(outside($0.string), Style(.accent)) })
    let judgement = state.judgement
    let doubt = judgement.doubt.map { Paragraph.lines(of: $0.text.sentence, width: width) } ?? []
    let remarks = judgement.remarks.flatMap { Paragraph.lines(of: $0.text.sentence, width: width) }
    add(
      "Alignment",
      doubt.map { StyledText($0, Style(.warning)) } + remarks.map { StyledText($0, Style(.dim)) })
    let edits = state.annotation.history.undoable.suffix(Self.recentEdits).reversed()
    add(
      "Edits, latest first", edits.map { StyledText(outside($0.summary(state.rate)), Style(.dim)) })
    return lines
  }

  private static let recentEdits = 8
}
