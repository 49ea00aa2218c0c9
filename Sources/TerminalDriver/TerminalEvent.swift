// SPDX-License-Identifier: GPL-3.0-or-later

import CNcurses
public import TerminalUI

/// What a program that draws on a terminal waits for.
public enum TerminalEvent: Hashable, Sendable {
  case input(InputEvent)
  /// Images in true pixels can be shown from now on, on cells of this size; or no more.
  case pixels(CellPixels?)
  /// ``TerminalWaker/wake()`` was called, once or several times.
  case woken
  /// A signal asks the program to end; the same one again ends it at once.
  case stopRequested(StopReason)

  public enum StopReason: Hashable, Sendable {
    case interrupt, quit, terminate
    /// SIGHUP, or the terminal cannot be read any more.
    case hangUp
  }
}

/// Ends the wait for an event, from any thread.
public struct TerminalWaker: Sendable {
  init() {}

  /// Makes ``TerminalScreen/nextEvent(timeout:)`` return `.woken`, now or when it is next called.
  public func wake() { guard_wake() }
}
