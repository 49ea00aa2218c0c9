// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Shows what a sequential fill would do before it does it.
public struct FillPanel: Sendable {
  let start: SegmentID
  var text: TextField
  var cursor = ListCursor()
  private var isFresh = true

  init(_ state: State) {
    let segment = state.selectedSegment
    start = segment.id
    let first = segment.passages.first?.ayah
    let proposed: AyahReference?
    if case .ayah(let ayah, _) = state.proposal(for: segment.index) {
      proposed = ayah
    } else {
      proposed = nil
    }
    text = TextField((first ?? proposed).map { "\($0)" } ?? "")
  }

  /// What would be done; nil while the text names no ayah.
  func preview(_ state: State) -> SequentialFill.Preview? {
    guard let ayah = try? AyahReference(parsing: text.text) else { return nil }
    return try? state.document.preview(SequentialFill(from: start, starting: ayah))
  }

  func obstacle(_ state: State) -> String? {
    if text.text.isEmpty { return "From which ayah?" }
    do throws(QuranError) {
      let ayah = try AyahReference(parsing: text.text)
      let preview = try? state.document.preview(SequentialFill(from: start, starting: ayah))
      return preview?.placements.isEmpty == false ? nil : "There is nothing to fill here"
    } catch {
      return "\(error)".sentence
    }
  }
}

extension FillPanel: PanelModel {
  var context: Context { .fill }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, preview(state)?.placements.count ?? 0)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    let count = preview(state)?.placements.count ?? 0
    if cursor.take(action, count: count) { return [] }
    switch action {
    case .panelAccept:
      guard let ayah = try? AyahReference(parsing: text.text) else { return [] }
      let first = preview(state)?.placements.first?.assignment ?? .ayah(ayah)
      return [
        .edit(.fill(SequentialFill(from: start, starting: ayah))), .close,
        .notify(
          Notice(
            .done, "Filled \(counted(count, "segment")) from \(first); confirm them one by one")
        ),
      ]
    case .panelCancel: return [.close]
    default: return []
    }
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    if isFresh, key.typed != nil { text.clear() }
    isFresh = false
    _ = text.handle(key)
    cursor = ListCursor()
    return []
  }

  mutating func paste(_ pasted: String, _ state: State) -> [PanelRequest] {
    text.insert(pasted)
    return []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let count = preview(state)?.placements.count ?? 0
    _ = cursor.point(mouse, in: PanelLayout(frame).list, count: count)
    return []
  }
}

/// Where a panel of one field and a list has them.
struct PanelLayout {
  let inside: Rect
  /// The first row inside.
  let field: Rect
  let list: Rect

  init(_ frame: Rect) {
    inside = frame.inset(columns: 2, rows: 1)
    var rest = inside
    field = rest.takeTop(1)
    list = rest
  }
}
