// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import GRDB
public import Quran

/// Ayat that a person learns by heart together, with how they went.
public struct HifzUnit: Hashable, Sendable {
  public let range: AyahRange
  /// Whether it is where two units meet: the last ayah of one and the first of the next.
  public let isJoin: Bool
  /// The earliest first.
  public internal(set) var reviews: [HifzReview]

  public init(_ range: AyahRange, isJoin: Bool = false, reviews: [HifzReview] = []) {
    self.range = range
    self.isJoin = isJoin
    self.reviews = reviews
  }
}

/// How ayat were recited by heart once.
public struct HifzReview: Hashable, Sendable, Identifiable {
  /// The same on every machine, so that two logs can be merged.
  public let id: String
  public let range: AyahRange
  /// In whole seconds.
  public let at: Date
  /// 1 for forgotten, to 4 for easy.
  public let grade: Int

  public init(
    id: String = UUID().uuidString.lowercased(), _ range: AyahRange, at: Date, grade: Int
  ) {
    self.id = id
    self.range = range
    self.at = at
    self.grade = grade
  }
}

extension Library {
  /// What is learnt by heart, in the order of the Quran.
  public func hifzUnits() throws(LibraryError) -> [HifzUnit] {
    try read { db in
      var units: [HifzUnit] = []
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM hifzUnit ORDER BY first, last")
      while let row = try rows.next() {
        units.append(HifzUnit(try row.range(), isJoin: row["isJoin"]))
      }
      let places = Dictionary(uniqueKeysWithValues: units.enumerated().map { ($1.range, $0) })
      let reviews = try Row.fetchCursor(
        db, sql: "SELECT * FROM hifzReview ORDER BY first, last, at, uuid")
      while let row = try reviews.next() {
        let review = try HifzReview(row: row)
        if let place = places[review.range] { units[place].reviews.append(review) }
      }
      return units
    }
  }

  /// Adds units; those that are there already are left as they are. What was graded of such ayat before counts again.
  /// - Returns: how many were new.
  @discardableResult
  public func addHifz(_ units: [HifzUnit]) throws(LibraryError) -> Int {
    try write { db in
      var count = 0
      for unit in units {
        try db.execute(
          sql: "INSERT OR IGNORE INTO hifzUnit (first, last, isJoin, addedAt) VALUES (?, ?, ?, ?)",
          arguments: [
            unit.range.first.absoluteIndex, unit.range.last.absoluteIndex, unit.isJoin,
            Int64(Date().timeIntervalSince1970),
          ])
        count += db.changesCount
      }
      return count
    }
  }

  /// Takes units out; their grades stay unless they are to be forgotten.
  /// - Returns: how many there were.
  @discardableResult
  public func removeHifz(_ ranges: [AyahRange], forgetting: Bool) throws(LibraryError) -> Int {
    try write { db in
      var count = 0
      for range in ranges {
        let place: StatementArguments = [range.first.absoluteIndex, range.last.absoluteIndex]
        try db.execute(
          sql: "DELETE FROM hifzUnit WHERE first = ? AND last = ?", arguments: place)
        count += db.changesCount
        if forgetting {
          try db.execute(
            sql: "DELETE FROM hifzReview WHERE first = ? AND last = ?", arguments: place)
        }
      }
      return count
    }
  }

  /// Adds grades; one whose id is there already is left as it is.
  /// - Returns: how many were new.
  @discardableResult
  public func addHifzReviews(_ reviews: [HifzReview]) throws(LibraryError) -> Int {
    try write { db in
      var count = 0
      for review in reviews {
        try db.execute(
          sql:
            "INSERT OR IGNORE INTO hifzReview (uuid, first, last, at, grade) VALUES (?, ?, ?, ?, ?)",
          arguments: [
            review.id, review.range.first.absoluteIndex, review.range.last.absoluteIndex,
            Int64(review.at.timeIntervalSince1970), review.grade,
          ])
        count += db.changesCount
      }
      return count
    }
  }

  /// Takes a grade back.
  public func removeHifzReview(_ id: String) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "DELETE FROM hifzReview WHERE uuid = ?", arguments: [id])
    }
  }

  /// The grades of all ayat, those that are learnt no longer included; the earliest first.
  public func hifzReviews() throws(LibraryError) -> [HifzReview] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM hifzReview ORDER BY at, uuid").map {
        try HifzReview(row: $0)
      }
    }
  }
}

extension HifzReview {
  fileprivate init(row: Row) throws {
    self.init(
      id: row["uuid"], try row.range(), at: Date(timestamp: row["at"]), grade: row["grade"])
  }
}

extension Row {
  fileprivate func range() throws -> AyahRange {
    guard let first = AyahReference(absoluteIndex: self["first"]),
      let last = AyahReference(absoluteIndex: self["last"]),
      let range = AyahRange(first: first, last: last)
    else { throw LibraryError(.damaged, "hifzUnit", detail: "an empty range") }
    return range
  }
}
