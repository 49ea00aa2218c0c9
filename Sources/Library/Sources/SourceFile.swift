// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import GRDB
import Glibc
public import Quran

/// A file that was fetched whole, as it was then.
public struct SourceFile: Hashable, Sendable {
  /// The first in it.
  public let ayah: AyahReference
  /// In the source's folder.
  public let name: String
  public let url: String
  public let bytes: Int64
  /// ``ContentHash`` of all of it.
  public let hash: [UInt8]
  public let etag: String?
  /// Whether it is not the one that the manifest of its source speaks of.
  public let differs: Bool
  /// Seconds since 1970; what is entered gets the time of its entry.
  public let fetchedAt: Int64

  public init(
    ayah: AyahReference, name: String, url: String, bytes: Int64, hash: [UInt8], etag: String?,
    differs: Bool = false, fetchedAt: Int64 = 0
  ) {
    self.ayah = ayah
    self.name = name
    self.url = url
    self.bytes = bytes
    self.hash = hash
    self.etag = etag
    self.differs = differs
    self.fetchedAt = fetchedAt
  }

  /// Whether a file of this name holds a whole surah: `002.mp3`, not `002255.mp3`.
  public static func isOfSurah(_ name: String) -> Bool { name.prefix { $0 != "." }.count == 3 }

  /// What its timings are of.
  var ayat: AyahRange { Self.isOfSurah(name) ? ayah.surah.ayat : AyahRange(ayah) }
}

extension Library {
  /// How long a server that does not have a file, or does not give it, is left in peace.
  private static let absenceSeconds: Int64 = 7 * 86_400

  /// What was fetched of a source, in the order of the ayat.
  public func files(of source: ReciterSource.ID) throws(LibraryError) -> [SourceFile] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM sourceFile WHERE sourceID = ? ORDER BY ayah, name",
        arguments: [source.rawValue]
      ).compactMap { row in
        AyahReference(absoluteIndex: row["ayah"]).map {
          SourceFile(
            ayah: $0, name: row["name"], url: row["url"], bytes: row["bytes"],
            hash: row.bytes("hash"), etag: row["etag"], differs: row["differs"],
            fetchedAt: row["fetchedAt"])
        }
      }
    }
  }

  /// How long a file was when it was fetched; nil for one that was not.
  public func fetchedBytes(
    of name: String, in source: ReciterSource.ID
  ) throws(LibraryError) -> Int64? {
    try read { db in
      try Int64.fetchOne(
        db, sql: "SELECT bytes FROM sourceFile WHERE sourceID = ? AND name = ?",
        arguments: [source.rawValue, name])
    }
  }

  /// Enters a file that lies under its name, in place of an earlier one. Timings that were checked with another sound do
  /// not count any more.
  public func enter(_ file: SourceFile, of source: ReciterSource.ID) throws(LibraryError) {
    try write { db in
      let old = try Row.fetchOne(
        db, sql: "SELECT hash FROM sourceFile WHERE sourceID = ? AND name = ?",
        arguments: [source.rawValue, file.name])
      if let old, old.bytes("hash") != file.hash {
        try Self.forgetCheckedTimings(of: file.ayat, source, db)
      }
      try Self.insert(file, fetchedAt: timestamp, of: source, db)
      try db.execute(
        sql: "DELETE FROM sourceAbsence WHERE sourceID = ? AND ayah = ?",
        arguments: [source.rawValue, file.ayah.absoluteIndex])
      try SourceComparison.forget(file: file.name, of: source, db)
    }
  }

  static func insert(
    _ file: SourceFile, fetchedAt: Int64, of source: ReciterSource.ID, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO sourceFile
          (sourceID, ayah, name, url, bytes, hash, etag, fetchedAt, differs)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        source.rawValue, file.ayah.absoluteIndex, file.name, file.url, file.bytes,
        Data(file.hash), file.etag, fetchedAt, file.differs,
      ])
  }

  private static func forgetCheckedTimings(
    of ayat: AyahRange, _ source: ReciterSource.ID, _ db: Database
  ) throws {
    try db.execute(
      sql:
        "DELETE FROM sourceSpan WHERE sourceID = ? AND ayah BETWEEN ? AND ? AND bytes IS NOT NULL",
      arguments: [source.rawValue, ayat.first.absoluteIndex, ayat.last.absoluteIndex])
  }

  /// Forgets a file that does not lie under its name any more, and the timings that were checked with it.
  public func forget(_ file: SourceFile, of source: ReciterSource.ID) throws(LibraryError) {
    try write { db in
      try Self.forgetCheckedTimings(of: file.ayat, source, db)
      try db.execute(
        sql: "DELETE FROM sourceFile WHERE sourceID = ? AND name = ?",
        arguments: [source.rawValue, file.name])
    }
  }

  /// Remembers for a week that a server does not have an ayah.
  public func noteAbsence(
    of ayah: AyahReference, status: Int, in source: ReciterSource.ID
  ) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql:
          "INSERT OR REPLACE INTO sourceAbsence (sourceID, ayah, status, until) VALUES (?, ?, ?, ?)",
        arguments: [
          source.rawValue, ayah.absoluteIndex, status, timestamp + Self.absenceSeconds,
        ])
    }
  }

  /// The ayat that a server did not have during the last week, and what it answered.
  public func absences(in source: ReciterSource.ID) throws(LibraryError) -> [AyahReference: Int] {
    try read { db in
      var found: [AyahReference: Int] = [:]
      for row in try Row.fetchAll(
        db, sql: "SELECT ayah, status FROM sourceAbsence WHERE sourceID = ? AND until > ?",
        arguments: [source.rawValue, timestamp])
      {
        if let ayah = AyahReference(absoluteIndex: row["ayah"]) { found[ayah] = row["status"] }
      }
      return found
    }
  }
}

extension Library {
  /// Remembers for a week that a server does not have the timings of a surah; of all surahs where one file has them.
  public func noteTimingsAbsence(
    of surah: Surah, in source: ReciterSource.ID
  ) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql:
          "INSERT OR REPLACE INTO sourceTimingsAbsence (sourceID, surah, until) VALUES (?, ?, ?)",
        arguments: [source.rawValue, surah.number, timestamp + Self.absenceSeconds])
    }
  }

  /// The surahs whose timings a server did not have during the last week.
  public func timingsAbsences(in source: ReciterSource.ID) throws(LibraryError) -> Set<Surah> {
    try read { db in
      let numbers = try Int.fetchAll(
        db, sql: "SELECT surah FROM sourceTimingsAbsence WHERE sourceID = ? AND until > ?",
        arguments: [source.rawValue, timestamp])
      return Set(numbers.compactMap { Surah($0) })
    }
  }
}

/// Held by whoever fetches files of a source; given back when it is gone.
public struct SourceLock: Sendable {
  private let lock: FileLock
  init(_ lock: FileLock) { self.lock = lock }
}

extension Library {
  /// Makes the folder for what is fetched of a source, and keeps other processes from fetching into it.
  /// - Throws: `.held` when another one does; `.readOnly` where what is fetched could not be entered.
  public func lock(_ source: ReciterSource) throws(LibraryError) -> SourceLock {
    try requireWriting()
    guard source.uuid != ReciterSource.damagedUUID else {
      throw LibraryError(
        .damaged, source.name, detail: "its id is not a UUID; remove the source and add it again")
    }
    try files.makeFolder(LibraryFolder.sourcesName)
    try files.makeFolder(LibraryFolder.sourcesName + "/" + source.uuid)
    return try hold(source)
  }

  /// The folder of what was fetched of a source; nil where it leads out of the library.
  public func fetchedFolder(of source: ReciterSource) -> String? {
    guard source.uuid != ReciterSource.damagedUUID else { return nil }
    do throws(LibraryError) {
      return try files.path(forReading: "\(LibraryFolder.sourcesName)/\(source.uuid)")
    } catch {
      return error.kind == .outside ? nil : folder.fetched(of: source)
    }
  }

  /// Renames timings that were fetched, where a source is to have others: their names do not tell from which address
  /// they are. Before the change, since a kill between the two then leaves timings to fetch, and no wrong ones in use.
  /// - Throws: `.held` when another process fetches the source.
  func setFetchedTimingsAside(unlessOf changed: ReciterSource) throws(LibraryError) {
    guard let old = try sources().first(where: { $0.id == changed.id }), let timings = old.timings,
      timings != changed.timings, let path = fetchedFolder(of: old)
    else { return }
    let fetched = (FolderListing.names(in: path) ?? []).filter {
      $0.hasPrefix("timings") && $0.hasSuffix(".json")
    }
    guard !fetched.isEmpty else { return }
    let lock = try hold(old)
    defer { withExtendedLifetime(lock) {} }
    for name in fetched { try setAside(name, in: path) }
  }

  /// Takes a fetched file out of use: it gets the first of the names `{name}.old1`, `{name}.old2`... that is free.
  /// - Parameter folder: of the source's fetched files.
  /// - Returns: that name.
  @discardableResult
  public func setAside(_ name: String, in folder: String) throws(LibraryError) -> String {
    let path = "\(folder)/\(name)"
    var copy = 1
    while Glibc.access("\(path).old\(copy)".diskName, F_OK) == 0 { copy += 1 }
    try FileMove.rename(path, to: "\(path).old\(copy)")
    return "\(name).old\(copy)"
  }

  /// Keeps other processes from fetching files of a source.
  /// - Throws: `.held` when another one does.
  func hold(_ source: ReciterSource) throws(LibraryError) -> SourceLock {
    do throws(LibraryError) {
      return SourceLock(try FileLock(trying: "\(folder.locks)/source-\(source.uuid).lock"))
    } catch {
      guard error.kind == .held else { throw error }
      throw LibraryError(
        .held, source.name, detail: "another program is fetching it; wait until that finishes")
    }
  }
}
