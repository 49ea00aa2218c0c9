// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import GRDB
import Glibc

extension Library {
  /// Takes the database as it is where pages do not match their checksums and all else is sound, as after another program has
  /// written to it: makes it anew. The old one stays in `Backups`.
  ///
  /// - Returns: where the old one is; nil where there is nothing to take. This one is to be closed then.
  /// - Throws: `.damaged` where more is wrong than checksums; `.held` while another program has the library open.
  public func acceptContents() throws(LibraryError) -> String? {
    guard access == .inspection else { return nil }
    let lock = try FileLock(at: folder.path + "/library.lock", patience: Self.usualPatience)
    defer { withExtendedLifetime(lock) {} }
    guard !FileLock.isHeld(folder.useLock) else {
      throw LibraryError(
        .held, folder.path, detail: "the library is open in another program; close it and try again"
      )
    }
    let (hasFaultyPages, problem) = try inspect { db in
      let inspection = try DatabaseInspection(db)
      guard inspection.isSound else { return (true, inspection.problems.first) }
      let problem = try Self.allRecordings(db).lazy.flatMap { recording in
        Self.annotationProblems(of: recording, db).map { "\(recording.short): \($0.message)" }
      }.first
      return (inspection.hasFaultyPages, problem)
    }
    guard hasFaultyPages else { return nil }
    if let problem {
      throw LibraryError(
        .damaged, folder.database,
        detail: "more is wrong than checksums, so it was not taken: \(problem)")
    }
    let copy = try DatabaseCopy(beside: folder.database)
    try copy.fill(from: database)
    try copy.verify()
    let old = try keepOld()
    try copy.keep(isReplacing: true)
    return old
  }

  /// Gives the database a second name, among the backups.
  private func keepOld() throws(LibraryError) -> String {
    try files.makeFolder(LibraryFolder.backupsName)
    let stem = folder.backups + "/library-before-accept-\(timestamp)"
    var (target, number) = (stem + ".sqlite", 2)
    while link(folder.database.diskName, target.diskName) != 0 {
      guard errno == EEXIST else { throw LibraryError(errno: errno, "link", target) }
      target = "\(stem)-\(number).sqlite"
      number += 1
    }
    // What is still in its log belongs to it.
    link((folder.database + "-wal").diskName, (target + "-wal").diskName)
    return target
  }
}
