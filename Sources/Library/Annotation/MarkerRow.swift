// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB

// A segment record and the row of `marker` that keeps it.

extension SegmentRecord {
  static let columns = """
    id, position, origin, isMarkerConfirmed, markerConfidence, assignment, assignmentOrigin,
    confidence, isConfirmed, note, isFlagged
    """

  init(row: Row) throws {
    var marker: Marker?
    let id: Int64 = row["id"]
    if id > 0 {
      marker = Marker(
        id: MarkerID(id), position: FramePosition(row["position"]),
        origin: try row.decoded("origin"), isConfirmed: row["isMarkerConfirmed"],
        confidence: row["markerConfidence"])
    }
    var attribution: Attribution?
    if let text: String = row["assignment"] {
      attribution = Attribution(
        try JSONText.decode(Assignment.self, from: text),
        origin: try row.decoded("assignmentOrigin"), confidence: row["confidence"])
    }
    self.init(
      start: marker,
      content: SegmentContent(
        attribution, isConfirmed: row["isConfirmed"], note: row["note"],
        isFlagged: row["isFlagged"]))
  }

  func insert(for recording: Int64, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO marker (recordingID, \(Self.columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      recording, start?.id.rawValue ?? 0, start?.position.frames ?? 0, start?.origin.rawValue,
      start?.isConfirmed ?? false, start?.confidence,
      try content.assignment.map { try JSONText.encode($0) },
      content.attribution?.origin.rawValue, content.attribution?.confidence,
      content.isConfirmed, content.note, content.isFlagged,
    ])
  }
}

/// JSON in columns: keys in one order, so that equal values are equal texts.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}

// MARK: Whole documents

extension AnnotationDocument {
  /// The annotation of a recording as the database holds it.
  init(of recording: Recording, _ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(SegmentRecord.columns) FROM marker WHERE recordingID = ? ORDER BY position
        """, arguments: [recording.rowID])
    var records: [SegmentRecord] = []
    while let row = try rows.next() { records.append(try SegmentRecord(row: row)) }
    let words = try TimedWord.words(of: recording.rowID, db)
    do {
      try self.init(
        length: recording.media.length, rate: recording.media.rate, records: records, words: words)
    } catch {
      throw LibraryError(
        .damaged, recording.title, detail: "its annotation contradicts itself: \(error)")
    }
  }
}

extension Change {
  /// Does to the rows of a recording what the change does to its document.
  func write(for recording: Recording, _ db: Database) throws {
    let deletion = try db.cachedStatement(
      sql: "DELETE FROM marker WHERE recordingID = ? AND id = ?")
    for record in old {
      try deletion.execute(arguments: [recording.rowID, record.start?.id.rawValue ?? 0])
      guard db.changesCount == 1 else { throw LibraryError(.changedElsewhere, recording.title) }
    }
    for record in new { try record.insert(for: recording.rowID, db) }
    try words?.write(for: recording, db)
  }
}
