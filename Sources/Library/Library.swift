// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
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
    /// Nothing of the library is changed. SQLite may keep its own files beside the database meanwhile; a
    /// folder that cannot be written does as well.
    case readOnly
    /// As `readOnly`, and what is damaged is read too, as it is: for ``check(isThorough:progress:)`` of a library that
    /// cannot be opened otherwise.
    case inspection
  }

  public let folder: LibraryFolder
  public let access: Access
  let database: any DatabaseWriter
  let opening: Opening
  /// Tells others that the library is open for writing.
  private let use: Monitor<FileLock?>
  /// Where time comes from; moments in it need not follow one another.
  let now: @Sendable () -> Date

  /// How long a writer waits for others, in seconds.
  public static let usualPatience = 10.0

  /// Opens a library, making it where there is none and bringing an old one up to date after a copy
  /// of it was put into its Backups folder.
  ///
  /// - Parameters:
  ///   - access: read-only asks for a library that is there already.
  ///   - patience: how long to wait for others that write, in seconds.
  /// - Throws: `.newer`, `.damaged`, `.busy`, `.noFolder`, `.readOnly`, `.full`.
  public convenience init(
    at folder: LibraryFolder, access: Access = .readWrite, patience: Double = usualPatience,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(LibraryError) {
    try self.init(
      at: folder, access: access, migrator: Schema.migrator, patience: patience, now: now)
  }

  /// - Parameter whileBusy: asked while others write, instead of the patience, whether to go on waiting.
  init(
    at folder: LibraryFolder, access: Access, migrator: DatabaseMigrator,
    patience: Double = usualPatience, now: @escaping @Sendable () -> Date = { Date() },
    whileBusy: Database.BusyCallback? = nil
  ) throws(LibraryError) {
    self.folder = folder
    self.access = access
    self.now = now
    do {
      opening = Opening(
        folder: folder, migrator: migrator, patience: patience, whileBusy: whileBusy, now: now)
      switch access {
      case .readWrite:
        let (pool, lock) = try opening.forWriting()
        database = pool
        use = Monitor(lock)
      case .readOnly:
        database = try opening.forReading()
        use = Monitor(nil)
      case .inspection:
        database = try opening.forInspection()
        use = Monitor(nil)
      }
    } catch {
      throw LibraryError(error, folder.database)
    }
    // What cannot be mended now is mended another time.
    if access == .readWrite { _ = try? recoverFiles() }
  }

  /// Ends the connections; whoever still reads then gets an error.
  public func close() throws(LibraryError) {
    do {
      // Connections that only read would be closed last, and those leave the log where it is.
      (database as? DatabasePool)?.invalidateReadOnlyConnections()
      try database.close()
    } catch {
      throw LibraryError(error, folder.database)
    }
    use.update { $0 = nil }
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
    try requireWriting()
    do {
      return try database.write(body)
    } catch {
      throw LibraryError(error, folder.database)
    }
  }

  /// - Throws: `.readOnly` where the library was opened for reading.
  func requireWriting() throws(LibraryError) {
    guard access == .readWrite else {
      throw LibraryError(.readOnly, folder.database, detail: "opened read-only")
    }
  }

  /// This moment as the database keeps it.
  var timestamp: Int64 { Int64(now().timeIntervalSince1970) }
}
