// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
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
  /// Nil once it was given back.
  private var lock: EditLock?
  private let executor = BlockingExecutor(label: "tilawa.annotation")

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes a recording for editing, until the engine is closed or gone.
  ///
  /// Blocks for as long as reading the annotation takes.
  /// - Throws: `.held` when another process has it, `.noSuchRecording`, `.unusable` for one that is in the
  ///   bin, `.damaged`.
  public init(editing id: Recording.ID, in library: Library) throws(LibraryError) {
    try library.requireWriting()
    lock = try library.lockForEditing(id)
    (recording, document) = try library.annotation(of: id)
    guard recording.removedAt == nil else {
      throw LibraryError(
        .unusable, recording.short, detail: "in the bin; 'remove --restore' restores it")
    }
    self.library = library
  }

  /// Gives the recording back for others to edit; edits are refused from then on.
  public func close() { lock = nil }

  /// Begins a segment at a place of the last one, where that one is assigned: what is heard from there on is not
  /// known.
  public func beginAfresh(at position: FramePosition) throws(LibraryError) {
    guard let last = document.segments.last, last.assignment != nil,
      last.span.lowerBound < position, position < last.span.upperBound
    else { return }
    let marker = Marker(
      id: document.unusedMarkerID, position: position, origin: .detected, confidence: nil)
    try apply(.addMarker(marker))
  }

  /// Carries out an edit. One that changes nothing leaves no trace.
  /// - Parameter joinsPrevious: whether the editor undoes it together with the edit before it.
  /// - Returns: what it did.
  /// - Throws: `.refused` with the reason; `.full`, `.readOnly`, `.busy`, `.inputOutput` when it could
  ///   not be kept, `.changedElsewhere`; the document is then as before.
  @discardableResult
  public func apply(
    _ edit: Edit, joinsPrevious: Bool = false
  ) throws(LibraryError) -> Change {
    var next = document
    let change = try refusable { () throws(EditRefusal) in try next.apply(edit) }
    guard !change.isEmpty else { return change }
    try commit(change, next) { db, recording in
      try db.execute(
        sql: "DELETE FROM journal WHERE recordingID = ? AND isUndone = 1", arguments: [recording])
      try db.execute(
        sql: """
          INSERT INTO journal (recordingID, sequence, edit, change, madeAt, joinsPrevious)
          SELECT ?1, coalesce(max(sequence), 0) + 1, ?2, ?3, ?4, ?5 FROM journal
          WHERE recordingID = ?1
          """,
        arguments: [
          recording, try JSONText.encode(edit.withoutWords), try JSONText.encode(change),
          library.timestamp, joinsPrevious,
        ])
    }
    return change
  }

  /// Keeps what an alignment says of the annotation as it is now: with the latest edit, so that it goes and
  /// comes back with that.
  /// - Throws: `.full`, `.readOnly`, `.busy`, `.inputOutput` when it could not be kept, `.changedElsewhere`.
  public func judge(_ judgement: AlignmentJudgement) throws(LibraryError) {
    try library.write { db in
      try checkRevision(db)
      try db.execute(
        sql: """
          UPDATE journal SET judgement = ?1 WHERE recordingID = ?2 AND sequence =
            (SELECT max(sequence) FROM journal WHERE recordingID = ?2 AND isUndone = 0)
          """,
        arguments: [try JSONText.encode(judgement), recording.rowID])
    }
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
      try checkRevision(db)
      return try Row.fetchOne(
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

  /// Offers the segments that a person confirmed for playback, in place of what this recording has published.
  ///
  /// Unconfirmed suggestions are published only if `includingUnconfirmed`, and never as
  /// ``AyahSource/isManual``; unused and unassigned segments are not. The status is complete only when every segment is
  /// assigned or unused, and confirmed.
  /// - Throws: `.changedElsewhere`, `.full`, `.readOnly`, `.busy`, `.inputOutput`.
  public func publish(includingUnconfirmed: Bool = false) throws(LibraryError) -> Publication {
    let publication: Publication
    (publication, recording) = try library.write { db in
      try checkRevision(db)
      return try Library.publish(
        document, includingUnconfirmed: includingUnconfirmed, of: recording,
        at: library.timestamp, db)
    }
    return publication
  }

  private func commit(
    _ change: Change, _ next: AnnotationDocument,
    journal: (Database, Int64) throws -> Void
  ) throws(LibraryError) {
    let publication = try library.write { db in
      try checkRevision(db)
      // Another process may have published it.
      let publication = try Library.recording(recording.id, db).publication.after(
        change, from: document, to: next, of: recording.rowID, db)
      try db.execute(
        sql: """
          UPDATE recording SET revision = revision + 1,
            publishedRevision = CASE WHEN ? THEN revision + 1 ELSE publishedRevision END
          WHERE id = ?
          """,
        arguments: [publication.isCurrent, recording.rowID])
      try journal(db, recording.rowID)
      try change.write(for: recording, db)
      return publication
    }
    document = next
    recording.revision += 1
    recording.publication = publication
  }

  /// Notices another process that edits in spite of the lock, as when its file was deleted, and edits
  /// after the lock was given back.
  private func checkRevision(_ db: Database) throws {
    guard lock != nil else {
      throw LibraryError(.unusable, recording.title, detail: "the editing session has ended")
    }
    let revision = try Int64.fetchOne(
      db, sql: "SELECT revision FROM recording WHERE id = ?", arguments: [recording.rowID])
    guard revision == recording.revision else {
      throw LibraryError(.changedElsewhere, recording.title)
    }
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
