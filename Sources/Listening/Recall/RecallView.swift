// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
public import TerminalUI

/// Draws the screen of reciting by heart. Pure, and quick enough for every key.
public func view(_ state: RecallState) -> Surface {
  var surface = Surface(size: state.size)
  guard Layout.fits(state.size) else {
    surface.write(
      TerminalText("This needs \(Layout.minSize.columns)x\(Layout.minSize.rows).").truncated(
        to: state.size.columns), at: .zero)
    return surface
  }
  let layout = RecallLayout(state.size)
  let screen = RecallScreen(state: state)
  screen.drawTitle(on: &surface, in: layout.title)
  if let first = state.help {
    screen.drawHelp(from: first, on: &surface, in: layout.inside)
  } else if let unit = state.unit {
    screen.draw(unit, on: &surface, in: layout)
  } else {
    screen.drawSummary(on: &surface, in: layout.inside)
  }
  state.notice?.draw(on: &surface, in: layout.notice, ordersArabic: state.ordersArabic)
  KeyHints(state.hints.map(\.hint), last: state.quitHint?.hint).draw(
    on: &surface, in: layout.footer)
  return surface
}

/// Where everything stands on the screen.
private struct RecallLayout {
  let title, footer, notice, inside, grades: Rect

  init(_ size: Size) {
    var rest = Rect(origin: .zero, size: size)
    (title, footer) = (rest.takeTop(1), rest.takeBottom(1))
    notice = rest.takeBottom(1)
    inside = rest.inset(columns: 2, rows: 1)
    var lines = inside
    grades = lines.takeBottom(2)
  }
}

extension RecallState {
  /// What the mouse asks for at a place on the screen; nil where nothing is.
  func action(at point: Point) -> RecallAction? {
    guard Layout.fits(size) else { return nil }
    let layout = RecallLayout(size)
    if layout.footer.contains(point) {
      let offered = hints + [quitHint].compactMap { $0 }
      let hint = KeyHints(hints.map(\.hint), last: quitHint?.hint)
        .hint(at: point.column, of: size.columns)
      return offered.first { $0.hint == hint }?.action
    }
    guard unit != nil else { return nil }
    let place = gradePlaces(in: layout.grades).first { $0.rect.contains(point) }
    return place.flatMap { place in RecallAction.allCases.first { $0.grade == place.grade } }
  }

  /// The keys from one on that have room, and how many are left.
  fileprivate func helpPage(
    from first: Int
  ) -> (rows: ArraySlice<(action: RecallAction, keys: [String])>, left: Int) {
    let rows = keymap.sections.flatMap(\.rows).dropFirst(first)
    let room = RecallLayout(size).inside.size.rows
    guard rows.count > room else { return (rows, 0) }
    // The last line says that there are more.
    let shown = rows.prefix(max(room - 1, 1))
    return (shown, rows.count - shown.count)
  }

  /// The first of the keys on the page after one; nil where all have been shown.
  func helpPage(after first: Int) -> Int? {
    let (rows, left) = helpPage(from: first)
    return left > 0 ? first + rows.count : nil
  }

  fileprivate typealias GradePlace = (grade: RecallGrade, line: StyledText, rect: Rect)

  /// The grades that can be given, and when it would come again; in two rows where one is too narrow.
  fileprivate func gradePlaces(in rect: Rect) -> [GradePlace] {
    let lines = RecallGrade.allCases.map { grade in (grade, gradeLine(grade)) }
    let gap = 3
    let width = lines.reduce(-gap) { $0 + $1.1.width + gap }
    let perRow = width <= rect.size.columns ? lines.count : (lines.count + 1) / 2
    var places: [GradePlace] = []
    for (index, (grade, line)) in lines.enumerated() {
      let left = index % perRow == 0 ? nil : places.last?.rect
      let column = left.map { $0.origin.column + $0.size.columns + gap } ?? rect.origin.column
      let place = Rect(
        column: column, row: rect.origin.row + index / perRow, columns: line.width, rows: 1)
      places.append((grade, line, place))
    }
    return places
  }

  private func gradeLine(_ grade: RecallGrade) -> StyledText {
    let next = scheduler.memory(after: grade, at: clock, unit?.memory)
    var line = StyledText("\(grade.rawValue) ", Style(.key))
    line.append(TerminalText(grade.name), Style.plain.bold)
    line.append(" " + TerminalText(waitText(next.due - clock)), Style(.dim))
    return line
  }

  fileprivate typealias Offer = (action: RecallAction, hint: KeyHints.Hint)

  fileprivate var hints: [Offer] {
    let actions: [RecallAction] =
      unit == nil
      ? [.undo, .help]
      : [
        .listen, .cue, .words, .playToggle, .undo, .later, .help, .playSlower, .playFaster,
      ]
    return actions.compactMap(offer)
  }

  fileprivate var quitHint: Offer? { offer(.quit) }

  private func offer(_ action: RecallAction) -> Offer? {
    let plays = action == .playToggle && !(now?.isPlaying ?? (step != .reciting))
    return keymap.hint(for: action, in: .recall).map {
      (action, KeyHints.Hint(TerminalText($0), TerminalText(plays ? "play" : action.label)))
    }
  }
}

/// A state being drawn.
private struct RecallScreen {
  let state: RecallState

  func drawTitle(on surface: inout Surface, in rect: Rect) {
    let bar = Style(.standard, on: .role(.bar))
    surface.fill(rect, style: bar)
    surface.within(rect) { surface in
      var line = StyledText(" ", bar)
      if let unit = state.unit {
        let surah = unit.range.first.surah
        line.append("\(unit.name)  \(TerminalText(surah.name))", Style(.title, on: .bar).bold)
        line.append(unit.isJoin ? "  across two units" : "", Style(.dim, on: .bar))
      } else {
        line.append("Review by heart", Style(.title, on: .bar).bold)
      }
      let left = state.units.count
      let right = StyledText("\(left) to recite ", Style(.dim, on: .bar))
      surface.write(line.truncated(to: surface.size.columns - right.width - 1), at: .zero)
      surface.write(right, at: Point(column: surface.size.columns - right.width, row: 0))
    }
  }

  func draw(_ unit: RecallUnit, on surface: inout Surface, in layout: RecallLayout) {
    var rest = layout.inside
    let (status, memory) = (rest.takeTop(1), rest.takeTop(2))
    let grades = rest.takeBottom(2)
    surface.write(step(unit).truncated(to: status.size.columns), at: status.origin)
    surface.write(
      StyledText(known(unit), Style(.dim)).truncated(to: memory.size.columns), at: memory.origin)
    drawWords(of: unit, on: &surface, in: rest)
    for place in state.gradePlaces(in: grades) {
      surface.write(place.line.truncated(to: grades.size.columns), at: place.rect.origin)
    }
  }

  private func step(_ unit: RecallUnit) -> StyledText {
    let isHeard = state.step == .cue || state.step == .listening
    if isHeard, let wait = state.now?.deviceWait {
      return StyledText("‖ \(wait.text)", Style(.warning).bold)
    }
    switch state.step {
    case .cue:
      let isPaused = state.now?.isPaused ?? false
      return StyledText("\(isPaused ? "‖" : "▶") listen to the beginning", Style(.playhead))
    case .reciting:
      let key = state.keymap.hint(for: .listen, in: .recall).map { "; \($0) plays it" } ?? ""
      return StyledText(TerminalText("recite now\(key)"), Style(.accent).bold)
    case .done: return StyledText()
    case .listening:
      guard let now = state.now else { return StyledText("… loading", Style(.dim)) }
      let isOver = !now.isPlaying && !now.isPaused
      return isOver
        ? StyledText("how did it go? 1 to 4", Style(.accent).bold)
        : StyledText("\(now.isPaused ? "‖" : "▶") \(now.ayah)", Style(.playhead))
    }
  }

  private func known(_ unit: RecallUnit) -> TerminalText {
    guard let memory = unit.memory else { return "new" }
    let chance = Int((state.scheduler.chance(memory, at: state.clock) * 100).rounded())
    let times = "recited \(unit.reviews) \(unit.reviews == 1 ? "time" : "times")"
    let lapses = unit.lapses == 0 ? "" : ", forgotten \(unit.lapses)"
    return TerminalText("\(times)\(lapses); \(chance) % likely to be known")
  }

  /// Hidden while they are to be known.
  private func drawWords(of unit: RecallUnit, on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty else { return }
    let isHeard = state.step == .listening
    guard let text = state.text, isHeard || state.showsWords else {
      let hint: TerminalText =
        state.text == nil
        ? ""
        : "· · ·   \(TerminalText(state.keymap.hint(for: .words, in: .recall) ?? "")) shows the words"
      surface.write(hint, at: rect.origin, style: Style(.dim))
      return
    }
    var lines = WordLines(width: rect.size.columns, ordersArabic: state.ordersArabic)
    for ayah in unit.range {
      let isLit = isHeard && state.now?.isPlaying ?? false && state.now?.ayah == ayah
      lines.add(
        text[ayah].split(whereSeparator: \.isWhitespace).map(String.init), heard: nil,
        style: isLit ? WordLines.heard : .plain)
    }
    for (row, line) in lines.lines(showing: rect.size.rows).enumerated() {
      surface.write(line, at: Point(column: rect.origin.column, row: rect.origin.row + row))
    }
  }

  /// All keys, a line each.
  func drawHelp(from first: Int, on surface: inout Surface, in rect: Rect) {
    let (rows, left) = state.helpPage(from: first)
    surface.within(rect) { surface in
      for (row, entry) in rows.enumerated() {
        var line = StyledText(
          TerminalText(entry.keys.joined(separator: "  ")).padded(to: 20), Style(.key))
        line.append(TerminalText(entry.action.summary))
        surface.write(line.truncated(to: rect.size.columns), at: Point(column: 0, row: row))
      }
      if left > 0 {
        surface.write(
          StyledText("\(left) more: any key", Style(.dim)), at: Point(column: 0, row: rows.count))
      }
    }
  }

  func drawSummary(on surface: inout Surface, in rect: Rect) {
    let counts = RecallGrade.allCases.map { "\(state.count(of: $0)) \($0.name)" }
    let left = state.postponed.count
    let lines: [StyledText] = [
      StyledText(
        left == 0
          ? "The review is complete."
          : "The time for today is over. \(left) \(left == 1 ? "unit is" : "units are") left.",
        Style(.success).bold), StyledText(),
      StyledText(
        state.graded.isEmpty
          ? "'hifz list' shows when each unit is due."
          : TerminalText(counts.joined(separator: ", "))),
    ]
    for (row, line) in lines.enumerated() {
      surface.write(
        line.truncated(to: rect.size.columns),
        at: Point(column: rect.origin.column, row: rect.origin.row + row))
    }
  }
}

/// `10 min`, `3 d`, `2 months`.
public func waitText(_ seconds: Int) -> String {
  let days = (Double(seconds) / 86_400).rounded()
  if seconds < 3600 { return "\(max(seconds / 60, 1)) min" }
  if days < 1 { return "\(seconds / 3600) h" }
  if days < 60 { return "\(Int(days)) d" }
  return days < 730
    ? "\(Int((days / 30.4).rounded())) months" : "\(Int((days / 365).rounded())) years"
}
