// SPDX-License-Identifier: GPL-3.0-or-later

public import Glibc

extension posix_spawnattr_t {
  /// Has the process begin with no signal blocked and none ignored, as in a terminal of its own: threads that Swift
  /// tests run on block signals, and what `nohup` or a shell's background starts ignores some.
  public mutating func setOrdinarySignals(flags: Int32 = 0) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&self, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&self, &signals)
    posix_spawnattr_setflags(
      &self, Int16(flags | Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))
  }
}
