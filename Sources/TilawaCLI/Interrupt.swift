// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Ctrl-C and its kin: the first asks for a clean end, the second ends at once. A second SIGHUP does not: the
/// shell and the system may each send one when a window closes.
enum Interrupt {
  /// Set by the handler; everything that takes long looks at it.
  static let flag = StopFlag()

  /// Catches SIGINT, SIGTERM and SIGHUP from now on.
  static func install() {
    // The flag must exist before a handler may touch it.
    _ = flag.isStopped
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        Interrupt.flag.stop()
        if number != SIGHUP { signal(number, SIG_DFL) }
      }
    }
  }
}
