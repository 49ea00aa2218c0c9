// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import TerminalUI

/// Draws the whole screen. Pure, and quick enough for every key.
public func view(_ state: State) -> Surface {
  var surface = Surface(size: state.size)
  guard Layout.fits(state.size) else {
    surface.drawTooSmall(for: "editor", needing: Layout.minSize)
    return surface
  }
  let layout = state.layout
  let screen = Screen(state)
  screen.drawTitle(on: &surface, in: layout.title)
  if state.isOpen, state.panel?.isSmall ?? true {
    screen.drawTransport(on: &surface, in: layout.transport)
    screen.drawOverview(on: &surface, in: layout.overview)
    if let strip = state.thumbnails {
      state.thumbnailRoom.draw(
        .shown(strip, isCurrent: true), on: &surface, slot: ImageSlot.thumbnails)
    }
    screen.drawRuler(on: &surface, in: layout.ruler)
    screen.drawCanvas(on: &surface, in: layout.canvas)
    screen.drawMarkers(on: &surface, handles: layout.handles, labels: layout.labels)
    screen.drawWordsBelow(on: &surface, in: layout.words)
    if state.panel == nil {
      state.pictureRoom.draw(state.picture, on: &surface, slot: ImageSlot.picture)
    }
    if state.panel == nil, !layout.list.isEmpty {
      screen.drawSegments(on: &surface, heading: layout.listHeading, list: layout.list)
      screen.drawSide(on: &surface, in: layout.side)
    }
  } else if state.isOpen {
    screen.drawTransport(on: &surface, in: layout.transport)
  }
  if let panel = state.panel {
    screen.draw(panel, on: &surface, in: layout.frame(of: panel))
  }
  screen.drawNotice(on: &surface, in: layout.notice)
  screen.drawFooter(on: &surface, in: layout.footer)
  return surface
}

/// A state made ready for drawing; what several views need is reckoned once.
struct Screen {
  let state: State
  /// The document with a marker where it is being moved to.
  let document: AnnotationDocument
  /// How the columns of the canvas look in which there are markers, from the left.
  let markedColumns: [(column: Int, look: MarkerLook)]

  init(_ state: State) {
    self.state = state
    document = state.shownDocument
    markedColumns = Self.markedColumns(of: document, in: state.viewport)
  }
}
