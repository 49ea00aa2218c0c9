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
    /// Nothing of the library is changed. SQLite may keep its own files beside the database meanwhile; a
    /// folder that cannot be written does as well.
    case readOnly
  }

  public let folder: LibraryFolder
  public let access: Access
  let database: any DatabaseWriter
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

  init(
    at folder: LibraryFolder, access: Access, migrator: DatabaseMigrator,
    patience: Double = usualPatience, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(LibraryError) {
    self.folder = folder
    self.access = access
    self.now = now
    do {
      let opening = Opening(folder: folder, migrator: migrator, patience: patience, now: now)
      switch access {
      case .readWrite: database = try opening.forWriting()
      case .readOnly: database = try opening.forReading()
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
