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

struct BackupTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }
  var target: LibraryFolder { LibraryFolder(path: fixture.temporary.path("a copy/of it")) }

  init() throws { fixture = try LibraryFixture() }

  @Test func aCopyTakenWhileSomebodyWritesIsOfOneMoment() throws {
    let id = try fixture.enter("night").id
    try library.set("a", to: "0")
    try library.set("b", to: "0")
    let (library, isDone) = (library, Monitor(false))
    let writer = WorkerThread {
      var number = 0
      while !isDone.update({ $0 }) {
        number += 1
        // Both, in one transaction.
        try? library.write { db in
          for key in ["a", "b"] {
            try db.execute(
              sql: "UPDATE setting SET value = ? WHERE key = ?", arguments: ["\(number)", key])
          }
        }
      }
    }
    for round in 0..<8 {
      let path = fixture.temporary.path("copy-\(round).sqlite")
      try library.backUpDatabase(to: path)
      let copy = try DatabaseQueue(path: path)
      let values = try copy.read { try String.fetchAll($0, sql: "SELECT value FROM setting") }
      #expect(values.count == 2 && values[0] == values[1])
      #expect(try copy.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }
    isDone.update { $0 = true }
    writer?.join()
    let path = fixture.temporary.path("copy-0.sqlite")
    expect(.nameTaken) { try library.backUpDatabase(to: path) }
    try library.backUpDatabase(to: path, isReplacing: true)
    #expect(try library.recording(id).id == id)
  }

  @Test func aReaderCanMakeACopyToo() throws {
    try library.addReciter("A")
    let path = fixture.temporary.path("copy.sqlite")
    try Library(at: fixture.folder, access: .readOnly).backUpDatabase(to: path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func saysWhatKeepsItFromWriting() throws {
    expect(.noFolder) { try library.backUpDatabase(to: "/proc/absent/copy.sqlite") }
    expect(.unusable) { _ = try library.backUp(to: fixture.folder) }
    #expect(try library.check() == [])
  }

  @Test func aBackupIsALibraryWithTheSameRecordings() async throws {
    let heard = try await fixture.publish([.ayah(ayah("1:1"))])
    let removed = try fixture.enter("removed")
    try library.remove(removed.id)
    let absent = try fixture.enter("absent")
    unlink(absent.shownPath(in: fixture.folder))
    let failures = try library.backUp(to: target)
    #expect(failures.map(\.0.id) == [absent.id])
    let copy = try Library(at: target)
    #expect(try copy.recording(heard.id) == heard)
    #expect(copy.availability(of: heard) == .available)
    #expect(try copy.annotation(of: heard.id).1 == library.annotation(of: heard.id).1)
    #expect(try copy.resolve(ayah("1:1"))?.recording == heard.id)
    try copy.restore(removed.id)
    #expect(copy.availability(of: removed) == .available)
    try copy.close()
    expect(.cancelled) { _ = try library.backUp(to: target) { _, _ in false } }
  }

  /// A backup of a library that was begun anew, or of another one, would be the end of the only copy.
  @Test func aBackupReplacesNoOtherLibrary() throws {
    let first = try fixture.enter("first")
    _ = try library.backUp(to: target)
    let other = try LibraryFixture()
    for title in [nil, "other"] {
      if let title { _ = try other.enter(title) }
      let before = FileManager.default.contents(atPath: target.database)
      expect(.nameTaken) { _ = try other.library.backUp(to: target) }
      #expect(FileManager.default.contents(atPath: target.database) == before)
    }
    // One that has it too is an older or a newer state of the same.
    _ = try fixture.enter("second")
    _ = try library.backUp(to: target)
    #expect(try Library(at: target).recordings().contains { $0.id == first.id })
    _ = try other.library.backUp(to: target, isReplacing: true)
    #expect(try Library(at: target).recordings().map(\.title) == ["other"])
    // Another program's.
    let foreign = LibraryFolder(path: fixture.temporary.path("foreign"))
    try LibraryFolder.make(foreign.path)
    try DatabaseQueue(path: foreign.database).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
    expect(.nameTaken) { _ = try library.backUp(to: foreign) }
    #expect(
      try DatabaseQueue(path: foreign.database).read { try $0.tableExists("mine") })
  }

  @Test func makingItAgainCopiesOnlyWhatIsNew() throws {
    let first = try fixture.enter("first")
    let removed = try fixture.enter("removed")
    _ = try library.backUp(to: target)
    func inode(_ path: String) -> ino_t {
      var status = stat()
      stat(path, &status)
      return status.st_ino
    }
    let (kept, moved) = (inode(first.shownPath(in: target)), inode(removed.shownPath(in: target)))
    let second = try fixture.enter("second")
    try library.remove(removed.id)
    // Somebody has looked into the backup, and left a log.
    try Library(at: target).addReciter("only there")
    #expect(try library.backUp(to: target).isEmpty)
    #expect(inode(first.shownPath(in: target)) == kept)
    #expect(inode(target.bin + "/\(removed.id.rawValue).wav") == moved)
    let copy = try Library(at: target)
    #expect(try copy.reciters().isEmpty)
    #expect(try Set(copy.recordings().map(\.id)) == [first.id, second.id])
    #expect(try copy.check(isThorough: true) == [])
  }

  /// What became of several who did the same at once.
  private func atOnce(
    _ count: Int, _ body: @escaping @Sendable (Library) throws -> Void
  ) async throws -> [LibraryError?] {
    let folder = fixture.folder
    return try await withThrowingTaskGroup(of: LibraryError?.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await onAThread {
            do {
              try body(Library(at: folder, patience: LibraryFixture.patience))
              return nil
            } catch {
              return error as? LibraryError
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func ofSeveralBackupsToOneFolderAtOnceOneWinsAndTheOthersSayWhy() async throws {
    let recordings = try (0..<6).map { try fixture.enter("night \($0)") }
    let target = target
    var wins = 0
    for _ in 0..<(Harness.isThorough ? 45 : 6) {
      let outcomes = try await atOnce(3) { _ = try $0.backUp(to: target) }
      #expect(outcomes.contains { $0 == nil })
      for error in outcomes.compactMap({ $0 }) {
        #expect(error.kind == .held && error.detail.contains("another backup"), "\(error)")
      }
      wins += outcomes.count { $0 == nil }
      let copy = try Library(at: target)
      #expect(try copy.recordings().count == recordings.count)
      #expect(try copy.check(isThorough: true) == [])
      try copy.close()
      let left = fixture.names(in: target.path) + fixture.names(in: target.recordings)
      #expect(!left.contains { $0.contains(".part") }, "\(left)")
    }
    #expect(wins > 0)
  }

  @Test func ofSeveralBackupsToOneFileOneWinsUnlessItMayBeReplaced() async throws {
    try library.addReciter("A")
    let path = fixture.temporary.path("copy.sqlite")
    let outcomes = try await atOnce(4) { try $0.backUpDatabase(to: path) }
    #expect(outcomes.count { $0 == nil } == 1)
    #expect(outcomes.compactMap { $0 }.allSatisfy { $0.kind == .nameTaken }, "\(outcomes)")
    let replacing = try await atOnce(4) { try $0.backUpDatabase(to: path, isReplacing: true) }
    #expect(replacing.allSatisfy { $0 == nil }, "\(replacing)")
    let copy = try DatabaseQueue(path: path)
    #expect(
      try await copy.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    #expect(!(try fixture.temporary.contents).contains { $0.contains("part") })
  }

  @Test func aBackupThatIsOpenElsewhereIsNotReplaced() throws {
    _ = try library.backUp(to: target)
    let open = try Library(at: target)
    let error = expect(.held) { _ = try library.backUp(to: target) }
    #expect(error?.detail.contains("open in another program") == true)
    try open.addReciter("only there")
    #expect(try open.reciters().count == 1)
  }

  @Test func whatABackupThatWasKilledHasLeftIsClearedByTheNext() throws {
    let leftover = fixture.temporary.path(".copy.sqlite.part-00c0ffee")
    try Data("half".utf8).write(to: URL(filePath: leftover))
    // One that is being made is locked.
    let path = fixture.temporary.path("copy.sqlite")
    let other = try DatabaseCopy(beside: path)
    #expect(access(leftover, F_OK) != 0)
    try library.backUpDatabase(to: path)
    #expect(try fixture.temporary.contents.count { $0.contains(".part-") } == 1)
    withExtendedLifetime(other) {}
  }

  @Test func aFileThatHasChangedIsNotCopiedOverAGoodOne() throws {
    let recording = try fixture.enter("night")
    _ = try library.backUp(to: target)
    let good = try Data(contentsOf: URL(filePath: recording.shownPath(in: target)))
    try Data(repeating: 7, count: good.count)
      .write(to: URL(filePath: recording.shownPath(in: fixture.folder)))
    _ = try library.backUp(to: target)
    #expect(try Data(contentsOf: URL(filePath: recording.shownPath(in: target))) == good)
    // One that was spoilt there is made anew.
    try good.write(to: URL(filePath: recording.shownPath(in: fixture.folder)))
    try Data(repeating: 8, count: good.count)
      .write(to: URL(filePath: recording.shownPath(in: target)))
    _ = try library.backUp(to: target)
    #expect(try Data(contentsOf: URL(filePath: recording.shownPath(in: target))) == good)
  }
}

struct TimingDatabaseTests {
  let temporary: TemporaryFolder
  var path: String { temporary.path("timings.db") }

  init() throws { temporary = try TemporaryFolder() }

  private func make(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  @Test func readsBackWhatItWrites() throws {
    let entries: [TimingDatabase.Entry] = [
      .init(.basmalah(of: Surah(112)!), milliseconds: 0),
      .init(.ayah(ayah("112:1")), milliseconds: 3210),
      .init(.ayah(ayah("112:2")), milliseconds: 5000),
      .init(.end(of: Surah(112)!), milliseconds: 9999),
      .init(.ayah(ayah("113:1")), milliseconds: 12_000),
    ]
    try TimingDatabase.write(entries.reversed(), to: path)
    #expect(try TimingDatabase.entries(of: path) == entries)
    #expect(try TimingDatabase.entries(of: path, surah: Surah(112)!) == Array(entries.prefix(4)))
    #expect(try temporary.contents == ["timings.db"])
    expect(.nameTaken) { try TimingDatabase.write([], to: path) }
    try TimingDatabase.write([], to: path, isReplacing: true)
    #expect(try TimingDatabase.entries(of: path) == [])
    expect(.noFolder) { try TimingDatabase.write([], to: temporary.path("no/such/place")) }
    // What the app asks for.
    let rows = try DatabaseQueue(path: path).read {
      try Row.fetchAll(
        $0, sql: "SELECT property, value FROM properties WHERE property = 'schema_version'")
    }
    #expect(rows.count == 1)
  }

  @Test func wordsMakeItAnotherSchema() throws {
    let entries: [TimingDatabase.Entry] = [
      .init(.ayah(ayah("1:1")), milliseconds: 0, words: "1:0:400,2:400:900"),
      .init(.end(of: Surah(1)!), milliseconds: 900, words: ""),
    ]
    try TimingDatabase.write(entries, to: path)
    #expect(try TimingDatabase.entries(of: path) == entries)
    let version = try DatabaseQueue(path: path).read {
      try String.fetchOne($0, sql: "SELECT value FROM properties WHERE property = 'schema_version'")
    }
    #expect(version == "2")
  }

  @Test func acceptsNumbersWrittenAsText() throws {
    try make(
      "CREATE TABLE timings (sura, ayah, time); INSERT INTO timings VALUES ('1', 2.0, '3000')")
    #expect(
      try TimingDatabase.entries(of: path) == [.init(.ayah(ayah("1:2")), milliseconds: 3000)])
  }

  @Test(arguments: [
    "('x', 1, 0)", "(1, 1, 'soon')", "(1, 1, '')", "(0, 1, 0)", "(115, 1, 0)", "(1, 8, 0)",
    "(1, -1, 0)",
    "(1, 1, -1)", "(NULL, 1, 0)", "(1, NULL, 0)", "(1, 1, NULL)", "(1, 1, x'00')", "(1, 1, 1.5)",
    "(1, 1, 1e300)", "(9223372036854775807, 1, 0)", "(1, '1; DROP TABLE timings', 0)",
  ])
  func refusesRowsThatSayNothing(_ row: String) throws {
    try make("CREATE TABLE timings (sura, ayah, time); INSERT INTO timings VALUES \(row)")
    let error = expect(.unusable) { _ = try TimingDatabase.entries(of: path) }
    #expect(error?.description.contains("timings") == true)
  }

  @Test(arguments: [
    "CREATE TABLE other (x)", "CREATE TABLE timings (a, b)",
    "CREATE VIEW timings AS SELECT 1 AS sura, 1 AS ayah, 1 AS time",
    "CREATE TABLE timings (sura, ayah, time AS (1/0), x)",
  ])
  func refusesDatabasesOfAnotherKind(_ sql: String) throws {
    try make(sql)
    if sql.contains("AS (1/0)") { try make("INSERT INTO timings (sura, ayah) VALUES (1, 1)") }
    expect(.unusable) { _ = try TimingDatabase.entries(of: path) }
  }

  @Test func doesNotReadAMillionRows() throws {
    try make(
      """
      CREATE TABLE timings (sura, ayah, time);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
      INSERT INTO timings SELECT 1, 1, i FROM n
      """)
    let error = expect(.unusable) { _ = try TimingDatabase.entries(of: path) }
    #expect(error?.detail.contains("more rows") == true)
  }

  @Test func refusesWhatIsNoDatabase() throws {
    expect(.noFolder) { _ = try TimingDatabase.entries(of: path) }
    try temporary.write(Array("no database, but text that is long enough".utf8), to: "timings.db")
    expect(.unusable) { _ = try TimingDatabase.entries(of: path) }
    try temporary.write([], to: "timings.db")
    expect(.unusable) { _ = try TimingDatabase.entries(of: path) }
  }
}
