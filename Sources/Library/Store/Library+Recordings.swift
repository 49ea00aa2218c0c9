// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
public import Quran

/// Which recordings are asked for.
public struct RecordingFilter: Hashable, Sendable {
  public var reciter: Reciter.ID?
  public var riwayah: Riwayah?
  public var night: String?
  /// Those in the bin, and no others.
  public var isRemoved = false

  public init() {}
}

extension Library {
  /// The recordings of each night together and in order, the latest import first.
  public func recordings(
    _ filter: RecordingFilter = RecordingFilter()
  ) throws(LibraryError) -> [Recording] {
    try read { try Self.recordings(filter, $0) }
  }

  static func recordings(_ filter: RecordingFilter, _ db: Database) throws -> [Recording] {
    var conditions = [filter.isRemoved ? "removedAt IS NOT NULL" : "removedAt IS NULL"]
    var arguments = StatementArguments()
    if let reciter = filter.reciter {
      conditions.append("recording.reciterID = ?")
      arguments += [reciter.rawValue]
    }
    if let riwayah = filter.riwayah {
      conditions.append("recording.riwayah = ?")
      arguments += [riwayah.rawValue]
    }
    if let night = filter.night {
      conditions.append("night.name = ?")
      arguments += [night]
    }
    let sql = """
      \(Recording.query) WHERE \(conditions.joined(separator: " AND "))
      ORDER BY CASE WHEN nightID IS NULL THEN importedAt ELSE
          (SELECT max(importedAt) FROM recording AS other WHERE other.nightID = recording.nightID)
        END DESC, nightID, nightOrder, recording.id DESC
      """
    return try Row.fetchAll(db, sql: sql, arguments: arguments).map { try Recording(row: $0) }
  }

  /// Those in the bin too.
  static func allRecordings(_ db: Database) throws -> [Recording] {
    var inBin = RecordingFilter()
    inBin.isRemoved = true
    return try recordings(RecordingFilter(), db) + recordings(inBin, db)
  }

  public func recording(_ id: Recording.ID) throws(LibraryError) -> Recording {
    try read { try Self.recording(id, $0) }
  }

  static func recording(_ id: Recording.ID, _ db: Database) throws -> Recording {
    let row = try Row.fetchOne(
      db, sql: Recording.query + " WHERE uuid = ?", arguments: [id.rawValue])
    guard let row else { throw LibraryError(.noSuchRecording, id.rawValue) }
    return try Recording(row: row)
  }

  /// The recording that a person means: an id, the unambiguous beginning of one, the path of a file, or
  /// a whole title.
  ///
  /// - Parameter absolutePath: `text` as a path from the root, nil where it cannot be one.
  /// - Throws: `.noSuchRecording`, `.ambiguousRecording` with what it could be.
  public func recording(
    matching text: String, absolutePath: String?, isRemoved: Bool = false
  ) throws(LibraryError) -> Recording {
    let condition = isRemoved ? "removedAt IS NOT NULL" : "removedAt IS NULL"
    // A beginning shorter than this is taken for a word.
    let isIDLike =
      text.utf8.count >= 4
      && text.utf8.allSatisfy { "0123456789abcdefABCDEF-".utf8.contains($0) }
    let prefix = text.lowercased()
    let inLibrary = absolutePath.flatMap { path in
      path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : nil
    }
    let matches = try read { db in
      try Row.fetchAll(
        db,
        sql: """
          \(Recording.query) WHERE \(condition) AND (path = ? OR path = ?
            OR title = ? COLLATE NOCASE OR (? AND substr(uuid, 1, length(?)) = ?))
          ORDER BY path = ? OR path = ? DESC, recording.id
          """,
        arguments: [
          // Titles have none of the bytes of a name that are not UTF-8.
          absolutePath, inLibrary, text.legibleName, isIDLike, prefix, prefix, absolutePath,
          inLibrary,
        ]
      ).map { try Recording(row: $0) }
    }
    guard let first = matches.first else { throw LibraryError(.noSuchRecording, text) }
    if matches.count == 1 || first.shownPath(in: folder) == absolutePath { return first }
    let names = matches.prefix(5).map { "\($0.id.short) (\($0.title))" }.joined(separator: ", ")
    throw LibraryError(.ambiguousRecording, text, detail: names)
  }
}
