// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB

// What a relink changes in the tables.

extension Library {
  static func update(
    _ recording: Recording, _ place: Recording.Place, _ new: NewFile, modified: Int64?,
    _ db: Database
  ) throws {
    let (path, isInPlace) = place.columns
    try db.execute(
      sql: """
        UPDATE recording SET path = ?, isInPlace = ?, fileSize = ?, fileModified = ?, probe = ?,
          contentHash = ?, container = ?, codec = ?, rate = ?, channels = ?, length = ?,
          revision = revision + 1,
          publishedRevision = CASE WHEN publishedRevision = revision THEN revision + 1
            ELSE publishedRevision END
        WHERE id = ?
        """,
      arguments: [
        path, isInPlace, new.known.size, modified ?? new.known.modified, Data(new.known.probe),
        Data(new.known.contentHash), new.media.container, new.media.codec, new.media.rate.hertz,
        new.media.channels, new.media.length.frames, recording.rowID,
      ])
    try db.execute(
      sql: "INSERT OR REPLACE INTO fingerprint (recordingID, levels) VALUES (?, ?)",
      arguments: [recording.rowID, Data(new.fingerprint.levels)])
  }

  /// Moves markers, words, journal and published segments to the clock of the new file, whose length is known
  /// already.
  static func rewrite(
    _ recording: Recording, _ document: AnnotationDocument, _ retiming: Retiming, _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM marker WHERE recordingID = ?", arguments: [recording.rowID])
    for record in document.records { try record.insert(for: recording.rowID, db) }
    try db.execute(sql: "DELETE FROM word WHERE recordingID = ?", arguments: [recording.rowID])
    for word in document.words { try word.insert(for: recording.rowID, db) }
    try rewriteJournal(of: recording, document, retiming, isUndone: false, db)
    try rewriteJournal(of: recording, document, retiming, isUndone: true, db)
    try rewriteSegments(of: recording, length: document.length, retiming, db)
    try insertPassages(of: try Self.recording(recording.id, db), db)
  }

  /// Walks away from the state that is there. An edit that does not fit the new file, as when it set a
  /// marker in what has been cut off, and all beyond it become one: undo leads from there to the beginning.
  private static func rewriteJournal(
    of recording: Recording, _ document: AnnotationDocument, _ retiming: Retiming,
    isUndone: Bool, _ db: Database
  ) throws {
    var document = document
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, sequence, edit, change FROM journal WHERE recordingID = ? AND isUndone = ?
        ORDER BY sequence \(isUndone ? "ASC" : "DESC")
        """, arguments: [recording.rowID, isUndone])
    for row in rows {
      let edit = try JSONText.decode(Edit.self, from: row["edit"]).retimed(retiming)
      let change = try JSONText.decode(Change.self, from: row["change"]).retimed(retiming)
      do throws(EditRefusal) {
        try document.apply(isUndone ? change : change.inverse)
      } catch {
        try db.execute(
          sql: """
            DELETE FROM journal WHERE recordingID = ? AND sequence \(isUndone ? ">=" : "<") ?
            """, arguments: [recording.rowID, row["sequence"] as Int64])
        if !isUndone {
          var beginning = AnnotationDocument(length: document.length, rate: document.rate)
          let whole = Edit.replaceAll(document.records, words: document.words)
          try write(whole, try beginning.apply(whole), to: row["id"], db)
        }
        return
      }
      try write(edit, change, to: row["id"], db)
    }
  }

  private static func write(
    _ edit: Edit, _ change: Change, to id: Int64, _ db: Database
  ) throws {
    try db.execute(
      sql: "UPDATE journal SET edit = ?, change = ? WHERE id = ?",
      arguments: [try JSONText.encode(edit.withoutWords), try JSONText.encode(change), id])
  }

  /// What was published of a part that the new file lacks is no longer.
  private static func rewriteSegments(
    of recording: Recording, length: FrameCount, _ retiming: Retiming, _ db: Database
  ) throws {
    let (oldEnd, end) = (FramePosition.zero + recording.media.length, FramePosition.zero + length)
    for row in try Row.fetchAll(
      db, sql: "SELECT id, start, end, assignment FROM segment WHERE recordingID = ?",
      arguments: [recording.rowID])
    {
      let start = retiming(FramePosition(row["start"]))
      let stop =
        FramePosition(row["end"]) == oldEnd ? end : min(retiming(FramePosition(row["end"])), end)
      let assignment = try JSONText.decode(Assignment.self, from: row["assignment"])
        .retimed(retiming)
      let id: Int64 = row["id"]
      if start >= .zero, start < stop, assignment.joins.allSatisfy({ start < $0 && $0 < stop }) {
        try db.execute(
          sql: "UPDATE segment SET start = ?, end = ?, assignment = ? WHERE id = ?",
          arguments: [start.frames, stop.frames, try JSONText.encode(assignment), id])
      } else {
        try db.execute(sql: "DELETE FROM segment WHERE id = ?", arguments: [id])
      }
    }
  }
}
