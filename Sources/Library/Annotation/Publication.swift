// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Foundation
import GRDB
public import Quran

/// What publishing a recording's annotation came to.
public struct Publication: Hashable, Sendable {
  public let status: AnnotationStatus
  public let progress: AnnotationProgress
  /// How many segments can be played now.
  public let segmentCount: Int
  /// How many of these are suggestions that no person confirmed.
  public let unconfirmedCount: Int
  /// How many more suggestions there are, not published since no person confirmed them.
  public let omittedCount: Int
  public let covers: ClosedRange<Surah>?
  /// What a person should know, by segment; those that keep it from being complete among them.
  public let findings: [Finding]
}

extension Publication {
  init(of document: AnnotationDocument, includingUnconfirmed: Bool) {
    let published = document.published(includingUnconfirmed: includingUnconfirmed)
    let surahs = published.flatMap { $0.passages.map(\.ayah.surah) }
    self.init(
      status: document.status, progress: document.progress, segmentCount: published.count,
      unconfirmedCount: published.count { !$0.isConfirmed },
      omittedCount: document.published(includingUnconfirmed: true).count - published.count,
      covers: surahs.min().flatMap { first in surahs.max().map { first...$0 } },
      findings: document.validate())
  }
}

extension AnnotationDocument {
  /// What is heard where this is published: segments that hold a recitation, confirmed by a person unless
  /// suggestions are asked for too.
  fileprivate func published(includingUnconfirmed: Bool) -> [Segment] {
    published(in: segments.indices, includingUnconfirmed: includingUnconfirmed)
  }

  fileprivate func published(in range: Range<Int>, includingUnconfirmed: Bool) -> [Segment] {
    segments[range].filter {
      $0.assignment?.isPublished == true && (includingUnconfirmed || $0.isConfirmed)
    }
  }
}

// MARK: Whether what is published is still what there is

extension PublicationState {
  /// The state after an edit. It follows from what was published, so an edit that is undone leaves no trace.
  ///
  /// Few edits cost more than the segments that they change: the whole annotation is compared only where something
  /// differed before, and only as far as the first difference.
  func after(
    _ change: Change, from document: AnnotationDocument, to next: AnnotationDocument,
    of recording: Int64, _ db: Database
  ) throws -> PublicationState {
    guard self != .nothing else { return self }
    let before = document.heard(around: change.first, change.old.count, unconfirmed > 0)
    let after = next.heard(around: change.first, change.new.count, unconfirmed > 0)
    guard before != after else { return self }
    guard !isCurrent, try next.isPublished(of: recording, unconfirmed > 0, db) else {
      return .outdated(unconfirmed: unconfirmed)
    }
    return .current(unconfirmed: unconfirmed)
  }
}

/// A published segment, as far as what is heard, and which recording is chosen, depend on it.
private struct HeardSegment: Equatable {
  let span: Range<FramePosition>
  let assignment: Assignment?
  let isConfirmed: Bool
  /// Nil where a person's word counts instead.
  let confidence: Double?

  init(_ segment: Segment) {
    span = segment.span
    assignment = segment.assignment
    isConfirmed = segment.isConfirmed
    confidence = segment.isConfirmed ? nil : segment.content.attribution?.publishedConfidence
  }

  /// As it was published.
  init(_ row: Row) throws {
    span = FramePosition(row["start"])..<FramePosition(row["end"])
    assignment = try JSONText.decode(Assignment.self, from: row["assignment"])
    isConfirmed = row["isManual"]
    confidence = isConfirmed ? nil : row["confidence"]
  }
}

extension AnnotationDocument {
  /// What would be published of some of the segments, and of the one before, which ends where they begin.
  fileprivate func heard(
    around first: Int, _ count: Int, _ includingUnconfirmed: Bool
  ) -> [HeardSegment] {
    published(
      in: max(first - 1, 0)..<first + count, includingUnconfirmed: includingUnconfirmed
    ).map(HeardSegment.init)
  }

  /// Whether publishing this would publish what the recording has published.
  fileprivate func isPublished(
    of recording: Int64, _ includingUnconfirmed: Bool, _ db: Database
  ) throws -> Bool {
    let segments = published(includingUnconfirmed: includingUnconfirmed)
    // What is counted, and where it lies, is compared first: an assignment takes longer to read.
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM segment WHERE recordingID = ?", arguments: [recording])
    guard count == segments.count else { return false }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT start, end, assignment, isManual, confidence FROM segment WHERE recordingID = ?
        ORDER BY ordinal
        """, arguments: [recording])
    for segment in segments {
      guard let row = try rows.next(), row["start"] == segment.span.lowerBound.frames,
        try HeardSegment(row) == HeardSegment(segment)
      else { return false }
    }
    return true
  }
}

extension Attribution {
  /// What a person has assigned without saying that it is right is still a person's word.
  fileprivate var publishedConfidence: Double {
    confidence ?? (origin == .person ? 1.0 : 0.5)
  }
}

extension Library {
  /// Offers a recording's annotation, as it is on disk, for playback: see
  /// ``AnnotationEngine/publish(includingUnconfirmed:)``.
  public func publish(
    _ id: Recording.ID, includingUnconfirmed: Bool = false
  ) throws(LibraryError) -> Publication {
    try write { db in
      let recording = try Self.recording(id, db)
      let document = try AnnotationDocument(of: recording, db)
      let (publication, _) = try Self.publish(
        document, includingUnconfirmed: includingUnconfirmed, of: recording, at: timestamp, db)
      return publication
    }
  }

  /// Replaces what a recording has published; no other recording is touched.
  /// - Returns: what that came to, and the recording as it is then.
  static func publish(
    _ document: AnnotationDocument, includingUnconfirmed: Bool, of recording: Recording,
    at time: Int64, _ db: Database
  ) throws -> (Publication, Recording) {
    let publication = Publication(of: document, includingUnconfirmed: includingUnconfirmed)
    try db.execute(
      sql: "DELETE FROM segment WHERE recordingID = ?", arguments: [recording.rowID])
    for segment in document.published(includingUnconfirmed: includingUnconfirmed) {
      try insert(segment, of: recording, publishedAt: time, db)
    }
    try db.execute(
      sql: """
        UPDATE recording SET status = ?, coversSurahStart = ?, coversSurahEnd = ?,
          publishedRevision = revision WHERE id = ?
        """,
      arguments: [
        publication.status.rawValue, publication.covers?.lowerBound.number,
        publication.covers?.upperBound.number, recording.rowID,
      ])
    let published = try Self.recording(recording.id, db)
    try insertPassages(of: published, db)
    return (publication, published)
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
      attribution.publishedConfidence, publishedAt,
    ])
  }

  /// Makes the passages of a recording's published segments, and the set of their ayat, in place of those
  /// it has; none for one in the bin.
  static func insertPassages(of recording: Recording, _ db: Database) throws {
    for table in ["passage", "coverage"] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE recordingID = ?", arguments: [recording.rowID])
    }
    guard recording.removedAt == nil else { return }
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM segment WHERE recordingID = ? ORDER BY ordinal",
      arguments: [recording.rowID])
    let passages = try rows.flatMap { try PassageRow.passages(of: $0) }
    let best = PassageRow.bestOfEachAyah(in: passages)
    for (index, passage) in passages.enumerated() {
      try passage.insert(of: recording, isBest: best[passage.passage.ayah] == index, db)
    }
    try db.execute(
      sql: "INSERT INTO coverage (recordingID, ayat) VALUES (?, ?)",
      arguments: [recording.rowID, Data(AyahSet(best.keys).bytes)])
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
