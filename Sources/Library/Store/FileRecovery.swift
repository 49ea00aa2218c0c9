// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Glibc

extension Library {
  /// Finishes or clears what processes that ended in the middle of it have left among the files.
  /// - Returns: how many imports were finished and how many cleared, and how many files were put back.
  @discardableResult
  func recoverFiles() throws(LibraryError) -> (finished: Int, cleared: Int, moved: Int) {
    let imports = try recoverImports()
    return (imports.finished, imports.cleared, try recoverMoves())
  }

  /// Names copies that were entered but had not got their name, and clears the other ones. Files that a
  /// living process still works on are locked, and let be.
  private func recoverImports() throws(LibraryError) -> (finished: Int, cleared: Int) {
    var finished = 0
    var cleared = 0
    for entry in LibraryFolder.contents(of: folder.recordings)
    where entry.hasPrefix(Importer.incoming) {
      let path = folder.recordings + "/" + entry
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      defer { Glibc.close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      let name = "Recordings/" + entry.dropFirst(Importer.incoming.count)
      let target = folder.path + "/" + name
      // A copy that was being made to relink a recording is not the recording's file.
      if Glibc.access(target, F_OK) != 0, let known = try knownFile(at: name),
        known.isLike(fileAt: path)
      {
        try FileMove.rename(path, to: target)
        finished += 1
      } else {
        unlink(path)
        cleared += 1
      }
    }
    return (finished, cleared)
  }

  private func knownFile(at path: String) throws(LibraryError) -> KnownFile? {
    try read { db in
      try Row.fetchOne(db, sql: Recording.query + " WHERE path = ?", arguments: [path])
        .map { try Recording(row: $0).file }
    }
  }

  /// Puts files that were on their way into the bin, or out of it, where the database has them.
  private func recoverMoves() throws(LibraryError) -> Int {
    let inBin = LibraryFolder.contents(of: folder.bin).filter { !$0.hasPrefix(".") }
    let astray = try read { db in
      try String.fetchAll(db, sql: "SELECT path FROM recording WHERE path LIKE 'Bin/%'")
        .map { (expected: $0, other: "Recordings/" + fileName(of: $0)) }
        + inBin.map { (expected: "Recordings/" + $0, other: "Bin/" + $0) }
    }
    var moved = 0
    for (expected, other) in astray
    where Glibc.access(folder.path + "/" + expected, F_OK) != 0
      && Glibc.access(folder.path + "/" + other, F_OK) == 0
    {
      let found = try read { db in
        try Row.fetchOne(db, sql: Recording.query + " WHERE path = ?", arguments: [expected])
          .map { try Recording(row: $0) }
      }
      // Whoever is moving it now has locked it, and then it may be elsewhere in a moment.
      guard let found, let lock = try? EditLock(found.id, in: folder, now: now()),
        try recording(found.id).place == found.place
      else { continue }
      try FileMove.rename(folder.path + "/" + other, to: folder.path + "/" + expected)
      withExtendedLifetime(lock) {}
      moved += 1
    }
    return moved
  }
}
