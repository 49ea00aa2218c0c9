// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Finds the places where an ayah, a surah or a word of a note is.
public struct FindPanel: Sendable {
  var text = TextField()
  var cursor = ListCursor()

  struct Match: Hashable {
    let segment: Segment
    /// What was found there.
    let ayah: AyahReference?
  }

  init() {}

  func matches(_ document: AnnotationDocument) -> [Match] {
    let typed = text.text
    guard !typed.isEmpty else { return [] }
    if let ayah = try? AyahReference(parsing: typed) {
      return document.occurrences(of: ayah).compactMap { passage in
        document.segment(passage.segment).map { Match(segment: $0, ayah: ayah) }
      }
    }
    let surah = try? Surah(parsing: typed)
    let word = typed.lowercased()
    return document.segments.compactMap { segment in
      if let passage = segment.passages.first(where: { $0.ayah.surah == surah }) {
        return Match(segment: segment, ayah: passage.ayah)
      }
      return segment.content.note.lowercased().contains(word)
        ? Match(segment: segment, ayah: nil) : nil
    }
  }

  func obstacle(_ state: State) -> String? {
    if text.text.isEmpty { return "Which ayah, surah or word of a note?" }
    return matches(state.document).isEmpty ? "Not in this recording so far" : nil
  }
}

extension FindPanel: PanelModel {
  var context: Context { .find }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, matches(state.document).count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    let matches = matches(state.document)
    if cursor.take(action, count: matches.count) { return [] }
    switch action {
    case .panelAccept:
      guard matches.indices.contains(cursor.index) else { return [] }
      return [.close, .select(matches[cursor.index].segment.id, playing: true)]
    case .panelCancel: return [.close]
    default: return []
    }
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    let before = text.text
    _ = text.handle(key)
    if text.text != before { cursor = ListCursor() }
    return []
  }

  mutating func paste(_ pasted: String, _ state: State) -> [PanelRequest] {
    text.insert(pasted)
    cursor = ListCursor()
    return []
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let count = matches(state.document).count
    let isChosen = cursor.point(mouse, in: PanelLayout(frame).list, count: count)
    return isChosen ? perform(.panelAccept, state) : []
  }
}
