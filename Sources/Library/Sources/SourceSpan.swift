// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import Quran

/// Where an ayah lies within the file of its surah, as far as that may be played.
public struct SourceSpan: Hashable, Sendable {
  public let ayah: AyahReference
  /// Milliseconds, half-open, not empty.
  public let milliseconds: Range<Int>
  /// Of the file in which it was checked; nil where the user trusts the timings for any.
  public let bytes: Int64?

  public init(_ ayah: AyahReference, _ milliseconds: Range<Int>, bytes: Int64?) {
    self.ayah = ayah
    self.milliseconds = milliseconds
    self.bytes = bytes
  }

  fileprivate init(_ ayah: AyahReference, _ row: Row) {
    let (start, end): (Int, Int) = (row["start"], row["end"])
    self.init(ayah, start..<end, bytes: row["bytes"])
  }
}

extension Library {
  /// Of all ayat of which it is known.
  public func spans(
    of source: ReciterSource.ID
  ) throws(LibraryError) -> [AyahReference: SourceSpan] {
    try read { db in
      var spans: [AyahReference: SourceSpan] = [:]
      for row in try Row.fetchAll(
        db, sql: "SELECT * FROM sourceSpan WHERE sourceID = ?", arguments: [source.rawValue])
      {
        guard let ayah = AyahReference(absoluteIndex: row["ayah"]) else { continue }
        spans[ayah] = SourceSpan(ayah, row)
      }
      return spans
    }
  }

  /// Of one ayah, as it is known now.
  public func span(
    of ayah: AyahReference, in source: ReciterSource.ID
  ) throws(LibraryError) -> SourceSpan? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM sourceSpan WHERE sourceID = ? AND ayah = ?",
        arguments: [source.rawValue, ayah.absoluteIndex]
      ).map { SourceSpan(ayah, $0) }
    }
  }

  /// Enters what is known of a surah in place of what was; nothing forgets it.
  public func replaceSpans(
    of surah: Surah, with spans: [SourceSpan], in source: ReciterSource.ID
  ) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "DELETE FROM sourceSpan WHERE sourceID = ? AND ayah BETWEEN ? AND ?",
        arguments: [
          source.rawValue, surah.firstAyah.absoluteIndex, surah.lastAyah.absoluteIndex,
        ])
      for span in spans where span.ayah.surah == surah {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO sourceSpan (sourceID, ayah, start, end, bytes)
            VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            source.rawValue, span.ayah.absoluteIndex, span.milliseconds.lowerBound,
            span.milliseconds.upperBound, span.bytes,
          ])
      }
    }
  }
}
