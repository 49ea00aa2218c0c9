// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Foundation
import GRDB
import Quran

/// Everything that a recording is entered with.
struct RecordingDraft {
  let id: Recording.ID
  let place: Recording.Place
  let file: KnownFile
  let media: Recording.MediaFacts
  let title: String
  let recordedAt: Int64?
  let reciter: Reciter.ID?
  let riwayah: Riwayah?
  let night: String?
  let fingerprint: Fingerprint

  /// Enters it with one unassigned segment, and what was detected as its first edit; one transaction.
  /// - Returns: how many boundaries were suggested.
  func insert(_ detection: Detection?, into library: Library) throws(LibraryError) -> Int {
    let now = library.timestamp
    var document = AnnotationDocument(length: media.length, rate: media.rate)
    let opening = document.records
    var edit: Edit?
    var change: Change?
    if let detection {
      let suggestions = Edit.replaceSuggestions(Suggestions(detection, for: document))
      do throws(EditRefusal) {
        change = try document.apply(suggestions)
      } catch {
        throw LibraryError(.refused(error), title)
      }
      edit = suggestions
    }
    let (path, isInPlace) = place.columns
    return try library.write { db in
      try Self.checkFree(path, in: db)
      try Library.refuseTwin(of: file.contentHash, named: title, db)
      let known = try reciter.map { try Library.reciter($0, db) }
      let riwayah = riwayah ?? known?.riwayah ?? .hafs
      let nightID = try night.map { try Library.nightID(named: $0, db) }
      try db.execute(
        sql: """
          INSERT INTO recording (uuid, title, path, isInPlace, track, fileSize, fileModified, probe,
            contentHash, container, codec, rate, channels, length, recordedAt, importedAt,
            reciterID, riwayah, nightID, nightOrder)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
            (SELECT coalesce(max(nightOrder), 0) + 1 FROM recording WHERE nightID = ?))
          """,
        arguments: [
          id.rawValue, title, path, isInPlace, media.track, file.size, file.modified,
          Data(file.probe), Data(file.contentHash), media.container, media.codec,
          media.rate.hertz, media.channels, media.length.frames, recordedAt, now,
          reciter?.rawValue, riwayah.rawValue, nightID, nightID,
        ])
      let recording = db.lastInsertedRowID
      try db.execute(
        sql: "INSERT INTO fingerprint (recordingID, levels) VALUES (?, ?)",
        arguments: [recording, Data(fingerprint.levels)])
      for record in opening { try record.insert(for: recording, db) }
      guard let edit, let change, !change.isEmpty else { return 0 }
      try change.write(for: try Library.recording(id, db), db)
      try db.execute(
        sql: """
          INSERT INTO journal (recordingID, sequence, edit, change, madeAt) VALUES (?, 1, ?, ?, ?)
          """,
        arguments: [recording, try JSONText.encode(edit), try JSONText.encode(change), now])
      try db.execute(
        sql: "UPDATE recording SET revision = 1 WHERE id = ?", arguments: [recording])
      return document.records.count - 1
    }
  }

  private static func checkFree(_ path: String, in db: Database) throws {
    let row = try Row.fetchOne(db, sql: Recording.query + " WHERE path = ?", arguments: [path])
    guard let row else { return }
    let twin = try Recording(row: row)
    throw LibraryError(
      .alreadyThere, path,
      detail: "\(twin.id.short) (\(twin.title)), with different content; 'relink' it to this file")
  }
}

extension Library {
  /// The recording that has this content.
  static func entered(_ hash: [UInt8], _ db: Database) throws -> Recording? {
    try Row.fetchOne(
      db, sql: Recording.query + " WHERE contentHash = ?", arguments: [Data(hash)]
    ).map { try Recording(row: $0) }
  }

  /// - Throws: `.alreadyThere` when the same file is in the library, be it in the bin.
  static func refuseTwin(of hash: [UInt8], named name: String, _ db: Database) throws {
    guard let twin = try entered(hash, db) else { return }
    let hint = twin.removedAt == nil ? "" : ", in the bin; 'remove --restore' restores it"
    throw LibraryError(.alreadyThere, name, detail: "\(twin.id.short) (\(twin.title))\(hint)")
  }

  /// The number of a night, made when there is none of that name.
  static func nightID(named name: String, _ db: Database) throws -> Int64 {
    let name = name.trimmed
    guard !name.isEmpty else { throw LibraryError(.unusable, "night", detail: "the name is empty") }
    try db.execute(sql: "INSERT OR IGNORE INTO night (name) VALUES (?)", arguments: [name])
    guard
      let id = try Int64.fetchOne(
        db, sql: "SELECT id FROM night WHERE name = ?", arguments: [name])
    else { throw LibraryError(.unusable, name, detail: "not a valid name for a night") }
    return id
  }
}
