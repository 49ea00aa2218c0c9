// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB

/// What is wrong with a database as a database, whatever it holds.
struct DatabaseInspection {
  /// One for people each, the first dozens.
  let problems: [String]
  /// Whether what the tables hold is of the kinds that they say: reading anything else as a recording or an edit would
  /// end the program.
  let isReadable: Bool
  /// Whether it is whole as a database, be its checksums right or not.
  let isSound: Bool
  let hasFaultyPages: Bool

  /// Reads every page that is in use, on a connection that notes faulty ones and has not read any yet.
  init(_ db: Database) throws {
    var found: [String] = []
    var isSound = false
    do {
      let answers = try String.fetchCursor(db, sql: "PRAGMA integrity_check(20)")
      while let answer = try answers.next() {
        if answer != "ok" { found.append(Self.line(answer)) }
      }
      isSound = found.isEmpty
      found += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
        "a row of \(row["table"] as String) refers to a missing row"
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      found.append(LibraryError(error, "").detail)
    }
    let (pages, count) = db.faultyPages
    if count > 0 {
      let places = pages.prefix(8).map { "\($0)\(Self.table(of: $0, db))" }
      found.append(
        "\(count == 1 ? "page" : "pages") \(places.joined(separator: ", "))"
          + "\(count > places.count ? " and \(count - places.count) more" : "") of the database"
          + " \(count == 1 ? "does not match its checksum" : "do not match their checksums")")
    }
    self.isSound = isSound
    hasFaultyPages = count > 0
    isReadable = isSound && count == 0
    problems = found
  }

  /// SQLite puts the findings of one tree into one answer, under a heading.
  static func line(_ answer: String) -> String {
    answer.split(separator: "\n").filter { !$0.hasPrefix("***") }.joined(separator: "; ")
  }

  /// Whose page it is, as far as what is left can tell.
  private static func table(of page: Int, _ db: Database) -> String {
    let name = try? String.fetchOne(
      db, sql: "SELECT name FROM dbstat WHERE pageno = ?", arguments: [page])
    return name.map { " (\($0))" } ?? ""
  }
}

extension DatabaseQueue {
  /// Runs queries on one state of a database that may be damaged: to end such a transaction as `read` does may fail, and
  /// what was found would be lost.
  func inspecting<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try unsafeRead { db in
      try db.execute(sql: "BEGIN")
      defer { try? db.execute(sql: "ROLLBACK") }
      return try body(db)
    }
  }
}
