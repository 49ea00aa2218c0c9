// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Glibc

/// The steps from a folder to a database that may be used.
struct Opening {
  let folder: LibraryFolder
  let migrator: DatabaseMigrator
  let patience: Double
  let now: () -> Date

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 3
    configuration.label = "tilawa.library"
    return configuration
  }

  /// Makes the library where there is none, and brings an old one up to date.
  func forWriting() throws -> any DatabaseWriter {
    for path in [folder.path, folder.recordings, folder.locks] { try LibraryFolder.make(path) }
    // Two programs must not both make it, or both bring it up to date.
    let lock = try FileLock(at: folder.path + "/library.lock", patience: patience)
    defer { withExtendedLifetime(lock) {} }
    let state = try examine()
    if state == .outdated { try backUp() }
    let pool = try DatabasePool(path: folder.database, configuration: configuration)
    // An edit that the screen calls kept has to survive a power cut, so FULL and not NORMAL.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    if state != .current { try migrator.migrate(pool) }
    return pool
  }

  func forReading() throws -> any DatabaseWriter {
    guard access(folder.database, F_OK) == 0 else {
      throw LibraryError(.noFolder, folder.path, detail: "there is no library here yet")
    }
    guard try examine() == .current else {
      throw LibraryError(
        .readOnly, folder.database,
        detail: "it is of an older version and must be brought up to date first")
    }
    return try connectForReading()
  }

  private enum State { case absent, outdated, current }

  /// Looks at the database without changing it.
  private func examine() throws -> State {
    var status = stat()
    guard stat(folder.database, &status) == 0, status.st_size > 0 else { return .absent }
    let queue = try connectForReading()
    defer { try? queue.close() }
    return try queue.read { db in
      let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      if applicationID != Schema.applicationID {
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        // Killed right after it was made.
        if applicationID == 0, tables == 0 { return .absent }
        throw LibraryError(
          .damaged, folder.database, detail: "it is a database, but not one of this program")
      }
      if try migrator.hasBeenSuperseded(db) { throw LibraryError(.newer, folder.database) }
      return try migrator.hasCompletedMigrations(db) ? .current : .outdated
    }
  }

  private func connectForReading() throws -> DatabaseQueue {
    var configuration = configuration
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
      return queue
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR].contains(error.resultCode)
    {
      // SQLite wants to write beside even what it only reads, unless told that nobody else writes.
      guard access(folder.path, W_OK) != 0, let address = unchangingAddress else { throw error }
      return try DatabaseQueue(path: address, configuration: configuration)
    }
  }

  /// The database as a URI that says it never changes; nil while changes of it lie in its log.
  private var unchangingAddress: String? {
    var status = stat()
    if stat(folder.database + "-wal", &status) == 0, status.st_size > 0 { return nil }
    let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~".utf8)
    let path = folder.database.utf8.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
    }.joined()
    return "file:\(path)?immutable=1"
  }

  private func backUp() throws {
    try LibraryFolder.make(folder.backups)
    let stem = folder.backups + "/library-before-update-\(Int64(now().timeIntervalSince1970))"
    // A clock that was set back must not cost an older copy.
    var target = stem + ".sqlite"
    var number = 2
    while access(target, F_OK) == 0 {
      target = "\(stem)-\(number).sqlite"
      number += 1
    }
    let source = try DatabaseQueue(path: folder.database, configuration: configuration)
    try DatabaseCopy.make(of: source, at: target)
    try source.close()
  }
}
