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
    /// How many boundaries were suggested; nil for a recording that was there and has its file again.
    public let boundaryCount: Int?
    /// What was wrong with the file and could be mended, and what else a person should know.
    public let remarks: [String]
  }

  /// Brings one file in. A recording that had lost this very file has it again, and nothing else is brought in.
  ///
  /// - Parameter path: absolute.
  /// - Throws: `.alreadyThere` for a file that is there byte for byte, whose detail names it; `.media`
  ///   for one that is no audio; `.full`, `.readOnly`, `.inputOutput`, `.cancelled`. Nothing is left then; but
  ///   if the disk failed in the very last step, the next opening of the library settles what became of it.
  public func importFile(
    _ path: String, _ details: Details = Details(),
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(LibraryError) -> Result {
    let source = try open(path, track: details.track)
    let stopFlag = analyzer.stopFlag
    if let found = try findAgain(path, progress) { return found }
    if details.isInPlace {
      let resolved = Self.resolved(path)
      let known = try KnownFile(reading: source.file) { !stopFlag.isStopped }
      try refuseTwin(of: known.contentHash, named: path)
      let found = try measure(
        source, known, of: source.file, .new(), .inPlace(resolved), details, progress)
      return try result(of: found, try found.draft.insert(found.detection, into: library))
    }
    let id = Recording.ID.new()
    let goal = try LibraryPath.copy(of: id, Self.ending(of: path))
    let copy = try FileCopy(at: goal.incoming, in: library.files)
    let hash = try copy.fill(from: source.file) { share in
      progress(.copying(share))
      return !stopFlag.isStopped
    }
    try refuseTwin(of: hash, named: path)
    let copied = try open(copy.absolutePath, track: details.track)
    let known = KnownFile(
      size: copied.file.size, modified: copied.file.identity.modified,
      probe: try KnownFile.probe(of: copied.file), contentHash: hash)
    let found = try measure(
      copied, known, of: source.file, id, .library(goal), details, progress)
    let count: Int
    do throws(LibraryError) {
      count = try found.draft.insert(found.detection, into: library)
    } catch {
      // Then the next opening names the copy or clears it.
      if error.leavesOutcomeOpen { copy.leave() }
      throw error
    }
    try settle(copy, as: goal, id)
    return try result(of: found, count)
  }

  /// Enters a file that lies in the library's folder already, such as one just recorded; it is moved, not
  /// copied. Doing it again finishes what was stopped half way.
  ///
  /// - Parameter path: absolute.
  public func adopt(
    _ path: String, _ details: Details,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws(LibraryError) -> Result {
    let source = try open(path, track: details.track)
    let stopFlag = analyzer.stopFlag
    let known = try KnownFile(reading: source.file) { !stopFlag.isStopped }
    if let entered = try library.read({ try Library.entered(known.contentHash, $0) }),
      library.lacksCopy(of: entered), case .library(let lost) = entered.place
    {
      try library.files.move(try relative(path), to: lost.description)
      return Result(recording: entered, boundaryCount: nil, remarks: [])
    }
    try refuseTwin(of: known.contentHash, named: path)
    let id = Recording.ID.new()
    let goal = try LibraryPath.copy(of: id, Self.ending(of: path))
    let found = try measure(source, known, of: source.file, id, .library(goal), details, progress)
    let count = try found.draft.insert(found.detection, into: library)
    try library.files.move(try relative(path), to: goal.description)
    return try result(of: found, count)
  }

  /// The recording that had lost this file, and has it again; nil where none had.
  private func findAgain(
    _ path: String, _ progress: (Progress) -> Void
  ) throws(LibraryError) -> Result? {
    func goesOn(_ share: Double) -> Bool {
      progress(.copying(share))
      return !analyzer.stopFlag.isStopped
    }
    guard let known = try library.recording(withContentOf: path, shouldGoOn: { goesOn(0) }),
      let found = try library.relinkIfMissing(known, to: path, progress: goesOn)
    else { return nil }
    return Result(
      recording: found, boundaryCount: nil,
      remarks: ["\(found.id.short) (\(found.title)) has its file again"])
  }

  private func relative(_ path: String) throws(LibraryError) -> String {
    let prefix = Array((library.folder.path + "/").utf8)
    guard path.utf8.starts(with: prefix) else { throw LibraryError(.outside, path) }
    return String(decoding: Array(path.utf8.dropFirst(prefix.count)), as: UTF8.self)
  }

  /// How the name of a copy begins while it is made.
  static let incoming = ".import-"

  private func open(_ path: String, track: Int?) throws(LibraryError) -> MediaSource {
    do throws(Decoding.DecodingError) {
      return try MediaSource(path: path, track: track, stopFlag: analyzer.stopFlag)
    } catch {
      throw LibraryError(error)
    }
  }

  private func refuseTwin(of hash: [UInt8], named path: String) throws(LibraryError) {
    try library.read { try Library.refuseTwin(of: hash, named: path, $0) }
  }

  private struct Measured {
    var draft: RecordingDraft
    var detection: Detection?
    var remarks: [String]
  }

  /// Analyses a file that lies ready: a copy of `original`, or that itself.
  private func measure(
    _ source: MediaSource, _ known: KnownFile, of original: MediaFile, _ id: Recording.ID,
    _ place: Recording.Place, _ details: Details, _ progress: @escaping @Sendable (Progress) -> Void
  ) throws(LibraryError) -> Measured {
    var analyzer = analyzer
    analyzer.progress = { progress(.analysing($0)) }
    // It may be growing just now.
    analyzer.sizeLimit = source.file.size
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
    // The analysis may have been over when it was told to stop.
    guard !analyzer.stopFlag.isStopped else { throw LibraryError(.cancelled, original.path) }
    let tags = MediaTags(source.file, track: details.track)
    let draft = RecordingDraft(
      id: id, place: place, file: known,
      media: Recording.MediaFacts(source, analyzed, track: details.track),
      title: details.title ?? tags.title ?? Self.stem(of: original.path).legibleName,
      recordedAt: details.recordedAt?.timestamp ?? tags.recordedAt
        ?? original.identity.modified / 1_000_000_000,
      reciter: details.reciter, riwayah: details.riwayah, night: details.night,
      fingerprint: fingerprint)
    return Measured(
      draft: draft, detection: detection, remarks: analyzed.warnings.map(\.description))
  }

  /// Gives the copy of a recording that is entered its name, or takes the entry back.
  private func settle(
    _ copy: FileCopy, as goal: LibraryPath, _ id: Recording.ID
  ) throws(LibraryError) {
    do throws(LibraryError) {
      try copy.keep(as: goal.description)
    } catch {
      do throws(LibraryError) {
        try library.forget(id)
      } catch {
        // Entered for good: the next opening gives the file its name.
        copy.leave()
      }
      throw error
    }
  }

  private func result(of found: Measured, _ boundaryCount: Int) throws(LibraryError) -> Result {
    var remarks = found.remarks
    // The import has been made, so a look round that fails is no failure of it.
    if let twin = try? library.sameSound(as: found.draft.fingerprint, except: found.draft.id) {
      remarks.append(
        "sounds the same as \(twin.id.short) (\(twin.title)), which is already in the library")
    }
    return Result(
      recording: try library.recording(found.draft.id), boundaryCount: boundaryCount,
      remarks: remarks)
  }

  /// The name of a file without its ending.
  static func stem(of path: String) -> String {
    let name = fileName(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name
    }
    return String(decoding: Array(name.utf8[..<dot]), as: UTF8.self)
  }

  /// `.m4a`; nothing where the name ends in what is no usual ending.
  static func ending(of path: String) -> String {
    let name = Array(fileName(of: path).utf8)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    let ending = String(decoding: name[dot...], as: UTF8.self).lowercased()
    let letters = ending.utf8.dropFirst()
    let isUsual =
      (1...5).contains(letters.count)
      && letters.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
    return isUsual ? ending : ""
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path.diskName, nil) else { return path }
    defer { free(real) }
    return String(diskName: real)
  }
}

extension Library {
  /// Takes an entry back.
  fileprivate func forget(_ id: Recording.ID) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "DELETE FROM recording WHERE uuid = ?", arguments: [id.rawValue])
    }
  }
}
