// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import GRDB
import Quran

/// An ayah in a published segment, on its way into the table of passages.
struct PassageRow {
  let passage: Passage
  let segmentID: Int64
  let ordinal: Int
  let role: PassageRole
  let isManual: Bool
  let confidence: Double
  let publishedAt: Int64

  /// The ayat in one row of `segment`.
  static func passages(of row: Row) throws -> [PassageRow] {
    let assignment = try JSONText.decode(Assignment.self, from: row["assignment"])
    let segment = Segment(
      id: .first, index: row["ordinal"],
      span: FramePosition(row["start"])..<FramePosition(row["end"]),
      content: SegmentContent(Attribution(assignment)))
    return segment.passages.enumerated().map { ordinal, passage in
      PassageRow(
        passage: passage, segmentID: row["id"], ordinal: ordinal,
        role: PassageRole(assignment, ordinal: ordinal), isManual: row["isManual"],
        confidence: row["confidence"], publishedAt: row["publishedAt"])
    }
  }

  /// The index of the passage by which an ayah is heard when this recording is chosen: whole, confirmed
  /// by a person rather than not, the surest, the first of equals.
  static func bestOfEachAyah(in passages: [PassageRow]) -> [AyahReference: Int] {
    var best: [AyahReference: Int] = [:]
    for (index, candidate) in passages.enumerated() where candidate.passage.isComplete {
      let ayah = candidate.passage.ayah
      guard let known = best[ayah].map({ passages[$0] }) else {
        best[ayah] = index
        continue
      }
      if (candidate.isManual ? 1 : 0, candidate.confidence)
        > (known.isManual ? 1 : 0, known.confidence)
      {
        best[ayah] = index
      }
    }
    return best
  }

  func insert(of recording: Recording, isBest: Bool, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO passage (segmentID, ordinal, ayah, start, end, part, role, isBest, recordingID,
          reciterID, riwayah, isManual, confidence, publishedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      segmentID, ordinal, passage.ayah.absoluteIndex, passage.span.lowerBound.frames,
      passage.span.upperBound.frames, passage.part?.rawValue, role.rawValue, isBest,
      recording.rowID, recording.reciter?.id.rawValue, recording.riwayah.rawValue, isManual,
      confidence, publishedAt,
    ])
  }
}
