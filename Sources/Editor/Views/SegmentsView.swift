// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension Screen {
  /// How many segments there are and how far they are, and a line for each in sight.
  func drawSegments(on surface: inout Surface, heading: Rect, list: Rect) {
    let progress = state.facts.progress
    var line = StyledText(
      " Segments  \(progress.confirmed) confirmed, \(progress.assigned) assigned of \(progress.segments)",
      Style(.title))
    if state.facts.suggestions > 0 {
      line.append("  \(state.facts.suggestions) suggested markers", Style(.suggested))
    }
    surface.fill(heading, style: Style(.standard, on: .role(.bar)))
    surface.within(heading) { surface in
      surface.write(line.truncated(to: surface.size.columns), at: .zero)
      surface.restyle(surface.bounds) { $0.background = .role(.bar) }
    }
    let selected = document.index(of: state.selection.segment)
    ListView(count: document.records.count, selected: selected, offset: state.listTop)
      .draw(on: &surface, in: list) { segmentLine(document.segments[$0], list.size.columns - 1) }
  }

  /// Columns of the list from which on there is room for notes in it.
  private static let minWidthForNotes = 110

  /// Whether the list has room for notes; else that on the selected segment is said below it.
  var showsNotes: Bool { Layout(size: state.size).list.size.columns - 1 >= Self.minWidthForNotes }

  private func segmentLine(_ segment: Segment, _ width: Int) -> StyledText {
    let look = SegmentLook(segment.content)
    let isHeard = state.transport.isPlaying && segment.span.contains(state.transport.position)
    var line = StyledText(isHeard ? "▶" : " ", Style(.playhead))
    line.append(
      TerminalText("\(segment.index + 1)").padded(to: 4, alignment: .right), Style(.dim))
    line.append(" ")
    line.append(time(segment.span.lowerBound), edgeStyle(segment, .start))
    line.append(" – ", Style(.dim))
    line.append(time(segment.span.upperBound), edgeStyle(segment, .end))
    let seconds = segment.span.length.seconds(at: state.rate)
    line.append(TerminalText(Clock.seconds(seconds)).padded(to: 7, alignment: .right))
    appendPace(segment, seconds, to: &line)
    line.append(" " + look.sign + " ", Style(look.role))
    let noteRoom = width >= Self.minWidthForNotes ? width - 100 : 0
    let room = max(width - line.width - 8 - noteRoom, 8)
    let name = TerminalText(assignmentText(segment)).truncated(to: room).padded(to: room)
    line.append(name, Style(look.role))
    line.append(confidence(segment), Style(.dim))
    line.append(segment.content.isFlagged ? " !" : "  ", Style(.warning).bold)
    line.append(segment.content.note.isEmpty ? " " : "n", Style(.accent))
    if noteRoom > 0 { line.append(" " + outside(segment.content.note), Style(.dim)) }
    return line
  }

  private func time(_ position: FramePosition) -> TerminalText {
    let widest = Clock.text(state.end, state.rate).count
    return TerminalText(Clock.text(position, state.rate)).padded(to: widest, alignment: .right)
  }

  /// The edge that keys move stands out, more so while it is being moved.
  private func edgeStyle(_ segment: Segment, _ edge: Selection.Edge) -> Style {
    if let moved = state.movedMarker {
      let isMoved =
        edge == .start
        ? segment.id == .from(moved.id) : segment.span.upperBound == moved.position
      return isMoved ? Style(.accent).bold : .plain
    }
    guard segment.id == state.selection.segment, edge == state.selection.edge else {
      return .plain
    }
    return .plain.underlined
  }

  /// How the length compares with what its ayat would take, loudly where it is half or twice that.
  private func appendPace(_ segment: Segment, _ seconds: Double, to line: inout StyledText) {
    guard let expected = state.facts.expectedSeconds(segment), expected > 0 else {
      line.append("       ")
      return
    }
    let factor = seconds / expected
    let text = factor < 99.95 ? "x" + Clock.decimal(factor, places: factor < 9.95 ? 2 : 1) : "x99+"
    let isOdd = factor < 0.5 || seconds > 2 * expected + 1.5
    line.append(
      TerminalText((isOdd ? "!" : " ") + text).padded(to: 7, alignment: .right),
      Style(isOdd ? .warning : .dim))
  }

  private func confidence(_ segment: Segment) -> TerminalText {
    guard let least = document.confidence(of: segment) else { return "     " }
    return TerminalText("\(Int((least * 100).rounded()))%").padded(to: 5, alignment: .right)
  }

  /// The assignment with the names of its surahs.
  func assignmentText(_ segment: Segment) -> String {
    switch segment.assignment {
    case nil:
      guard segment.id == state.selection.segment, let proposal = state.proposal(for: segment.index)
      else { return "unassigned" }
      return "unassigned (\(proposal)?)"
    case .ayah(let ayah, _):
      return "\(segment.assignment.map(\.description) ?? "") \(ayah.surah.name)"
    case .ayat(let range, _): return "\(range.numericDescription) \(range.first.surah.name)"
    case .crossSurah(let ayah, _, let end):
      return "\(ayah) \(ayah.surah.name) | \(end) \(end.surah.name)"
    case .leadIn(let leadIn):
      let surah = leadIn.basmalah.map { " (\($0.name))" } ?? ""
      return "\(Assignment.leadIn(leadIn))\(surah)"
    case .unused(let reason): return "unused: \(reason.rawValue)"
    }
  }
}
