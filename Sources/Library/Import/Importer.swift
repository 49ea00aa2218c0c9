// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
import Annotation
import AudioCore
import Decoding
public import Foundation
import GRDB
import Glibc
public import Quran

/// Brings recordings into the library.
///
/// A file is copied beside its place, analysed and entered; only then does it get its own name. Whatever
/// stops that, no half of a recording stays in the library: what a killed import leaves is cleared or
/// finished when the library is opened next. Blocks; not for Swift's cooperative threads.
public struct Importer: Sendable {
  public let library: Library
  /// Decodes and measures; its progress is replaced.
  public var analyzer: RecordingAnalyzer
  /// Finds boundaries right after the import; nil leaves the recording without suggestions.
  public var detect: (@Sendable (Envelope) throws(AnalysisError) -> Detection)?

  public init(
    into library: Library, analyzer: RecordingAnalyzer,
    detect: (@Sendable (Envelope) throws(AnalysisError) -> Detection)?
  ) {
    self.library = library
    self.analyzer = analyzer
    self.detect = detect
  }

  /// What a person says of a recording when it comes in.
  public struct Details: Hashable, Sendable {
    /// Nil takes the file's own title, or else its name.
    public var title: String?
    public var reciter: Reciter.ID?
    /// Nil takes the reciter's, or else Hafs.
    public var riwayah: Riwayah?
    /// Nil takes what the file says, or else when it was last changed.
    public var recordedAt: Date?
    /// The occasion that this is one of several files of; its order is that of the imports.
    public var night: String?
    public var track: Int?
    /// Whether the file stays where it is, and is not copied.
    public var isInPlace = false

    public init() {}
  }

  /// How far an import has come; each 0...1.
  public enum Progress: Hashable, Sendable {
    case copying(Double)
    case analysing(Double)
  }

  public struct Result: Sendable {
    public let recording: Recording
    /// How many boundaries were suggested.
    public let boundaryCount: Int
    /// What was wrong with the file and could be mended, and what else a person should know.
    public let remarks: [String]
  }

  /// Brings one file in.
  ///
  /// - Parameter path: absolute.
  /// - Throws: `.alreadyThere` for a file that is there byte for byte, whose detail names it; `.media`
  ///   for one that is no audio; `.full`, `.readOnly`, `.inputOutput`, `.cancelled`. Nothing is left then.
  public func importFile(
    _ path: String, _ details: Details = Details(),
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(LibraryError) -> Result {
    let source = try open(path, track: details.track)
    let stopFlag = analyzer.stopFlag
    if details.isInPlace {
      let resolved = Self.resolved(path)
      let known = try KnownFile(reading: source.file) { !stopFlag.isStopped }
      try refuseTwin(of: known.contentHash, named: path)
      return try enter(
        source, known, id: .new(), place: .inPlace(resolved), details, from: source.file, progress
      ) { () throws(LibraryError) in }
    }
    let id = Recording.ID.new()
    let name = id.rawValue + Self.ending(of: path)
    let copy = try FileCopy(at: library.folder.recordings + "/" + Self.incoming + name)
    let hash = try copy.fill(from: source.file) { share in
      progress(.copying(share))
      return !stopFlag.isStopped
    }
    try refuseTwin(of: hash, named: path)
    let copied = try open(copy.path, track: details.track)
    let known = KnownFile(
      size: copied.file.size, modified: copied.file.identity.modified,
      probe: try KnownFile.probe(of: copied.file), contentHash: hash)
    return try enter(
      copied, known, id: id, place: .library("Recordings/" + name), details, from: source.file,
      progress
    ) { () throws(LibraryError) in
      try copy.keep(as: library.folder.recordings + "/" + name)
    }
  }

  /// Enters a file that lies in the library's folder already, such as one just recorded; it is moved, not
  /// copied.
  public func adopt(
    _ path: String, _ details: Details,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(LibraryError) -> Result {
    let source = try open(path, track: details.track)
    let stopFlag = analyzer.stopFlag
    let known = try KnownFile(reading: source.file) { !stopFlag.isStopped }
    try refuseTwin(of: known.contentHash, named: path)
    let id = Recording.ID.new()
    let name = id.rawValue + Self.ending(of: path)
    let target = library.folder.recordings + "/" + name
    return try enter(
      source, known, id: id, place: .library("Recordings/" + name), details, from: source.file,
      progress
    ) { () throws(LibraryError) in try FileMove.rename(path, to: target) }
  }

  /// How the name of a copy begins while it is made.
  static let incoming = ".import-"

  private func open(_ path: String, track: Int?) throws(LibraryError) -> MediaSource {
    do throws(Decoding.DecodingError) {
      return try MediaSource(path: path, track: track)
    } catch {
      throw LibraryError(error)
    }
  }

  private func refuseTwin(of hash: [UInt8], named path: String) throws(LibraryError) {
    let twin = try library.read { db in
      try Row.fetchOne(
        db, sql: Recording.query + " WHERE contentHash = ?", arguments: [Data(hash)]
      ).map { try Recording(row: $0) }
    }
    guard let twin else { return }
    let hint = twin.removedAt == nil ? "" : ", in the bin; 'remove --restore' brings it back"
    throw LibraryError(.alreadyThere, path, detail: "\(twin.id.short) (\(twin.title))\(hint)")
  }

  /// Analyses a file that lies ready, be it a copy of the original or that itself, and enters it; `settle`
  /// gives it its name.
  private func enter(
    _ source: MediaSource, _ known: KnownFile, id: Recording.ID, place: Recording.Place,
    _ details: Details, from original: MediaFile,
    _ progress: @escaping @Sendable (Progress) -> Void,
    settle: () throws(LibraryError) -> Void
  ) throws(LibraryError) -> Result {
    var analyzer = analyzer
    analyzer.progress = { progress(.analysing($0)) }
    let analyzed: AnalyzedRecording
    let fingerprint: Fingerprint
    var detection: Detection?
    do throws(AnalysisError) {
      analyzed = try analyzer.analyze(path: source.file.path, track: details.track)
      fingerprint = try Fingerprint(analyzed.envelope)
      detection = try detect?(analyzed.envelope)
    } catch {
      throw LibraryError(error, original.path)
    }
    let tags = MediaTags(source.file, track: details.track)
    let draft = RecordingDraft(
      id: id, place: place, file: known,
      media: Recording.MediaFacts(
        container: source.description.container, codec: source.description.codec,
        rate: analyzed.format.rate, channels: analyzed.format.channels,
        length: analyzed.envelope.length, track: details.track),
      title: details.title ?? tags.title ?? Self.stem(of: original.path),
      recordedAt: details.recordedAt?.timestamp ?? tags.recordedAt
        ?? original.identity.modified / 1_000_000_000,
      reciter: details.reciter, riwayah: details.riwayah, night: details.night,
      fingerprint: fingerprint)
    let count = try draft.insert(detection, into: library)
    do {
      try settle()
    } catch {
      try? library.write { db in
        try db.execute(sql: "DELETE FROM recording WHERE uuid = ?", arguments: [id.rawValue])
      }
      throw error
    }
    var remarks = analyzed.warnings.map(\.description)
    if let twin = try library.sameSound(as: fingerprint, except: id) {
      remarks.append(
        "sounds the same as \(twin.id.short) (\(twin.title)), which is in the library already")
    }
    return Result(
      recording: try library.recording(id), boundaryCount: count, remarks: remarks)
  }

  private static func stem(of path: String) -> String {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  /// `.m4a`; nothing where the name ends in what is no usual ending.
  static func ending(of path: String) -> String {
    let name = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: ".") else { return "" }
    let ending = name[dot...].lowercased()
    let isUsual =
      (2...6).contains(ending.utf8.count)
      && ending.utf8.dropFirst().allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
    return isUsual ? ending : ""
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
