// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStore
import GRDB

/// How the library's database is connected to.
///
/// Each page has a checksum; see `CStore/checksums.h`.
struct Connection {
  enum Pages {
    /// Each must match its checksum, or reading it fails.
    case verified
    /// Those that do not match are read all the same, and noted.
    case noted
    /// As the database's header says: an older library has no checksums.
    case asDeclared
  }

  var patience: Double
  /// Asked instead of waiting that long, while others write.
  var whileBusy: Database.BusyCallback?
  var pages = Pages.verified
  var isReadOnly = false
  /// For a disk without room for the memory that connections share: this one keeps everybody else out, writes
  /// nothing and makes no file.
  var isAlone = false

  var configuration: Configuration {
    get throws(LibraryError) {
      let code = checksums_install()
      guard code == SQLITE_OK else {
        throw LibraryError(.inputOutput, "SQLite", detail: "checksums_install", code: code)
      }
      var configuration = Configuration()
      configuration.busyMode = whileBusy.map { .callback($0) } ?? .timeout(patience)
      configuration.maximumReaderCount = 3
      configuration.label = "tilawa.library"
      configuration.readonly = isReadOnly
      let (pages, isAlone) = (pages, isAlone)
      configuration.prepareDatabase { db in try Self.prepare(db, pages, isAlone: isAlone) }
      return configuration
    }
  }

  private static func prepare(_ db: Database, _ pages: Pages, isAlone: Bool) throws {
    try check(store_harden(db.sqliteConnection, isAlone ? 1 : 0))
    switch pages {
    case .verified:
      // In a database that is still empty; anywhere else they are there already.
      try check(checksums_reserve_bytes(db.sqliteConnection))
      try check(checksums_require(db.sqliteConnection, checksum_fail))
    case .noted: try check(checksums_require(db.sqliteConnection, checksum_note))
    case .asDeclared: break
    }
    try db.execute(sql: "PRAGMA cell_size_check = ON")
    if isAlone {
      try db.execute(
        sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")
    }
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}

extension Database {
  /// Whether each page of the database has room for its checksum; asked once something was read.
  var reservesChecksums: Bool { checksums_reserved_bytes(sqliteConnection) == checksum_bytes }

  /// Makes room for checksums in the copies that `VACUUM INTO` makes of this database.
  func reserveChecksumsInCopies() { _ = checksums_reserve_bytes(sqliteConnection) }

  /// Copies one state of the database to a file that is empty.
  func vacuum(into path: String) throws {
    let connection = sqliteConnection
    _ = store_trust_schema(connection, 1)
    defer { _ = store_trust_schema(connection, 0) }
    // Unlike SQLite's backup calls it is not begun anew whenever somebody writes.
    try execute(
      sql: "VACUUM INTO ?",
      arguments: [
        reservesChecksums ? DatabaseAddress.of(path, "checksums=1") : DatabaseAddress.of(path)
      ])
  }

  /// The pages that did not match their checksums until now, from 1, the first dozens of them; and how many they are.
  var faultyPages: (numbers: [Int], count: Int) {
    var faults = checksum_faults()
    guard checksums_faults(sqliteConnection, &faults) == SQLITE_OK else { return ([], 0) }
    let count = Int(faults.count)
    return withUnsafeBytes(of: &faults.pages) { bytes in
      (bytes.bindMemory(to: UInt32.self).prefix(count).map(Int.init), count)
    }
  }
}

/// A database file as SQLite takes it with parameters.
enum DatabaseAddress {
  /// The path itself, but where it has bytes that are not UTF-8, which only the other form can hold.
  static func of(_ path: String) -> String { path.hasDiskBytes ? of(path, "") : path }

  static func of(_ path: String, _ parameters: String) -> String {
    let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~".utf8)
    let path = path.diskBytes.map { byte in
      unreserved.contains(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
    }.joined()
    return "file:\(path)" + (parameters.isEmpty ? "" : "?\(parameters)")
  }
}
