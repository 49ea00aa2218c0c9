// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import Dispatch
import GRDB

/// Edits the annotation of one recording: each edit is on disk when its call returns.
///
/// An edit is one transaction of its journal entry and of the markers' new state, so whatever ends the
/// process leaves the state before it or the one after. The engine works on a thread of its own; calls
/// are carried out in the order in which they are made by one caller.
public actor AnnotationEngine {
  public let library: Library
  public private(set) var recording: Recording
  /// As it is on disk.
  public private(set) var document: AnnotationDocument
  private let lock: EditLock
  private let executor = BlockingExecutor(label: "tilawa.annotation")

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes a recording for editing, until the engine is gone.
  ///
  /// Blocks for as long as reading the annotation takes.
  /// - Throws: `.held` when another process has it, `.noSuchRecording`, `.damaged`.
  public init(editing id: Recording.ID, in library: Library) throws(LibraryError) {
    guard library.access == .readWrite else {
      throw LibraryError(.readOnly, library.folder.path, detail: "opened for reading only")
    }
    lock = try EditLock(id, in: library.folder, now: library.now())
    (recording, document) = try library.annotation(of: id)
    self.library = library
  }

  /// Carries out an edit. One that changes nothing leaves no trace.
  /// - Returns: what it did.
  /// - Throws: `.refused` with the reason; `.full`, `.readOnly`, `.busy`, `.inputOutput` when it could
  ///   not be kept, `.changedElsewhere`; the document is then as before.
  @discardableResult
  public func apply(_ edit: Edit) throws(LibraryError) -> Change {
    var next = document
    let change = try refusable { () throws(EditRefusal) in try next.apply(edit) }
    guard !change.isEmpty else { return change }
    try commit(change, next) { db, recording in
      try db.execute(
        sql: "DELETE FROM journal WHERE recordingID = ? AND isUndone = 1", arguments: [recording])
      try db.execute(
        sql: """
          INSERT INTO journal (recordingID, sequence, edit, change, madeAt)
          SELECT ?1, coalesce(max(sequence), 0) + 1, ?2, ?3, ?4 FROM journal WHERE recordingID = ?1
          """,
        arguments: [
          recording, try JSONText.encode(edit), try JSONText.encode(change), library.timestamp,
        ])
    }
    return change
  }

  /// Takes back the latest edit, whenever and by whom it was made.
  /// - Returns: the edit and what taking it back did; nil when there is none.
  @discardableResult
  public func undo() throws(LibraryError) -> History.Entry? {
    try step(isUndo: true)
  }

  /// Does again what was taken back last.
  @discardableResult
  public func redo() throws(LibraryError) -> History.Entry? {
    try step(isUndo: false)
  }

  private func step(isUndo: Bool) throws(LibraryError) -> History.Entry? {
    let found = try library.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT sequence, edit, change FROM journal WHERE recordingID = ? AND isUndone = ?
          ORDER BY sequence \(isUndo ? "DESC" : "ASC") LIMIT 1
          """, arguments: [recording.rowID, !isUndo]
      ).map { row in
        (
          sequence: row["sequence"] as Int64,
          entry: History.Entry(
            try JSONText.decode(Edit.self, from: row["edit"]),
            try JSONText.decode(Change.self, from: row["change"]))
        )
      }
    }
    guard let (sequence, entry) = found else { return nil }
    let change = isUndo ? entry.change.inverse : entry.change
    var next = document
    try refusable { () throws(EditRefusal) in try next.apply(change) }
    try commit(change, next) { db, recording in
      try db.execute(
        sql: "UPDATE journal SET isUndone = ? WHERE recordingID = ? AND sequence = ?",
        arguments: [isUndo, recording, sequence])
    }
    return History.Entry(entry.edit, change)
  }

  /// Offers the annotation for playback: see ``Library/publish(_:_:)``.
  public func publish() throws(LibraryError) -> Publication {
    let publication = try library.publish(recording.id, document, at: recording.revision)
    recording = try library.recording(recording.id)
    return publication
  }

  private func commit(
    _ change: Change, _ next: AnnotationDocument,
    journal: (Database, Int64) throws -> Void
  ) throws(LibraryError) {
    let (rowID, revision, title) = (recording.rowID, recording.revision, recording.title)
    try library.write { db in
      try db.execute(
        sql: "UPDATE recording SET revision = revision + 1 WHERE id = ? AND revision = ?",
        arguments: [rowID, revision])
      guard db.changesCount == 1 else { throw LibraryError(.changedElsewhere, title) }
      try journal(db, rowID)
      try change.write(for: rowID, db)
    }
    document = next
    recording.revision += 1
    recording.isPublished = false
  }

  @discardableResult
  private func refusable<Result>(
    _ body: () throws(EditRefusal) -> Result
  ) throws(LibraryError) -> Result {
    do throws(EditRefusal) {
      return try body()
    } catch {
      throw LibraryError(
        .refused(error), recording.title, detail: error.message(at: recording.media.rate))
    }
  }
}

/// A thread for an actor whose work blocks.
private final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

// MARK: Reading

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

  /// Who edits a recording now; nil when nobody does.
  public func holder(of recording: Recording.ID) -> EditLock.Holder? {
    EditLock.holder(of: recording, in: folder)
  }
}
