// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import Foundation
import GRDB

/// What is left to do for the annotation of a recording.
public struct RemainingWork: Hashable, Sendable {
  /// Boundaries that a machine suggested and no person has decided.
  public let openEdges: Int
  /// Nil for one that was never edited.
  public let editedAt: Date?
}

extension Library {
  /// A recording and its annotation, of one moment.
  public func annotation(
    of id: Recording.ID
  ) throws(LibraryError) -> (Recording, AnnotationDocument) {
    try read { db in
      let recording = try Self.recording(id, db)
      return (recording, try AnnotationDocument(of: recording, db))
    }
  }

  /// How far the annotation of each recording has come, without reading it.
  public func progress() throws(LibraryError) -> [Recording.ID: AnnotationProgress] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT uuid, count(*) AS segments, count(assignment) AS assigned,
            sum(isConfirmed) AS confirmed
          FROM marker JOIN recording ON recording.id = recordingID GROUP BY recordingID
          """)
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          (
            Recording.ID(rawValue: row["uuid"]),
            AnnotationProgress(
              segments: row["segments"], assigned: row["assigned"], confirmed: row["confirmed"])
          )
        })
    }
  }

  /// What is left to do in each recording, without reading its annotation.
  public func remainingWork() throws(LibraryError) -> [Recording.ID: RemainingWork] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT uuid,
            (SELECT count(*) FROM marker WHERE recordingID = recording.id
              AND isMarkerConfirmed = 0 AND origin <> 'person') AS openEdges,
            (SELECT madeAt FROM journal WHERE recordingID = recording.id
              ORDER BY sequence DESC LIMIT 1) AS editedAt
          FROM recording
          """)
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          (
            Recording.ID(rawValue: row["uuid"]),
            RemainingWork(
              openEdges: row["openEdges"],
              editedAt: (row["editedAt"] as Int64?).map(Date.init(timestamp:)))
          )
        })
    }
  }

  /// The edits of a recording that are in force, the latest first, and how many could be redone.
  public func history(
    of recording: Recording, limit: Int
  ) throws(LibraryError) -> (edits: [JournalEntry], redoable: Int) {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT sequence, edit, madeAt FROM journal WHERE recordingID = ? AND isUndone = 0
          ORDER BY sequence DESC LIMIT ?
          """, arguments: [recording.rowID, limit])
      let redoable = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM journal WHERE recordingID = ? AND isUndone = 1",
        arguments: [recording.rowID])
      return (try rows.map { try JournalEntry(row: $0) }, redoable ?? 0)
    }
  }

  /// Every edit of a recording with what it did: those in force, and those that were taken back and can be
  /// done again.
  public func history(of recording: Recording) throws(LibraryError) -> History {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT edit, change, judgement, joinsPrevious, isUndone FROM journal WHERE recordingID = ?
          ORDER BY sequence
          """, arguments: [recording.rowID])
      var done: [History.Entry] = []
      var undone: [History.Entry] = []
      while let row = try rows.next() {
        let entry = History.Entry(
          try JSONText.decode(Edit.self, from: row["edit"]),
          try JSONText.decode(Change.self, from: row["change"]),
          judgement: try (row["judgement"] as String?).map {
            try JSONText.decode(AlignmentJudgement.self, from: $0)
          }, joinsPrevious: row["joinsPrevious"])
        if row["isUndone"] { undone.append(entry) } else { done.append(entry) }
      }
      // What was taken back last is done again first.
      return History(undoable: done, redoable: undone.reversed())
    }
  }

  /// Keeps others from editing, moving and relinking a recording for as long as the lock is held.
  /// - Throws: `.held`; `.noSuchRecording`, since a lock is a file and those are only for what there is.
  func lockForEditing(_ id: Recording.ID) throws(LibraryError) -> EditLock {
    _ = try recording(id)
    return try EditLock(id, in: folder, now: now())
  }

  /// Who edits a recording now; nil when nobody does.
  public func holder(of recording: Recording.ID) -> EditLock.Holder? {
    EditLock.holder(of: recording, in: folder)
  }
}
