// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import Quran

/// Where an ayah lies within the file of its surah, as far as that may be played; of an ayah with a file of its own, from
/// the start of that to the end of its last word.
public struct SourceSpan: Hashable, Sendable {
  /// A word as it was published.
  public struct Word: Hashable, Sendable {
    /// Which of the ayah's it is, from 1: a whitespace token of the QPC Hafs text.
    public let number: Int
    /// From the ayah's start, half-open, not empty.
    public let milliseconds: Range<Int>

    public init(_ number: Int, _ milliseconds: Range<Int>) {
      self.number = number
      self.milliseconds = milliseconds
    }
  }

  public let ayah: AyahReference
  /// Milliseconds, half-open, not empty.
  public let milliseconds: Range<Int>
  /// Of the file in which it was checked; nil where the user trusts the timings for any.
  public let bytes: Int64?
  /// As the database has them: read when they are wanted, for a source may have 77,433.
  fileprivate let wordText: String?

  /// - Parameter words: in the order of time, none overlapping the next; none where nobody has published them.
  public init(
    _ ayah: AyahReference, _ milliseconds: Range<Int>, bytes: Int64?, words: [Word] = []
  ) {
    self.init(
      ayah, milliseconds, bytes: bytes,
      wordText: words.isEmpty
        ? nil
        : words.map {
          "\($0.number),\($0.milliseconds.lowerBound),\($0.milliseconds.upperBound)"
        }.joined(separator: ";"))
  }

  private init(
    _ ayah: AyahReference, _ milliseconds: Range<Int>, bytes: Int64?, wordText: String?
  ) {
    self.ayah = ayah
    self.milliseconds = milliseconds
    self.bytes = bytes
    self.wordText = wordText
  }

  public var hasWords: Bool { wordText != nil }

  public var words: [Word] {
    (wordText ?? "").split(separator: ";").compactMap { word in
      let numbers = word.split(separator: ",").compactMap { Int($0) }
      guard numbers.count == 3, numbers[1] < numbers[2] else { return nil }
      return Word(numbers[0], numbers[1]..<numbers[2])
    }
  }

  fileprivate init(_ ayah: AyahReference, _ row: Row) {
    let (start, end): (Int, Int) = (row["start"], row["end"])
    self.init(ayah, start..<end, bytes: row["bytes"], wordText: row["words"])
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

  /// Enters what is known of some ayat in place of what was; nothing forgets it.
  public func replaceSpans(
    of range: AyahRange, with spans: [SourceSpan], in source: ReciterSource.ID
  ) throws(LibraryError) {
    try write { db in try Self.replaceSpans(of: range, with: spans, in: source, db) }
  }

  private static func replaceSpans(
    of range: AyahRange, with spans: [SourceSpan], in source: ReciterSource.ID, _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM sourceSpan WHERE sourceID = ? AND ayah BETWEEN ? AND ?",
      arguments: [
        source.rawValue, range.first.absoluteIndex, range.last.absoluteIndex,
      ])
    for span in spans where range.contains(span.ayah) {
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO sourceSpan (sourceID, ayah, start, end, bytes, words)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          source.rawValue, span.ayah.absoluteIndex, span.milliseconds.lowerBound,
          span.milliseconds.upperBound, span.bytes, span.wordText,
        ])
    }
  }

  /// Enters timings by what a check of them has found. Whatever it has found, nothing is taken away that was checked with
  /// the file that is there.
  /// - Returns: which timings count now, for each of them.
  @discardableResult
  public func enter(
    _ timings: [SourceTimings], of source: ReciterSource
  ) throws(LibraryError) -> [SourceTimings.Standing] {
    try write { db in
      try timings.map { entry in
        let standing = try Self.enterSpans(of: entry, of: source, db)
        if var comparison = entry.comparison {
          if standing != .unused { comparison.remark = nil }
          try SourceComparison.enter(comparison, of: source.id, db)
        }
        return standing
      }
    }
  }

  private static func enterSpans(
    of entry: SourceTimings, of source: ReciterSource, _ db: Database
  ) throws -> SourceTimings.Standing {
    func replace(_ spans: [SourceSpan]) throws {
      try replaceSpans(of: entry.ayat, with: spans, in: source.id, db)
    }
    if let checked = entry.checked {
      try replace(checked)
      return .checked
    }
    let isChecked = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM sourceSpan WHERE sourceID = ?1 AND ayah BETWEEN ?2 AND ?3
          AND bytes IS NOT NULL AND (?4 IS NULL OR bytes = ?4))
        """,
      arguments: [
        source.id.rawValue, entry.ayat.first.absoluteIndex, entry.ayat.last.absoluteIndex,
        entry.bytes,
      ])
    if isChecked == true { return .checkedBefore }
    try replace(source.trustsTimings ? entry.published : [])
    return source.trustsTimings ? .trusted : .unused
  }
}

/// Timings of the ayat of one file of a source.
public struct SourceTimings: Sendable {
  /// Which timings count, once these are entered.
  public enum Standing: Hashable, Sendable {
    /// These, as they fit the sound or were corrected by it.
    case checked
    /// Those that were checked with the same file earlier.
    case checkedBefore
    /// These as they were published, because the user trusts them.
    case trusted
    case unused
  }

  public let ayat: AyahRange
  /// As they were published.
  public let published: [SourceSpan]
  /// What a check lets count; nil where they do not fit, and where nothing has checked them.
  public let checked: [SourceSpan]?
  /// Of the file; nil where it is not here.
  public let bytes: Int64?
  /// Nil where nothing has compared them with the sound.
  public let comparison: SourceComparison?

  public init(
    of ayat: AyahRange, published: [SourceSpan], checked: [SourceSpan]?, bytes: Int64?,
    comparison: SourceComparison? = nil
  ) {
    self.ayat = ayat
    self.published = published
    self.checked = checked
    self.bytes = bytes
    self.comparison = comparison
  }
}
