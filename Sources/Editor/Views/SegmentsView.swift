// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension State {
  /// The rows of the segments that are listed.
  var listView: ListView {
    ListView(count: listed.count, offset: listTop, rowHeight: layout.listRowHeight)
  }
}

extension Screen {
  /// How many segments there are and how far they are, the names of the columns, and a line for each in
  /// sight.
  func drawSegments(on surface: inout Surface, heading: Rect, list: Rect) {
    var header = heading
    // Where there is one row, that not all are listed matters more than the names of the columns.
    if heading.size.rows > 1 || state.filter != .all {
      drawProgress(on: &surface, in: header.takeTop(1))
    }
    let columns = SegmentColumns(list.size.columns - 1, time: timeWidth)
    surface.fill(header, style: Style(.standard, on: .role(.bar)))
    if !header.isEmpty {
      surface.write(
        columns.header(hasText: state.text != nil).truncated(to: list.size.columns),
        at: Point(column: list.origin.column, row: header.origin.row))
    }
    let listed = state.listed
    var view = state.listView
    view.selected = document.index(of: state.selection.segment).flatMap(listed.row(of:))
    view.draw(on: &surface, in: list) { segmentLine(document.segments[listed[$0]], columns) }
    drawListPictures(on: &surface)
  }

  /// The pictures beside the segments, unless they belong to other ones.
  private func drawListPictures(on surface: inout Surface) {
    let rect = state.layout.listPictures
    guard !rect.isEmpty else { return }
    surface.fill(rect)
    guard let (pictures, wish) = state.listThumbnails, wish == state.listThumbnailWish else {
      return
    }
    state.listThumbnailRoom(of: wish.positions.count)
      .draw(.shown(pictures, isCurrent: true), on: &surface, slot: ImageSlot.list)
  }

  private func drawProgress(on surface: inout Surface, in rect: Rect) {
    let progress = state.facts.progress
    var rest = StyledText()
    if state.filter != .all {
      rest.append(
        "  listed: " + TerminalText(state.filter.title(state.listed.count)), Style(.accent))
    } else if state.facts.suggestions > 0 {
      rest.append("  ")
      rest.append(
        TerminalText(counted(state.facts.suggestions, "suggested marker")), Style(.suggested))
    }
    let confirmed: TerminalText = " Segments  \(progress.confirmed) confirmed"
    let whole = confirmed + ", \(progress.assigned) assigned of \(progress.segments)"
    // What is listed matters more than how many are assigned.
    let fits = whole.width + rest.width <= rect.size.columns
    let line =
      StyledText(fits ? whole : confirmed + " of \(progress.segments)", Style(.title)) + rest
    let legend = StyledText(Self.legend, Style(.dim))
    surface.within(rect) { surface in
      surface.fill(style: Style(.standard, on: .role(.bar)))
      if line.width + legend.width + 2 <= surface.size.columns {
        surface.write(legend, at: Point(column: surface.size.columns - legend.width, row: 0))
      }
      surface.write(line.truncated(to: surface.size.columns), at: .zero)
      surface.restyle(surface.bounds) { $0.background = .role(.bar) }
    }
  }

  /// What the figures in the list mean.
  private static let legend: TerminalText =
    "x: length against usual  %: how sure "

  var timeWidth: Int { Clock.text(state.end, state.rate).count }

  /// Whether there is room for notes in the list or beside it; else that on the selected segment is said
  /// below it.
  var showsNotes: Bool {
    let layout = state.layout
    return !layout.side.isEmpty
      || SegmentColumns(layout.list.size.columns - 1, time: timeWidth).rest > 0
  }

  private func segmentLine(_ segment: Segment, _ columns: SegmentColumns) -> StyledText {
    let look = SegmentLook(segment.content)
    let isHeard = state.transport.isPlaying && segment.span.contains(state.transport.position)
    var line = StyledText(isHeard ? "▶" : " ", Style(.playhead))
    line.append(
      TerminalText("\(segment.index + 1)").padded(to: columns.number, alignment: .right),
      Style(.dim))
    line.append(" ")
    line.append(time(segment.span.lowerBound), edgeStyle(segment, .start))
    if columns.showsEnd {
      line.append(" – ", Style(.dim))
      line.append(time(segment.span.upperBound), edgeStyle(segment, .end))
    }
    let seconds = segment.span.length.seconds(at: state.rate)
    line.append(
      TerminalText(Clock.seconds(seconds)).padded(to: columns.length, alignment: .right),
      columns.showsEnd ? .plain : edgeStyle(segment, .end))
    appendPace(segment, seconds, columns, to: &line)
    let certainty = Certainty(document.sureness(listedAt: segment.index))
    let isUnsure = certainty == .unsure
    line.append(
      isUnsure ? " " + TerminalText(String(Certainty.doubt)) + " " : " " + look.sign + " ",
      Style(isUnsure ? .unsure : look.role))
    let name = TerminalText(assignmentText(segment)).truncated(to: columns.name)
    line.append(name, Style(look.role), paddedTo: columns.name)
    line.append(
      confidence(segment), Style(certainty.role), paddedTo: columns.sure, alignment: .right)
    line.append(segment.content.isFlagged ? " !" : "  ", Style(.warning).bold)
    line.append(segment.content.note.isEmpty ? " " : "n", Style(.accent))
    if columns.rest > 0 { appendRest(segment, columns, to: &line) }
    return line
  }

  /// The remark of a person or, where there is none, the words.
  private func appendRest(
    _ segment: Segment, _ columns: SegmentColumns, to line: inout StyledText
  ) {
    let note = segment.content.note
    if !note.isEmpty {
      line.append(" " + outside(note).truncated(to: columns.rest - 1), Style(.accent))
    } else if let text = state.text {
      let words = segment.passages.map { text[$0.ayah] }.joined(separator: " * ")
      // Cut as it is read, before it is put in the order in which it is seen.
      let seen = TerminalText(words).truncated(to: columns.rest - 1)
      line.append(" " + outside(seen.string), Style(.dim))
    }
  }

  /// A time, as wide as the latest in the recording.
  func time(_ position: FramePosition) -> TerminalText {
    TerminalText(Clock.text(position, state.rate)).padded(to: timeWidth, alignment: .right)
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
  private func appendPace(
    _ segment: Segment, _ seconds: Double, _ columns: SegmentColumns, to line: inout StyledText
  ) {
    guard columns.pace > 0 else { return }
    guard let expected = state.facts.expectedSeconds(segment), expected > 0 else {
      line.append(TerminalText.empty.padded(to: columns.pace + columns.gauge))
      return
    }
    let factor = seconds / expected
    let text = factor < 99.95 ? "x" + Clock.decimal(factor, places: factor < 9.95 ? 2 : 1) : "x99+"
    let isOdd = factor < 0.5 || seconds > 2 * expected + 1.5
    line.append(
      TerminalText((isOdd ? "!" : " ") + text).padded(to: columns.pace, alignment: .right),
      Style(isOdd ? .warning : .dim))
    guard columns.gauge > 0 else { return }
    line.append(" ")
    // Half a column is a sixteenth of the widest; a thin line leads on to the usual length.
    let full = columns.gauge - 2
    let halves = Int((min(factor / 2, 1) * Double(full * 2)).rounded())
    let drawn = (halves + 1) / 2
    let bar = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    line.append(TerminalText(bar), Style(isOdd ? .warning : .dim))
    line.append(
      TerminalText(String(repeating: "─", count: max(full / 2 - drawn, 0)))
        .padded(to: full + 1 - drawn), Style(.border))
  }

  private func confidence(_ segment: Segment) -> TerminalText {
    guard let least = document.sureness(listedAt: segment.index) else { return .empty }
    return TerminalText("\(least.percent)%")
  }

  /// The assignment with the names of its surahs.
  func assignmentText(_ segment: Segment) -> String {
    let basmalah = segment.assignment?.hasBasmalah == true ? "basmalah + " : ""
    switch segment.assignment {
    case nil:
      guard segment.id == state.selection.segment, let proposal = state.proposal(for: segment.index)
      else { return "unassigned" }
      return "unassigned (\(proposal)?)"
    case .ayah(let ayah, _, _):
      return "\(segment.assignment.map(\.description) ?? "") \(ayah.surah.name)"
    case .ayat(let range, _, _):
      return "\(basmalah)\(range.numericDescription) \(range.first.surah.name)"
    case .crossSurah(let ayah, _, let end, _):
      return "\(basmalah)\(ayah) \(ayah.surah.name) | \(end) \(end.surah.name)"
    case .leadIn(let leadIn):
      let surah = leadIn.basmalah.map { " (\($0.name))" } ?? ""
      return "\(Assignment.leadIn(leadIn))\(surah)"
    case .unused(let reason): return "unused: \(reason.rawValue)"
    }
  }
}

/// How the list divides its width.
struct SegmentColumns: Hashable {
  let number = 4
  let time: Int
  let showsEnd: Bool
  let length = 7
  /// The factor of its usual length, and the same as a bar.
  let pace: Int
  let gauge: Int
  let name: Int
  let sure = 6
  /// For remarks and words; 0 for none.
  let rest: Int

  private static let sign = 3
  private static let marks = 3
  /// Columns from which on there is room for an end, a pace and the rest.
  private static let (withEnd, withPace, withRest) = (72, 66, 110)
  /// Columns of the bar; a name as most are has to have room beside it.
  private static let gauges = [10, 6]
  private static let usualName = 18
  /// `2:286 Al-Baqarah | 3:1 Ali 'Imran`.
  private static let widestName = 34

  init(_ width: Int, time: Int) {
    self.time = time
    showsEnd = width >= Self.withEnd
    pace = width >= Self.withPace ? 8 : 0
    let fixed =
      1 + number + 1 + time + (showsEnd ? 3 + time : 0) + length + pace + Self.sign + sure
      + Self.marks
    let rest = width - fixed
    gauge = pace > 0 ? Self.gauges.first { rest - $0 >= Self.usualName } ?? 0 : 0
    let room = max(rest - gauge, 8)
    name = width >= Self.withRest ? min(room, Self.widestName) : room
    self.rest = room - name
  }

  /// The names of the columns.
  func header(hasText: Bool) -> StyledText {
    var text = TerminalText(" ") + TerminalText("#").padded(to: number, alignment: .right) + " "
    text = text + TerminalText("start").padded(to: time, alignment: .right)
    if showsEnd { text = text + "   " + TerminalText("end").padded(to: time, alignment: .right) }
    text = text + TerminalText("length").padded(to: length, alignment: .right)
    if pace > 0 { text = text + TerminalText("x usual").padded(to: pace, alignment: .right) }
    if gauge > 0 {
      let step = String(repeating: " ", count: (gauge - 2) / 2 - 1)
      text = text + TerminalText(" 0\(step)1\(step)2").padded(to: gauge)
    }
    text =
      text
      + TerminalText("   what is heard").truncated(to: Self.sign + name)
      .padded(to: Self.sign + name)
    text = text + TerminalText("sure").padded(to: sure, alignment: .right) + "   "
    if rest > 0 {
      let whole: TerminalText = " remark, or words"
      text = text + (hasText && whole.width <= rest ? whole : " remark")
    }
    return StyledText(text, Style(.dim, on: .bar))
  }
}
