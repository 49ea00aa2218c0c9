// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import TerminalUI

// Moving the edge in hand to a pause that was found.
extension State {
  /// A pause to which a marker can be moved, and where the boundary would lie in it.
  private struct Target {
    let pause: Range<FramePosition>
    let place: FramePosition
  }

  /// The pauses between the markers or joins beside a marker, in order. A pause in which one of those lies
  /// is not free.
  private func targets(of marker: Marker) -> [Target] {
    guard let room = room(for: marker.id), let between = document.room(forMarker: marker.id) else {
      return []
    }
    let neighbours = [between.lowerBound - FrameCount(1), between.upperBound + FrameCount(1)]
      .filter { $0 > .zero && $0 < end }
    return sound.pauses.compactMap { pause in
      let place = PauseDetector.boundary(in: pause, rate)
      let isTaken = neighbours.contains { pause.lowerBound <= $0 && $0 <= pause.upperBound }
      return room.contains(place) && !isTaken ? Target(pause: pause, place: place) : nil
    }
  }

  /// The nearest pause before a marker to which it can be moved; not the one that it lies in.
  func pause(before marker: Marker) -> FramePosition? {
    targets(of: marker).last { $0.pause.upperBound < marker.position }?.place
  }

  func pause(after marker: Marker) -> FramePosition? {
    targets(of: marker).first { $0.pause.lowerBound > marker.position }?.place
  }

  /// The pauses in sight to which the marker in hand can be moved, as many as there are digits; those
  /// nearest to it.
  var pausesInView: [FramePosition] {
    guard let marker = selectedMarker else { return [] }
    let places = targets(of: marker).map(\.place).filter { place in
      place != marker.position && viewport.column(of: place) != nil
    }
    func distance(_ place: FramePosition) -> Int64 { abs(place.frames - marker.position.frames) }
    return places.sorted { distance($0) < distance($1) }.prefix(9).sorted()
  }

  mutating func numberPauses() {
    numberedPauses = pausesInView
    notice = Notice(.hint, "Press the number of a pause to move the marker there")
  }

  /// Takes the digit of a pause; one that no pause has does nothing.
  /// - Returns: whether the key was a digit, or let go of the numbers.
  mutating func takeNumber(_ key: KeyEvent, _ effects: inout [Effect]) -> Bool {
    guard !numberedPauses.isEmpty else { return false }
    let places = numberedPauses
    numberedPauses = []
    if key.key == .escape { return true }
    guard panel == nil, let marker = selectedMarker,
      let number = key.typed.flatMap({ Int(String($0)) })
    else { return false }
    guard places.indices.contains(number - 1) else {
      notice = Notice(.hint, "No pause has the number \(number)")
      return true
    }
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
    tellMoved(from: marker)
    show(position)
    visited.insert(position)
    hear(around: position, &effects)
  }
}
