// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
public import Quran

/// Which ayat of a range can be heard, as runs.
public struct Coverage: Hashable, Sendable {
  public struct Run: Hashable, Sendable {
    public let range: AyahRange
    public let isCovered: Bool
  }

  /// Tile the range in order; no two neighbours are alike, and none reaches over the end of a surah.
  public let runs: [Run]

  init(_ range: AyahRange, covered: AyahSet) {
    var runs: [Run] = []
    for surah in range.bySurah {
      var start = surah.first
      for ayah in surah {
        let isCovered = covered.contains(ayah)
        let following = ayah == surah.last ? nil : ayah.next
        if let following, covered.contains(following) == isCovered { continue }
        if let run = AyahRange(first: start, last: ayah) {
          runs.append(Run(range: run, isCovered: isCovered))
        }
        start = following ?? start
      }
    }
    self.runs = runs
  }

  public var missing: [AyahRange] { runs.filter { !$0.isCovered }.map(\.range) }
  public var coveredCount: Int {
    runs.reduce(0) { $0 + ($1.isCovered ? $1.range.count : 0) }
  }
}

extension Library {
  /// Which ayat of a range are heard whole in what is published.
  public func coverage(
    of range: AyahRange = .wholeQuran, _ filter: SourceFilter = SourceFilter()
  ) throws(LibraryError) -> Coverage {
    try read { db in Coverage(range, covered: try Self.covered(filter, db)) }
  }

  /// The ayat of a range that are heard nowhere, as runs.
  public func missingAyat(
    in range: AyahRange = .wholeQuran, _ filter: SourceFilter = SourceFilter()
  ) throws(LibraryError) -> [AyahRange] {
    try coverage(of: range, filter).missing
  }

  /// Which ayat of a range one recording has published whole.
  public func coverage(
    of recording: Recording, in range: AyahRange = .wholeQuran
  ) throws(LibraryError) -> Coverage {
    try read { db in
      var covered = AyahSet()
      let rows = try Row.fetchCursor(
        db, sql: "SELECT ayat FROM coverage WHERE recordingID = ?", arguments: [recording.rowID])
      while let row = try rows.next() { try covered.formUnion(row) }
      return Coverage(range, covered: covered)
    }
  }

  /// What all recordings that may be heard have published whole.
  private static func covered(_ filter: SourceFilter, _ db: Database) throws -> AyahSet {
    let reciters = filter.who == .anybody ? nil : Set(try order(filter.who, db))
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT ayat, uuid, reciterID FROM coverage JOIN recording ON recording.id = recordingID
        WHERE riwayah = ?
        """, arguments: [filter.riwayah.rawValue])
    var covered = AyahSet()
    while let row = try rows.next() {
      if let reciters, !reciters.contains(row[2]) { continue }
      if filter.unavailable.contains(Recording.ID(rawValue: row[1])) { continue }
      try covered.formUnion(row)
    }
    return covered
  }
}

extension AyahSet {
  /// Adds the first column of a row.
  fileprivate mutating func formUnion(_ row: Row) throws {
    try row.withUnsafeData(atIndex: 0) { data in
      data?.withUnsafeBytes { formUnion($0) }
    }
  }
}
