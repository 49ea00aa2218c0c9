// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
import Annotation
import AudioCore
import Foundation
import GRDB
public import Quran

/// What is known of a recording that is to be compared with others.
public struct ReferencePreference: Hashable, Sendable {
  public var reciter: Reciter.ID?
  public var riwayah: Riwayah?
  /// The recording itself, which is no reference for itself.
  public var excluded: Recording.ID?

  public init(
    reciter: Reciter.ID? = nil, riwayah: Riwayah? = nil, excluding excluded: Recording.ID? = nil
  ) {
    self.reciter = reciter
    self.riwayah = riwayah
    self.excluded = excluded
  }
}

extension Library {
  /// More files than this are not read for one comparison.
  private static let mostReferences = 4

  /// The best that is published of some ayat to compare another recitation with: recordings of the same
  /// reciter first, then of the same riwayah, then those that hold most of the ayat, then the surest. What
  /// the first lacks comes from the next ones.
  ///
  /// - Returns: each ayah once, whole; empty where the library has none of them. Only files that are here.
  public func referenceClips(
    for ayat: [AyahReference], preferring preference: ReferencePreference = ReferencePreference()
  ) throws(LibraryError) -> [ReferenceClips] {
    let sources = try publishedSources(of: ayat)
    var held = Dictionary(grouping: sources, by: \.recording)
    if let excluded = preference.excluded { held[excluded] = nil }
    var missing = Set(ayat)
    var clips: [ReferenceClips] = []
    while !missing.isEmpty, clips.count < Self.mostReferences {
      let offers = held.map { id, sources in
        ReferenceOffer(id, sources.filter { missing.contains($0.ayah) }, preference)
      }
      guard let best = offers.filter({ !$0.sources.isEmpty }).max(by: { $0.rank < $1.rank }) else {
        break
      }
      held[best.recording] = nil
      let recording = try recording(best.recording)
      guard availability(of: recording).isAvailable else { continue }
      clips.append(
        try ReferenceClips(
          of: recording, in: self,
          Dictionary(
            best.sources.map { ($0.ayah, $0.span) }, uniquingKeysWith: { first, _ in first })))
      missing.subtract(best.sources.map(\.ayah))
    }
    return clips
  }

  /// What is annotated of some ayat in one recording, published or not: of each the one that a person has
  /// confirmed, else the surest.
  ///
  /// - Returns: without spans where it has none of them.
  /// - Throws: `.noSuchRecording`.
  public func referenceClips(
    for ayat: [AyahReference], of id: Recording.ID
  ) throws(LibraryError) -> ReferenceClips {
    let (recording, document) = try annotation(of: id)
    let wanted = Set(ayat)
    var best: [AyahReference: (rank: (Int, Double), span: Range<FramePosition>)] = [:]
    for segment in document.segments {
      let confidence = segment.content.attribution?.confidence ?? 1
      for passage in segment.passages where passage.isComplete && wanted.contains(passage.ayah) {
        let rank = (segment.isConfirmed ? 1 : 0, confidence)
        if let known = best[passage.ayah], known.rank >= rank { continue }
        best[passage.ayah] = (rank, passage.span)
      }
    }
    return try ReferenceClips(of: recording, in: self, best.mapValues(\.span))
  }

  private func publishedSources(of ayat: [AyahReference]) throws(LibraryError) -> [AyahSource] {
    try read { db in
      let numbers = try JSONText.encode(ayat.map(\.absoluteIndex))
      return try Row.fetchAll(
        db,
        sql: """
          SELECT \(AyahSource.columns) FROM passage
            JOIN recording ON recording.id = passage.recordingID
          WHERE passage.isBest = 1 AND passage.ayah IN (SELECT value FROM json_each(?))
          ORDER BY passage.recordingID, passage.ayah
          """, arguments: [numbers]
      ).map { try AyahSource(row: $0) }
    }
  }
}

/// What a recording has to give for a comparison.
private struct ReferenceOffer {
  let recording: Recording.ID
  let sources: [AyahSource]
  /// Greater is better; at last by the name, so that the choice is the same each time.
  let rank: (Int, Int, Int, Double, String)

  init(_ recording: Recording.ID, _ sources: [AyahSource], _ preference: ReferencePreference) {
    self.recording = recording
    self.sources = sources
    let isSameReciter = preference.reciter.map { sources.first?.reciter == $0 } ?? false
    let isSameRiwayah = preference.riwayah.map { sources.first?.riwayah == $0 } ?? false
    let sureness = sources.reduce(0) { $0 + ($1.isManual ? 1 : $1.confidence) }
    rank = (
      isSameReciter ? 1 : 0, isSameRiwayah ? 1 : 0, sources.count,
      sureness / Double(max(sources.count, 1)), recording.rawValue
    )
  }
}

extension ReferenceClips {
  fileprivate init(
    of recording: Recording, in library: Library,
    _ spans: [AyahReference: Range<FramePosition>]
  ) throws(LibraryError) {
    self.init(
      path: try library.file(of: recording), track: recording.media.track,
      rate: recording.media.rate,
      spans: spans)
  }
}
