// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Keeps what a file says of itself from filling the memory: beyond the limit the libraries get none.
enum MemoryLimit {
  /// Bytes that finding boundaries needs at most, with much to spare; recordings of ten hours take 60 MiB.
  static let detection: rlim_t = 512 << 20

  /// Sets the limit for this process, unless a lower one is set already.
  static func apply(_ bytes: rlim_t) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0, limit.rlim_cur > bytes
    else { return }
    limit.rlim_cur = bytes
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
  }
}
