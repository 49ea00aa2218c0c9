// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import GRDB
import Glibc

/// The steps from a folder to a database that may be used.
struct Opening: Sendable {
  let folder: LibraryFolder
  let migrator: DatabaseMigrator
  let patience: Double
  let whileBusy: Database.BusyCallback?
  let now: @Sendable () -> Date

  private var files: LibraryFiles { LibraryFiles(folder) }

  private func connection(_ pages: Connection.Pages) -> Connection {
    Connection(patience: patience, whileBusy: whileBusy, pages: pages)
  }

  /// Makes the library where there is none, and brings an old one up to date.
  /// - Returns: the database, and the lock that tells others that it is in use.
  func forWriting() throws -> (any DatabaseWriter, FileLock) {
    try LibraryFolder.make(folder.path)
    for name in [LibraryPath.Folder.recordings.rawValue, LibraryFolder.locksName] {
      try files.makeFolder(name)
    }
    // Two programs must not both make it, or both bring it up to date.
    let lock = try FileLock(at: folder.path + "/library.lock", patience: patience)
    defer { withExtendedLifetime(lock) {} }
    let state = try examine()
    switch state {
    case .absent:
      if folder.hasRecordings {
        throw LibraryError(
          .damaged, folder.database,
          detail: "recordings are here, but their database is missing or empty")
      }
      try makeEmpty()
    case .outdated: try backUp()
    case .withoutChecksums:
      try backUp()
      try rewriteWithChecksums()
    case .current: break
    }
    keepPrivate()
    let use = try FileLock(sharing: folder.useLock)
    let pool = try DatabasePool(
      path: DatabaseAddress.of(folder.database), configuration: connection(.verified).configuration)
    // An edit that the screen calls kept has to survive a power cut, so FULL and not NORMAL.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    if state != .current { try migrator.migrate(pool) }
    return (pool, use)
  }

  func forReading() throws -> any DatabaseWriter {
    guard access(folder.database.diskName, F_OK) == 0 else {
      throw LibraryError(.noFolder, folder.path, detail: "no library in this folder")
    }
    guard try examine() == .current else {
      throw LibraryError(
        .readOnly, folder.database,
        detail: "its version is older, and only writing updates it")
    }
    return try connectForReading(.verified)
  }

  /// Whatever can be read of a database of this program's.
  func forInspection() throws -> any DatabaseWriter {
    _ = try files.status(of: LibraryFolder.databaseName)
    let queue = try connectForReading(.noted)
    let isOurs = try queue.read { try $0.tableExists("recording") && $0.tableExists("journal") }
    guard isOurs else {
      throw LibraryError(.damaged, folder.database, detail: "its tables are missing")
    }
    return queue
  }

  private enum State {
    case absent, outdated, current
    /// Made before its pages had checksums.
    case withoutChecksums
  }

  /// Looks at the database without changing it.
  private func examine() throws -> State {
    guard files.contains(LibraryFolder.databaseName) else { return .absent }
    guard try files.status(of: LibraryFolder.databaseName).st_size > 0 else { return .absent }
    let queue = try connectForReading(.asDeclared)
    defer { try? queue.close() }
    return try queue.read { db in
      let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      if applicationID != Schema.applicationID {
        let tables = try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM sqlite_master
            WHERE type = 'table' AND name NOT IN ('grdb_migrations', 'sqlite_sequence')
            """)
        // Stopped right after it was made, by a kill or a full disk.
        if applicationID == 0, tables == 0 { return .absent }
        throw LibraryError(
          .damaged, folder.database, detail: "it is a database, but not of this program")
      }
      if try migrator.hasBeenSuperseded(db) { throw LibraryError(.newer, folder.database) }
      if !db.reservesChecksums {
        // A library of that version was never without them.
        if try migrator.appliedIdentifiers(db).contains(Schema.withChecksums) {
          throw LibraryError(
            .damaged, folder.database, detail: "its header no longer declares page checksums"
          )
        }
        return .withoutChecksums
      }
      if wasCutOff { try quickCheck(db) }
      return try migrator.hasCompletedMigrations(db) ? .current : .outdated
    }
  }

  /// Whether the log was left by processes that ended without closing it.
  private var wasCutOff: Bool {
    var status = stat()
    return stat((folder.database + "-wal").diskName, &status) == 0 && status.st_size > 0
      && !FileLock.isHeld(folder.useLock)
  }

  /// The connection that asks must be one that reads only: the log then stays, and the next opening looks again.
  private func quickCheck(_ db: Database) throws {
    let answers = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
    guard answers != ["ok"] else { return }
    throw LibraryError(
      .damaged, folder.database,
      detail: answers.first.map(DatabaseInspection.line) ?? "quick_check gave no answer")
  }

  /// Connects for reading. Nobody but who looks for damage reads pages that do not match their checksum.
  func connectForReading(_ pages: Connection.Pages) throws -> DatabaseQueue {
    var connection = connection(pages)
    connection.isReadOnly = true
    do {
      return try connect(connection, to: DatabaseAddress.of(folder.database))
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_FULL]
      .contains(error.resultCode) && error.extendedResultCode != .SQLITE_IOERR_DATA
    {
      // SQLite wants to write beside even what it only reads, and cannot in a folder that may not be written or on a full
      // disk. Where the log is empty it need not, once told that nobody else writes.
      if let address = unchangingAddress { return try connect(connection, to: address) }
      guard access(folder.database.diskName, W_OK) == 0 else { throw error }
      connection.isReadOnly = false
      connection.isAlone = true
      return try connect(connection, to: DatabaseAddress.of(folder.database))
    }
  }

  private func connect(_ connection: Connection, to address: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: address, configuration: connection.configuration)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    return queue
  }

  /// The database as a URI that says it never changes; nil while changes of it lie in its log.
  private var unchangingAddress: String? {
    var status = stat()
    if stat((folder.database + "-wal").diskName, &status) == 0, status.st_size > 0 { return nil }
    return DatabaseAddress.of(folder.database, "immutable=1")
  }

  /// Makes the file itself, as SQLite would let others read it. One that an older version was about to make goes.
  private func makeEmpty() throws {
    for suffix in ["-wal", "-shm", ""] { try files.remove(LibraryFolder.databaseName + suffix) }
    _ = try files.open(
      LibraryFolder.databaseName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  /// Older versions left the database and its copies for others to read.
  private func keepPrivate() {
    for suffix in ["", "-wal", "-shm"] { files.makePrivate(LibraryFolder.databaseName + suffix) }
    for name in (try? files.contents(of: LibraryFolder.backupsName)) ?? [] {
      files.makePrivate(LibraryFolder.backupsName + "/" + name)
    }
  }

  private func backUp() throws {
    try files.makeFolder(LibraryFolder.backupsName)
    let stem = folder.backups + "/library-before-update-\(Int64(now().timeIntervalSince1970))"
    // A clock that was set back must not cost an older copy.
    var target = stem + ".sqlite"
    var number = 2
    while access(target.diskName, F_OK) == 0 {
      target = "\(stem)-\(number).sqlite"
      number += 1
    }
    let source = try DatabaseQueue(
      path: DatabaseAddress.of(folder.database),
      configuration: connection(.asDeclared).configuration)
    let copy = try DatabaseCopy(beside: target)
    try copy.fill(from: source)
    try copy.keep(isReplacing: false)
    try source.close()
  }

  /// Gives a database that was made without checksums a copy that has them, brought up to date, for a successor.
  ///
  /// SQLite cannot make room in the pages of a database that is in use. The way out of the log's mode fails while any
  /// other connection is there, and none that writes comes meanwhile, for those need the library's lock.
  private func rewriteWithChecksums() throws {
    let source = try DatabaseQueue(
      path: DatabaseAddress.of(folder.database),
      configuration: connection(.asDeclared).configuration)
    let mode = try source.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
    }
    guard mode == "delete" else { throw LibraryError(.busy, folder.database) }
    let copy = try DatabaseCopy(beside: folder.database)
    try copy.fill(from: source) { $0.reserveChecksumsInCopies() }
    try source.close()
    try copy.change { try migrator.migrate($0) }
    try copy.keep(isReplacing: true)
  }
}
