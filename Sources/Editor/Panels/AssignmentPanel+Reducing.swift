// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension AssignmentPanel: PanelModel {
  var context: Context { .assignment }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    defer { reckonJoins(state) }
    switch action {
    case .panelAccept, .assignAcceptNext:
      guard case .success(let assignment) = assignment(state) else { return [] }
      var requests = shortening(before: assignment, state).map { [PanelRequest.edit($0)] } ?? []
      requests += [
        .edit(
          .assign(segment, Attribution(assignment), confirming: true),
          joinsPrevious: !requests.isEmpty), .close,
      ]
      if case .unused(let reason) = assignment {
        var settings = state.settings
        settings.lastUnusedReason = reason
        requests.append(.change(settings))
      }
      if action == .assignAcceptNext { requests.append(.goOn(from: segment)) }
      requests += repetition(of: assignment, state).map { [.notify($0)] } ?? []
      return requests
    case .panelCancel: return [.close]
    case .panelNextField: step(by: 1)
    case .panelPreviousField: step(by: -1)
    case .panelUp: choose(by: -1)
    case .panelDown: choose(by: 1)
    case .panelPageUp: choose(by: -ListCursor.page)
    case .panelPageDown: choose(by: ListCursor.page)
    case .assignAyah: become(.ayah)
    case .assignSeveral: become(.several)
    case .assignCrossSurah: become(.crossSurah)
    case .assignLeadIn: become(.leadIn)
    case .assignUnused: become(.unused)
    case .assignPart: choosePart(by: 1)
    case .assignBasmalah: toggleBasmalah()
    case .splitEarlier: nudgeSplit(by: -0.01, state)
    case .splitLater: nudgeSplit(by: 0.01, state)
    case .splitHere: moveJoin(selectedJoin, to: state.transport.position, state)
    default: break
    }
    return []
  }

  /// What is left of an ayah in the segment before when its rest has been cut off from there and is named; nil where
  /// that is no whole ayah, or is confirmed.
  private func shortening(before assignment: Assignment, _ state: State) -> Edit? {
    guard case .ayah(let ayah, .end, _) = assignment,
      let segment = state.document.segment(segment), segment.assignment == nil, segment.index > 0
    else { return nil }
    let before = state.document.segments[segment.index - 1]
    guard !before.isConfirmed, case .ayah(ayah, nil, let has) = before.assignment else {
      return nil
    }
    return .assign(
      before.id, Attribution(.ayah(ayah, part: .beginning, withBasmalah: has)))
  }

  /// What is said where the next segment has the same ayah, which a person who numbers by hand is to know.
  private func repetition(of assignment: Assignment, _ state: State) -> Notice? {
    guard case .ayah(let ayah, nil, _) = assignment, let index = state.document.index(of: segment),
      state.holder(of: ayah, after: index) != nil
    else { return nil }
    let hint = state.hint(.openFill, " on it renumbers from there")
    return Notice(.warning, "\(ayah) is in the next segment too" + hint)
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    defer { reckonJoins(state) }
    let replaces = isFresh
    isFresh = false
    switch field {
    case .surah: return typeSurah(key, replacing: replaces)
    case .ayah:
      if !surah.typeAyah(key, replacing: replaces), replaces || !typeReference(key) {
        return typeInNoField(key)
      }
    case .lastAyah:
      if !last.typeAyah(key, replacing: replaces), replaces || !typeReference(key) {
        return typeInNoField(key)
      }
    case .otherSurah:
      isOtherGiven = true
      _ = other.typeSurah(key, replacing: replaces)
      followOtherText()
    case .otherAyah:
      isOtherGiven = true
      if !other.typeAyah(key, replacing: replaces), replaces || !typeReference(key) {
        return typeInNoField(key)
      }
    case .kind, .part, .basmalah, .leadIn, .reason:
      switch key.key {
      case .left: choose(by: -1)
      case .right: choose(by: 1)
      default: return typeInNoField(key)
      }
    case .split: return typeAtSplit(key, state)
    }
    proposeOther()
    return []
  }

  /// The next surah's first ayah is the likeliest to follow the end of one.
  mutating func proposeOther() {
    guard kind == .crossSurah, !isOtherGiven, let next = surah.surah?.next else { return }
    other = AyahPicker(next.firstAyah)
  }

  mutating func paste(_ text: String, _ state: State) -> [PanelRequest] {
    defer { reckonJoins(state) }
    let replaces = isFresh
    isFresh = false
    switch field {
    case .surah:
      surah.pasteSurah(text, replacing: replaces)
      followSurahText()
    case .otherSurah:
      isOtherGiven = true
      other.pasteSurah(text, replacing: replaces)
      followOtherText()
    case .ayah: if !pasteReference(text) { surah.pasteAyah(text, replacing: replaces) }
    case .lastAyah: if !pasteReference(text) { last.pasteAyah(text, replacing: replaces) }
    case .otherAyah:
      isOtherGiven = true
      if !pasteReference(text) { other.pasteAyah(text, replacing: replaces) }
    case .kind, .part, .basmalah, .split, .leadIn, .reason:
      return text.flatMap { type(KeyEvent($0), state) }.suffix(1)
    }
    return []
  }

  /// Arrows move the split by a column of the segment's waveform; space plays across it.
  private mutating func typeAtSplit(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    guard joins.indices.contains(selectedJoin), let span = state.document.segment(segment)?.span
    else { return [] }
    let column = max(
      span.length.seconds(at: state.rate) / Double(Self.miniatureColumns(state.size)), 0.001)
    switch key.key {
    case .left: nudgeSplit(by: -column, state)
    case .right: nudgeSplit(by: column, state)
    case .character(" "):
      let half = FrameCount(seconds: 0.5, at: state.rate)
      let join = joins[selectedJoin]
      let around = (join - half..<join + half).clamped(to: span)
      return [.play(around, looping: false)]
    default: return typeInNoField(key)
    }
    return []
  }

  private mutating func nudgeSplit(by seconds: Double, _ state: State) {
    guard joins.indices.contains(selectedJoin) else { return }
    let moved = joins[selectedJoin] + FrameCount(seconds: seconds, at: state.rate)
    moveJoin(selectedJoin, to: moved, state)
  }

  private mutating func step(by steps: Int) {
    let fields = self.fields
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + steps + fields.count) % fields.count]
    isFresh = true
  }

  mutating func become(_ kind: Kind) {
    self.kind = kind
    isFresh = true
    forgetName()
    kindBefore = nil
    switch kind {
    case .ayah, .several, .crossSurah: field = surah.reference == nil ? .surah : fields[3]
    case .leadIn: field = .leadIn
    case .unused: field = .reason
    }
    guard let first = surah.reference else { return }
    // What comes next is the likeliest.
    if kind == .several, last.ayahNumber.map({ $0 <= first.ayah }) ?? true,
      let next = first.next, next.surah == first.surah
    {
      last = AyahPicker(next)
    }
    proposeOther()
  }

  private mutating func choosePart(by steps: Int) {
    let parts: [AyahPart?] = [nil] + AyahPart.allCases
    let index = parts.firstIndex(of: ayahPart) ?? 0
    ayahPart = parts[(index + steps + parts.count) % parts.count]
  }

  private mutating func choose(by steps: Int) {
    switch field {
    case .kind:
      let index = Kind.allCases.firstIndex(of: kind) ?? 0
      let next = min(max(index + steps, 0), Kind.allCases.count - 1)
      become(Kind.allCases[next])
      field = .kind
    case .surah: surah.chooseSurah(by: steps)
    case .ayah: surah.chooseAyah(by: steps)
    case .part: choosePart(by: steps.signum())
    case .basmalah: toggleBasmalah()
    case .lastAyah: last.chooseAyah(by: steps)
    case .otherSurah: other.chooseSurah(by: steps)
    case .otherAyah: other.chooseAyah(by: steps)
    case .split: selectedJoin = min(max(selectedJoin + steps.signum(), 0), max(joins.count - 1, 0))
    case .leadIn:
      forgetName()
      leadIn.move(by: steps, count: leadIns.count)
    case .reason:
      forgetName()
      reason.move(by: steps, count: UnusedReason.allCases.count)
    }
  }
}

// MARK: Mouse

extension AssignmentPanel {
  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    defer { reckonJoins(state) }
    let layout = AssignmentLayout(frame, self)
    let point = mouse.position
    switch mouse.action {
    case .wheel(let direction):
      choose(by: direction == .down || direction == .right ? 1 : -1)
    case .press(.left):
      if let kind = layout.kind(at: point) {
        become(kind)
      } else if layout.strip.contains(point) {
        drag(to: point, layout, state, pressing: true)
      } else if layout.options.contains(point) || layout.choices.contains(point) {
        chooseInList(mouse, layout)
      } else if let field = layout.field(at: point) {
        if field == .surah { surah.openList() }
        if field == .otherSurah { other.openList() }
        self.field = field
        isFresh = true
        if field == .part { choosePart(by: 1) }
        if field == .basmalah { toggleBasmalah() }
      }
    case .drag(.left):
      if field == .split {
        drag(to: point, layout, state, pressing: false)
      } else if layout.choices.contains(point) {
        chooseInList(mouse, layout)
      }
    default: break
    }
    return []
  }

  private mutating func drag(
    to point: Point, _ layout: AssignmentLayout, _ state: State, pressing: Bool
  ) {
    guard let span = state.document.segment(segment)?.span, layout.strip.size.columns > 0 else {
      return
    }
    let column = min(max(point.column - layout.strip.origin.column, 0), layout.strip.size.columns)
    let share = (Double(column) + 0.5) / Double(layout.strip.size.columns)
    let position = span.lowerBound + FrameCount(Int64(Double(span.length.frames) * share))
    if pressing {
      field = .split
      selectedJoin =
        joins.indices.min {
          abs(joins[$0].frames - position.frames) < abs(joins[$1].frames - position.frames)
        } ?? 0
    }
    moveJoin(selectedJoin, to: state.settings.snaps ? state.snapped(position) : position, state)
  }

  /// Takes what a click on a list chooses, or its scroll bar leads to.
  private mutating func chooseInList(_ mouse: MouseEvent, _ layout: AssignmentLayout) {
    if layout.choices.contains(mouse.position) {
      // The list is of the surahs for the field that is written in.
      if field == .otherSurah { other.point(mouse, in: layout.choices) }
      if field == .surah { surah.point(mouse, in: layout.choices) }
    } else if layout.options.contains(mouse.position) {
      field = kind == .leadIn ? .leadIn : .reason
      forgetName()
      if kind == .leadIn {
        _ = leadIn.point(mouse, in: layout.options, count: leadIns.count)
      } else {
        _ = reason.point(mouse, in: layout.options, count: UnusedReason.allCases.count)
      }
    }
  }
}

/// Where the parts of the panel lie on the screen.
struct AssignmentLayout {
  let inside: Rect
  let kinds: Rect
  /// A row for each field but the kind and the split.
  let fields: [(field: AssignmentPanel.Field, rect: Rect)]
  /// Surahs to choose among.
  let choices: Rect
  /// Lead-ins or reasons to choose among.
  let options: Rect
  /// The segment's own waveform, with the splits below.
  let strip: Rect

  static let labels = ["One ayah", "Several", "Cross-surah", "Lead-in", "Unused"]
  static let labelWidth = 12
  static let leftWidth = 44

  init(_ frame: Rect, _ panel: AssignmentPanel) {
    inside = frame.inset(columns: 2, rows: 1)
    var rest = inside
    kinds = rest.takeTop(1)
    strip = panel.showsSplit ? rest.takeBottom(min(max(rest.size.rows - 4, 2), 5)) : .zero
    var left = rest.takeLeft(min(Self.leftWidth, rest.size.columns))
    choices = panel.kind == .unused ? .zero : rest
    options =
      switch panel.kind {
      case .unused: left
      case .leadIn: left.takeTop(3)
      case .ayah, .several, .crossSurah: .zero
      }
    fields = panel.fields.filter { ![.kind, .split, .leadIn, .reason].contains($0) }
      .map { ($0, left.takeTop(1)) }
  }

  func kind(at point: Point) -> AssignmentPanel.Kind? {
    guard kinds.contains(point) else { return nil }
    var column = kinds.origin.column
    for (kind, label) in zip(AssignmentPanel.Kind.allCases, Self.labels) {
      if (column..<column + label.count + 2).contains(point.column) { return kind }
      column += label.count + 3
    }
    return nil
  }

  func field(at point: Point) -> AssignmentPanel.Field? {
    fields.first { $0.rect.contains(point) }?.field
  }
}
