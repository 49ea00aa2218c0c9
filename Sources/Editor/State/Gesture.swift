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
    /// The playhead, which follows along the ruler.
    case seek
    /// The list, by a line of the thumb of its scroll bar.
    case scroll(Int?)
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

  /// Whether it is the second of a double click.
  var isDouble = false
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

  /// Longer than a held key takes to repeat, and short enough to be on disk 200 ms after the last.
  static let rest = Duration.milliseconds(120)
}

/// A nudge that is kept already. The wait before a held key repeats is longer than edits may wait, so what
/// comes after it is another edit, undone with this one.
struct RestedNudge: Hashable, Sendable {
  let marker: MarkerID
  /// The first time told after it.
  var since: Duration?

  /// Longer than the wait before a held key repeats, which is 660 ms in X11.
  static let rest = Duration.milliseconds(700)
}

/// A click, to tell whether the next one makes it a double click.
struct Click: Hashable, Sendable {
  let point: Point
  /// The first time told after it.
  var since: Duration?

  static let patience = Duration.milliseconds(400)
}
