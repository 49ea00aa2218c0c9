// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import CStore
import Foundation
import GRDB
import Glibc
import Quran
import TestSupport
import Testing

@testable import Library

/// Libraries that somebody made so that they lead to what is not theirs.
struct OutsideTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }
  var folder: LibraryFolder { fixture.folder }
  /// A file of somebody else's beside the library, and one beside the backup.
  var victims: [String] { ["victim.wav", "deep/victim.wav"].map { fixture.temporary.path($0) } }
  var target: LibraryFolder { LibraryFolder(path: fixture.temporary.path("deep/backup")) }
  private let precious = Data("precious".utf8)

  init() throws {
    fixture = try LibraryFixture()
    try LibraryFolder.make(fixture.temporary.path("deep"))
    for victim in victims { try precious.write(to: URL(filePath: victim)) }
  }

  private func expectNoHarm(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for victim in victims {
      #expect(
        try Data(contentsOf: URL(filePath: victim)) == precious, sourceLocation: sourceLocation)
    }
  }

  /// Says of a recording what the library itself refuses to say.
  private func craft(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.database)
    let triggers = try queue.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'recording'"
      ).map { (name: $0["name"] as String, sql: $0["sql"] as String) }
    }
    #expect(triggers.count == 4)
    try queue.write { db in
      for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger.name)") }
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)")
      for trigger in triggers { try db.execute(sql: trigger.sql) }
    }
  }

  static let paths = [
    "../victim.wav", "Recordings/../../victim.wav", "Bin/../../victim.wav",
    "Recordings/../library.sqlite", "library.sqlite", "Locks/library.open", "Recordings/..",
    "Recordings/.", "Recordings/", "Recordings", "Recordings//victim.wav", "Recordings/a/b.wav",
    "./victim.wav", " ", "recordings/x.wav",
  ]

  @Test(arguments: paths) func aPathThatIsNoCopysLeadsNowhere(_ path: String) async throws {
    let recording = try fixture.enter("night")
    let other = try fixture.enter("removed")
    try library.remove(other.id)
    try craft("UPDATE recording SET path = '\(path)', isInPlace = 0 WHERE id = \(recording.rowID)")
    try craft(
      "UPDATE recording SET path = '\(path) ', isInPlace = 0 WHERE id = \(other.rowID)")
    let crafted = try library.recording(recording.id)
    #expect(library.availability(of: crafted) == .unavailable(.outside))
    expect(.outside) { _ = try library.file(of: crafted) }
    let problems = try library.check()
    #expect(problems.contains { $0.severity == .error && $0.message.contains(path) }, "\(problems)")
    let failures = try library.backUp(to: target)
    #expect(failures.contains { $0.0.id == recording.id && $0.1.kind == .outside })
    try library.remove(recording.id)
    #expect(try library.emptyBin() == 2)
    try expectNoHarm()
    #expect(try library.recordings().isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.database))
    #expect(FileManager.default.fileExists(atPath: folder.useLock))
  }

  @Test func aFileLeftInItsPlaceIsReadThereAndNeverWrittenOrRemoved() throws {
    let recording = try fixture.enter("night")
    try craft("UPDATE recording SET path = '\(victims[0])', isInPlace = 1")
    let inPlace = try library.recording(recording.id)
    #expect(try library.file(of: inPlace) == victims[0])
    _ = try library.backUp(to: target)
    try library.remove(recording.id)
    #expect(try library.emptyBin() == 1)
    try expectNoHarm()
    // An absolute path that says it is a copy, and a relative one that says it is none.
    for sql in ["path = '\(victims[0])', isInPlace = 0", "path = 'victim.wav', isInPlace = 1"] {
      let next = try fixture.enter("next")
      try craft("UPDATE recording SET \(sql) WHERE id = \(next.rowID)")
      #expect(try library.availability(of: library.recording(next.id)) == .unavailable(.outside))
      #expect(try library.check().contains { $0.message.contains("leads out") })
      try library.remove(next.id)
      try library.restore(next.id)
      try library.remove(next.id)
      #expect(try library.emptyBin() == 1)
      try expectNoHarm()
    }
  }

  @Test func theSchemaRefusesPathsThatLeadOutAndIDsThatAreNone() throws {
    let recording = try fixture.enter("night")
    let quoted = Self.paths + ["/etc/passwd"]
    for path in quoted {
      #expect(throws: DatabaseError.self, "\(path)") {
        try fixture.tamper("UPDATE recording SET path = '\(path)', isInPlace = 0")
      }
    }
    #expect(throws: DatabaseError.self) { try fixture.tamper("UPDATE recording SET uuid = 'x'") }
    #expect(throws: DatabaseError.self) {
      try fixture.tamper(
        """
        INSERT INTO recording (uuid, title, path, isInPlace, fileSize, fileModified, probe,
          contentHash, container, codec, rate, channels, length, importedAt, riwayah)
        SELECT '../../../../../../../../../../tmp/x1', title, 'Recordings/x.wav', 0, 1, 1, probe,
          contentHash, container, codec, rate, channels, length, importedAt, riwayah FROM recording
        """)
    }
    #expect(try library.recording(recording.id) == recording)
  }

  @Test func anIDThatIsAPathNamesNoFile() throws {
    let recording = try fixture.enter("night")
    let id = Recording.ID(rawValue: "../../deep/././././././././././././x")
    #expect(id.rawValue.utf8.count == 36)
    try craft("UPDATE recording SET uuid = '\(id)'")
    expect(.damaged) { try library.remove(id) }
    expect(.damaged) { _ = try AnnotationEngine(editing: id, in: library) }
    expect(.damaged) { _ = try RecordingArrival(of: library.recording(id), in: library) }
    #expect(library.holder(of: id) == nil)
    #expect(try library.check().contains { $0.message.contains("not a UUID") })
    #expect(try fixture.temporary.contents == ["deep", "library", "victim.wav"])
    #expect(LibraryFolder.contents(of: fixture.temporary.path("deep")) == ["victim.wav"])
    _ = recording
  }

  /// Puts a folder of the library elsewhere, with a link in its place.
  private func link(_ name: String) throws -> String {
    let elsewhere = fixture.temporary.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let path = folder.path + "/" + name
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: elsewhere)
      try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
    }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    return elsewhere
  }

  @Test(arguments: ["Recordings", "Locks"]) func aFolderThatIsALinkOutIsNotWritten(
    _ name: String
  ) throws {
    let recording = try fixture.enter("night")
    let elsewhere = try link(name)
    let before = LibraryFolder.contents(of: elsewhere)
    if name == "Recordings" {
      try precious.write(to: URL(filePath: elsewhere + "/.import-victim"))
      #expect(library.availability(of: recording) == .unavailable(.outside))
      expect(.outside) { _ = try library.recoverFiles() }
      #expect(FileManager.default.fileExists(atPath: elsewhere + "/.import-victim"))
      unlink(elsewhere + "/.import-victim")
    }
    #expect(
      try library.check().contains { $0.subject == name && $0.message.contains("leads out") })
    expect(.outside) { _ = try Library(at: folder) }
    #expect(LibraryFolder.contents(of: elsewhere) == before)
  }

  @Test func listsInAFolderThatIsALinkOutAreNotTouched() throws {
    let elsewhere = try link("Playlists")
    try precious.write(to: URL(filePath: elsewhere + "/mine.toml"))
    expect(.outside) { _ = try library.listNames() }
    expect(.outside) { try library.keepList([1], named: "evil", isReplacing: true) }
    #expect(try library.list(named: "mine") == nil)
    #expect(try !library.removeList(named: "mine"))
    #expect(LibraryFolder.contents(of: elsewhere) == ["mine.toml"])
    #expect(try Data(contentsOf: URL(filePath: elsewhere + "/mine.toml")) == precious)
  }

  @Test(arguments: ["Playlists", "Learnt", "Sources", "Backups", "Bin"])
  func aFolderThatIsALinkOutIsNamed(_ name: String) throws {
    _ = try link(name)
    #expect(
      try library.check().contains { $0.subject == name && $0.message.contains("leads out") })
  }

  @Test func aSourceWhoseIDIsAPathHasNoFolderAndNoLock() throws {
    let source = try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses("https://example.org/{surah:3}{ayah:3}.mp3"))
    let id = "../../deep/././././././././././././x"
    #expect(throws: DatabaseError.self) {
      try fixture.tamper("UPDATE source SET uuid = '\(id)'")
    }
    #expect(throws: DatabaseError.self) {
      try fixture.tamper(
        "INSERT INTO sourceFile (sourceID, name, ayah, url, bytes, hash, fetchedAt)"
          + " VALUES (\(source.id.rawValue), '../x.mp3', 1, 'u', 1, zeroblob(16), 1)")
    }
    try fixture.tamper(
      "DROP TRIGGER sourceKeepsItsID; DROP TRIGGER sourceFileHasAName;"
        + "UPDATE source SET uuid = '\(id)';"
        + "INSERT INTO sourceFile (sourceID, name, ayah, url, bytes, hash, fetchedAt)"
        + " VALUES (\(source.id.rawValue), '../x.mp3', 1, 'u', 1, zeroblob(16), 1)")
    let crafted = try #require(try library.sources().first)
    #expect(library.fetchedFolder(of: crafted) == nil)
    expect(.damaged) { _ = try library.lock(crafted) }
    let problems = try library.check().filter { $0.subject == "Net" }.map(\.message)
    #expect(problems.contains { $0.contains("not a UUID") })
    #expect(problems.contains { $0.contains("../x.mp3") })
    try library.removeSource(crafted)
    #expect(try fixture.temporary.contents == ["deep", "library", "victim.wav"])
    #expect(LibraryFolder.contents(of: fixture.temporary.path("deep")) == ["victim.wav"])
  }

  @Test func aBinThatIsALinkOutGetsNothing() throws {
    let recording = try fixture.enter("night")
    let elsewhere = try link("Bin")
    expect(.outside) { try library.remove(recording.id) }
    #expect(LibraryFolder.contents(of: elsewhere).isEmpty)
    #expect(try library.recording(recording.id).removedAt == nil)
  }

  @Test func aBackupFolderWhoseRecordingsAreALinkOutGetsNothing() throws {
    _ = try fixture.enter("night")
    let elsewhere = fixture.temporary.path("elsewhere")
    try LibraryFolder.make(elsewhere)
    try LibraryFolder.make(target.path)
    try FileManager.default.createSymbolicLink(
      atPath: target.recordings, withDestinationPath: elsewhere)
    expect(.outside) { _ = try library.backUp(to: target) }
    #expect(LibraryFolder.contents(of: elsewhere).isEmpty)
  }

  @Test func aCopyThatIsALinkOutIsNotReadAndOnlyTheLinkGoes() throws {
    let recording = try fixture.enter("night")
    let path = recording.shownPath(in: folder)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victims[0])
    #expect(library.availability(of: recording) == .unavailable(.outside))
    expect(.outside) { _ = try library.file(of: recording) }
    #expect(try library.check().first?.message.contains("leads out") == true)
    #expect(try library.backUp(to: target).first?.1.kind == .outside)
    try library.remove(recording.id)
    try library.emptyBin()
    try expectNoHarm()
    #expect(LibraryFolder.contents(of: folder.bin).isEmpty)
  }

  @Test func aDatabaseThatIsALinkOutIsNotOpened() throws {
    try library.close()
    let elsewhere = fixture.temporary.path("theirs.sqlite")
    try FileManager.default.moveItem(atPath: folder.database, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder.database, withDestinationPath: elsewhere)
    expect(.outside) { _ = try Library(at: folder) }
    expect(.outside) { _ = try Library(at: folder, access: .readOnly) }
  }

  @Test func aCutOffRecordingThatIsALinkIsNotTakenIn() throws {
    try LibraryFolder.make(folder.captures)
    try FileManager.default.createSymbolicLink(
      atPath: folder.captures + "/night.flac", withDestinationPath: victims[0])
    #expect(library.cutOffRecordings().isEmpty)
    // Nor is it written through, should it lead to nothing yet.
    let slot = try RecordingSlot("night", in: library)
    #expect(slot.path == folder.captures + "/night-2.flac")
  }

  // MARK: The calls of the system

  /// What a path says beneath a folder, by the kernel and by the walk of older ones.
  @Test(arguments: [
    ("inside.txt", true, true), ("sub/inside.txt", true, true), ("sub/../inside.txt", true, false),
    ("link to inside", true, false), ("sub/link up", true, false), ("../outside.txt", false, false),
    ("sub/../../outside.txt", false, false), ("link out", false, false),
    ("link to the folder above/outside.txt", false, false), ("proc/self/root/etc", false, false),
    ("", false, false), ("absent", false, false), ("sub/absent/x", false, false),
  ]) func opensNothingButWhatLiesBeneath(_ path: String, byCall: Bool, byWalk: Bool) throws {
    let root = fixture.temporary.path("root")
    try FileManager.default.createDirectory(
      atPath: root + "/sub", withIntermediateDirectories: true)
    for name in ["root/inside.txt", "root/sub/inside.txt", "outside.txt"] {
      try fixture.temporary.write([1], to: name)
    }
    for (name, goal) in [
      ("link to inside", "sub/inside.txt"), ("sub/link up", "../inside.txt"),
      ("link out", fixture.temporary.path("outside.txt")), ("link to the folder above", ".."),
      ("proc", "/proc"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: root + "/" + name, withDestinationPath: goal)
    }
    let folder = Descriptor(open(root, O_RDONLY | O_DIRECTORY))
    #expect((Descriptor(beneath_open(folder.number, path, O_RDONLY, 0)).number >= 0) == byCall)
    #expect((Descriptor(beneath_walk(folder.number, path, O_RDONLY, 0)).number >= 0) == byWalk)
    for absolute in [root + "/inside.txt", "/etc/passwd"] {
      #expect(beneath_open(folder.number, absolute, O_RDONLY, 0) < 0)
      #expect(beneath_walk(folder.number, absolute, O_RDONLY, 0) < 0)
      #expect(errno == EXDEV)
    }
  }
}
