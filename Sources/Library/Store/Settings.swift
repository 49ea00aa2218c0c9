// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import GRDB

extension Library {
  /// What the program itself has kept under a name; people's own settings are in a file of theirs.
  public func setting(_ key: String) throws(LibraryError) -> String? {
    try read {
      try String.fetchOne($0, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
    }
  }

  public func settings() throws(LibraryError) -> [(key: String, value: String)] {
    try read {
      try Row.fetchAll($0, sql: "SELECT key, value FROM setting ORDER BY key")
        .map { ($0["key"], $0["value"]) }
    }
  }

  /// Keeps a value under a name; nil forgets it.
  public func set(_ key: String, to value: String?) throws(LibraryError) {
    try write { db in
      if let value {
        try db.execute(
          sql: """
            INSERT INTO setting (key, value) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """, arguments: [key, value])
      } else {
        try db.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key])
      }
    }
  }
}

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

  public func updateListening(_ id: Int64, position: String) throws(LibraryError) {
    let now = timestamp
    try write { db in
      try db.execute(
        sql: "UPDATE listeningSession SET updatedAt = ?, position = ? WHERE id = ?",
        arguments: [now, position, id])
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
