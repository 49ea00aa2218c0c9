// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// What the mouse is in the middle of, from a press to its release.
struct Gesture: Hashable, Sendable {
  var kind: Kind

  enum Kind: Hashable, Sendable {
    /// Pressed and not moved: may become a click, a long press or a drag.
    case pressed(Target, at: Point)
    /// A marker on its way, and whether it snaps.
    case marker(MarkerID, FramePosition, isFree: Bool)
    /// A span being drawn from a place.
    case span(from: FramePosition)
    case overview
    /// Done with, but the button is still down.
    case spent
  }

  /// What was pressed.
  enum Target: Hashable, Sendable {
    case marker(MarkerID)
    /// A place on the canvas, where a click adds a marker.
    case canvas(FramePosition)
    /// A place beside the markers, where a click moves the playhead.
    case handles(FramePosition)
  }

  /// The first time told after the press; a long press counts from there.
  var since: Duration?

  static let longPress = Duration.milliseconds(500)

  init(_ kind: Kind) { self.kind = kind }

  var isWaiting: Bool {
    if case .pressed(.marker, _) = kind { true } else { false }
  }
}

/// A marker that keys are moving: one edit, made when they rest.
struct HeldNudge: Hashable, Sendable {
  let marker: MarkerID
  var position: FramePosition
  /// The first time told after the latest key.
  var since: Duration?

  /// Longer than the wait before a held key repeats, which is 660 ms in X11.
  static let rest = Duration.milliseconds(700)
}
