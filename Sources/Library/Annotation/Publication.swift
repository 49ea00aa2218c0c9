// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import GRDB
public import Quran

/// What publishing a recording's annotation came to.
public struct Publication: Hashable, Sendable {
  public let status: AnnotationStatus
  public let progress: AnnotationProgress
  /// How many segments can be played now.
  public let segmentCount: Int
  public let covers: ClosedRange<Surah>?
  /// What a person should know, by segment; those that keep it from being complete among them.
  public let findings: [Finding]
}

extension Library {
  /// Publishes a recording's annotation as it is on disk.
  @discardableResult
  public func publish(_ id: Recording.ID) throws(LibraryError) -> Publication {
    let (recording, document) = try annotation(of: id)
    return try publish(id, document, at: recording.revision)
  }

  /// Replaces what a recording has published by the assigned segments of its annotation, in one
  /// transaction; no other recording is touched.
  ///
  /// Unused and unassigned segments are not published. The status is complete only when every segment
  /// is assigned or unused, and confirmed.
  /// - Throws: `.changedElsewhere` when the annotation is no longer at `revision`.
  func publish(
    _ id: Recording.ID, _ document: AnnotationDocument, at revision: Int64
  ) throws(LibraryError) -> Publication {
    let segments = document.segments.filter { $0.assignment?.isPublished == true }
    let surahs = segments.flatMap { $0.passages.map(\.ayah.surah) }
    let covers = surahs.min().flatMap { first in surahs.max().map { first...$0 } }
    let publication = Publication(
      status: document.status, progress: document.progress, segmentCount: segments.count,
      covers: covers, findings: document.validate())
    let publishedAt = timestamp
    try write { db in
      let recording = try Self.recording(id, db)
      guard recording.revision == revision else {
        throw LibraryError(.changedElsewhere, recording.title)
      }
      try db.execute(
        sql: "DELETE FROM segment WHERE recordingID = ?", arguments: [recording.rowID])
      for segment in segments {
        try Self.insert(segment, of: recording, publishedAt: publishedAt, db)
      }
      try Self.insertPassages(of: recording, db)
      try db.execute(
        sql: """
          UPDATE recording SET status = ?, coversSurahStart = ?, coversSurahEnd = ?,
            publishedRevision = revision WHERE id = ?
          """,
        arguments: [
          publication.status.rawValue, covers?.lowerBound.number, covers?.upperBound.number,
          recording.rowID,
        ])
    }
    return publication
  }

  private static func insert(
    _ segment: Segment, of recording: Recording, publishedAt: Int64, _ db: Database
  ) throws {
    guard let attribution = segment.content.attribution else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO segment (recordingID, ordinal, start, end, kind, assignment, basmalahSurah,
          isManual, confidence, publishedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    var basmalah: Int?
    if case .leadIn(let leadIn) = attribution.assignment { basmalah = leadIn.basmalah?.number }
    try statement.execute(arguments: [
      recording.rowID, segment.index, segment.span.lowerBound.frames,
      segment.span.upperBound.frames, attribution.assignment.publishedKind,
      try JSONText.encode(attribution.assignment), basmalah, segment.isConfirmed,
      // What a person has assigned without saying that it is right is still a person's word.
      attribution.confidence ?? (attribution.origin == .person ? 1.0 : 0.5), publishedAt,
    ])
  }

  /// Makes the passages of a recording's published segments, in place of those it has.
  static func insertPassages(of recording: Recording, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM passage WHERE recordingID = ?", arguments: [recording.rowID])
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM segment WHERE recordingID = ? ORDER BY ordinal",
      arguments: [recording.rowID])
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO passage (segmentID, ordinal, ayah, start, end, part, role, recordingID,
          reciterID, riwayah, isManual, confidence, publishedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for row in rows {
      let assignment = try JSONText.decode(Assignment.self, from: row["assignment"])
      let span = FramePosition(row["start"])..<FramePosition(row["end"])
      let segment = Segment(
        id: .first, index: row["ordinal"], span: span,
        content: SegmentContent(Attribution(assignment)))
      let passages = segment.passages
      for (ordinal, passage) in passages.enumerated() {
        try statement.execute(arguments: [
          row["id"] as Int64, ordinal, passage.ayah.absoluteIndex,
          passage.span.lowerBound.frames, passage.span.upperBound.frames, passage.part?.rawValue,
          PassageRole(assignment, ordinal: ordinal).rawValue, recording.rowID,
          recording.reciter?.id.rawValue, recording.riwayah.rawValue, row["isManual"] as Bool,
          row["confidence"] as Double, row["publishedAt"] as Int64,
        ])
      }
    }
  }
}

/// How an ayah lies in the segment that holds it.
public enum PassageRole: String, Hashable, Sendable {
  /// The segment is this ayah, or the part of it.
  case whole
  /// The ayah that ends a surah, before the one of the next surah that follows in the same breath.
  case pairFirst = "pair_first"
  case pairEnd = "pair_end"
  /// One of several consecutive ayat.
  case run

  init(_ assignment: Assignment, ordinal: Int) {
    switch assignment {
    case .crossSurah: self = ordinal == 0 ? .pairFirst : .pairEnd
    case .ayat: self = .run
    case .ayah, .leadIn, .unused: self = .whole
    }
  }
}

extension Assignment {
  var isPublished: Bool {
    switch self {
    case .ayah, .crossSurah, .ayat, .leadIn: true
    case .unused: false
    }
  }

  fileprivate var publishedKind: String {
    switch self {
    case .ayah: "ayah"
    case .crossSurah: "cross_surah"
    case .ayat: "ayat"
    case .leadIn: "lead_in"
    case .unused: "unused"
    }
  }
}
