// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB

/// That a file of a source was compared with published timings, whatever came of it. A file without one for the timings
/// that are there waits to be compared.
public struct SourceComparison: Hashable, Sendable {
  /// The file with the sound, in the source's folder.
  public let file: String
  public let bytes: Int64
  /// ``ContentHash`` of the file of timings.
  public let timings: [UInt8]
  /// Why the timings do not count, without what file it is; nil where they do. Not safe to print as it is.
  public var remark: String?

  public init(file: String, bytes: Int64, timings: [UInt8], remark: String? = nil) {
    self.file = file
    self.bytes = bytes
    self.timings = timings
    self.remark = remark
  }

  static func enter(
    _ comparison: SourceComparison, of source: ReciterSource.ID, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO sourceComparison (sourceID, file, bytes, timings, remark)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        source.rawValue, comparison.file, comparison.bytes, Data(comparison.timings),
        comparison.remark,
      ])
  }

  /// Lets all timings of a source count, whatever was found.
  static func accept(_ source: ReciterSource.ID, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE sourceComparison SET remark = NULL WHERE sourceID = ?",
      arguments: [source.rawValue])
  }

  /// - Parameter file: nil for all.
  static func forget(file: String?, of source: ReciterSource.ID, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM sourceComparison WHERE sourceID = ?1 AND (?2 IS NULL OR file = ?2)",
      arguments: [source.rawValue, file])
  }
}

extension Library {
  /// Of each file of a source the latest.
  public func comparisons(
    of source: ReciterSource.ID
  ) throws(LibraryError) -> [SourceComparison] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM sourceComparison WHERE sourceID = ?",
        arguments: [source.rawValue]
      ).map {
        SourceComparison(
          file: $0["file"], bytes: $0["bytes"], timings: $0.bytes("timings"), remark: $0["remark"])
      }
    }
  }

  /// Enters comparisons from which nothing has come that could be played.
  public func enter(
    _ comparisons: [SourceComparison], of source: ReciterSource.ID
  ) throws(LibraryError) {
    guard !comparisons.isEmpty else { return }
    try write { db in
      for comparison in comparisons { try SourceComparison.enter(comparison, of: source, db) }
    }
  }
}
