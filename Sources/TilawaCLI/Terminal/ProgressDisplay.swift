// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import TerminalUI

/// The progress line on standard error, when that is a terminal; silent otherwise.
final class ProgressDisplay: Sendable {
  private struct State {
    var label = ""
    var fraction = 0.0
    var isVisible = false
    let start = ContinuousClock.now
    var lastDrawn: ContinuousClock.Instant?
  }

  private let state = Monitor(State())
  private let isTerminal: Bool

  init(isTerminal: Bool = StandardStreams.isErrorTerminal) { self.isTerminal = isTerminal }

  /// Shows how far the work has come; redraws ten times a second at most.
  /// - Parameter isWaiting: whether it stands still for a while: that is shown at once, and no time left.
  func update(label: String, fraction: Double, isWaiting: Bool = false) {
    guard isTerminal else { return }
    state.update { state in
      state.label = label
      state.fraction = fraction
      let now = ContinuousClock.now
      if !isWaiting, let last = state.lastDrawn, now - last < .milliseconds(100) { return }
      state.lastDrawn = now
      let elapsed = Self.seconds(now - state.start)
      // What is slow is told after a while, however little is done.
      let left =
        !isWaiting && (fraction > 0.01 && elapsed > 0.5 || fraction > 0 && elapsed > 5)
        ? elapsed * (1 - fraction) / fraction : nil
      let line = ProgressLine(label: TerminalText(label), fraction: fraction, secondsLeft: left)
      let width = (StandardStreams.width(of: STDERR_FILENO) ?? 80) - 1
      let text = line.text(width: width, style: StandardStreams.isUTF8 ? .drawn : .ascii)
      StandardStreams.draw("\r\u{1B}[K" + text.string)
      state.isVisible = true
    }
  }

  /// Says something on a line of its own.
  func say(_ text: String) {
    state.update { state in
      Self.erase(&state)
      StandardStreams.say(text)
    }
  }

  /// Takes the line away.
  func finish() { state.update { Self.erase(&$0) } }

  private static func erase(_ state: inout State) {
    guard state.isVisible else { return }
    StandardStreams.draw("\r\u{1B}[K")
    state.isVisible = false
    state.lastDrawn = nil
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
