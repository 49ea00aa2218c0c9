// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

struct OpeningTests {
  let temporary: TemporaryFolder
  var folder: LibraryFolder { LibraryFolder(path: temporary.path("deep/down/library")) }

  init() throws { temporary = try TemporaryFolder() }

  @Test func makesALibraryWhereThereIsNoneWithFoldersForTheUserAlone() throws {
    let library = try Library(at: folder)
    #expect(try library.recordings().isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test func writesThroughToTheDiskAtEveryCommit() throws {
    let library = try Library(at: folder)
    let (journal, synchronous, foreign) = try library.database.writeWithoutTransaction { db in
      (
        try String.fetchOne(db, sql: "PRAGMA journal_mode"),
        try Int.fetchOne(db, sql: "PRAGMA synchronous"),
        try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
      )
    }
    #expect(journal == "wal")
    #expect(synchronous == 2, "2 is FULL")
    #expect(foreign == 1)
  }

  @Test func refusesALibraryOfANewerVersionAndLeavesItUntouched() throws {
    var newer = Schema.migrator
    newer.registerMigration("later") { try $0.execute(sql: "CREATE TABLE later (x)") }
    try Library(at: folder, access: .readWrite, migrator: newer).close()
    let before = try Data(contentsOf: URL(filePath: folder.database))
    #expect(throws: LibraryError.self) { try Library(at: folder) }
    do {
      _ = try Library(at: folder)
    } catch {
      #expect(error.kind == .newer)
    }
    #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
  }

  @Test func bringsAnOldLibraryUpToDateAfterCopyingIt() throws {
    let old = try Library(at: folder)
    try old.addReciter("Mahmoud")
    try old.close()
    var newer = Schema.migrator
    newer.registerMigration("later") { try $0.execute(sql: "CREATE TABLE added (x)") }
    let library = try Library(
      at: folder, access: .readWrite, migrator: newer,
      now: { Date(timeIntervalSince1970: 42) })
    #expect(try library.read { try $0.tableExists("added") })
    let backup = folder.backups + "/library-before-update-42.sqlite"
    let copy = try DatabaseQueue(path: backup)
    #expect(try copy.read { try $0.tableExists("added") } == false)
    #expect(
      try copy.read { try String.fetchAll($0, sql: "SELECT name FROM reciter") } == ["Mahmoud"])
  }

  @Test func addressesOfRecitersBecomeSources() throws {
    let library = try Library(at: folder)
    try library.addReciter("Mahmoud")
    // As a library was before there were sources.
    try library.write { db in
      try db.execute(
        sql: """
          DROP TABLE heard; DROP TABLE sourceSpan; DROP TABLE sourceAbsence;
          DROP TABLE sourceTimingsAbsence; DROP TABLE sourceFile; DROP TABLE source;
          DELETE FROM grdb_migrations
            WHERE identifier IN ('5', '6', '7', '10', '11', '12', '13', '14');
          UPDATE reciter SET baseURL = 'https://example.org/m', fileNamePattern = 'SSSAAA.mp3',
            ayahOffset = -1;
          """)
    }
    try library.close()
    let sources = try Library(at: folder).sources()
    #expect(sources.map(\.name) == ["Mahmoud"])
    #expect(sources[0].place == .addresses("https://example.org/m/{surah:3}{ayah:3}.mp3"))
    #expect(sources[0].ayahOffset == -1 && sources[0].isEnabled && !sources[0].allowsPrivate)
  }

  @Test func timingsThatWereTrustedStayTrusted() throws {
    let library = try Library(at: folder)
    for (name, bytes) in [("Trusted", nil), ("Checked", 9)] as [(String, Int64?)] {
      let source = try library.addSource(
        name, of: nil, riwayah: .hafs, at: .folder("/" + name), timings: "/timings.json")
      try library.replaceSpans(
        of: AyahRange(.first), with: [SourceSpan(.first, 0..<9, bytes: bytes)], in: source.id)
    }
    // As a library was before sources said so.
    try library.write { db in
      try db.execute(
        sql: """
          ALTER TABLE source DROP COLUMN trustsTimings;
          DELETE FROM grdb_migrations WHERE identifier = '13';
          """)
    }
    try library.close()
    let sources = try Library(at: folder).sources()
    #expect(sources.map(\.name) == ["Trusted", "Checked"])
    #expect(sources.map(\.trustsTimings) == [true, false])
  }

  @Test func saysThatAFileIsNoDatabase() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    try Data("not a database, whatever its name may be, and long enough".utf8)
      .write(to: URL(filePath: folder.database))
    expect(.damaged) { _ = try Library(at: folder) }
  }

  @Test func saysThatADatabaseIsAnothersAndDoesNotWriteToIt() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let other = try DatabaseQueue(path: folder.database)
    try other.write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
    try other.close()
    let before = try Data(contentsOf: URL(filePath: folder.database))
    expect(.damaged) { _ = try Library(at: folder) }
    #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
  }

  @Test func findsACorruptPageAndSaysWhatToDo() throws {
    let library = try Library(at: folder)
    for number in 0..<500 { try library.addReciter("Reciter \(number)") }
    try library.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try library.close()
    var bytes = try Data(contentsOf: URL(filePath: folder.database))
    for index in 8192..<bytes.count { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: folder.database))
    expect(.damaged) {
      let broken = try Library(at: folder)
      _ = try broken.reciters()
      _ = try broken.check()
    }
  }

  @Test func readsWithoutWritingWhenAskedTo() throws {
    let library = try Library(at: folder)
    try library.addReciter("Mahmoud")
    let reader = try Library(at: folder, access: .readOnly)
    #expect(try reader.reciters().map(\.name) == ["Mahmoud"])
    expect(.readOnly) { try reader.addReciter("Other") }
  }

  @Test(arguments: [EACCES, EPERM, EROFS])
  func whatMayNotBeWrittenSaysWhatToDo(code: Int32) {
    let error = LibraryError(errno: code, "mkdir", "/library/Sources/id")
    #expect(error.kind == .readOnly)
    #expect(error.cause.hasPrefix("/library/Sources/id: cannot be written (mkdir: "))
    #expect(error.remedy?.contains(code == EROFS ? "mount it" : "ls -ld") == true)
  }

  @Test func saysThatThereIsNothingToReadYet() throws {
    expect(.noFolder) {
      _ = try Library(at: folder, access: .readOnly)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path) == false)
  }

  @Test func waitsForAWriterAndThenSaysThatTheLibraryIsBusy() async throws {
    let library = try Library(at: folder, patience: 0.05)
    let writer = try blockingWriter(folder)
    #expect(try library.reciters().isEmpty, "readers do not wait")
    expect(.busy) { try library.addReciter("Mahmoud") }
    #expect(try Library(at: folder, patience: 0.05).reciters().isEmpty, "nor does opening it")
    let writers = WaitingWriters()
    let patient = try writers.open(folder)
    async let added = onAThread { try patient.addReciter("Mahmoud") }
    await writers.wait(for: 1)
    try writer.release()
    #expect(try await added.name == "Mahmoud")
    #expect(try library.reciters().count == 1)
  }

  @Test func twoThatOpenItAtOnceMakeItOnce() async throws {
    let folder = folder
    let opened = try await withThrowingTaskGroup(of: Library.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await onAThread { try Library(at: folder, patience: LibraryFixture.patience) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try opened[0].addReciter("Mahmoud")
    for library in opened { #expect(try library.reciters().count == 1) }
    let lock = try FileLock(trying: folder.path + "/library.lock")
    expect(.busy) { _ = try Library(at: folder, patience: 0.02) }
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: [
    "with spaces  in it", "quote'd \"twice\" `and`", "what?#anchor%2F%", "file:lib?immutable=1",
    "semi;colon&", "new\nline", "مكتبة", "\u{64b}accent", String(repeating: "n", count: 200),
    "a/" + String(repeating: "deep/", count: 30) + "library",
  ]) func anyFolderNameWillDo(_ name: String) throws {
    let folder = LibraryFolder(path: temporary.path + "/" + name)
    let library = try Library(at: folder)
    try library.addReciter("Mahmoud")
    try library.backUpDatabase(to: folder.path + "/copy of it.sqlite")
    try library.close()
    #expect(try Library(at: folder).reciters().count == 1)
    #expect(try Library(at: folder, access: .readOnly).reciters().count == 1)
    #expect(try Library(at: folder).check() == [])
    #expect(LibraryFolder.contents(of: folder.path).contains("library.sqlite"))
  }

  @Test func saysWhenTheFolderCannotBe() throws {
    let file = try temporary.write([1], to: "file")
    expect(.noFolder) { _ = try Library(at: LibraryFolder(path: file + "/library")) }
    expect(.noFolder) {
      _ = try Library(
        at: LibraryFolder(path: temporary.path + "/" + String(repeating: "n", count: 256)))
    }
    expect(.noFolder) { _ = try Library(at: LibraryFolder(path: "/proc/no/library")) }
  }

  @Test func aClockThatWasSetBackDoesNotCostAnOlderCopy() throws {
    try Library(at: folder).close()
    var migrator = Schema.migrator
    for number in 1...2 {
      migrator.registerMigration("later \(number)") {
        try $0.execute(sql: "CREATE TABLE added\(number) (x)")
      }
      try Library(at: folder, access: .readWrite, migrator: migrator) {
        Date(timeIntervalSince1970: 42)
      }.close()
    }
    #expect(
      LibraryFolder.contents(of: folder.backups)
        == ["library-before-update-42-2.sqlite", "library-before-update-42.sqlite"])
  }

  @Test func canBeMoved() throws {
    let library = try Library(at: folder)
    try library.addReciter("Mahmoud")
    try library.close()
    let elsewhere = LibraryFolder(path: temporary.path("elsewhere"))
    try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere.path)
    #expect(try Library(at: elsewhere).reciters().count == 1)
  }
}
