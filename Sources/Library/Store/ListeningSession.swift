// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import GRDB

/// Something that was being listened to, to go on with after a crash.
public struct ListeningSession: Hashable, Sendable, Identifiable {
  public let id: Int64
  public let startedAt: Date
  public let updatedAt: Date
  /// What was asked for and where it had come to, each JSON of the player's own.
  public let request: String
  public let position: String
}

extension Library {
  /// - Returns: its id, to update it by.
  public func beginListening(request: String, position: String) throws(LibraryError) -> Int64 {
    let now = timestamp
    return try write { db in
      // The last few are enough to go on with.
      try db.execute(
        sql: """
          DELETE FROM listeningSession WHERE id NOT IN
            (SELECT id FROM listeningSession ORDER BY updatedAt DESC, id DESC LIMIT 19)
          """)
      try db.execute(
        sql: """
          INSERT INTO listeningSession (startedAt, updatedAt, request, position)
          VALUES (?, ?, ?, ?)
          """, arguments: [now, now, request, position])
      return db.lastInsertedRowID
    }
  }

  /// Puts another position in the place of the one that is known, and another request if there is one.
  /// - Returns: whether it was still the known one; else somebody else has it, or it is gone, and nothing has changed.
  public func updateListening(
    _ id: Int64, from known: String, to position: String, request: String? = nil
  ) throws(LibraryError) -> Bool {
    let now = timestamp
    return try write { db in
      try db.execute(
        sql: """
          UPDATE listeningSession SET updatedAt = ?, position = ?, request = coalesce(?, request)
          WHERE id = ? AND position = ?
          """, arguments: [now, position, request, id, known])
      return db.changesCount > 0
    }
  }

  public func endListening(_ id: Int64) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "DELETE FROM listeningSession WHERE id = ?", arguments: [id])
    }
  }

  /// Those that were not ended, the latest first.
  public func listeningSessions() throws(LibraryError) -> [ListeningSession] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM listeningSession ORDER BY updatedAt DESC, id DESC"
      ).map { row in
        ListeningSession(
          id: row["id"], startedAt: Date(timestamp: row["startedAt"]),
          updatedAt: Date(timestamp: row["updatedAt"]), request: row["request"],
          position: row["position"])
      }
    }
  }
}
