// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import Glibc

extension Library {
  /// Puts a recording into the bin: it is no longer listed or heard, and can be brought back whole.
  ///
  /// A copy moves to the library's Bin folder; a file left in its place is not touched.
  /// - Throws: `.held` while somebody edits it.
  public func remove(_ id: Recording.ID) throws(LibraryError) {
    let lock = try lockForEditing(id)
    defer { withExtendedLifetime(lock) {} }
    let recording = try recording(id)
    guard recording.removedAt == nil else { return }
    let removedAt = timestamp
    try move(recording, to: .bin) { db in
      try db.execute(
        sql: "UPDATE recording SET removedAt = ? WHERE id = ?",
        arguments: [removedAt, recording.rowID])
    }
  }

  /// Brings a recording back from the bin, with all that it had.
  /// - Throws: `.held` while somebody else works on it.
  public func restore(_ id: Recording.ID) throws(LibraryError) {
    let lock = try lockForEditing(id)
    defer { withExtendedLifetime(lock) {} }
    let recording = try recording(id)
    guard recording.removedAt != nil else { return }
    try move(recording, to: .recordings) { db in
      try db.execute(
        sql: "UPDATE recording SET removedAt = NULL WHERE id = ?", arguments: [recording.rowID])
    }
  }

  /// Forgets for good what is in the bin, copies of files included.
  /// - Returns: how many recordings.
  @discardableResult
  public func emptyBin() throws(LibraryError) -> Int {
    var filter = RecordingFilter()
    filter.isRemoved = true
    var count = 0
    for recording in try recordings(filter) {
      // One that somebody is bringing back just now stays.
      guard let lock = try? EditLock(recording.id, in: folder, now: now()) else { continue }
      defer { withExtendedLifetime(lock) {} }
      let isGone = try write { db in
        try db.execute(
          sql: "DELETE FROM recording WHERE id = ? AND removedAt IS NOT NULL",
          arguments: [recording.rowID])
        let isGone = db.changesCount == 1
        try Self.forgetEmptyNights(db)
        return isGone
      }
      guard isGone else { continue }
      // What is left if this fails is found by 'check'.
      if case .library(let path) = recording.place { try? files.remove(path.description) }
      EditLock.forget(recording.id, in: folder)
      _ = try? forgetLearnt(of: .recording(recording.id))
      count += 1
    }
    return count
  }

  /// Moves a recording's copy, if it has one, to the other folder, and says so in the database together with `change`.
  ///
  /// The file is moved last in the transaction, and back if that fails in the end; a process killed in
  /// between leaves it to the next opening.
  private func move(
    _ recording: Recording, to target: LibraryPath.Folder, _ change: (Database) throws -> Void
  ) throws(LibraryError) {
    var old: LibraryPath?
    if case .library(let path) = recording.place { old = path }
    let new = old?.moved(to: target)
    if new != nil { try files.makeFolder(target.rawValue) }
    var isMoved = false
    do {
      try write { db in
        try change(db)
        if let new {
          try db.execute(
            sql: "UPDATE recording SET path = ? WHERE id = ?",
            arguments: [new.description, recording.rowID])
        }
        try Self.insertPassages(of: try Self.recording(recording.id, db), db)
        // A file that is not there, as it has not arrived, need not move.
        if let old, let new, files.contains(old.description) {
          try files.move(old.description, to: new.description)
          isMoved = true
        }
      }
    } catch {
      if isMoved, let old, let new { try? files.move(new.description, to: old.description) }
      throw error
    }
  }
}
