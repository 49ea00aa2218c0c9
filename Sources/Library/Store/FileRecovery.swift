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
    for entry in try files.contents(of: LibraryPath.Folder.recordings.rawValue)
    where entry.hasPrefix(Importer.incoming) {
      let path = LibraryPath.Folder.recordings.rawValue + "/" + entry
      guard files.hasFile(path), let file = try? files.open(path, O_RDONLY | O_NOFOLLOW),
        flock(file.number, LOCK_EX | LOCK_NB) == 0
      else { continue }
      let goal = LibraryPath(.recordings, String(entry.dropFirst(Importer.incoming.count)))
      // A copy that was being made to relink a recording is not the recording's file.
      if let goal, !files.contains(goal.description), let known = try knownFile(at: goal),
        known.isLike(fileAt: files.absolute(path))
      {
        try files.move(path, to: goal.description)
        finished += 1
      } else {
        try files.remove(path)
        cleared += 1
      }
    }
    return (finished, cleared)
  }

  private func knownFile(at path: LibraryPath) throws(LibraryError) -> KnownFile? {
    try recording(at: path)?.file
  }

  private func recording(at path: LibraryPath) throws(LibraryError) -> Recording? {
    try read { db in
      try Row.fetchOne(db, sql: Recording.query + " WHERE path = ?", arguments: [path.description])
        .map { try Recording(row: $0) }
    }
  }

  /// Puts files that were on their way into the bin, or out of it, where the database has them.
  private func recoverMoves() throws(LibraryError) -> Int {
    let inBin = try files.contents(of: LibraryPath.Folder.bin.rawValue)
      .filter { !$0.hasPrefix(".") }
    let astray = try read { db in
      try String.fetchAll(db, sql: "SELECT path FROM recording WHERE path LIKE 'Bin/%'")
        .compactMap { LibraryPath($0) } + inBin.compactMap { LibraryPath(.recordings, $0) }
    }
    var moved = 0
    for expected in astray {
      let other = expected.moved(to: expected.folder == .bin ? .recordings : .bin)
      guard !files.contains(expected.description), files.contains(other.description) else {
        continue
      }
      let found = try recording(at: expected)
      // Whoever is moving it now has locked it, and then it may be elsewhere in a moment.
      guard let found, let lock = try? EditLock(found.id, in: folder, now: now()),
        try recording(found.id).place == found.place
      else { continue }
      try files.move(other.description, to: expected.description)
      withExtendedLifetime(lock) {}
      moved += 1
    }
    return moved
  }
}
