// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Finds the places where an ayah, a surah or a word of a note is, or goes to a time.
public struct FindPanel: Sendable {
  var text = TextField()
  var cursor = ListCursor()

  struct Match: Hashable {
    let segment: Segment
    /// What was found there.
    var ayah: AyahReference?
    /// The time that was typed.
    var position: FramePosition?
  }

  init() {}

  /// What is looked for: without white space around it, and with digits of any script.
  private var wanted: String {
    let text = self.text.text.withWesternDigits
    let words = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
    return String(words.reversed())
  }

  func matches(_ state: State) -> [Match] {
    let wanted = self.wanted
    guard !wanted.isEmpty else { return [] }
    return ayatMatching(wanted, state) + timeMatching(wanted, state)
  }

  private func timeMatching(_ typed: String, _ state: State) -> [Match] {
    guard let seconds = Clock.seconds(in: typed) else { return [] }
    let position = FramePosition(seconds: seconds, at: state.rate)
    guard position < state.end else { return [] }
    return [Match(segment: state.document.segment(containing: position), position: position)]
  }

  /// An ayah by its number in the surah that is recited at the selection or, where none is, after it.
  private func ayahOfSurah(_ number: Int, _ state: State) -> AyahReference? {
    let segment = state.selectedSegment
    let surah =
      segment.passages.first?.ayah.surah ?? state.proposedAyah(for: segment.index)?.surah
      ?? state.document.segments[segment.index...].lazy.compactMap(\.passages.first).first?.ayah
      .surah
    return surah.flatMap { AyahReference(surah: $0, ayah: number) }
  }

  private func places(of ayah: AyahReference, _ document: AnnotationDocument) -> [Match] {
    document.occurrences(of: ayah).compactMap { passage in
      document.segment(passage.segment).map { Match(segment: $0, ayah: ayah) }
    }
  }

  private func ayatMatching(_ typed: String, _ state: State) -> [Match] {
    let document = state.document
    if let number = Int(typed), let ayah = ayahOfSurah(number, state) {
      let found = places(of: ayah, document)
      if !found.isEmpty { return found }
    }
    if let ayah = try? AyahReference(parsing: typed) { return places(of: ayah, document) }
    let surah = try? Surah(parsing: typed)
    let word = typed.lowercased()
    let found = document.segments.compactMap { segment in
      if let passage = segment.passages.first(where: { $0.ayah.surah == surah }) {
        return Match(segment: segment, ayah: passage.ayah)
      }
      return segment.content.note.withWesternDigits.lowercased().contains(word)
        ? Match(segment: segment, ayah: nil) : nil
    }
    // In al-Fatiha of a prayer the portion is meant, which is of another surah.
    guard found.isEmpty, let number = Int(typed) else { return found }
    return document.segments.compactMap { segment in
      segment.passages.first { $0.ayah.ayah == number }
        .map { Match(segment: segment, ayah: $0.ayah) }
    }
  }

  func obstacle(_ state: State) -> String? {
    if wanted.isEmpty { return "Which ayah, surah, time or word of a note?" }
    return matches(state).isEmpty ? "Not found in this recording" : nil
  }
}

extension FindPanel: PanelModel {
  var context: Context { .find }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, matches(state).count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    let matches = matches(state)
    if cursor.take(action, count: matches.count) { return [] }
    switch action {
    case .panelAccept:
      guard matches.indices.contains(cursor.index) else { return [] }
      let match = matches[cursor.index]
      guard let position = match.position else {
        return [.close, .select(match.segment.id, playing: true)]
      }
      return [.close, .select(match.segment.id, playing: false), .seek(position)]
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
    let count = matches(state).count
    let isChosen = cursor.point(mouse, in: PanelLayout(frame).list, count: count)
    return isChosen ? perform(.panelAccept, state) : []
  }
}
