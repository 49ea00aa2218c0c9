// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import GRDB
public import Quran

/// What a person may change of a recording's description; nil leaves it.
public struct RecordingChanges: Hashable, Sendable {
  public var title: String?
  /// `.some(nil)` makes it nobody's.
  public var reciter: Reciter.ID??
  public var riwayah: Riwayah?
  public var recordedAt: Date?
  /// `.some(nil)` takes it out of its night.
  public var night: String??
  /// The place among the files of its night, from 1; the others make room.
  public var nightOrder: Int?

  public init() {}
}

extension Library {
  /// Changes what is said of a recording, here and in what it has published.
  /// - Throws: `.noSuchRecording`, `.noSuchReciter`, `.unusable` for a night without a name.
  @discardableResult
  public func change(
    _ id: Recording.ID, _ changes: RecordingChanges
  ) throws(LibraryError) -> Recording {
    try write { db in
      let recording = try Self.recording(id, db)
      if let title = changes.title?.trimmed, !title.isEmpty {
        try Self.set("title", title, of: recording, db)
      }
      if let date = changes.recordedAt {
        try Self.set("recordedAt", date.timestamp, of: recording, db)
      }
      var riwayah = changes.riwayah
      if let reciter = changes.reciter {
        if let reciter {
          let chosen = try Self.reciter(reciter, db)
          riwayah = riwayah ?? chosen.riwayah
        }
        for table in ["recording", "passage"] {
          try db.execute(
            sql: "UPDATE \(table) SET reciterID = ? WHERE \(Self.key(table)) = ?",
            arguments: [reciter?.rawValue, recording.rowID])
        }
      }
      if let riwayah {
        for table in ["recording", "passage"] {
          try db.execute(
            sql: "UPDATE \(table) SET riwayah = ? WHERE \(Self.key(table)) = ?",
            arguments: [riwayah.rawValue, recording.rowID])
        }
      }
      if let night = changes.night { try Self.setNight(night, of: recording, db) }
      if let order = changes.nightOrder { try Self.setOrder(order, of: recording, db) }
      try Self.forgetEmptyNights(db)
      return try Self.recording(id, db)
    }
  }

  static func forgetEmptyNights(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM night WHERE NOT EXISTS (SELECT 1 FROM recording WHERE nightID = night.id)
        """)
  }

  private static func key(_ table: String) -> String {
    table == "recording" ? "id" : "recordingID"
  }

  private static func set(
    _ column: String, _ value: some DatabaseValueConvertible, of recording: Recording,
    _ db: Database
  ) throws {
    try db.execute(
      sql: "UPDATE recording SET \(column) = ? WHERE id = ?", arguments: [value, recording.rowID])
  }

  private static func setNight(
    _ name: String?, of recording: Recording, _ db: Database
  ) throws {
    guard let name else {
      try db.execute(
        sql: "UPDATE recording SET nightID = NULL, nightOrder = NULL WHERE id = ?",
        arguments: [recording.rowID])
      return
    }
    let night = try nightID(named: name, db)
    try db.execute(
      sql: """
        UPDATE recording SET nightID = ?1, nightOrder = (SELECT coalesce(max(nightOrder), 0) + 1
          FROM recording WHERE nightID = ?1) WHERE id = ?2 AND nightID IS NOT ?1
        """, arguments: [night, recording.rowID])
  }

  private static func setOrder(
    _ order: Int, of recording: Recording, _ db: Database
  ) throws {
    var ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM recording WHERE id <> ?1
          AND nightID = (SELECT nightID FROM recording WHERE id = ?1) ORDER BY nightOrder, id
        """, arguments: [recording.rowID])
    ids.insert(recording.rowID, at: min(max(order - 1, 0), ids.count))
    for (index, id) in ids.enumerated() {
      try db.execute(
        sql: "UPDATE recording SET nightOrder = ? WHERE id = ? AND nightID IS NOT NULL",
        arguments: [index + 1, id])
    }
  }
}
