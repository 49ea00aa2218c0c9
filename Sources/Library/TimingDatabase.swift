// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import GRDB
import Glibc
public import Quran

/// The database by which the Android app "Quran for Android" follows a gapless recitation: a table
/// `timings(sura, ayah, time)` with milliseconds and a table `properties(property, value)`. From `schema_version` 2 on
/// there is a column `words` as well: `word:from:to`, with commas between.
///
/// Ayah 0 is the basmalah before a surah, 999 the end of a surah. The app expects one audio file for each
/// surah and counts from that file's start. Source: `SuraTimingDatabaseHandler` of
/// github.com/quran/quran_android.
public enum TimingDatabase {
  public struct Entry: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
      case basmalah(of: Surah)
      case ayah(AyahReference)
      case end(of: Surah)
    }

    public let place: Place
    public let milliseconds: Int64
    /// As the column has them; nil for none.
    public let words: String?

    public init(_ place: Place, milliseconds: Int64, words: String? = nil) {
      self.place = place
      self.milliseconds = milliseconds
      self.words = words
    }

    public var numbers: (surah: Int, ayah: Int) {
      switch place {
      case .basmalah(let surah): (surah.number, 0)
      case .ayah(let ayah): (ayah.surah.number, ayah.ayah)
      case .end(let surah): (surah.number, 999)
      }
    }
  }

  /// Writes a database beside its place and moves it there.
  /// - Throws: `.nameTaken` when there is a file and it may not be replaced, `.full`, `.readOnly`.
  public static func write(
    _ entries: [Entry], to path: String, isReplacing: Bool = false
  ) throws(LibraryError) {
    if !isReplacing, access(path.diskName, F_OK) == 0 {
      throw LibraryError(.nameTaken, path, detail: "the file already exists")
    }
    let part = path + ".part"
    unlink(part.diskName)
    do {
      let queue = try DatabaseQueue(path: DatabaseAddress.of(part))
      let hasWords = entries.contains { $0.words != nil }
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE timings (sura INTEGER NOT NULL, ayah INTEGER NOT NULL,
              time INTEGER NOT NULL\(hasWords ? ", words TEXT NOT NULL" : ""), PRIMARY KEY (sura, ayah));
            CREATE TABLE properties (property TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
            INSERT INTO properties (property, value)
              VALUES ('schema_version', '\(hasWords ? 2 : 1)'), ('version', '1');
            """)
        for entry in entries {
          let (surah, ayah) = entry.numbers
          let values: [any DatabaseValueConvertible] = [surah, ayah, entry.milliseconds]
          try db.execute(
            sql: "INSERT OR IGNORE INTO timings VALUES (?, ?, ?\(hasWords ? ", ?" : ""))",
            arguments: StatementArguments(values + (hasWords ? [entry.words ?? ""] : [])))
        }
      }
      try queue.close()
      try FileMove.rename(part, to: path)
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink((part + suffix).diskName) }
      throw LibraryError(error, path)
    }
  }

  /// Reads a database, in the order of its times.
  /// - Parameter surah: only what belongs to this one.
  /// - Throws: `.unusable` with what is wrong; `.noFolder` when there is no such file.
  public static func entries(
    of path: String, surah: Surah? = nil
  ) throws(LibraryError) -> [Entry] {
    guard access(path.diskName, R_OK) == 0 else { throw LibraryError(errno: errno, "open", path) }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: DatabaseAddress.of(path), configuration: configuration)
      return try queue.read { db in
        guard try db.tableExists("timings") else {
          throw LibraryError(.unusable, path, detail: "the database has no table 'timings'")
        }
        let hasWords = try db.columns(in: "timings").contains { $0.name == "words" }
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT sura, ayah, time, \(hasWords ? "words" : "NULL AS words") FROM timings WHERE ?1 IS NULL OR sura = ?1 LIMIT ?2
            """, arguments: [surah?.number, Self.mostEntries + 1])
        var entries: [Entry] = []
        while let row = try rows.next() {
          guard entries.count < Self.mostEntries else {
            throw LibraryError(.unusable, path, detail: "more rows than the Quran has ayat")
          }
          entries.append(try entry(row, path))
        }
        return entries.sorted {
          ($0.milliseconds, $0.numbers.surah, $0.numbers.ayah)
            < ($1.milliseconds, $1.numbers.surah, $1.numbers.ayah)
        }
      }
    } catch {
      let error = LibraryError(error, path)
      guard error.kind == .damaged else { throw error }
      let code = ResultCode(rawValue: error.code).primaryResultCode
      let isBroken = code == .SQLITE_NOTADB || code == .SQLITE_CORRUPT
      throw LibraryError(
        .unusable, path,
        detail: (isBroken ? "damaged, or not an SQLite database" : "not a database of timings")
          + " (\(error.detail))", code: error.code)
    }
  }

  /// What to do about a file that is none.
  public static let remedy = "use a timing database of the Android app Quran"

  /// Each ayah, and for each surah its basmalah and its end.
  private static let mostEntries = AyahReference.count + 2 * 114

  private static func entry(_ row: Row, _ path: String) throws(LibraryError) -> Entry {
    let number = integer(row["sura"]).flatMap { Int(exactly: $0) }
    let ayah = integer(row["ayah"]).flatMap { Int(exactly: $0) }
    let time = integer(row["time"])
    let place: Entry.Place? = number.flatMap(Surah.init(_:)).flatMap { surah in
      switch ayah {
      case 0: .basmalah(of: surah)
      case 999: .end(of: surah)
      case let ayah?: AyahReference(surah: surah, ayah: ayah).map { .ayah($0) }
      case nil: nil
      }
    }
    guard let place, let time, time >= 0 else {
      let values = row.databaseValues.map(\.description).joined(separator: ", ")
      throw LibraryError(
        .unusable, path,
        detail: "a row of 'timings' is (\(values.prefix(100))), not sura, ayah and time")
    }
    return Entry(place, milliseconds: time, words: text(row["words"]))
  }

  private static func text(_ value: DatabaseValue) -> String? {
    if case .string(let text) = value.storage { text } else { nil }
  }

  /// Whole numbers, be they written as text or with a fraction of nothing.
  private static func integer(_ value: DatabaseValue) -> Int64? {
    switch value.storage {
    case .int64(let number): number
    case .double(let number): Int64(exactly: number)
    case .string(let text): Int64(text)
    case .null, .blob: nil
    }
  }
}
