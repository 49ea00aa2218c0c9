// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import GRDB
import Quran

// A timed word and the row of `word` that keeps it.

extension TimedWord {
  /// - Throws: `.damaged` for an ayah that does not exist.
  init(row: Row) throws {
    let index: Int = row["ayah"]
    guard let ayah = AyahReference(absoluteIndex: index) else {
      throw LibraryError(.damaged, "word", detail: "\(index) is not the number of an ayah")
    }
    self.init(ayah, row["number"], FramePosition(row["start"])..<FramePosition(row["end"]))
  }

  func insert(for recording: Int64, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO word (recordingID, start, end, ayah, number) VALUES (?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      recording, span.lowerBound.frames, span.upperBound.frames, ayah.absoluteIndex, number,
    ])
  }

  /// The words of a recording in order.
  static func words(of recording: Int64, _ db: Database) throws -> [TimedWord] {
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT start, end, ayah, number FROM word WHERE recordingID = ? ORDER BY start",
      arguments: [recording])
    var words: [TimedWord] = []
    while let row = try rows.next() { words.append(try TimedWord(row: row)) }
    return words
  }
}

extension WordChange {
  /// Does to the rows of a recording what the change does to its document.
  func write(for recording: Recording, _ db: Database) throws {
    let deletion = try db.cachedStatement(
      sql: "DELETE FROM word WHERE recordingID = ? AND start = ?")
    for word in old {
      try deletion.execute(arguments: [recording.rowID, word.span.lowerBound.frames])
      guard db.changesCount == 1 else { throw LibraryError(.changedElsewhere, recording.title) }
    }
    for word in new { try word.insert(for: recording.rowID, db) }
  }
}

extension Library {
  /// The words that the latest alignment heard in a source's span, in order.
  public func words(in source: AyahSource) throws(LibraryError) -> [TimedWord] {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT start, end, ayah, number FROM word
            WHERE recordingID = (SELECT id FROM recording WHERE uuid = ?)
              AND start >= ? AND start < ? AND ayah = ?
          ORDER BY start
          """,
        arguments: [
          source.recording.rawValue, source.span.lowerBound.frames, source.span.upperBound.frames,
          source.ayah.absoluteIndex,
        ])
      var words: [TimedWord] = []
      while let row = try rows.next() { words.append(try TimedWord(row: row)) }
      return words
    }
  }
}
