// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import Glibc

/// Copies of the database that are whole whenever they are there.
enum DatabaseCopy {
  /// Copies one state of a database that may be in use; written beside its target and renamed.
  static func make(
    of source: any DatabaseReader, at target: String, isReplacing: Bool = false
  ) throws {
    if !isReplacing, access(target, F_OK) == 0 {
      throw LibraryError(.nameTaken, target, detail: "there is such a file already")
    }
    let part = target + ".part"
    unlink(part)
    do {
      try source.unsafeRead { db in
        // Unlike SQLite's backup calls it is not begun anew whenever somebody writes.
        try db.execute(sql: "VACUUM INTO ?", arguments: [part])
      }
      try sync(part)
      // SQLite would take the log of the database that was here for one of this.
      for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
      try FileMove.rename(part, to: target)
    } catch {
      unlink(part)
      throw error
    }
  }

  private static func sync(_ path: String) throws(LibraryError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LibraryError(errno: errno, "open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw LibraryError(errno: errno, "fsync", path) }
  }
}
