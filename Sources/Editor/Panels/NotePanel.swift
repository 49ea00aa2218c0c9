// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

/// Writes the note on a segment.
public struct NotePanel: Sendable {
  let segment: SegmentID
  var text: TextField

  init(_ segment: Segment) {
    self.segment = segment.id
    text = TextField()
    text.insert(segment.content.note)
  }
}

extension NotePanel: PanelModel {
  var context: Context { .note }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    switch action {
    case .panelAccept: [.edit(.setNote(segment, text.text)), .close]
    case .panelCancel: [.close]
    default: []
    }
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    _ = text.handle(key)
    return []
  }

  mutating func paste(_ pasted: String, _ state: State) -> [PanelRequest] {
    text.insert(pasted)
    return []
  }
}
