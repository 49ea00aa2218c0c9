// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
import Glibc
import Quran
import TestSupport
import Testing

@testable import Library

struct BinTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  @Test func aRemovedRecordingComesBackWhole() async throws {
    let recording = try await fixture.publish([.ayah(ayah("1:1")), .unused(.ruku)])
    let document = try library.annotation(of: recording.id).1
    let history = try library.history(of: recording, limit: 10).edits
    let sources = try library.sources(of: ayah("1:1"))
    try library.remove(recording.id)
    try library.remove(recording.id)
    #expect(try library.recordings().isEmpty)
    var filter = RecordingFilter()
    filter.isRemoved = true
    #expect(try library.recordings(filter).map(\.removedAt) == [LibraryFixture.noon])
    #expect(fixture.names(in: fixture.folder.recordings) == [])
    #expect(fixture.names(in: fixture.folder.bin) == [recording.id.rawValue + ".wav"])
    #expect(try library.check() == [])
    try library.restore(recording.id)
    try library.restore(recording.id)
    #expect(try library.recording(recording.id) == recording)
    #expect(try library.annotation(of: recording.id).1 == document)
    #expect(try library.history(of: recording, limit: 10).edits == history)
    #expect(try library.sources(of: ayah("1:1")) == sources)
    #expect(library.availability(of: recording) == .available)
  }

  @Test func whatIsBeingEditedIsNotRemoved() throws {
    let engine = try fixture.engine()
    let id = try library.recordings()[0].id
    expect(.held) { try library.remove(id) }
    #expect(try library.recordings().count == 1)
    withExtendedLifetime(engine) {}
  }

  @Test func emptyingForgetsEverythingOfWhatIsInTheBinAndNothingElse() async throws {
    let kept = try await fixture.publish([.ayah(ayah("1:1"))], title: "kept")
    let gone = try await fixture.publish([.ayah(ayah("1:2"))], title: "gone")
    let inPlace = try fixture.temporary.copy(of: "aiff-s16.aiff")
    var details = Importer.Details()
    details.isInPlace = true
    details.night = "lonely"
    let left = try fixture.importer().importFile(inPlace, details).recording
    let rows = try ["marker", "journal", "segment", "passage", "fingerprint"].map {
      try library.read { [table = $0] db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(table) WHERE recordingID = \(kept.rowID)") ?? 0
      }
    }
    for id in [gone.id, left.id] { try library.remove(id) }
    #expect(try library.emptyBin() == 2)
    #expect(try library.emptyBin() == 0)
    expect(.noSuchRecording) { _ = try library.recording(gone.id) }
    #expect(fixture.names(in: fixture.folder.bin) == [])
    #expect(FileManager.default.fileExists(atPath: inPlace), "a file in its place is the person's")
    #expect(try fixture.count("night") == 0)
    #expect(
      try ["marker", "journal", "segment", "passage", "fingerprint"].map { try fixture.count($0) }
        == rows)
    #expect(!fixture.names(in: fixture.folder.locks).contains { $0.hasPrefix(gone.id.rawValue) })
    #expect(try library.check() == [])
  }

  @Test func aFileThatHasNotArrivedNeedNotMove() throws {
    let recording = try fixture.enter("night")
    unlink(recording.shownPath(in: fixture.folder))
    try library.remove(recording.id)
    try library.restore(recording.id)
    #expect(library.availability(of: recording) == .remoteOnly)
  }
}

struct NightAndReciterTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func change(_ id: Recording.ID, _ body: (inout RecordingChanges) -> Void) throws {
    var changes = RecordingChanges()
    body(&changes)
    try library.change(id, changes)
  }

  private func night(_ name: String) throws -> [String] {
    var filter = RecordingFilter()
    filter.night = name
    return try library.recordings(filter).map(\.title)
  }

  @Test func filesOfANightKeepTheirOrderAndCanBeRegrouped() throws {
    let ids = try ["a", "b", "c"].map { try fixture.enter($0, night: "27").id }
    let alone = try fixture.enter("alone").id
    #expect(try night("27") == ["a", "b", "c"])
    try change(ids[2]) { $0.nightOrder = 1 }
    #expect(try night("27") == ["c", "a", "b"])
    #expect(try ids.map { try library.recording($0).night?.order } == [2, 3, 1])
    try change(ids[2]) { $0.nightOrder = 99 }
    #expect(try night("27") == ["a", "b", "c"])
    try change(alone) { $0.night = .some("27") }
    #expect(try night("27") == ["a", "b", "c", "alone"])
    try change(ids[1]) { $0.night = .some("28") }
    #expect(try night("27") == ["a", "c", "alone"] && night("28") == ["b"])
    try change(ids[1]) { $0.night = .some(nil) }
    #expect(try night("28") == [])
    #expect(try fixture.count("night") == 1, "a night without files is forgotten")
    #expect(try library.recordings().map(\.title) == ["b", "a", "c", "alone"])
    expect(.unusable) { try change(ids[0]) { $0.night = .some(" \n") } }
    try change(alone) { $0.nightOrder = 2 }
    #expect(try night("27") == ["a", "alone", "c"])
    try change(ids[1]) { $0.nightOrder = 5 }
    #expect(try library.recording(ids[1]).night == nil)
  }

  @Test func titlesAndDatesCanBeChangedButNotToNothing() throws {
    let id = try fixture.enter("old").id
    try change(id) { $0.title = "  new\u{202e} " }
    #expect(try library.recording(id).title == "new\u{202e}")
    try change(id) { $0.title = " " }
    #expect(try library.recording(id).title == "new\u{202e}")
    try change(id) { $0.recordedAt = Date(timeIntervalSince1970: -5) }
    #expect(try library.recording(id).recordedAt == Date(timeIntervalSince1970: -5))
    expect(.noSuchRecording) { try change(.new()) { $0.title = "x" } }
    expect(.noSuchReciter) { try change(id) { $0.reciter = .some(Reciter.ID(rawValue: 9)) } }
  }

  @Test func recordingsAreFoundByIDPathOrTitle() throws {
    let recording = try fixture.enter("Night of the 27th")
    let twin = try fixture.enter("twice")
    _ = try fixture.enter("Twice")
    func found(_ text: String, _ path: String? = nil) throws -> Recording.ID {
      try library.recording(matching: text, absolutePath: path).id
    }
    #expect(try found(recording.id.rawValue) == recording.id)
    #expect(try found(String(recording.id.rawValue.prefix(13)).uppercased()) == recording.id)
    #expect(try found("night of the 27TH") == recording.id)
    #expect(try found("x", recording.shownPath(in: fixture.folder)) == recording.id)
    expect(.noSuchRecording) { _ = try found("nothing") }
    expect(.noSuchRecording) { _ = try found("%") }
    let error = expect(.ambiguousRecording) { _ = try found("twice") }
    #expect(error?.detail.contains(twin.id.short) == true)
  }

  @Test func recitersHaveNamesThatAreTheirOwnInARiwayah() throws {
    let first = try library.addReciter("  Mahmoud al-Husary ")
    #expect(first.name == "Mahmoud al-Husary" && first.riwayah == .hafs)
    expect(.nameTaken) { try library.addReciter("mahmoud AL-husary") }
    let warsh = try library.addReciter("Mahmoud al-Husary", riwayah: .warsh)
    #expect(try library.reciter(named: "mahmoud al-husary (WARSH)") == warsh)
    #expect(try library.reciter(named: "Mahmoud al-Husary", riwayah: .hafs) == first)
    expect(.ambiguousRecording) { _ = try library.reciter(named: "Mahmoud al-Husary") }
    expect(.noSuchReciter) { _ = try library.reciter(named: "nobody") }
    let other = expect(.unusable) {
      _ = try library.reciter(named: "Mahmoud al-Husary", riwayah: .qalun)
    }
    #expect(other?.description.contains("recites Hafs") == true, "\(other as Any)")
    expect(.unusable) { try library.addReciter(" \t") }
    var renamed = warsh
    renamed.riwayah = .hafs
    expect(.nameTaken) { try library.update(renamed) }
    renamed.name = "Other"
    try library.update(renamed)
    #expect(try fixture.reopened().reciter(named: "other") == renamed)
    try library.removeReciter(warsh.id)
    expect(.noSuchReciter) { try library.update(renamed) }
    #expect(try library.reciters() == [first])
  }

  @Test func theOrderOfRecitersIsThePersons() throws {
    let ids = try ["a", "b", "c", "d"].map { try library.addReciter($0).id }
    func order() throws -> [String] { try library.reciters().map(\.name) }
    #expect(try order() == ["a", "b", "c", "d"])
    try library.move(ids[3], toPlace: 1)
    #expect(try order() == ["a", "d", "b", "c"])
    try library.move(ids[0], toPlace: 99)
    #expect(try order() == ["d", "b", "c", "a"])
    try library.move(ids[2], toPlace: -5)
    #expect(try order() == ["c", "d", "b", "a"])
    try library.move(Reciter.ID(rawValue: 99), toPlace: 0)
    #expect(try order() == ["c", "d", "b", "a"])
    try library.addReciter("e")
    #expect(try order().last == "e")
  }

  @Test func settingsAndListeningSessionsSurviveReopening() throws {
    try library.set("volume", to: "0.5")
    try library.set("volume", to: "0.7")
    try library.set("gone", to: "x")
    try library.set("gone", to: nil)
    #expect(try fixture.reopened().setting("volume") == "0.7")
    #expect(try library.settings().map(\.key) == ["volume"])
    let first = try library.beginListening(request: "{}", position: "1")
    for _ in 0..<25 { _ = try library.beginListening(request: "{}", position: "2") }
    let last = try library.beginListening(request: "{\"a\":1}", position: "3")
    #expect(try library.updateListening(last, from: "3", to: "4"))
    // Who does not know of it changes nothing.
    #expect(try !library.updateListening(last, from: "3", to: "5", request: "{}"))
    #expect(try library.listeningSessions().first?.request == "{\"a\":1}")
    let sessions = try fixture.reopened().listeningSessions()
    #expect(sessions.count == 20 && !sessions.contains { $0.id == first })
    #expect(sessions.first?.position == "4")
    try library.endListening(last)
    #expect(try library.listeningSessions().count == 19)
  }
}

struct CheckTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func problems(isThorough: Bool = false) throws -> [String] {
    try library.check(isThorough: isThorough).map { "\($0.severity) \($0.message)" }
  }

  @Test func findsNothingInALibraryThatIsWell() async throws {
    try await fixture.publish([.ayah(ayah("1:1")), nil])
    try library.remove(try fixture.enter("gone").id)
    let engine = try fixture.engine()
    try await engine.cut(at: 3)
    try await engine.undo()
    #expect(try library.check(isThorough: true) == [])
  }

  @Test func findsFilesThatBelongToNothing() throws {
    for folder in [fixture.folder.recordings, fixture.folder.bin] {
      try LibraryFolder.make(folder)
      try Data("x".utf8).write(to: URL(filePath: folder + "/stray.wav"))
      try Data("x".utf8).write(to: URL(filePath: folder + "/.stfolder"))
    }
    #expect(try library.check().map(\.subject) == ["Recordings/stray.wav", "Bin/stray.wav"])
    #expect(try library.check().allSatisfy { $0.severity == .warning })
  }

  @Test func findsFilesThatAreMissing() throws {
    unlink(try fixture.enter("a").shownPath(in: fixture.folder))
    let removed = try fixture.enter("b")
    try library.remove(removed.id)
    unlink(fixture.folder.bin + "/\(removed.id.rawValue).wav")
    let found = try problems()
    #expect(found.count == 2 && found.allSatisfy { $0.hasPrefix("warning") })
    #expect(found.contains { $0.contains("is not here") } && found.contains { $0.contains("bin") })
  }

  @Test func readingEachFileThroughFindsOneByteThatChanged() throws {
    let path = try fixture.temporary.copy(of: "m4a-aac.m4a")
    let recording = try fixture.importer(detecting: false).importFile(path).recording
    let copy = recording.shownPath(in: fixture.folder)
    var bytes = try Data(contentsOf: URL(filePath: copy))
    bytes[5000] ^= 1
    let handle = try #require(FileHandle(forWritingAtPath: copy))
    try handle.write(contentsOf: bytes)
    var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
    for index in times.indices {
      times[index].tv_sec = Int(recording.file.modified / 1_000_000_000)
      times[index].tv_nsec = Int(recording.file.modified % 1_000_000_000)
    }
    utimensat(AT_FDCWD, copy, &times, 0)
    #expect(try problems() == [])
    #expect(
      try problems(isThorough: true).first?.contains("content of its file has changed") == true)
    expect(.cancelled) { _ = try library.check(isThorough: true) { _ in false } }
  }

  @Test(arguments: [
    (
      "UPDATE journal SET change = '{\"first\":0,\"old\":[],\"new\":[]}' WHERE sequence = 1",
      "lead back"
    ),
    ("UPDATE journal SET change = '{}' WHERE sequence = 2", "cannot be read"),
    (
      "UPDATE journal SET change = (SELECT change FROM journal WHERE sequence = 1) WHERE sequence = 2",
      "does not match its annotation"
    ),
    (
      "UPDATE journal SET change = (SELECT change FROM journal WHERE sequence = 1) WHERE sequence = 3",
      "does not match its annotation"
    ),
    ("DELETE FROM journal WHERE sequence = 2", "lead back"),
    (
      "UPDATE marker SET assignment = '{\"kind\":\"ayah\",\"ayah\":\"2:900\"}', assignmentOrigin = 'person' WHERE id = 1",
      "cannot be read"
    ),
    ("DELETE FROM marker WHERE id = 0", "cannot be read"),
  ]) func findsAnAnnotationOrAJournalThatWasBroken(_ sql: String, _ words: String) async throws {
    let engine = try fixture.engine()
    for time in [10.0, 20, 30] { try await engine.cut(at: time) }
    try await engine.undo()
    try fixture.tamper(sql)
    let found = try problems()
    #expect(found.count == 1 && found[0].hasPrefix("error") && found[0].contains(words), "\(found)")
  }

  @Test func saysNothingOfWhatOthersAreDoingMeanwhile() async throws {
    let fixture = self.fixture
    let edited = try fixture.enter("edited")
    let moved = try fixture.enter("moved")
    let isDone = Monitor(false)
    let sound = FixtureFolder.path("wav-f32-22k-mono.wav")
    let importer = fixture.importer(detecting: false)
    async let edits: Void = {
      try await fixture.editing(edited.id, in: fixture.reopened()) { engine in
        var steps = RandomSteps(seed: 4)
        while !isDone.update({ $0 }) {
          do throws(LibraryError) {
            switch steps.next(for: await engine.document) {
            case .edit(let edit): try await engine.apply(edit)
            case .undo: _ = try await engine.undo()
            case .redo: _ = try await engine.redo()
            }
          } catch {
            guard case .refused = error.kind else { throw error }
          }
        }
      }
    }()
    async let moves: Void = onAThread {
      let other = try fixture.reopened()
      while !isDone.update({ $0 }) {
        try other.remove(moved.id)
        try other.restore(moved.id)
        let id = try importer.importFile(sound).recording.id
        try importer.library.remove(id)
        try importer.library.emptyBin()
      }
    }
    var found: [LibraryProblem] = []
    for _ in 0..<(Harness.isThorough ? 400 : 25) {
      found += try library.check(isThorough: true)
    }
    isDone.update { $0 = true }
    _ = try await (edits, moves)
    #expect(found == [])
  }

  @Test func findsRowsThatBelongToNothing() throws {
    try fixture.tamper("INSERT INTO fingerprint VALUES (77, x'00')")
    #expect(try problems().first?.contains("fingerprint refers to a missing row") == true)
  }

  @Test func aCorruptPageIsReportedAndNotThrown() throws {
    for number in 0..<300 {
      try library.addReciter("Reciter \(number) " + String(repeating: "x", count: 100))
    }
    try library.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try library.close()
    let pages = try DatabaseQueue(path: fixture.folder.database).read {
      try Int.fetchAll(
        $0, sql: "SELECT pageno FROM dbstat WHERE name = 'reciter' AND pagetype = 'leaf'")
    }
    var bytes = try Data(contentsOf: URL(filePath: fixture.folder.database))
    let page = try #require(pages.first)
    for index in (page - 1) * 4096..<page * 4096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: fixture.folder.database))
    let found = try fixture.reopened().check()
    #expect(!found.isEmpty && found.allSatisfy { $0.severity == .error && $0.subject == nil })
  }

  @Test func aTableThatCannotBeReadAtAllIsReportedToo() throws {
    _ = try fixture.enter("night")
    try library.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try library.close()
    let queue = try DatabaseQueue(path: fixture.folder.database)
    let page = try queue.read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'recording'")
    }
    try queue.close()
    var bytes = try Data(contentsOf: URL(filePath: fixture.folder.database))
    let start = (try #require(page) - 1) * 4096
    for index in start..<start + 4096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: fixture.folder.database))
    #expect(try fixture.reopened().check().isEmpty == false)
  }
}
