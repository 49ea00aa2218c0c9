// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import Glibc

extension Library {
  /// Puts a recording into the bin: it is no longer listed or heard, and can be brought back whole.
  ///
  /// A copy moves to the library's Bin folder; a file left in its place is not touched.
  /// - Throws: `.held` while somebody edits it.
  public func remove(_ id: Recording.ID) throws(LibraryError) {
    let lock = try EditLock(id, in: folder, now: now())
    defer { withExtendedLifetime(lock) {} }
    let recording = try recording(id)
    guard recording.removedAt == nil else { return }
    let removedAt = timestamp
    let target = binPath(of: recording)
    if target != nil { try LibraryFolder.make(folder.bin) }
    try write { db in
      try db.execute(
        sql: "UPDATE recording SET removedAt = ?, path = coalesce(?, path) WHERE id = ?",
        arguments: [removedAt, target, recording.rowID])
      try db.execute(
        sql: "DELETE FROM passage WHERE recordingID = ?", arguments: [recording.rowID])
      // Last, so that it is taken back if the transaction is not to be had.
      if let target { try moveFile(recording.path(in: folder), to: folder.path + "/" + target) }
    }
  }

  /// Brings a recording back from the bin, with all that it had.
  public func restore(_ id: Recording.ID) throws(LibraryError) {
    let recording = try recording(id)
    guard recording.removedAt != nil else { return }
    var target: String?
    if case .library(let path) = recording.place, path.hasPrefix("Bin/") {
      target = "Recordings/" + path.dropFirst(4)
    }
    try write { db in
      try db.execute(
        sql: "UPDATE recording SET removedAt = NULL, path = coalesce(?, path) WHERE id = ?",
        arguments: [target, recording.rowID])
      try Self.insertPassages(of: try Self.recording(id, db), db)
      if let target { try moveFile(recording.path(in: folder), to: folder.path + "/" + target) }
    }
  }

  /// Forgets for good what is in the bin, copies of files included.
  /// - Returns: how many recordings.
  @discardableResult
  public func emptyBin() throws(LibraryError) -> Int {
    var filter = RecordingFilter()
    filter.isRemoved = true
    let removed = try recordings(filter)
    for recording in removed {
      try write { db in
        try db.execute(
          sql: "DELETE FROM recording WHERE id = ? AND removedAt IS NOT NULL",
          arguments: [recording.rowID])
      }
      // What is left if this fails is found by 'check'.
      if binPath(of: recording) != nil { unlink(recording.path(in: folder)) }
    }
    return removed.count
  }

  private func binPath(of recording: Recording) -> String? {
    guard case .library(let path) = recording.place else { return nil }
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    return "Bin/" + name
  }

  /// A file that is not there, as it has not arrived, need not move.
  private func moveFile(_ path: String, to target: String) throws(LibraryError) {
    guard Glibc.access(path, F_OK) == 0 else { return }
    try FileMove.rename(path, to: target)
  }
}
