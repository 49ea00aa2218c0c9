// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import Foundation
import GRDB

/// An edit as the journal keeps it.
public struct JournalEntry: Hashable, Sendable {
  /// From 1, in the order in which the edits were made.
  public let sequence: Int64
  public let edit: Edit
  public let madeAt: Date

  init(row: Row) throws {
    sequence = row["sequence"]
    edit = try JSONText.decode(Edit.self, from: row["edit"])
    madeAt = Date(timestamp: row["madeAt"])
  }
}
