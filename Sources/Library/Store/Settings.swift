// SPDX-License-Identifier: GPL-3.0-or-later

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
