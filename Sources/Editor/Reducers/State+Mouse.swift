// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  mutating func take(_ mouse: MouseEvent, _ effects: inout [Effect]) {
    guard Layout.fits(size) else { return }
    if case .press = mouse.action { notice = nil }
    let layout = self.layout
    if case .press(.left) = mouse.action, let action = footerAction(at: mouse.position) {
      gesture = Gesture(.spent)
      perform(action, &effects)
      return
    }
    if gesture != nil, take(mouse, inGesture: layout, &effects) { return }
    // The second of two clicks was not meant for the panel that the first has opened.
    if panel != nil, case .press = mouse.action, latestClick?.point == mouse.position { return }
    if let panel {
      let frame = layout.frame(of: panel)
      if frame.contains(mouse.position) {
        let state = self
        // What lies under a note is not seen.
        if case .press = mouse.action,
          TerminalUI.Panel.cover(of: Screen(self).note(of: panel), in: frame)
            .contains(mouse.position)
        {
          return
        }
        if let requests = self.panel?.update({ $0.point(mouse, in: frame, state) }) {
          carryOut(requests, &effects)
        }
        return
      }
      guard panel.isSmall else { return }
    }
    switch mouse.action {
    case .wheel(let direction): turn(direction, mouse, layout, &effects)
    case .press(let button): press(button, mouse, layout, &effects)
    case .drag, .release: break
    }
  }

  // MARK: Wheel

  private mutating func turn(
    _ direction: MouseEvent.WheelDirection, _ mouse: MouseEvent, _ layout: Layout,
    _ effects: inout [Effect]
  ) {
    let isForward = direction == .down || direction == .right
    if isInList(mouse.position) || layout.listHeading.contains(mouse.position) {
      listFollowsSelection = false
      listTop += isForward ? 3 : -3
    } else if mouse.modifiers.contains(.alt), panel == nil {
      notice = nil
      perform(isForward ? .markerPauseAfter : .markerPauseBefore, &effects)
    } else if mouse.modifiers.contains(.control) {
      let position = viewport.position(ofColumn: mouse.position.column)
      viewport.zoom(by: isForward ? 1 / 1.5 : 1.5, at: position)
    } else {
      viewport.scroll(columns: (isForward ? 1 : -1) * max(viewport.columns / 10, 1))
      isFollowing = seesPlayhead
    }
  }

  // MARK: Pressing

  private mutating func press(
    _ button: MouseEvent.Button, _ mouse: MouseEvent, _ layout: Layout,
    _ effects: inout [Effect]
  ) {
    guard isOpen else { return }
    finishNudge(&effects)
    let point = mouse.position
    let position = viewport.position(ofColumn: point.column)
    let isDouble = takeClick(at: point)
    if takeNumbered(at: point, &effects) { return }
    if layout.overview.contains(point) || layout.thumbnails.contains(point) {
      gesture = Gesture(.overview)
      scrub(to: point.column, &effects)
    } else if layout.canvas.contains(point) || layout.ruler.contains(point)
      || layout.handles.contains(point) || layout.labels.contains(point)
    {
      guard viewport.frames(ofColumn: point.column).isEmpty == false else { return }
      if button != .left || layout.ruler.contains(point) {
        gesture = Gesture(.seek)
        moveCursor(to: position, &effects)
        return
      }
      let place: Gesture.Target =
        layout.canvas.contains(point) ? .canvas(position) : .handles(position)
      let marker = marker(atColumn: point.column)
      gesture = Gesture(.pressed(marker.map { .marker($0) } ?? place, at: point))
      gesture?.isDouble = isDouble
    } else if panel == nil, let (bar, place) = listView.bar(in: layout.list), button == .left,
      place.contains(point)
    {
      let line = point.row - place.origin.row
      let thumb = bar.thumb(at: listTop)
      gesture = Gesture(.scroll(thumb.contains(line) ? line - thumb.lowerBound : nil))
      scrollList(to: point)
    } else if panel == nil, isInList(point) {
      let row = (point.row - layout.list.origin.row) / layout.listRowHeight
      press(row: row, button, isDouble: isDouble, &effects)
    } else if panel == nil, layout.transport.contains(point) {
      gesture = Gesture(.spent)
      perform(.playToggle, &effects)
    }
  }

  private func isInList(_ point: Point) -> Bool {
    layout.list.contains(point) || layout.listPictures.contains(point)
  }

  /// Remembers a click, which another may follow.
  /// - Returns: whether it is the second of a double click.
  private mutating func takeClick(at point: Point) -> Bool {
    let isDouble = settings.clicksSelect && latestClick?.point == point
    latestClick = isDouble ? nil : Click(point: point)
    return isDouble
  }

  /// A click on a segment opens its assignment and has it heard again and again; one that only selects
  /// goes to it.
  private mutating func press(
    row: Int, _ button: MouseEvent.Button, isDouble: Bool, _ effects: inout [Effect]
  ) {
    let listed = self.listed
    guard listed.indices.contains(listTop + row) else { return }
    gesture = Gesture(.spent)
    let segment = document.segments[listed[listTop + row]]
    select(segment)
    if button != .left || settings.clicksSelect && !isDouble {
      moveCursor(to: segment.span.lowerBound, &effects)
    } else if obstacleToEditing == nil {
      assign(segment, &effects)
    } else {
      play(.segment(segment.id), segment.span, looping: true, &effects)
    }
  }

  /// The marker in a column or right beside it.
  private func marker(atColumn column: Int) -> MarkerID? {
    let near = viewport.frames(ofColumn: max(column - 1, 0)).lowerBound
    let last = document.segment(containing: viewport.frames(ofColumn: column + 1).upperBound).index
    var best: (distance: Int, id: MarkerID)?
    for record in document.records[...last].reversed() {
      guard let marker = record.start, marker.position >= near else { break }
      guard let shown = viewport.column(of: marker.position) else { continue }
      let distance = abs(shown - column)
      if distance <= 1, distance < best?.distance ?? .max { best = (distance, marker.id) }
    }
    return best?.id
  }

  /// Puts the playhead where a column of the overview stands, and shows the place.
  private mutating func scrub(to column: Int, _ effects: inout [Effect]) {
    guard size.columns > 0 else { return }
    let share = (Double(min(max(column, 0), size.columns - 1)) + 0.5) / Double(size.columns)
    let position = FramePosition(Int64((Double(document.length.frames) * share).rounded()))
    viewport.center(on: position)
    moveCursor(to: position, &effects)
    isFollowing = true
  }

  // MARK: Dragging

  /// - Returns: whether the event belonged to the gesture.
  private mutating func take(
    _ mouse: MouseEvent, inGesture layout: Layout, _ effects: inout [Effect]
  ) -> Bool {
    guard let gesture else { return false }
    switch mouse.action {
    case .wheel: return false
    case .press:
      // A release has been lost.
      finishDrag(&effects)
      self.gesture = nil
      return false
    case .drag:
      drag(gesture.kind, mouse, &effects)
    case .release:
      release(gesture.kind, isFree: mouse.modifiers.contains(.alt), &effects)
      self.gesture = nil
    }
    return true
  }

  private mutating func drag(
    _ kind: Gesture.Kind, _ mouse: MouseEvent, _ effects: inout [Effect]
  ) {
    let column = min(max(mouse.position.column, 0), viewport.columns - 1)
    let position = viewport.position(ofColumn: column)
    let isFree = mouse.modifiers.contains(.alt) || !settings.snaps
    switch kind {
    case .pressed(let target, let start):
      guard abs(mouse.position.column - start.column) >= 1 else { return }
      switch target {
      case .marker(let id): moveMarker(id, to: position, isFree: isFree)
      case .canvas(let origin):
        gesture = Gesture(.span(from: origin))
        mark(origin, position)
      case .handles: gesture = Gesture(.spent)
      }
    case .marker(let id, _, _): moveMarker(id, to: position, isFree: isFree)
    case .span(let origin): mark(origin, position)
    case .overview: scrub(to: mouse.position.column, &effects)
    case .seek: moveCursor(to: position, &effects)
    case .scroll: scrollList(to: mouse.position)
    case .spent: break
    }
  }

  /// Scrolls the list by its bar.
  private mutating func scrollList(to point: Point) {
    guard case .scroll(let grabbed) = gesture?.kind,
      let (bar, place) = listView.bar(in: layout.list)
    else { return }
    listFollowsSelection = false
    listTop = bar.offset(dragging: grabbed, to: point.row - place.origin.row)
  }

  private mutating func moveMarker(_ id: MarkerID, to position: FramePosition, isFree: Bool) {
    if let obstacle = obstacleToEditing {
      gesture = Gesture(.spent)
      notice = Notice(.warning, obstacle)
      return
    }
    guard let room = room(for: id) else {
      gesture = Gesture(.spent)
      return
    }
    let target = isFree ? position : snapped(position)
    gesture = Gesture(
      .marker(id, min(max(target, room.lowerBound), room.upperBound), isFree: isFree))
    if let segment = document.segment(.from(id)) {
      selection.select(segment)
      listFollowsSelection = true
    }
  }

  private mutating func mark(_ origin: FramePosition, _ position: FramePosition) {
    let (low, high) = (min(origin, position), max(origin, position))
    selection.anchor = nil
    selection.span = low < high ? low..<high : nil
  }

  private mutating func release(
    _ kind: Gesture.Kind, isFree: Bool, _ effects: inout [Effect]
  ) {
    switch kind {
    case .marker(let id, _, _):
      let before = document.marker(id)
      finishDrag(&effects)
      if let before { tellMoved(from: before) }
    case .pressed(.marker(let id), _):
      if let segment = document.segment(.from(id)) { select(segment) }
    case .pressed(.canvas(let position), _):
      if settings.clicksSelect, gesture?.isDouble != true {
        select(document.segment(containing: position))
        moveCursor(to: position, &effects)
      } else {
        click(position, isFree: isFree, &effects)
      }
    case .pressed(.handles(let position), _): moveCursor(to: position, &effects)
    case .span, .overview, .seek, .scroll, .spent: break
    }
  }

  /// A click on the canvas adds a marker.
  private mutating func click(
    _ position: FramePosition, isFree: Bool, _ effects: inout [Effect]
  ) {
    guard panel == nil else {
      moveCursor(to: position, &effects)
      return
    }
    let target = settings.snaps && !isFree ? snapped(position) : position
    if let obstacle = obstacleToEditing {
      notice = Notice(.warning, obstacle)
    } else if let place = [target, position].first(where: hasRoom(forMarkerAt:)) {
      addMarker(at: place, &effects)
    } else {
      notice = Notice(.warning, "There is no room for a marker here")
    }
  }
}
