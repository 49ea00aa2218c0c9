// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import GRDB
import Glibc

/// A person's recordings and their annotations, in SQLite.
///
/// Any number of processes may use one library at once: readers never wait, writers wait for each
/// other. All calls block on the disk, so they belong on a thread that may. Every write is on disk when
/// its call returns (WAL, `synchronous = FULL`).
public final class Library: Sendable {
  public enum Access: Sendable {
    case readWrite
    /// Nothing is written, not even beside the database.
    case readOnly
  }

  public let folder: LibraryFolder
  public let access: Access
  let database: any DatabaseWriter
  /// Where time comes from; moments in it need not follow one another.
  let now: @Sendable () -> Date

  /// Opens a library, making it where there is none and bringing an old one up to date after a copy
  /// of it was put into its Backups folder.
  ///
  /// - Parameter access: read-only asks for a library that is there already.
  /// - Throws: `.newer`, `.damaged`, `.busy`, `.noFolder`, `.readOnly`, `.full`.
  public convenience init(
    at folder: LibraryFolder, access: Access = .readWrite,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(LibraryError) {
    try self.init(at: folder, access: access, migrator: Schema.migrator, now: now)
  }

  init(
    at folder: LibraryFolder, access: Access, migrator: DatabaseMigrator,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(LibraryError) {
    self.folder = folder
    self.access = access
    self.now = now
    do {
      switch access {
      case .readWrite:
        database = try Self.openForWriting(folder, migrator, now: now)
      case .readOnly:
        database = try Self.openForReading(folder, migrator)
      }
    } catch {
      throw LibraryError(error, folder.database)
    }
    if access == .readWrite { try recoverImports() }
  }

  /// Ends the connections; whoever still reads then gets an error.
  public func close() throws(LibraryError) {
    do {
      try database.close()
    } catch {
      throw LibraryError(error, folder.database)
    }
  }

  /// Runs queries on one unchanging state of the library.
  func read<Result>(_ body: (Database) throws -> Result) throws(LibraryError) -> Result {
    do {
      return try database.read(body)
    } catch {
      throw LibraryError(error, folder.database)
    }
  }

  /// Runs changes as one transaction: all of them are on disk afterwards, or none.
  func write<Result>(_ body: (Database) throws -> Result) throws(LibraryError) -> Result {
    guard access == .readWrite else {
      throw LibraryError(.readOnly, folder.database, detail: "opened for reading only")
    }
    do {
      return try database.write(body)
    } catch {
      throw LibraryError(error, folder.database)
    }
  }

  /// This moment as the database keeps it.
  var timestamp: Int64 { Int64(now().timeIntervalSince1970) }
}

// MARK: Opening

extension Library {
  /// How long a writer waits for others, in seconds.
  private static let patience = 10.0

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 3
    configuration.label = "tilawa.library"
    return configuration
  }

  private static func openForWriting(
    _ folder: LibraryFolder, _ migrator: DatabaseMigrator, now: () -> Date
  ) throws -> any DatabaseWriter {
    for path in [folder.path, folder.recordings, folder.locks] { try LibraryFolder.make(path) }
    // Two programs must not both make it, or both bring it up to date.
    let lock = try FileLock(waitingFor: folder.path + "/library.lock")
    defer { withExtendedLifetime(lock) {} }
    let state = try examine(folder, migrator)
    if state == .outdated { try backUp(folder, now: now) }
    let pool = try DatabasePool(path: folder.database, configuration: configuration)
    // An edit that the screen calls kept has to survive a power cut, so FULL and not NORMAL.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    if state != .current { try migrator.migrate(pool) }
    return pool
  }

  private static func openForReading(
    _ folder: LibraryFolder, _ migrator: DatabaseMigrator
  ) throws -> any DatabaseWriter {
    guard Glibc.access(folder.database, F_OK) == 0 else {
      throw LibraryError(.noFolder, folder.path, detail: "there is no library here yet")
    }
    guard try examine(folder, migrator) == .current else {
      throw LibraryError(
        .readOnly, folder.database,
        detail: "it is of an older version and must be brought up to date first")
    }
    var configuration = configuration
    configuration.readonly = true
    return try DatabaseQueue(path: folder.database, configuration: configuration)
  }

  private enum State { case absent, outdated, current }

  /// Looks at the database without changing it.
  private static func examine(
    _ folder: LibraryFolder, _ migrator: DatabaseMigrator
  ) throws -> State {
    var status = stat()
    guard stat(folder.database, &status) == 0, status.st_size > 0 else { return .absent }
    var configuration = configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
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

  private static func backUp(_ folder: LibraryFolder, now: () -> Date) throws {
    try LibraryFolder.make(folder.backups)
    let seconds = Int64(now().timeIntervalSince1970)
    let target = folder.backups + "/library-before-update-\(seconds).sqlite"
    let source = try DatabaseQueue(path: folder.database, configuration: configuration)
    try DatabaseCopy.make(of: source, at: target, isReplacing: true)
    try source.close()
  }
}
