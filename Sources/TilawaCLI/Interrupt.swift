// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Glibc
import Synchronization
import TerminalDriver

/// Ctrl-C and its kin: the first asks for a clean end, the second ends at once. A second SIGHUP does not: the
/// shell and the system may each send one when a window closes.
enum Interrupt {
  /// Set by the handler; everything that takes long looks at it.
  static let flag = StopFlag()
  private static let number = Atomic<Int32>(SIGINT)

  /// What to exit with after it, as a shell reports a program that the signal ended.
  static var exitCode: ExitCode { ExitCode(128 + number.load(ordering: .relaxed)) }

  /// Catches SIGINT, SIGTERM and SIGHUP from now on.
  static func install() {
    // Both must exist before a handler may touch them.
    _ = (flag.isStopped, exitCode)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        Interrupt.stop(by: number)
        if number != SIGHUP { signal(number, SIG_DFL) }
      }
    }
  }

  /// Takes in why a screen was left; nil where a person left it.
  static func note(_ reason: TerminalEvent.StopReason?) {
    switch reason {
    case .interrupt: stop(by: SIGINT)
    case .quit: stop(by: SIGQUIT)
    case .terminate: stop(by: SIGTERM)
    case .hangUp: stop(by: SIGHUP)
    case nil: break
    }
  }

  /// - Throws: what to exit with, once a signal came.
  static func check() throws {
    if flag.isStopped { throw exitCode }
  }

  private static func stop(by number: Int32) {
    Self.number.store(number, ordering: .relaxed)
    flag.stop()
  }
}
