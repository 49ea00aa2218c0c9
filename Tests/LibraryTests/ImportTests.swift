// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Decoding
import Foundation
import Glibc
import Quran
import TestSupport
import Testing

@testable import Library

struct ImportTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func `import`(
    _ path: String, _ details: Importer.Details = Importer.Details()
  ) throws -> Importer.Result {
    try fixture.importer(detecting: false).importFile(path, details)
  }

  /// Nothing of an import is left.
  private func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(fixture.names(in: fixture.folder.recordings) == [], sourceLocation: sourceLocation)
    #expect(try library.recordings().isEmpty, sourceLocation: sourceLocation)
    #expect(try fixture.count("fingerprint") == 0, sourceLocation: sourceLocation)
  }

  @Test func copiesTheFileByteForByteAndLeavesTheOriginalAlone() throws {
    let path = try fixture.temporary.copy(of: "mp3-tags.mp3")
    let before = try Data(contentsOf: URL(filePath: path))
    let recording = try self.import(path).recording
    #expect(fixture.names(in: fixture.folder.recordings) == [recording.id.rawValue + ".mp3"])
    #expect(recording.place == .library(LibraryPath(.recordings, "\(recording.id.rawValue).mp3")!))
    let copy = recording.shownPath(in: fixture.folder)
    #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(library.availability(of: recording) == .available)
    #expect(try library.check(isThorough: true) == [])
  }

  @Test func keepsWhatTheFileIs() throws {
    let recording = try self.import(FixtureFolder.path("m4a-voice-memo.m4a")).recording
    #expect(recording.media.rate.hertz == 48000 && recording.media.channels == 1)
    #expect(recording.media.length == FrameCount(1_440_230))
    #expect(recording.media.codec == "aac")
    #expect(recording.importedAt == LibraryFixture.noon)
    let read = try fixture.reopened().annotation(of: recording.id)
    #expect(read.0 == recording)
    #expect(read.1.length == FrameCount(1_440_230) && read.1.records.count == 1)
  }

  @Test func takesTitleAndDateFromThePersonThenTheTagsThenTheFile() throws {
    let source = URL(filePath: FixtureFolder.path("wav-s16-8k-mono.wav"))
    let plain = fixture.temporary.path("ليلة ٢٧.wav")
    try Data(contentsOf: source).write(to: URL(filePath: plain))
    var times = [
      timespec(tv_sec: 1_234_567_890, tv_nsec: 0), timespec(tv_sec: 1_234_567_890, tv_nsec: 0),
    ]
    utimensat(AT_FDCWD, plain, &times, 0)
    var details = Importer.Details()
    let untagged = try self.import(plain).recording
    #expect(untagged.title == "ليلة ٢٧")
    #expect(untagged.recordedAt == Date(timeIntervalSince1970: 1_234_567_890))
    let tags = MediaTags(try MediaFile(path: FixtureFolder.path("mp3-tags.mp3")))
    let tagged = try self.import(FixtureFolder.path("mp3-tags.mp3")).recording
    #expect(tags.title != nil && tagged.title == tags.title)
    details.title = "Night 27"
    details.recordedAt = Date(timeIntervalSince1970: 42)
    let told = try self.import(FixtureFolder.path("m4a-alac.m4a"), details).recording
    #expect(told.title == "Night 27" && told.recordedAt == details.recordedAt)
  }

  @Test func takesTheRiwayahFromThePersonThenTheReciter() throws {
    let reciter = try library.addReciter("A", riwayah: .qalun).id
    var details = Importer.Details()
    #expect(
      try self.import(FixtureFolder.path("aiff-s16.aiff"), details).recording.riwayah == .hafs)
    details.reciter = reciter
    let second = try self.import(FixtureFolder.path("caf-pcm.caf"), details).recording
    #expect(second.riwayah == .qalun && second.reciter?.id == reciter)
    details.riwayah = .warsh
    #expect(
      try self.import(FixtureFolder.path("wav-rf64.wav"), details).recording.riwayah == .warsh)
    details.reciter = Reciter.ID(rawValue: 99)
    expect(.noSuchReciter) { _ = try self.import(FixtureFolder.path("m4a-alac.m4a"), details) }
    #expect(try library.recordings().count == 3)
    #expect(fixture.names(in: fixture.folder.recordings).count == 3)
  }

  @Test func refusesTheSameBytesUnderAnotherNameAlsoWhenTheyAreInTheBin() throws {
    let first = try self.import(FixtureFolder.path("aiff-s16.aiff")).recording
    let again = try fixture.temporary.copy(of: "aiff-s16.aiff", as: "other.aiff")
    var error = expect(.alreadyThere) { _ = try self.import(again) }
    #expect(error?.detail.contains(first.id.short) == true)
    var details = Importer.Details()
    details.isInPlace = true
    expect(.alreadyThere) { _ = try self.import(again, details) }
    try library.remove(first.id)
    error = expect(.alreadyThere) { _ = try self.import(again) }
    #expect(error?.detail.contains("bin") == true)
    #expect(fixture.names(in: fixture.folder.recordings) == [])
    try library.emptyBin()
    _ = try self.import(again)
  }

  @Test func remarksThatAnotherEncodingOfTheSameSoundIsThere() throws {
    let first = try self.import(FixtureFolder.path("exact/mono.mp3"))
    #expect(first.remarks == [])
    let second = try self.import(FixtureFolder.path("exact/mono-apple.m4a"))
    #expect(second.remarks.contains { $0.contains(first.recording.id.short) })
    let other = try self.import(FixtureFolder.path("mosque.flac"))
    #expect(other.remarks == [])
  }

  @Test func leavesAFileInItsPlaceWhenToldTo() throws {
    let path = try fixture.temporary.copy(of: "aiff-s16.aiff")
    let link = fixture.temporary.path("link.aiff")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    var details = Importer.Details()
    details.isInPlace = true
    let recording = try self.import(link, details).recording
    #expect(recording.place == .inPlace(Importer.resolved(path)))
    #expect(fixture.names(in: fixture.folder.recordings) == [])
    #expect(library.availability(of: recording) == .available)
    #expect(try library.recording(matching: path, absolutePath: path).id == recording.id)
    // Another content has taken the place of one that is known.
    try Data(contentsOf: URL(filePath: FixtureFolder.path("caf-pcm.caf")))
      .write(to: URL(filePath: path))
    let error = expect(.alreadyThere) { _ = try self.import(path, details) }
    #expect(error?.detail.contains("relink") == true)
  }

  @Test(arguments: MalformedNames.all)
  func badFilesGiveAnErrorOrARecordingAndLeaveNothingElse(_ name: String) throws {
    do {
      let result = try self.import(FixtureFolder.path("malformed/" + name))
      #expect(result.recording.media.length > .zero)
      #expect(fixture.names(in: fixture.folder.recordings).count == 1)
    } catch let error as LibraryError {
      guard case .media = error.kind else { throw error }
      #expect(error.description.contains(name) && !error.description.contains("\n"))
      try expectNothing()
    }
  }

  @Test func whatIsNoFileIsRefusedWithoutWaiting() throws {
    let fifo = fixture.temporary.path("fifo.wav")
    mkfifo(fifo, 0o600)
    var details = Importer.Details()
    for path in [fifo, fixture.temporary.path, fixture.temporary.path("absent.wav"), "/dev/zero"] {
      for isInPlace in [false, true] {
        details.isInPlace = isInPlace
        do {
          _ = try self.import(path, details)
          Issue.record("\(path) was imported")
        } catch let error as LibraryError {
          guard case .media = error.kind else { throw error }
        }
      }
    }
    try expectNothing()
  }

  @Test(arguments: [
    "two\nlines.wav", "\u{1b}[2Jescape.wav", "\u{202e}vaw.evil.wav", "no ending", ".hidden",
    "dots...wav.", "UPPER.WAV", "a.toolongending", "quote'\"`$(x);.wav", "%2F?#.wav",
    "\u{64b}begins with an accent.wav", "صوت.مقطع", String(repeating: "n", count: 251) + ".wav",
    String(repeating: "\u{62a}", count: 127),
  ])
  func anyNameThatAFileCanHaveWillDo(_ name: String) throws {
    let path = fixture.temporary.path + "/" + name
    // By the system's own call: Foundation has opinions about names.
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    let bytes = try Data(contentsOf: URL(filePath: FixtureFolder.path("wav-f32-22k-mono.wav")))
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    let recording = try self.import(path).recording
    #expect(name.hasPrefix(recording.title) && !recording.title.isEmpty)
    let kept = fixture.names(in: fixture.folder.recordings)
    #expect([recording.id.rawValue, recording.id.rawValue + ".wav"].contains(kept.first))
    #expect(library.availability(of: recording) == .available)
    var details = Importer.Details()
    details.isInPlace = true
    try library.remove(recording.id)
    try library.emptyBin()
    let inPlace = try self.import(path, details).recording
    #expect(inPlace.shownPath(in: fixture.folder) == path)
    #expect(try library.recording(matching: path, absolutePath: path) == inPlace)
    #expect(library.availability(of: inPlace) == .available)
  }

  @Test func whatWasDetectedIsTheFirstEditAndCanBeUndone() async throws {
    let result = try fixture.importer().importFile(FixtureFolder.path("flac-44k-stereo.flac"))
    #expect(result.boundaryCount ?? 0 > 3)
    let (recording, document) = try fixture.reopened().annotation(of: result.recording.id)
    #expect(document.markers.count == result.boundaryCount)
    #expect(document.markers.allSatisfy { $0.origin == .detected && !$0.isConfirmed })
    #expect(recording.revision == 1 && recording.status == .none)
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    let entry = try await engine.undo()
    guard case .replaceSuggestions = entry?.edit else {
      Issue.record("\(String(describing: entry))")
      return
    }
    #expect(await engine.document.markers.isEmpty)
    #expect(try await engine.undo() == nil)
    try await engine.redo()
    #expect(await engine.document == document)
  }

  @Test func recordingsOfANightAreOrderedAsTheyCame() throws {
    var details = Importer.Details()
    details.night = "Ramadan 27"
    let first = try self.import(FixtureFolder.path("aiff-s16.aiff"), details).recording
    details.night = " ramadan 27 "
    let second = try self.import(FixtureFolder.path("caf-pcm.caf"), details).recording
    #expect(first.night == Recording.Night(name: "Ramadan 27", order: 1))
    #expect(second.night == Recording.Night(name: "Ramadan 27", order: 2))
    details.night = "  "
    expect(.unusable) { _ = try self.import(FixtureFolder.path("wav-rf64.wav"), details) }
    #expect(fixture.names(in: fixture.folder.recordings).count == 2)
  }

  @Test func aStoppedImportLeavesNothing() throws {
    let stop = StopFlag()
    let importer = fixture.importer(stopFlag: stop)
    stop.stop()
    expect(.cancelled) { _ = try importer.importFile(FixtureFolder.path("mp3-vbr-xing.mp3")) }
    try expectNothing()
    let late = StopFlag()
    expect(.cancelled) {
      _ = try fixture.importer(stopFlag: late).importFile(FixtureFolder.path("mp3-vbr-xing.mp3")) {
        if case .analysing = $0 {
          late.stop()
        } else if case .copying(let share) = $0, share > 0 {
          late.stop()
        }
      }
    }
    try expectNothing()
    var details = Importer.Details()
    details.isInPlace = true
    expect(.cancelled) {
      _ = try importer.importFile(FixtureFolder.path("mp3-vbr-xing.mp3"), details)
    }
    try expectNothing()
  }
}

/// The files of `Fixtures/malformed`.
enum MalformedNames {
  static let all =
    ((try? FileManager.default.contentsOfDirectory(atPath: FixtureFolder.path("malformed"))) ?? [])
    .sorted()
}

/// What processes that were killed leave among the files.
struct FileRecoveryTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }
  var recordings: String { fixture.folder.recordings }

  init() throws { fixture = try LibraryFixture() }

  private func put(_ bytes: String, at path: String) throws {
    try Data(bytes.utf8).write(to: URL(filePath: path))
  }

  @Test func clearsACopyThatWasNeverEntered() throws {
    try put("half", at: recordings + "/.import-\(Recording.ID.new()).mp3")
    #expect(try library.recoverFiles() == (0, 1, 0))
    #expect(fixture.names(in: recordings) == [])
  }

  @Test func theNextOpeningDoesIt() throws {
    try put("half", at: recordings + "/.import-\(Recording.ID.new()).mp3")
    _ = try fixture.reopened()
    #expect(fixture.names(in: recordings) == [])
  }

  @Test func namesACopyThatWasEntered() throws {
    let recording = try fixture.enter("night")
    let path = recording.shownPath(in: fixture.folder)
    let incoming = recordings + "/.import-" + fileName(of: path)
    try FileManager.default.moveItem(atPath: path, toPath: incoming)
    #expect(library.availability(of: recording) != .available)
    #expect(try library.recoverFiles() == (1, 0, 0))
    #expect(library.availability(of: recording) == .available)
    #expect(fixture.names(in: recordings) == [fileName(of: path)])
  }

  @Test func neverTakesHalfACopyForTheRecordingsFile() throws {
    let recording = try fixture.enter("night")
    let path = recording.shownPath(in: fixture.folder)
    try FileManager.default.removeItem(atPath: path)
    try put(
      "half of a file that was to be relinked", at: recordings + "/.import-" + fileName(of: path))
    #expect(try library.recoverFiles() == (0, 1, 0))
    #expect(library.availability(of: recording) == .remoteOnly)
  }

  @Test func letsBeWhatALivingProcessWorksOn() throws {
    let copy = try FileCopy(
      at: "Recordings/.import-\(Recording.ID.new()).mp3", in: fixture.library.files)
    #expect(try library.recoverFiles() == (0, 0, 0))
    #expect(fixture.names(in: recordings).count == 1)
    withExtendedLifetime(copy) {}
  }

  @Test func putsBackWhatWasOnItsWayToTheBin() throws {
    let recording = try fixture.enter("night")
    let (path, name) = (
      recording.shownPath(in: fixture.folder), fileName(of: recording.shownPath(in: fixture.folder))
    )
    try LibraryFolder.make(fixture.folder.bin)
    try FileManager.default.moveItem(atPath: path, toPath: fixture.folder.bin + "/" + name)
    do {
      let lock = try EditLock(recording.id, in: fixture.folder, now: LibraryFixture.noon)
      #expect(try library.recoverFiles() == (0, 0, 0), "whoever moves it has it locked")
      withExtendedLifetime(lock) {}
    }
    _ = try fixture.reopened()
    #expect(library.availability(of: recording) == .available)
    #expect(fixture.names(in: fixture.folder.bin) == [])
  }

  @Test func putsIntoTheBinWhatWasOnItsWayOutOfIt() throws {
    let recording = try fixture.enter("night")
    try library.remove(recording.id)
    let binned = try library.recording(recording.id).shownPath(in: fixture.folder)
    try FileManager.default.moveItem(
      atPath: binned, toPath: recording.shownPath(in: fixture.folder))
    #expect(try library.recoverFiles() == (0, 0, 1))
    #expect(FileManager.default.fileExists(atPath: binned))
    #expect(try library.check() == [])
  }
}
