// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Decoding
import Foundation
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

/// A library in a folder of its own, gone with its owner.
final class LibraryFixture: Sendable {
  let temporary: TemporaryFolder
  let library: Library

  static let rate = SampleRate(hertz: 44100)!
  /// Seconds that those wait who write at once: a disk that is slow to keep what others wrote is no reason to give up.
  static let patience = 3600.0
  static let noon = Date(timeIntervalSince1970: 1_700_000_000)

  init(
    named name: String = "library",
    now: @escaping @Sendable () -> Date = { LibraryFixture.noon }
  ) throws {
    temporary = try TemporaryFolder()
    library = try Library(
      at: LibraryFolder(path: temporary.path(name)), patience: Self.patience, now: now)
  }

  var folder: LibraryFolder { library.folder }

  /// The same library, as another process would open it.
  func reopened() throws -> Library { try Library(at: folder, patience: Self.patience) }

  /// Enters a recording whose file is no audio, `seconds` long.
  func enter(
    _ title: String, seconds: Int64 = 60, reciter: Reciter.ID? = nil, riwayah: Riwayah? = nil,
    night: String? = nil, detection: Detection? = nil, levels: [UInt8] = [0]
  ) throws -> Recording {
    let id = Recording.ID.new()
    let path = "Recordings/\(id.rawValue).wav"
    try Data(id.rawValue.utf8).write(to: URL(filePath: folder.path + "/" + path))
    let draft = RecordingDraft(
      id: id, place: .init(path: path, isInPlace: false),
      file: try KnownFile(reading: MediaFile(path: folder.path + "/" + path)),
      media: Recording.MediaFacts(
        container: "WAV", codec: "PCM", rate: Self.rate, channels: 1,
        length: FrameCount(seconds * 44100)),
      title: title, recordedAt: 1_600_000_000, reciter: reciter, riwayah: riwayah, night: night,
      fingerprint: Fingerprint(levels: levels))
    _ = try draft.insert(detection, into: library)
    return try library.recording(id)
  }

  /// An engine on a new recording.
  func engine(
    _ title: String = "night", seconds: Int64 = 60, reciter: Reciter.ID? = nil,
    riwayah: Riwayah? = nil
  ) throws -> AnnotationEngine {
    try AnnotationEngine(
      editing: enter(title, seconds: seconds, reciter: reciter, riwayah: riwayah).id, in: library)
  }

  /// Enters a recording that has published assignments, each confirmed, ten seconds apart.
  @discardableResult
  func publish(
    _ assignments: [Assignment?], title: String = "night", reciter: Reciter.ID? = nil,
    riwayah: Riwayah? = nil, confirming: Bool = true
  ) async throws -> Recording {
    let engine = try engine(
      title, seconds: Int64(assignments.count * 10), reciter: reciter, riwayah: riwayah)
    for number in 1..<max(assignments.count, 1) { try await engine.cut(at: Double(number * 10)) }
    for (index, assignment) in assignments.enumerated() {
      if let assignment { try await engine.assign(index, assignment, confirming: confirming) }
    }
    _ = try await engine.publish(includingUnconfirmed: !confirming)
    await engine.close()
    return await engine.recording
  }

  /// Lets `body` edit a recording that nobody edits before or after.
  func editing<Result: Sendable>(
    _ id: Recording.ID, in library: Library? = nil,
    _ body: (AnnotationEngine) async throws -> Result
  ) async throws -> Result {
    let engine = try AnnotationEngine(editing: id, in: library ?? self.library)
    let result = try await body(engine)
    await engine.close()
    return result
  }

  /// An importer that keeps its waveforms in the fixture too.
  func importer(
    detecting: Bool = true, stopFlag: StopFlag = StopFlag(), cached: Bool = true
  ) -> Importer {
    var importer = Importer(
      into: library,
      analyzer: RecordingAnalyzer(
        threadCount: 1, sidecars: cached ? SidecarFolder(path: temporary.path("cache")) : nil,
        stopFlag: stopFlag), detect: nil)
    if detecting {
      importer.detect = { (envelope: Envelope) throws(AnalysisError) in
        try PauseDetector().detect(in: envelope)
      }
    }
    return importer
  }

  /// Names in one of the library's folders.
  func names(in folder: String) -> [String] { LibraryFolder.contents(of: folder) }

  /// Writes to the database behind the library's back.
  func tamper(_ sql: String, foreignKeys: Bool = false) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = foreignKeys
    try DatabaseQueue(path: folder.database, configuration: configuration).write {
      try $0.execute(sql: sql)
    }
  }

  func count(_ table: String) throws -> Int {
    try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }
}

func seconds(_ seconds: Double) -> FramePosition {
  FramePosition(seconds: seconds, at: LibraryFixture.rate)
}

func span(_ start: Double, _ end: Double) -> Range<FramePosition> { seconds(start)..<seconds(end) }

func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

func ayat(_ first: String, _ last: String) -> AyahRange {
  AyahRange(first: ayah(first), last: ayah(last))!
}

extension AnnotationEngine {
  /// Cuts at a time and returns the marker.
  @discardableResult
  func cut(at time: Double) throws -> MarkerID {
    let id = document.unusedMarkerID
    try apply(
      .addMarker(Marker(id: id, position: seconds(time), origin: .person)))
    return id
  }

  func assign(_ segment: Int, _ assignment: Assignment, confirming: Bool = true) throws {
    try apply(
      .assign(document.segments[segment].id, Attribution(assignment), confirming: confirming))
  }
}

/// Expects a library's error of a kind.
@discardableResult
func expect(
  _ kind: LibraryError.Kind, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> LibraryError? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as LibraryError {
    #expect(error.kind == kind, "\(error)", sourceLocation: sourceLocation)
    #expect(!error.description.contains("\n"), sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}

/// The same of what waits.
@discardableResult
func expect(
  _ kind: LibraryError.Kind, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> LibraryError? {
  var thrown: (any Error)?
  do { try await body() } catch { thrown = error }
  return expect(kind, sourceLocation: sourceLocation) { if let thrown { throw thrown } }
}

/// Tells of each writer that has to wait for another, and lets it wait for as long as it takes.
struct WaitingWriters: Sendable {
  let begun: AsyncStream<Void>
  private let telling: AsyncStream<Void>.Continuation

  init() { (begun, telling) = AsyncStream.makeStream() }

  /// The library, whose writers are told of.
  func open(_ folder: LibraryFolder) throws -> Library {
    let telling = telling
    return try Library(
      at: folder, access: .readWrite, migrator: Schema.migrator,
      whileBusy: { tries in
        if tries == 0 { telling.yield() }
        usleep(1000)
        return true
      })
  }

  /// Waits until so many have begun to wait.
  func wait(for count: Int) async {
    var left = count
    for await _ in begun {
      left -= 1
      if left == 0 { return }
    }
  }
}

/// Somebody who keeps a library locked for writing.
struct BlockingWriter {
  fileprivate let queue: DatabaseQueue

  func release() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
}

func blockingWriter(_ folder: LibraryFolder) throws -> BlockingWriter {
  var configuration = Configuration()
  configuration.allowsUnsafeTransactions = true
  let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
  try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  return BlockingWriter(queue: queue)
}
