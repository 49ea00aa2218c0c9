// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  mutating func performOnMarker(_ action: Action, _ effects: inout [Effect]) {
    if action == .markerAdd {
      if let position = addedPosition { addMarker(at: position, &effects) }
      return
    }
    guard let marker = selectedMarker else { return }
    switch action {
    case .markerDelete:
      if settings.asksBeforeDeleting {
        panel = .deletion(DeletionPanel(marker))
      } else {
        delete(marker, &effects)
      }
    case .markerPauseBefore: move(marker, to: pause(before: marker), &effects)
    case .markerPauseAfter: move(marker, to: pause(after: marker), &effects)
    case .markerPauseNumbered: numberPauses()
    case .markerConfirm:
      edit(marker.isConfirmed ? .unconfirmMarker(marker.id) : .confirmMarker(marker.id), &effects)
    case .markerHere, .markerSnap:
      let place = action == .markerHere ? markedPosition : snapped(marker.position)
      if edit(.moveMarker(marker.id, to: place), &effects) { tellMoved(from: marker) }
    case .markerEdge: takeInHand(selection.edge == .start ? .end : .start)
    default: break
    }
  }

  /// Says what the two segments are together, where they were said to be different things.
  private mutating func delete(_ marker: Marker, _ effects: inout [Effect]) {
    let named = document.index(of: .from(marker.id)).map { index in
      [index - 1, index].compactMap { document.records[$0].content.assignment }
    }
    guard edit(.deleteMarker(marker.id), &effects) else { return }
    let merged = document.segment(containing: marker.position).assignment
    let isNews = named.map { Set($0).count > 1 } ?? false
    let name = isNews ? merged.map { "; the segment is now \($0)" } ?? "" : ""
    let undo = keymap.hint(for: .undo, in: .normal).map { "; \($0) restores it" } ?? ""
    notice = Notice(.done, "Marker deleted\(name)\(undo)")
  }

  mutating func addMarker(at position: FramePosition, _ effects: inout [Effect]) {
    let marker = Marker(id: annotation.unusedMarkerID, position: position, origin: .person)
    // What is heard goes on as it was, so that more markers can be placed in it.
    if transport.isPlaying, case .segment(let id) = transport.target,
      let span = document.segment(id)?.span
    {
      transport.target = .span(span)
    }
    guard edit(.addMarker(marker), &effects), let segment = document.segment(.from(marker.id))
    else { return }
    // The piece that the marker ends is the next to be named; where that has a name, it is the other.
    let left = document.segments[max(segment.index - 1, 0)]
    if left.assignment == nil, segment.assignment == nil {
      selection.select(left, edge: .end)
    } else {
      selection.select(segment)
    }
    listFollowsSelection = true
    if !transport.isPlaying { transport.position = segment.span.lowerBound }
    notice = Notice(.done, "Marker added at \(Clock.text(position, rate))")
  }
}

// MARK: Places

extension State {
  /// The place that a key pressed now means: the playhead or, while playing, where it was a reaction
  /// time ago; the quietest place near it if markers snap.
  var markedPosition: FramePosition {
    var position = transport.position
    if transport.isPlaying {
      let heard = Double(settings.reactionTime) / 1000 * transport.speed
      position = max(position - FrameCount(seconds: heard, at: rate), .zero)
    }
    return settings.snaps ? snapped(position) : position
  }

  /// Where a new marker would lie; nil where there is no room for one.
  var addedPosition: FramePosition? {
    let position = markedPosition
    return hasRoom(forMarkerAt: position) ? position : nil
  }

  /// Whether a marker would leave a segment that can be heard on either side.
  func hasRoom(forMarkerAt position: FramePosition) -> Bool {
    let span = document.segment(containing: position).span
    let least = FrameCount(seconds: Self.minSegment, at: rate)
    return position >= span.lowerBound + least && position + least <= span.upperBound
  }

  /// The nearest trough within 200 ms of a place, else the place.
  func snapped(_ position: FramePosition) -> FramePosition {
    Snap(to: sound.levels.troughs(near: position), at: rate)(position)
  }
}

// MARK: Moving

extension State {
  /// Seconds that a marker leaves a segment on either side when it is added or moved: nothing shorter can be heard.
  private static let minSegment = 0.05

  /// How far a marker may be moved; less than the document would allow.
  func room(for marker: MarkerID) -> ClosedRange<FramePosition>? {
    guard let room = document.room(forMarker: marker), let place = document.marker(marker)?.position
    else { return nil }
    // The document leaves one frame by itself.
    let least = FrameCount(seconds: Self.minSegment, at: rate) - FrameCount(1)
    // One that lies nearer already is not pushed away.
    let low = min(room.lowerBound + least, place)
    return low...max(room.upperBound - least, place, low)
  }

  /// Moves the selected marker on the screen; the edit is made when the keys rest.
  mutating func nudge(by milliseconds: Int) {
    guard let marker = selectedMarker, let room = room(for: marker.id) else { return }
    var nudge = HeldNudge(marker: marker.id, position: marker.position)
    if let heldNudge, heldNudge.marker == marker.id { nudge = heldNudge }
    let moved =
      nudge.position + FrameCount(seconds: Double(milliseconds) / 1000, at: rate)
    nudge.position = min(max(moved, room.lowerBound), room.upperBound)
    nudge.since = nil
    heldNudge = nudge
    if isCentred, viewport.column(of: nudge.position) != nil { return }
    viewport.reveal(nudge.position)
  }

  /// Makes one edit of what keys have moved.
  mutating func finishNudge(_ effects: inout [Effect]) {
    guard let nudge = heldNudge else { return }
    heldNudge = nil
    guard document.marker(nudge.marker)?.position != nudge.position,
      edit(
        .moveMarker(nudge.marker, to: nudge.position),
        joinsPrevious: restedNudge?.marker == nudge.marker, &effects)
    else { return }
    restedNudge = RestedNudge(marker: nudge.marker)
  }

  /// Where a marker lies that is moved or was, how far that is from where it lay, and the lengths on either side.
  ///
  /// - Parameter document: with the marker at its new place.
  func movedText(from before: Marker, in document: AnnotationDocument) -> String? {
    guard let segment = document.segment(.from(before.id)) else { return nil }
    let place = segment.span.lowerBound
    let milliseconds = (place - before.position).seconds(at: rate) * 1000
    let lengths = [document.segments[max(segment.index - 1, 0)], segment]
      .map { Clock.seconds($0.span.length.seconds(at: rate)) }.joined(separator: " s | ")
    return "Marker at \(Clock.text(place, rate))  \(milliseconds >= 0 ? "+" : "")"
      + "\(Clock.decimal(milliseconds, places: 0)) ms  lengths \(lengths) s"
  }

  /// Says where a marker lies now, if it was moved.
  mutating func tellMoved(from before: Marker) {
    guard let now = document.marker(before.id), now.position != before.position,
      let text = movedText(from: before, in: document)
    else { return }
    notice = Notice(.done, text)
  }

  /// Makes edits of whatever is being moved.
  mutating func finishMoving(_ effects: inout [Effect]) {
    finishNudge(&effects)
    finishDrag(&effects)
  }

  /// Makes one edit of what the mouse has moved.
  mutating func finishDrag(_ effects: inout [Effect]) {
    guard case .marker(let id, let position, _) = gesture?.kind else { return }
    gesture = nil
    guard document.marker(id)?.position != position else { return }
    edit(.moveMarker(id, to: position), &effects)
  }

  /// A press that has lasted: asks whether to delete the marker under it.
  mutating func takeLongPress() {
    guard case .pressed(.marker(let id), _) = gesture?.kind, let marker = document.marker(id) else {
      return
    }
    // What is being written in a panel is not to be lost.
    guard panel == nil else { return }
    gesture = Gesture(.spent)
    if let obstacle = obstacleToEditing {
      notice = Notice(.warning, obstacle)
    } else {
      panel = .deletion(DeletionPanel(marker))
    }
  }
}
