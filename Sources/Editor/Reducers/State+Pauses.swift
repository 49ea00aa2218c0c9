// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import TerminalUI

// Moving the edge in hand to a pause that was found.
extension State {
  /// Where a boundary lies in each pause, in order.
  private var pausePlaces: [FramePosition] {
    sound.pauses.map { PauseDetector.boundary(in: $0, rate) }
  }

  /// The nearest pause before a marker to which it can be moved.
  func pause(before marker: Marker) -> FramePosition? {
    room(for: marker.id).flatMap { room in
      pausePlaces.last { $0 < marker.position && room.contains($0) }
    }
  }

  func pause(after marker: Marker) -> FramePosition? {
    room(for: marker.id).flatMap { room in
      pausePlaces.first { $0 > marker.position && room.contains($0) }
    }
  }

  /// The pauses in sight to which the marker in hand can be moved, as many as there are digits; those
  /// nearest to it.
  var pausesInView: [FramePosition] {
    guard let marker = selectedMarker, let room = room(for: marker.id) else { return [] }
    let places = pausePlaces.filter { place in
      room.contains(place) && place != marker.position && viewport.column(of: place) != nil
    }
    func distance(_ place: FramePosition) -> Int64 { abs(place.frames - marker.position.frames) }
    return places.sorted { distance($0) < distance($1) }.prefix(9).sorted()
  }

  mutating func numberPauses() {
    numberedPauses = pausesInView
    notice = Notice(.hint, "To which pause? Press its number, 1 to \(numberedPauses.count)")
  }

  /// Takes the digit of a pause.
  /// - Returns: whether the key was one, or let go of the numbers.
  mutating func takeNumber(_ key: KeyEvent, _ effects: inout [Effect]) -> Bool {
    guard !numberedPauses.isEmpty else { return false }
    let places = numberedPauses
    numberedPauses = []
    if key.key == .escape { return true }
    guard panel == nil, let marker = selectedMarker,
      let number = key.typed.flatMap({ Int(String($0)) }), places.indices.contains(number - 1)
    else { return false }
    move(marker, to: places[number - 1], &effects)
    return true
  }

  /// Takes the pause whose number is clicked; a click elsewhere lets go of the numbers.
  /// - Returns: whether it was one.
  mutating func takeNumbered(at point: Point, _ effects: inout [Effect]) -> Bool {
    let places = numberedPauses
    numberedPauses = []
    guard panel == nil, layout.ruler.contains(point), let marker = selectedMarker,
      let place = places.first(where: { viewport.column(of: $0) == point.column })
    else { return false }
    gesture = Gesture(.spent)
    move(marker, to: place, &effects)
    return true
  }

  /// Moves a marker to a place that a person chose, and has it heard there.
  mutating func move(_ marker: Marker, to position: FramePosition?, _ effects: inout [Effect]) {
    guard let position, edit(.moveMarker(marker.id, to: position), &effects) else { return }
    show(position)
    visited.insert(position)
    hear(around: position, &effects)
  }
}
