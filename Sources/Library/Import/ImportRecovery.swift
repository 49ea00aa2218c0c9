// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Glibc

extension Library {
  /// Finishes imports that were stopped after they were entered, and clears what others left.
  ///
  /// Files that a living process still works on are locked, and let be.
  /// - Returns: how many were finished and how many cleared.
  @discardableResult
  func recoverImports() throws(LibraryError) -> (finished: Int, cleared: Int) {
    var finished = 0
    var cleared = 0
    for entry in LibraryFolder.contents(of: folder.recordings)
    where entry.hasPrefix(Importer.incoming) {
      let path = folder.recordings + "/" + entry
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      defer { Glibc.close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      let name = String(entry.dropFirst(Importer.incoming.count))
      let isEntered = try read { db in
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE path = ?)",
          arguments: ["Recordings/" + name]) ?? false
      }
      if isEntered, Glibc.access(folder.recordings + "/" + name, F_OK) != 0 {
        try FileMove.rename(path, to: folder.recordings + "/" + name)
        finished += 1
      } else {
        unlink(path)
        cleared += 1
      }
    }
    return (finished, cleared)
  }
}
