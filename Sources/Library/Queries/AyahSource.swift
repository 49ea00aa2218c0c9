// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
import GRDB
public import Quran

/// Where an ayah can be heard: a span of a published recording.
public struct AyahSource: Hashable, Sendable {
  public let recording: Recording.ID
  public let reciter: Reciter.ID?
  public let riwayah: Riwayah
  public let ayah: AyahReference
  /// Nil when the whole ayah is heard.
  public let part: AyahPart?
  public let role: PassageRole
  /// Exactly the ayah, cut at the joins of its segment; half-open.
  public let span: Range<FramePosition>
  /// Whether the basmalah of its surah is a part of it.
  public let beginsWithBasmalah: Bool
  /// Whether a person has confirmed it.
  public let isManual: Bool
  /// 0...1.
  public let confidence: Double

  static let columns = """
    recording.uuid, passage.ayah, passage.start, passage.end, passage.part, passage.role,
    passage.reciterID, passage.riwayah, passage.isManual, passage.confidence,
    (SELECT json_extract(assignment, '$.withBasmalah') FROM segment WHERE id = passage.segmentID) AS withBasmalah
    """

  init(row: Row) throws {
    recording = Recording.ID(rawValue: row["uuid"])
    reciter = (row["reciterID"] as Int64?).map(Reciter.ID.init(rawValue:))
    riwayah = try row.decoded("riwayah")
    guard let ayah = AyahReference(absoluteIndex: row["ayah"]) else {
      throw LibraryError(.damaged, recording.rawValue, detail: "an ayah outside the range")
    }
    self.ayah = ayah
    part = (row["part"] as String?).flatMap(AyahPart.init(rawValue:))
    role = try row.decoded("role")
    beginsWithBasmalah = ayah.followsBasmalah && row["withBasmalah"] ?? false
    span = FramePosition(row["start"])..<FramePosition(row["end"])
    isManual = row["isManual"]
    confidence = row["confidence"]
  }
}

/// Whose recitation is wanted.
public struct SourceFilter: Hashable, Sendable {
  public enum Who: Hashable, Sendable {
    /// Everybody, in the reciters' order of priority, recordings of nobody known last.
    case anybody
    case only(Reciter.ID)
    /// In this order, and nobody else.
    case inOrder([Reciter.ID])
    /// Recordings of nobody known.
    case nobodyKnown
  }

  public var who: Who
  /// Never more than one: a riwayah is not mixed with another.
  public var riwayah: Riwayah
  /// Recordings that cannot be heard now.
  public var unavailable: Set<Recording.ID>

  public init(
    _ who: Who = .anybody, riwayah: Riwayah = .hafs, unavailable: Set<Recording.ID> = []
  ) {
    self.who = who
    self.riwayah = riwayah
    self.unavailable = unavailable
  }
}

extension Library {
  /// Everywhere an ayah, or a part of it, is heard in published recordings, of any reciter and riwayah:
  /// alone, at either side of a cross-surah pair, or in a run of several.
  ///
  /// The ones a person confirmed come first, then the surest, then the newest.
  public func sources(of ayah: AyahReference) throws(LibraryError) -> [AyahSource] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(AyahSource.columns) FROM passage
            JOIN recording ON recording.id = passage.recordingID
          WHERE passage.ayah = ?
          ORDER BY part IS NULL DESC, isManual DESC, confidence DESC, publishedAt DESC,
            passage.recordingID DESC, passage.start
          """, arguments: [ayah.absoluteIndex]
      ).map { try AyahSource(row: $0) }
    }
  }

  /// The best whole recitation of an ayah: by the order of the reciters, then those a person confirmed,
  /// the surest, the newest, and in one recording the first.
  /// - Returns: nil when there is none.
  public func resolve(
    _ ayah: AyahReference, _ filter: SourceFilter = SourceFilter()
  ) throws(LibraryError) -> AyahSource? {
    try read { try Self.resolve(ayah, filter, reciters: Self.order(filter.who, $0), $0) }
  }

  /// The same for each ayah of a range, of one state of the library.
  public func resolve(
    _ range: AyahRange, _ filter: SourceFilter = SourceFilter()
  ) throws(LibraryError) -> [(ayah: AyahReference, source: AyahSource?)] {
    try read { db in
      let reciters = try Self.order(filter.who, db)
      return try range.map { ($0, try Self.resolve($0, filter, reciters: reciters, db)) }
    }
  }

  /// The whole ayat that a recording has published, in the order in which they are heard; of repeats the best.
  public func publishedAyat(in recording: Recording.ID) throws(LibraryError) -> [AyahReference] {
    try read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT ayah FROM passage
          WHERE recordingID = (SELECT id FROM recording WHERE uuid = ?) AND isBest = 1
          ORDER BY start
          """, arguments: [recording.rawValue]
      ).compactMap { AyahReference(absoluteIndex: $0) }
    }
  }

  /// The recorded basmalah of a surah where it is no ayah, the best one first.
  /// - Parameters:
  ///   - recording: comes before the others of the same reciter, for it sounds as its ayat do.
  ///   - frame: of that recording's, the last before this frame is the best.
  public func basmalah(
    of surah: Surah, _ filter: SourceFilter = SourceFilter(), in recording: Recording.ID? = nil,
    before frame: FramePosition? = nil
  ) throws(LibraryError) -> (recording: Recording.ID, span: Range<FramePosition>)? {
    try read { db in
      let places = Dictionary(
        try Self.order(filter.who, db).enumerated().map { ($1, $0) }, uniquingKeysWith: min)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT uuid, reciterID, start, end FROM segment JOIN recording ON recording.id = recordingID
          WHERE basmalahSurah = ? AND riwayah = ? AND removedAt IS NULL
          ORDER BY isManual DESC, confidence DESC, publishedAt DESC, recordingID DESC, start
          """, arguments: [surah.number, filter.riwayah.rawValue])
      var best: (rank: (Int, Int64), recording: Recording.ID, span: Range<FramePosition>)?
      while let row = try rows.next() {
        let id = Recording.ID(rawValue: row["uuid"])
        guard let place = places[row["reciterID"]], !filter.unavailable.contains(id) else {
          continue
        }
        let span = FramePosition(row["start"])..<FramePosition(row["end"])
        // Frames from it to where it is wanted; of other recordings they do not count.
        var distance = Int64.max
        if id == recording {
          distance = Int64.max - 1
          if let frame, span.upperBound <= frame { distance = (frame - span.upperBound).frames }
        }
        let rank = (place, distance)
        if let best, best.rank <= rank { continue }
        best = (rank, id, span)
      }
      return best.map { ($0.recording, $0.span) }
    }
  }

  /// The reciters to look through in order; nil stands for recordings of nobody known.
  static func order(_ who: SourceFilter.Who, _ db: Database) throws -> [Int64?] {
    switch who {
    case .only(let reciter): return [reciter.rawValue]
    case .inOrder(let reciters): return reciters.map(\.rawValue)
    case .nobodyKnown: return [nil]
    case .anybody:
      return try Int64.fetchAll(db, sql: "SELECT id FROM reciter ORDER BY priority, id") + [nil]
    }
  }

  /// One look into the index for each reciter, so that the number of recordings does not matter.
  static let bestSources = """
    SELECT \(AyahSource.columns)
    FROM passage INDEXED BY passageByRank JOIN recording ON recording.id = passage.recordingID
    WHERE passage.riwayah = ? AND passage.ayah = ? AND passage.reciterID IS ?
      AND passage.isBest = 1
    ORDER BY passage.isManual DESC, passage.confidence DESC, passage.publishedAt DESC,
      passage.recordingID DESC
    """

  private static func resolve(
    _ ayah: AyahReference, _ filter: SourceFilter, reciters: [Int64?], _ db: Database
  ) throws -> AyahSource? {
    let statement = try db.cachedStatement(sql: bestSources)
    for reciter in reciters {
      let rows = try Row.fetchCursor(
        statement, arguments: [filter.riwayah.rawValue, ayah.absoluteIndex, reciter])
      while let row = try rows.next() {
        if filter.unavailable.contains(Recording.ID(rawValue: row["uuid"])) { continue }
        return try AyahSource(row: row)
      }
    }
    return nil
  }
}
