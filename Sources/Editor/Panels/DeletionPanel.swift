// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

/// Asks whether a marker is to go.
public struct DeletionPanel: Sendable {
  let marker: Marker

  init(_ marker: Marker) { self.marker = marker }
}

extension DeletionPanel: PanelModel {
  var context: Context { .deletion }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    switch action {
    case .panelAccept: [.close, .edit(.deleteMarker(marker.id))]
    case .panelCancel: [.close]
    default: []
    }
  }
}
