// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
public import Quran

/// Who recites, in one riwayah.
public struct Reciter: Hashable, Sendable, Identifiable {
  public struct ID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  public let id: ID
  public var name: String
  public var riwayah: Riwayah
  /// The lower the sooner this one is heard.
  public internal(set) var priority: Int

  init(row: Row) throws {
    id = ID(rawValue: row["id"])
    name = row["name"]
    riwayah = try row.decoded("riwayah")
    priority = row["priority"]
  }
}

extension Row {
  /// A column that holds the raw value of an enumeration.
  func decoded<Value: RawRepresentable>(_ column: String) throws -> Value
  where Value.RawValue: DatabaseValueConvertible {
    let raw: Value.RawValue = self[column]
    guard let value = Value(rawValue: raw) else {
      throw LibraryError(.damaged, column, detail: "\(column) is \(raw)")
    }
    return value
  }

  func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }
}

// MARK: The reciters of a library

extension Library {
  /// All of them, those to be heard first coming first.
  public func reciters() throws(LibraryError) -> [Reciter] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM reciter ORDER BY priority, id")
        .map { try Reciter(row: $0) }
    }
  }

  /// The reciter of a name, or of a name and riwayah as in `Husary (warsh)`; letter case is ignored.
  /// - Throws: `.noSuchReciter`; `.ambiguousRecording` names the riwayat to choose from.
  public func reciter(named text: String, riwayah: Riwayah? = nil) throws(LibraryError) -> Reciter {
    var name = text
    var wanted = riwayah
    if wanted == nil, text.hasSuffix(")"), let open = text.lastIndex(of: "("),
      let given = Riwayah(rawValue: text[text.index(after: open)...].dropLast().lowercased())
    {
      wanted = given
      name = text[..<open].trimmed
    }
    let found = try reciters().filter {
      $0.name.lowercased() == name.lowercased() && (wanted == nil || $0.riwayah == wanted)
    }
    guard let first = found.first else {
      let others = try reciters().filter { $0.name.lowercased() == name.lowercased() }
      guard let wanted, !others.isEmpty else {
        let source = try sources().first { $0.name.lowercased() == name.lowercased() }
        let own = try reciters().first { $0.id == source?.reciter }
        throw LibraryError(
          .noSuchReciter, text, detail: own.map { "a source of \($0.name) has this name" } ?? "")
      }
      let riwayat = others.map(\.riwayah.displayName).joined(separator: " and ")
      throw LibraryError(
        .unusable, others[0].name, detail: "recites \(riwayat), not \(wanted.displayName)")
    }
    guard found.count == 1 else {
      let names = found.map { "\($0.name) (\($0.riwayah.rawValue))" }.joined(separator: " or ")
      throw LibraryError(.ambiguousRecording, text, detail: names)
    }
    return first
  }

  /// Adds a reciter, to be heard after all others.
  /// - Throws: `.nameTaken` when there is one of that name and riwayah; `.unusable` for no name.
  @discardableResult
  public func addReciter(
    _ name: String, riwayah: Riwayah = .hafs
  ) throws(LibraryError) -> Reciter {
    let name = try Self.checked(name)
    return try write { db in
      try Self.checkFree(name, riwayah, except: nil, db)
      try db.execute(
        sql: """
          INSERT INTO reciter (name, riwayah, priority)
          VALUES (?, ?, (SELECT coalesce(max(priority), 0) + 1 FROM reciter))
          """,
        arguments: [name, riwayah.rawValue])
      return try Self.reciter(Reciter.ID(rawValue: db.lastInsertedRowID), db)
    }
  }

  /// Keeps what was changed of a reciter; a new riwayah goes to all of the reciter's recordings and
  /// sources.
  /// - Throws: `.noSuchReciter`, and what ``addReciter(_:riwayah:)`` throws.
  public func update(_ reciter: Reciter) throws(LibraryError) {
    let name = try Self.checked(reciter.name)
    try write { db in
      try Self.checkFree(name, reciter.riwayah, except: reciter.id, db)
      try db.execute(
        sql: "UPDATE reciter SET name = ?, riwayah = ? WHERE id = ?",
        arguments: [name, reciter.riwayah.rawValue, reciter.id.rawValue])
      guard db.changesCount == 1 else { throw LibraryError(.noSuchReciter, name) }
      for table in ["recording", "passage", "source"] {
        try db.execute(
          sql: "UPDATE \(table) SET riwayah = ? WHERE reciterID = ? AND riwayah <> ?",
          arguments: [reciter.riwayah.rawValue, reciter.id.rawValue, reciter.riwayah.rawValue])
      }
    }
  }

  /// Forgets a reciter, and what was learnt of the voice; the recordings stay, as nobody's.
  public func removeReciter(_ id: Reciter.ID) throws(LibraryError) {
    try forgetLearnt(of: .reciter(id))
    try write { db in
      try db.execute(sql: "DELETE FROM reciter WHERE id = ?", arguments: [id.rawValue])
    }
  }

  /// Makes a reciter the one to be heard in a certain place of the order, from 0.
  public func move(_ id: Reciter.ID, toPlace place: Int) throws(LibraryError) {
    try write { db in
      var order = try Int64.fetchAll(db, sql: "SELECT id FROM reciter ORDER BY priority, id")
      guard let old = order.firstIndex(of: id.rawValue) else { return }
      order.remove(at: old)
      order.insert(id.rawValue, at: min(max(place, 0), order.count))
      for (priority, id) in order.enumerated() {
        try db.execute(
          sql: "UPDATE reciter SET priority = ? WHERE id = ?", arguments: [priority + 1, id])
      }
    }
  }

  static func reciter(_ id: Reciter.ID, _ db: Database) throws -> Reciter {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM reciter WHERE id = ?", arguments: [id.rawValue])
    guard let row else { throw LibraryError(.noSuchReciter, "\(id.rawValue)") }
    return try Reciter(row: row)
  }

  private static func checked(_ name: String) throws(LibraryError) -> String {
    let name = name.trimmed
    guard !name.isEmpty else {
      throw LibraryError(.unusable, "reciter", detail: "the name is empty")
    }
    if let fault = name.faultAsName {
      throw LibraryError(.unusable, "reciter", detail: fault)
    }
    return name
  }

  private static func checkFree(
    _ name: String, _ riwayah: Riwayah, except id: Reciter.ID?, _ db: Database
  ) throws {
    let taken = try Int64.fetchOne(
      db, sql: "SELECT id FROM reciter WHERE name = ? AND riwayah = ?",
      arguments: [name, riwayah.rawValue])
    if let taken, taken != id?.rawValue {
      throw LibraryError(
        .nameTaken, name, detail: "a reciter with that name and riwayah already exists")
    }
  }
}

extension StringProtocol {
  /// Why it cannot be the name of a reciter or source, which people type, for people; nil where it can.
  public var faultAsName: String? {
    // What turns the direction of writing is a format character; so are joiners and marks that names have.
    let hasControls = unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      case .format: !("\u{200C}"..."\u{200F}").contains(scalar)
      default: false
      }
    }
    if hasControls { return "the name contains control characters" }
    return utf8.count > 255 ? "the name is longer than 255 bytes" : nil
  }

  /// Without white space at either end.
  var trimmed: String {
    let inner = drop { $0.isWhitespace }
    return String(
      inner.prefix(
        upTo: inner.lastIndex { !$0.isWhitespace }
          .map { inner.index(after: $0) } ?? inner.startIndex))
  }
}
