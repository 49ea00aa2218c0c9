// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
public import Quran

/// A published recitation with one file for each ayah, or for each surah: a folder of the user's, or addresses from
/// which files are fetched when the user says so.
public struct ReciterSource: Hashable, Sendable, Identifiable {
  public struct ID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  public enum Place: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// What a ``SourcePattern`` is made of.
    case addresses(String)
  }

  public let id: ID
  /// The name of the folder of what was fetched; where the database has none that could be, ``damagedUUID``.
  public let uuid: String
  /// No folder has this name.
  static let damagedUUID = "damaged"
  public var name: String
  public var reciter: Reciter.ID?
  public var riwayah: Riwayah
  public var place: Place
  /// What is added to an ayah's number to have the source's.
  public var ayahOffset: Int
  /// Which of its files hold which ayat; nil where each ayah has a file of its own number, the offset added.
  public var mapping: AyahMapping?
  public var isEnabled: Bool
  /// The file of its published timings, an absolute path, or the addresses that they are fetched from; nil for none.
  public var timings: String?
  /// Whether the user takes its timings as they are where no check has found them right.
  public var trustsTimings: Bool
  /// Whether its host may be on the user's own network or machine.
  public var allowsPrivate: Bool
  /// Whether it may be fetched by plain http.
  public var allowsInsecure: Bool

  init(row: Row) throws {
    id = ID(rawValue: row["id"])
    uuid = UUID(uuidString: row["uuid"])?.uuidString.lowercased() ?? Self.damagedUUID
    name = row["name"]
    reciter = (row["reciterID"] as Int64?).map(Reciter.ID.init(rawValue:))
    riwayah = try row.decoded("riwayah")
    place =
      if let folder: String = row["folder"] { .folder(folder) } else { .addresses(row["pattern"]) }
    ayahOffset = row["ayahOffset"]
    mapping = try (row["mapping"] as String?).map { try AyahMapping(parsing: $0) }
    isEnabled = row["isEnabled"]
    timings = row["timings"]
    trustsTimings = row["trustsTimings"]
    allowsPrivate = row["allowsPrivate"]
    allowsInsecure = row["allowsInsecure"]
  }

  /// How its files are numbered where they are published.
  public var numbering: SourceNumbering { mapping.map { .mapping($0) } ?? .offset(ayahOffset) }

  /// What the number of a fetched file lacks of the one that the source has for it.
  var fetchedOffset: Int { mapping == nil ? ayahOffset : 0 }

  fileprivate var folder: String? { if case .folder(let path) = place { path } else { nil } }
  fileprivate var pattern: String? { if case .addresses(let text) = place { text } else { nil } }

  /// Makes sources of what reciters said before there were any.
  static func adoptAddressesOfReciters(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM reciter WHERE baseURL IS NOT NULL ORDER BY priority, id")
    for row in rows {
      let (base, file): (String, String) = (row["baseURL"], row["fileNamePattern"])
      let (name, riwayah): (String, String) = (row["name"], row["riwayah"])
      let taken = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM source WHERE name = ?", arguments: [name])
      try db.execute(
        sql: """
          INSERT INTO source (uuid, name, reciterID, riwayah, pattern, ayahOffset, isEnabled,
            allowsPrivate, allowsInsecure) VALUES (?, ?, ?, ?, ?, ?, 1, 0, 0)
          """,
        arguments: [
          UUID().uuidString.lowercased(), taken == 0 ? name : "\(name) (\(riwayah))",
          row["id"] as Int64, riwayah, SourcePattern.converted(base: base, name: file),
          row["ayahOffset"] as Int,
        ])
    }
    try db.execute(sql: "UPDATE reciter SET baseURL = NULL, fileNamePattern = NULL, ayahOffset = 0")
  }
}

// MARK: The sources of a library

extension Library {
  /// All of them: those of the reciters heard first come first, and of one reciter folders before addresses.
  public func sources() throws(LibraryError) -> [ReciterSource] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT source.* FROM source LEFT JOIN reciter ON reciter.id = reciterID
          ORDER BY priority IS NULL, priority, folder IS NULL, source.id
          """
      ).map { try ReciterSource(row: $0) }
    }
  }

  /// - Throws: `.unusable` when there is none of that name.
  public func source(named name: String) throws(LibraryError) -> ReciterSource {
    guard let found = try sources().first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      throw LibraryError(.unusable, name, detail: "no such source; 'source list' shows them")
    }
    return found
  }

  /// - Throws: `.nameTaken`; `.unusable` for no name, an offset that no numbering has, or an offset and a mapping.
  @discardableResult
  public func addSource(
    _ name: String, of reciter: Reciter.ID?, riwayah: Riwayah, at place: ReciterSource.Place,
    ayahOffset: Int = 0, mapping: AyahMapping? = nil, timings: String? = nil,
    trustsTimings: Bool = false, isEnabled: Bool = true, allowsPrivate: Bool = false,
    allowsInsecure: Bool = false
  ) throws(LibraryError) -> ReciterSource {
    let name = name.trimmed
    try write { db in
      try Self.checkSource(name, ayahOffset, mapping, except: nil, db)
      try db.execute(
        sql: """
          INSERT INTO source (uuid, name, reciterID, riwayah, folder, pattern, ayahOffset, mapping,
            timings, trustsTimings, isEnabled, allowsPrivate, allowsInsecure)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          UUID().uuidString.lowercased(), name, reciter?.rawValue, riwayah.rawValue,
          { if case .folder(let path) = place { path } else { nil } }() as String?,
          { if case .addresses(let text) = place { text } else { nil } }() as String?,
          ayahOffset, mapping?.description, timings, trustsTimings, isEnabled, allowsPrivate,
          allowsInsecure,
        ])
    }
    return try source(named: name)
  }

  /// Keeps what was changed of a source.
  /// - Throws: what ``addSource(_:of:riwayah:at:ayahOffset:mapping:timings:trustsTimings:isEnabled:allowsPrivate:allowsInsecure:)`` throws.
  public func update(_ source: ReciterSource) throws(LibraryError) {
    let name = source.name.trimmed
    // What keeps the change from being made keeps files from being renamed.
    try read { db in
      try Self.checkSource(name, source.ayahOffset, source.mapping, except: source.id, db)
    }
    try setFetchedTimingsAside(unlessOf: source)
    let renumbering = try FetchedRenumbering(of: source, in: self)
    try write { db in
      try Self.checkSource(name, source.ayahOffset, source.mapping, except: source.id, db)
      // What was checked by other timings is not checked by these.
      let old = try Row.fetchOne(
        db, sql: "SELECT timings, trustsTimings FROM source WHERE id = ?",
        arguments: [source.id.rawValue])
      let timings: String? = old?["timings"]
      let trusted: Bool? = old?["trustsTimings"]
      if timings != source.timings || trusted == true && !source.trustsTimings {
        try SourceComparison.forget(file: nil, of: source.id, db)
      } else if source.trustsTimings {
        try SourceComparison.accept(source.id, db)
      }
      try db.execute(
        sql: """
          DELETE FROM sourceSpan
          WHERE sourceID = ?1
            AND (?2 OR (bytes IS NULL AND NOT ?3))
          """,
        arguments: [source.id.rawValue, timings != source.timings, source.trustsTimings])
      try db.execute(
        sql: """
          UPDATE source SET name = ?, reciterID = ?, riwayah = ?, folder = ?, pattern = ?,
            ayahOffset = ?, mapping = ?, timings = ?, trustsTimings = ?, isEnabled = ?, allowsPrivate = ?,
            allowsInsecure = ? WHERE id = ?
          """,
        arguments: [
          name, source.reciter?.rawValue, source.riwayah.rawValue, source.folder, source.pattern,
          source.ayahOffset, source.mapping?.description, source.timings, source.trustsTimings,
          source.isEnabled,
          source.allowsPrivate, source.allowsInsecure, source.id.rawValue,
        ])
      // What a server did not have at another address, or under another number, it may have now.
      for table in ["sourceAbsence", "sourceTimingsAbsence"] {
        try db.execute(
          sql: "DELETE FROM \(table) WHERE sourceID = ?", arguments: [source.id.rawValue])
      }
    }
    try renumbering?.finish(as: source, in: self)
  }

  /// Uses all sources of a reciter, or none; they keep their files.
  /// - Returns: how many sources the reciter has.
  @discardableResult
  public func setSourcesEnabled(
    _ isEnabled: Bool, of reciter: Reciter.ID
  ) throws(LibraryError) -> Int {
    let own = try sources().filter { $0.reciter == reciter }
    for var source in own where source.isEnabled != isEnabled {
      source.isEnabled = isEnabled
      try update(source)
    }
    return own.count
  }

  /// Forgets a source; its files stay where they are.
  /// - Throws: `.held` while another program fetches it.
  public func removeSource(_ source: ReciterSource) throws(LibraryError) {
    let id = source.id
    let lock = try hold(source)
    defer { withExtendedLifetime(lock) {} }
    try write { db in
      try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id.rawValue])
    }
  }

  private static func checkSource(
    _ name: String, _ ayahOffset: Int, _ mapping: AyahMapping?, except id: ReciterSource.ID?,
    _ db: Database
  ) throws {
    guard !name.isEmpty else {
      throw LibraryError(.unusable, "source", detail: "the name is empty")
    }
    if let fault = name.faultAsName {
      // One that has it from an earlier version keeps it.
      let old = try String.fetchOne(
        db, sql: "SELECT name FROM source WHERE id = ?", arguments: [id?.rawValue])
      if old != name { throw LibraryError(.unusable, "source", detail: fault) }
    }
    guard (-299...299).contains(ayahOffset) else {
      throw LibraryError(.unusable, name, detail: "an offset of \(ayahOffset) ayat is too large")
    }
    guard mapping == nil || ayahOffset == 0 else {
      throw LibraryError(.unusable, name, detail: "it has an offset; a mapping needs offset 0")
    }
    let taken = try Int64.fetchOne(
      db, sql: "SELECT id FROM source WHERE name = ?", arguments: [name])
    if let taken, taken != id?.rawValue {
      throw LibraryError(.nameTaken, name, detail: "a source of that name exists already")
    }
  }
}
