// SPDX-License-Identifier: GPL-3.0-or-later

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

  init(_ range: AyahRange, covered: Set<Int>) {
    var runs: [Run] = []
    for surah in range.bySurah {
      var start = surah.first
      for ayah in surah {
        let isCovered = covered.contains(ayah.absoluteIndex)
        let following = ayah == surah.last ? nil : ayah.next
        if let following, covered.contains(following.absoluteIndex) == isCovered { continue }
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
    try read { db in Coverage(range, covered: try Self.covered(range, filter, db)) }
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
      let covered = try Int.fetchSet(
        db,
        sql: """
          SELECT ayah FROM passage WHERE recordingID = ? AND isBest = 1 AND ayah BETWEEN ? AND ?
          """,
        arguments: [recording.rowID, range.first.absoluteIndex, range.last.absoluteIndex])
      return Coverage(range, covered: covered)
    }
  }

  private static func covered(
    _ range: AyahRange, _ filter: SourceFilter, _ db: Database
  ) throws -> Set<Int> {
    var condition = ""
    var arguments: StatementArguments = [
      range.first.absoluteIndex, range.last.absoluteIndex, filter.riwayah.rawValue,
    ]
    switch filter.who {
    case .anybody: break
    case .only, .inOrder:
      let reciters = try order(filter.who, db)
      if reciters.isEmpty { return [] }
      condition += " AND reciterID IN (\(databaseQuestionMarks(count: reciters.count)))"
      arguments += StatementArguments(reciters)
    }
    if !filter.unavailable.isEmpty {
      let ids = filter.unavailable.map(\.rawValue)
      condition += """
         AND recordingID NOT IN
          (SELECT id FROM recording WHERE uuid IN (\(databaseQuestionMarks(count: ids.count))))
        """
      arguments += StatementArguments(ids)
    }
    // For each ayah one look into the index, not a walk through all that is known of it.
    return try Int.fetchSet(
      db,
      sql: """
        WITH RECURSIVE wanted (ayah, last) AS (
          VALUES (?, ?) UNION ALL SELECT ayah + 1, last FROM wanted WHERE ayah < last
        )
        SELECT ayah FROM wanted WHERE EXISTS (
          SELECT 1 FROM passage INDEXED BY passageByRank
          WHERE riwayah = ? AND passage.ayah = wanted.ayah AND isBest = 1\(condition)
        )
        """, arguments: arguments)
  }
}
