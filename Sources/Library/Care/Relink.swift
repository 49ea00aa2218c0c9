// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import Annotation
import AudioCore
import Decoding
import Foundation
import GRDB
import Glibc

/// How a file was known to be a recording's.
public struct Relinking: Hashable, Sendable {
  /// Whether it is the same file, byte for byte.
  public let isSameFile: Bool
  /// How alike they sound, 0...1; nil for the same file.
  public let similarity: Double?
  public let retiming: Retiming
}

extension Library {
  /// Gives a recording another file: its own that was moved, or the same sound encoded anew. All of the
  /// annotation, its history and what is published move to the new file's clock.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - isCopied: whether the file is copied into the library, or used where it lies.
  /// - Throws: `.changed` when it does not sound the same, or lacks a part that has markers; `.held`.
  public func relink(
    _ id: Recording.ID, to path: String, isCopied: Bool, analyzer: RecordingAnalyzer
  ) throws(LibraryError) -> Relinking {
    let lock = try EditLock(id, in: folder, now: now())
    defer { withExtendedLifetime(lock) {} }
    let (recording, document) = try annotation(of: id)
    let (source, known) = try open(path, track: recording.media.track, analyzer)
    let new = try measure(source, track: recording.media.track, analyzer)
    let relinking = try compare(recording, known, new)
    let retimed = try Self.retime(document, relinking.retiming, length: new.media.length, path)

    var copy: FileCopy?
    var place = Recording.Place.inPlace(Importer.resolved(path))
    var final = known
    let target = "Recordings/" + id.rawValue + Importer.ending(of: path)
    if isCopied, path != folder.path + "/" + target {
      let made = try FileCopy(
        at: folder.recordings + "/" + Importer.incoming + id.rawValue + Importer.ending(of: path))
      _ = try made.fill(from: source.file) { _ in !analyzer.stopFlag.isStopped }
      copy = made
    }
    if isCopied { place = .library(target) }
    // Renamed first: should what follows fail, the old entry finds a file that it does not know, and
    // says so, and relinking again mends it.
    try copy?.keep(as: folder.path + "/" + target)
    if isCopied, let file = try? MediaFile(path: folder.path + "/" + target) {
      final.modified = file.identity.modified
    }
    try write { db in
      try Self.update(recording, place, final, new, db)
      if !relinking.retiming.isIdentity {
        try Self.rewrite(recording, retimed, relinking.retiming, db)
      }
    }
    if case .library(let old) = recording.place, place != recording.place {
      unlinkIfThere(folder.path + "/" + old)
    }
    return relinking
  }

  private struct Measured {
    var media: Recording.MediaFacts
    var fingerprint: Fingerprint
  }

  private func open(
    _ path: String, track: Int?, _ analyzer: RecordingAnalyzer
  ) throws(LibraryError) -> (MediaSource, KnownFile) {
    let source: MediaSource
    do throws(Decoding.DecodingError) {
      source = try MediaSource(path: path, track: track)
    } catch {
      throw LibraryError(error)
    }
    return (source, try KnownFile(reading: source.file) { !analyzer.stopFlag.isStopped })
  }

  private func measure(
    _ source: MediaSource, track: Int?, _ analyzer: RecordingAnalyzer
  ) throws(LibraryError) -> Measured {
    do throws(AnalysisError) {
      let analyzed = try analyzer.analyze(path: source.file.path, track: track)
      return Measured(
        media: Recording.MediaFacts(
          container: source.description.container, codec: source.description.codec,
          rate: analyzed.format.rate, channels: analyzed.format.channels,
          length: analyzed.envelope.length, track: track),
        fingerprint: try Fingerprint(analyzed.envelope))
    } catch {
      throw LibraryError(error, source.file.path)
    }
  }

  private func compare(
    _ recording: Recording, _ known: KnownFile, _ new: Measured
  ) throws(LibraryError) -> Relinking {
    let same = Retiming(from: recording.media.rate, to: new.media.rate)
    if known.contentHash == recording.file.contentHash {
      return Relinking(isSameFile: true, similarity: nil, retiming: same)
    }
    guard let old = try fingerprint(of: recording),
      let match = SoundMatch(old, in: new.fingerprint), match.isSame
    else {
      throw LibraryError(
        .changed, recording.title, detail: "that file does not hold the same recitation")
    }
    return Relinking(
      isSameFile: false, similarity: match.similarity,
      retiming: Retiming(
        from: recording.media.rate, to: new.media.rate, delay: match.delay))
  }

  private static func retime(
    _ document: AnnotationDocument, _ retiming: Retiming, length: FrameCount, _ path: String
  ) throws(LibraryError) -> AnnotationDocument {
    do throws(EditRefusal) {
      return try AnnotationDocument(
        length: length, rate: retiming.newRate,
        records: document.records.map { $0.retimed(retiming) })
    } catch {
      throw LibraryError(
        .changed, path,
        detail: "it lacks a part of the recording that has markers (\(error))")
    }
  }

  private static func update(
    _ recording: Recording, _ place: Recording.Place, _ file: KnownFile, _ new: Measured,
    _ db: Database
  ) throws {
    let (path, isInPlace) =
      switch place {
      case .library(let path): (path, false)
      case .inPlace(let path): (path, true)
      }
    // A marker must never lie outside, so the markers make room first.
    try db.execute(
      sql: """
        UPDATE recording SET path = ?, isInPlace = ?, fileSize = ?, fileModified = ?, probe = ?,
          contentHash = ?, container = ?, codec = ?, rate = ?, channels = ?, length = ?,
          revision = revision + 1,
          publishedRevision = CASE WHEN publishedRevision = revision THEN revision + 1
            ELSE publishedRevision END
        WHERE id = ?
        """,
      arguments: [
        path, isInPlace, file.size, file.modified, Data(file.probe), Data(file.contentHash),
        new.media.container, new.media.codec, new.media.rate.hertz, new.media.channels,
        new.media.length.frames, recording.rowID,
      ])
    try db.execute(
      sql: "INSERT OR REPLACE INTO fingerprint (recordingID, levels) VALUES (?, ?)",
      arguments: [recording.rowID, Data(new.fingerprint.levels)])
  }

  /// Moves markers, journal and published segments to the clock of the new file.
  private static func rewrite(
    _ recording: Recording, _ document: AnnotationDocument, _ retiming: Retiming, _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM marker WHERE recordingID = ?", arguments: [recording.rowID])
    for record in document.records { try record.insert(for: recording.rowID, db) }
    for row in try Row.fetchAll(
      db, sql: "SELECT id, edit, change FROM journal WHERE recordingID = ?",
      arguments: [recording.rowID])
    {
      let edit = try JSONText.decode(Edit.self, from: row["edit"]).retimed(retiming)
      let change = try JSONText.decode(Change.self, from: row["change"]).retimed(retiming)
      try db.execute(
        sql: "UPDATE journal SET edit = ?, change = ? WHERE id = ?",
        arguments: [
          try JSONText.encode(edit), try JSONText.encode(change), row["id"] as Int64,
        ])
    }
    let end = FramePosition.zero + document.length
    for row in try Row.fetchAll(
      db, sql: "SELECT id, start, end, assignment FROM segment WHERE recordingID = ?",
      arguments: [recording.rowID])
    {
      let start = retiming(FramePosition(row["start"]))
      let stop =
        FramePosition(row["end"]) == .zero + recording.media.length
        ? end : min(retiming(FramePosition(row["end"])), end)
      let assignment = try JSONText.decode(Assignment.self, from: row["assignment"])
      try db.execute(
        sql: "UPDATE segment SET start = ?, end = ?, assignment = ? WHERE id = ?",
        arguments: [
          start.frames, stop.frames, try JSONText.encode(assignment.retimed(retiming)),
          row["id"] as Int64,
        ])
    }
    try insertPassages(of: try Self.recording(recording.id, db), db)
  }

  private func unlinkIfThere(_ path: String) { unlink(path) }

  // MARK: By sound

  func fingerprint(of recording: Recording) throws(LibraryError) -> Fingerprint? {
    try read { db in
      try Data.fetchOne(
        db, sql: "SELECT levels FROM fingerprint WHERE recordingID = ?",
        arguments: [recording.rowID]
      ).map { Fingerprint(levels: Array($0)) }
    }
  }

  /// A recording of nearly the same length that sounds the same.
  func sameSound(
    as fingerprint: Fingerprint, except id: Recording.ID
  ) throws(LibraryError) -> Recording? {
    let hops = fingerprint.levels.count
    let candidates = try read { db in
      try Row.fetchAll(
        db,
        sql: Recording.query + """
           WHERE removedAt IS NULL AND uuid <> ?
            AND abs(length * 100 / rate - ?) <= 300
          """, arguments: [id.rawValue, hops]
      ).map { try Recording(row: $0) }
    }
    for candidate in candidates {
      if let other = try self.fingerprint(of: candidate),
        let match = SoundMatch(fingerprint, in: other, longestDelay: 3), match.isSame
      {
        return candidate
      }
    }
    return nil
  }
}
