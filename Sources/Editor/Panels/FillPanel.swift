// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Shows what a sequential fill would do before it does it.
public struct FillPanel: Sendable {
  /// The one to begin at.
  let segment: SegmentID
  private(set) var first: TextField
  /// How many segments; empty for as many as there are.
  private(set) var count = TextField()
  /// Whether it goes on past segments that are confirmed.
  private(set) var passesConfirmed = false
  private(set) var field = Field.first
  var cursor = ListCursor()
  private var isFresh = true

  enum Field: CaseIterable { case first, count, passing }

  init(_ state: State) {
    let segment = state.selectedSegment
    self.segment = segment.id
    let before = segment.index > 0 ? state.document.segments[segment.index - 1] : nil
    var held = segment.passages.first?.ayah
    // An ayah that stands twice is counted on.
    if held == before?.passages.last?.ayah { held = nil }
    // Before the second segment there may be a lead-in alone.
    let ayah =
      held ?? state.proposedAyah(for: segment.index)
      ?? state.namedStart(for: segment.index == 1 ? 0 : segment.index)
    first = TextField(ayah.map { "\($0)" } ?? "")
  }

  private var wantedCount: Int? { Int(count.text.withWesternDigits) }

  /// The ayah to begin with: the one that the text names, or the first of a surah, a juz or the like.
  private func start() throws(QuranError) -> AyahReference {
    do throws(QuranError) {
      return try AyahReference(parsing: first.text)
    } catch {
      guard !AyahPair.joinsEnds(first.text), let part = try? AyahRange(parsing: first.text) else {
        throw error
      }
      return part.first
    }
  }

  /// Why the text names nothing to begin with, for people.
  private func mistake(_ error: QuranError, _ state: State) -> String {
    let range = try? AyahRange(parsing: first.text)
    if let ayah = range?.first ?? AyahPair.ends(of: first.text)?.first {
      return "Type the first ayah alone, \(ayah), and how many segments below"
    }
    guard case .unknownSurahName = error, AssignmentPanel.isBeginningOfName(first.text) else {
      return "\(error)".sentence
    }
    let other = state.keymap.hint(for: .segmentAssign, in: .normal)
    return "Begin with an ayah or a surah (2:1, 36)"
      + (other.map { "; \($0) assigns anything else" } ?? "")
  }

  /// What is asked for; nil while the text names no ayah.
  private var fill: SequentialFill? {
    guard let ayah = try? start() else { return nil }
    return SequentialFill(
      from: segment, starting: ayah, count: wantedCount, passesConfirmed: passesConfirmed)
  }

  /// What would be done; nil while the text names no ayah.
  func preview(_ state: State) -> SequentialFill.Preview? {
    fill.flatMap { try? state.document.preview($0) }
  }

  /// A segment that a fill comes to, and what it gets; nil for a confirmed one, which stays as it is.
  struct Row {
    let segment: Segment
    let placement: SequentialFill.Placement?
  }

  func rows(_ state: State) -> [Row] {
    let placements = preview(state)?.placements ?? []
    guard let first = placements.first, let last = placements.last else { return [] }
    let given = Dictionary(uniqueKeysWithValues: placements.map { ($0.index, $0) })
    return state.document.segments[first.index...last.index]
      .map { Row(segment: $0, placement: given[$0.index]) }
      .filter { $0.placement != nil || $0.segment.isConfirmed }
  }

  /// The document as it would be then; nil where nothing would be done.
  func filled(_ state: State) -> AnnotationDocument? {
    var document = state.document
    guard let fill, (try? document.apply(.fill(fill))) != nil else { return nil }
    return document
  }

  /// Segments that last implausibly long or short for what they hold.
  static func misfits(in document: AnnotationDocument) -> Set<SegmentID> {
    Set(
      document.validate().compactMap { finding in
        switch finding.kind {
        case .short, .long: finding.segment
        case .unassigned, .outOfOrder, .repeated, .missing, .incomplete: nil
        }
      })
  }

  /// What would be odd then and is not now: an ayah twice, out of order, or missing.
  func oddities(_ state: State) -> [String] {
    guard let filled = filled(state) else { return [] }
    let known = Set(state.document.validate())
    return filled.validate().filter { !known.contains($0) }.compactMap { finding in
      switch finding.kind {
      case .repeated(let ayah, let first):
        filled.index(of: first).map { "\(ayah) in segments \($0 + 1) and \(finding.index + 1)" }
      case .outOfOrder: "\(finding) in segment \(finding.index + 1)"
      case .missing(let ayat):
        "\(ayat.numericDescription) missing before segment \(finding.index + 1)"
      case .unassigned, .incomplete, .short, .long: nil
      }
    }
  }

  func obstacle(_ state: State) -> String? {
    if first.text.isEmpty { return "From which ayah?" }
    if !count.text.isEmpty, wantedCount ?? 0 < 1 { return "How many segments?" }
    do throws(QuranError) {
      _ = try start()
      return preview(state)?.placements.isEmpty == false ? nil : "There is nothing to fill here"
    } catch {
      return mistake(error, state)
    }
  }
}

extension FillPanel: PanelModel {
  var context: Context { .fill }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, rows(state).count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: rows(state).count) { return [] }
    switch action {
    case .panelAccept:
      guard let fill else { return [] }
      guard filled(state) != state.document else {
        return [
          .close, .notify(Notice(.done, "The segments hold that already; nothing has changed")),
        ]
      }
      let placements = preview(state)?.placements ?? []
      let first = placements.first?.assignment ?? .ayah(fill.ayah)
      let filled = counted(placements.count, "segment")
      return [
        .edit(.fill(fill)), .close,
        .notify(Notice(.done, "Filled \(filled) from \(first); listen to them")),
      ]
    case .panelNextField: step(by: 1)
    case .panelPreviousField: step(by: -1)
    case .panelCancel: return [.close]
    default: break
    }
    return []
  }

  private mutating func step(by steps: Int) {
    let fields = Field.allCases
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + steps + fields.count) % fields.count]
    isFresh = true
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    let replaces = isFresh && key.typed != nil
    isFresh = false
    cursor = ListCursor()
    switch field {
    case .first:
      if replaces { first.clear() }
      _ = first.handle(key)
    case .count:
      if replaces { count.clear() }
      _ = count.handle(key)
    case .passing:
      if key.typed == " " || [.left, .right].contains(key.key) {
        passesConfirmed.toggle()
      } else if key.typed != nil {
        return [.notify(Notice(.hint, "space changes this"))]
      }
    }
    return []
  }

  mutating func paste(_ pasted: String, _ state: State) -> [PanelRequest] {
    switch field {
    case .first: first.insert(pasted)
    case .count: count.insert(pasted)
    case .passing: break
    }
    return []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let layout = PanelLayout(frame, hasOptions: true)
    if case .press(.left) = mouse.action {
      if layout.field.contains(mouse.position) { field = .first }
      if layout.options.contains(mouse.position) {
        let isAgain = field == .passing
        field = mouse.position.column < layout.options.origin.column + 17 ? .count : .passing
        if isAgain, field == .passing { passesConfirmed.toggle() }
      }
    }
    _ = cursor.point(mouse, in: layout.list, count: rows(state).count)
    return []
  }
}

/// Where a panel of one field and a list has them.
struct PanelLayout {
  let inside: Rect
  /// The first rows inside, mostly one.
  let field: Rect
  /// The row below, where there are more fields than one.
  let options: Rect
  let list: Rect

  init(_ frame: Rect, fieldRows: Int = 1, hasOptions: Bool = false) {
    inside = frame.inset(columns: 2, rows: 1)
    var rest = inside
    field = rest.takeTop(fieldRows)
    options = rest.takeTop(hasOptions ? 1 : 0)
    list = rest
  }
}
