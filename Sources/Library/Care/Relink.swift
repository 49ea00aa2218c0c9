// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import Annotation
import AudioCore
import Decoding
import GRDB
import Glibc

/// How a file was known to be a recording's.
public struct Relinking: Hashable, Sendable {
  /// Whether it is the same file, byte for byte.
  public let isSameFile: Bool
  /// Whether it begins with all of the file, byte for byte, and goes on.
  public let isGrown: Bool
  /// How alike they sound, 0...1; nil for the same file, grown or not.
  public let similarity: Double?
  public let retiming: Retiming
}

extension Library {
  /// Gives a recording another file: its own that was moved, or the same sound encoded anew. All of the
  /// annotation, its history and what is published move to the new file's clock.
  ///
  /// The copy that the library had goes once everything else is done.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - isCopied: whether the file is copied into the library, or used where it lies.
  /// - Throws: `.changed` when it does not sound the same, or lacks a part that has markers; `.held`;
  ///   `.unusable` for a recording that is in the bin; `.media`, `.full`, `.cancelled`.
  public func relink(
    _ id: Recording.ID, to path: String, isCopied: Bool, analyzer: RecordingAnalyzer
  ) throws(LibraryError) -> Relinking {
    let lock = try lockForEditing(id)
    defer { withExtendedLifetime(lock) {} }
    let (recording, document) = try annotation(of: id)
    guard recording.removedAt == nil else {
      throw LibraryError(
        .unusable, recording.short, detail: "in the bin; 'remove --restore' restores it")
    }
    let stopFlag = analyzer.stopFlag
    if let same = try SameFile(of: recording, at: path, shouldGoOn: { !stopFlag.isStopped }) {
      try relink(recording, to: same, isCopied: isCopied) { _ in !stopFlag.isStopped }
      return Relinking(
        isSameFile: true, isGrown: false, similarity: nil,
        retiming: Retiming(from: recording.media.rate, to: recording.media.rate))
    }
    let new = try NewFile(path, track: recording.media.track, analyzer)
    let relinking = try compare(recording, new, stopFlag)
    let retimed = try Self.retime(document, relinking.retiming, length: new.media.length, path)

    let copy = try settle(
      new.source.file, hash: new.known.contentHash, for: recording, isCopied: isCopied
    ) { _ in !stopFlag.isStopped }
    try replaceFile(of: recording, by: copy) { db in
      try Self.update(recording, copy.place, new, modified: copy.modified, db)
      if !relinking.retiming.isIdentity || new.media.length != recording.media.length {
        try Self.rewrite(recording, retimed, relinking.retiming, db)
      }
    }
    return relinking
  }

  /// Where a file is to be a recording's, and when the copy that was made there was written; nil where none was.
  typealias SettledFile = (place: Recording.Place, modified: Int64?)

  /// Makes a settled file the recording's own, and removes the copy that the library had.
  func replaceFile(
    of recording: Recording, by settled: SettledFile, _ update: (Database) throws -> Void
  ) throws(LibraryError) {
    do throws(LibraryError) {
      try write(update)
    } catch {
      // A file too many is found by 'check'; one too few would be a loss.
      if settled.modified != nil, case .library(let path) = settled.place,
        !error.leavesOutcomeOpen
      {
        try? files.remove(path.description)
      }
      throw error
    }
    if case .library(let old) = recording.place, settled.place != recording.place {
      try? files.remove(old.description)
    }
  }

  /// Says where the file is to be, and copies it there if it is not there yet, under a name that nothing
  /// has: until the database knows of it, the old file stays as it is.
  func settle(
    _ file: MediaFile, hash: [UInt8], for recording: Recording, isCopied: Bool,
    _ progress: (Double) -> Bool
  ) throws(LibraryError) -> SettledFile {
    let resolved = Importer.resolved(file.path)
    guard isCopied else { return (.inPlace(resolved), nil) }
    if case .library = recording.place, let own = try? self.file(of: recording),
      resolved == Importer.resolved(own)
    {
      return (recording.place, nil)
    }
    let ending = Importer.ending(of: file.path)
    var path = try LibraryPath.copy(of: recording.id, ending)
    var number = 2
    while files.contains(path.description) {
      path = try LibraryPath.copy(of: recording.id, "-\(number)\(ending)")
      number += 1
    }
    let copy = try FileCopy(at: path.incoming, in: files)
    guard try copy.fill(from: file, progress: progress) == hash else {
      throw LibraryError(.changed, file.path, detail: "the file is changing right now")
    }
    try copy.keep(as: path.description)
    return (.library(path), copy.modified)
  }

  private func compare(
    _ recording: Recording, _ new: NewFile, _ stopFlag: StopFlag
  ) throws(LibraryError) -> Relinking {
    if recording.file.isBeginning(of: new.source.file), new.media.rate == recording.media.rate,
      new.media.length >= recording.media.length,
      try KnownFile.contentHash(
        of: new.source.file, upTo: recording.file.size, shouldGoOn: { !stopFlag.isStopped })
        == recording.file.contentHash
    {
      return Relinking(
        isSameFile: false, isGrown: true, similarity: nil,
        retiming: Retiming(from: recording.media.rate, to: new.media.rate))
    }
    guard let old = try fingerprint(of: recording),
      let match = SoundMatch(old, in: new.fingerprint), match.isSame
    else {
      throw LibraryError(
        .changed, recording.title, detail: "that file does not contain the same recitation")
    }
    return Relinking(
      isSameFile: false, isGrown: false, similarity: match.similarity,
      retiming: Retiming(
        from: recording.media.rate, to: new.media.rate, delay: match.delay))
  }

  private static func retime(
    _ document: AnnotationDocument, _ retiming: Retiming, length: FrameCount, _ path: String
  ) throws(LibraryError) -> AnnotationDocument {
    do throws(EditRefusal) {
      let end = FramePosition.zero + length
      return try AnnotationDocument(
        length: length, rate: retiming.newRate,
        records: document.records.map { $0.retimed(retiming) },
        words: document.words.compactMap { $0.retimed(retiming) }
          .filter { $0.span.lowerBound >= .zero && $0.span.upperBound <= end })
    } catch {
      throw LibraryError(
        .changed, path,
        detail: "it lacks a part of the recording with markers (\(error))")
    }
  }
}

/// A file that is to become a recording's, and all that the library wants to know of it.
struct NewFile {
  let path: String
  let source: MediaSource
  let known: KnownFile
  let media: Recording.MediaFacts
  let fingerprint: Fingerprint

  init(_ path: String, track: Int?, _ analyzer: RecordingAnalyzer) throws(LibraryError) {
    self.path = path
    do throws(Decoding.DecodingError) {
      source = try MediaSource(path: path, track: track, stopFlag: analyzer.stopFlag)
    } catch {
      throw LibraryError(error)
    }
    known = try KnownFile(reading: source.file) { !analyzer.stopFlag.isStopped }
    // It may be growing just now.
    var analyzer = analyzer
    analyzer.sizeLimit = source.file.size
    do throws(AnalysisError) {
      let analyzed = try analyzer.analyze(path: path, track: track)
      media = Recording.MediaFacts(source, analyzed, track: track)
      fingerprint = try Fingerprint(analyzed.envelope)
    } catch {
      throw LibraryError(error, path)
    }
  }
}
