// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import CStore
import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import Library

/// Each page of the database has a checksum, so that whatever a disk does to it is noticed.
struct ChecksumTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }
  var database: URL { URL(filePath: fixture.folder.database) }

  init() throws { fixture = try LibraryFixture() }

  /// A library with something in every table, whole and closed.
  private func fill() async throws {
    let reciter = try library.addReciter("Mahmoud")
    let heard = try await fixture.publish(
      [.ayah(ayah("1:1")), nil, .ayah(ayah("1:2"))], reciter: reciter.id)
    _ = try fixture.enter(
      "night", night: "The first night", levels: Array(repeating: 9, count: 9000))
    try library.remove(fixture.enter("removed").id)
    try await fixture.editing(heard.id) { engine in
      for number in 1..<40 { try await engine.cut(at: 0.5 + Double(number) * 0.6) }
      for _ in 0..<10 { try await engine.undo() }
    }
    try library.set("a", to: String(repeating: "long ", count: 3000))
    try library.close()
    #expect(!fixture.names(in: fixture.folder.path).contains("library.sqlite-wal"))
  }

  /// What the library holds, table by table.
  private func content(of folder: LibraryFolder) throws -> [[Row]] {
    try Library(at: folder).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
      ).map { try Row.fetchAll(db, sql: "SELECT * FROM \($0)") }
    }
  }

  /// Copies the closed library to a folder of its own and changes the database there.
  private func copy(_ change: (inout Data) -> Void) throws -> LibraryFolder {
    let folder = LibraryFolder(path: fixture.temporary.path("copy"))
    try? FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: fixture.folder.path, toPath: folder.path)
    var bytes = try Data(contentsOf: database)
    change(&bytes)
    try bytes.write(to: URL(filePath: folder.database))
    return folder
  }

  /// The checksum as `cksumvfs` defines it, said once more.
  private func checksum(_ page: Data) -> Data {
    var (first, second): (UInt32, UInt32) = (0, 0)
    let words = page.dropLast(8).withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    for pair in stride(from: 0, to: words.count, by: 2) {
      first &+= UInt32(littleEndian: words[pair]) &+ second
      second &+= UInt32(littleEndian: words[pair + 1]) &+ first
    }
    return withUnsafeBytes(of: first.littleEndian) { Data($0) }
      + withUnsafeBytes(of: second.littleEndian) { Data($0) }
  }

  @Test func everyPageHasTheChecksumOfSQLitesOwnFormat() async throws {
    try await fill()
    let bytes = try Data(contentsOf: database)
    #expect(bytes[20] == 8, "bytes that each page keeps free for it")
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      let page = Data(bytes[start..<start + 4096])
      #expect(page.suffix(8) == checksum(page), "page \(start / 4096 + 1)")
    }
  }

  /// Writes as a program does that knows of no checksums.
  private func writeAsAnother(_ sql: String) throws {
    let queue = try DatabaseQueue(
      path: DatabaseAddress.of(fixture.folder.database, "vfs=unix"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func whatAnotherProgramHasWrittenIsTakenOnlyWhenAskedFor() async throws {
    try await fill()
    try writeAsAnother("UPDATE recording SET title = 'by another' WHERE title = 'night'")
    expect(.damaged) { _ = try Library(at: fixture.folder, access: .readOnly).recordings() }
    let inspected = try Library(at: fixture.folder, access: .inspection)
    let told = try inspected.check().map(\.message)
    #expect(told.contains { $0.contains("check --accept") }, "\(told)")
    let old = try #require(try inspected.acceptContents())
    try inspected.close()
    let opened = try Library(at: fixture.folder)
    #expect(try opened.recordings().contains { $0.title == "by another" })
    #expect(try opened.check().allSatisfy { $0.severity == .warning })
    try opened.close()
    // The old one is as it was, and there is nothing more to take.
    let kept = LibraryFolder(path: fixture.temporary.path("kept"))
    try LibraryFolder.make(kept.path)
    try FileManager.default.copyItem(atPath: old, toPath: kept.database)
    expect(.damaged) { _ = try Library(at: kept, access: .readOnly).recordings() }
    let again = try Library(at: fixture.folder, access: .inspection)
    #expect(try again.acceptContents() == nil)
  }

  @Test func whatIsDamagedOtherwiseIsNotTaken() async throws {
    try await fill()
    try writeAsAnother("UPDATE journal SET change = '{}' WHERE rowid % 3 = 0")
    let inspected = try Library(at: fixture.folder, access: .inspection)
    let before = try Data(contentsOf: database)
    expect(.damaged) { _ = try inspected.acceptContents() }
    #expect(try Data(contentsOf: database) == before)
    #expect(LibraryFolder.contents(of: fixture.folder.backups).isEmpty)
  }

  @Test func anyFlippedBitIsFoundOrIsInAPageThatHoldsNothing() async throws {
    try await fill()
    let before = try content(of: fixture.folder)
    let size = try Data(contentsOf: database).count
    #expect(size > 20 * 4096)
    var (found, seed) = (0, SplitMix64(state: 11))
    let trials = Harness.isThorough ? 3000 : 80
    for trial in 0..<trials {
      // The header's bits one after another, then any.
      let bit = trial < 40 ? trial * 20 : Int(seed.next() % UInt64(size * 8))
      let folder = try copy { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
      do {
        let problems = try Library(at: folder).check(isThorough: true)
        if problems.contains(where: { $0.severity == .error }) {
          found += 1
        } else {
          // SQLite never looks into pages that are free.
          #expect(try content(of: folder) == before, "bit \(bit)")
        }
      } catch let error as LibraryError {
        // Byte 18 and 19 may say that the file is of a newer SQLite's.
        #expect(error.kind == .damaged || error.kind == .readOnly, "bit \(bit): \(error)")
        found += 1
      }
    }
    #expect(found > trials * 9 / 10, "\(found) of \(trials)")
  }

  @Test func aSoundBackupIsNotReplacedByADamagedLibrary() async throws {
    try await fill()
    let target = LibraryFolder(path: fixture.temporary.path("backup"))
    _ = try fixture.reopened().backUp(to: target)
    let file = fixture.temporary.path("backup.sqlite")
    try fixture.reopened().backUpDatabase(to: file)
    let (kept, keptFile) = (
      try Data(contentsOf: URL(filePath: target.database)),
      try Data(contentsOf: URL(filePath: file))
    )
    let size = try Data(contentsOf: database).count
    var seed = SplitMix64(state: 5)
    var refused = 0
    for _ in 0..<(Harness.isThorough ? 500 : 15) {
      let bit = Int(seed.next() % UInt64(size * 8))
      let folder = try copy { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
      do {
        let damaged = try Library(at: folder)
        let isSound = try damaged.check().isEmpty
        do {
          _ = try damaged.backUp(to: target)
          try damaged.backUpDatabase(to: file, isReplacing: true)
          #expect(isSound, "bit \(bit)")
        } catch {
          refused += 1
          #expect(!isSound && error.kind == .damaged, "bit \(bit): \(error)")
          #expect(error.detail.contains("was not changed"))
        }
      } catch {
        continue
      }
      #expect(try Library(at: target, access: .readOnly).check() == [], "bit \(bit)")
      guard try Library(at: folder).check().isEmpty == false else { continue }
      #expect(try Data(contentsOf: URL(filePath: target.database)) == kept)
      #expect(try Data(contentsOf: URL(filePath: file)) == keptFile)
    }
    #expect(refused > 0)
  }

  @Test func readingADamagedPageFailsAndCheckNamesIt() async throws {
    try await fill()
    let page = try await DatabaseQueue(path: fixture.folder.database).read { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'reciter'") ?? 0
    }
    let folder = try copy { bytes in
      let name = bytes.range(of: Data("Mahmoud".utf8))!
      bytes[name.lowerBound] ^= 0x20
      #expect(name.lowerBound / 4096 + 1 == page)
    }
    let damaged = try Library(at: folder)
    let error = expect(.damaged) { _ = try damaged.reciters() }
    #expect(error?.detail.contains("checksum") == true)
    let problems = try damaged.check().map(\.message)
    #expect(problems.contains { $0.contains("page \(page) (reciter)") }, "\(problems)")
    // What lies elsewhere can be used as ever.
    try damaged.set("b", to: "1")
    #expect(try damaged.setting("b") == "1")
  }

  @Test func whatCannotBeOpenedAnyMoreIsLookedThroughAllTheSame() async throws {
    try await fill()
    let path = try Data(contentsOf: database).range(of: Data("Recordings/".utf8))
    let place = try #require(path).lowerBound
    let folder = try copy { bytes in
      // The schema's page, which every opening reads, and a recording's path.
      bytes[40] ^= 1
      bytes[place] ^= 1
    }
    expect(.damaged) { _ = try Library(at: folder) }
    let problems = try Library(at: folder, access: .inspection).check().map(\.message)
    #expect(problems.contains { $0.contains("pages 1 (sqlite_schema)") }, "\(problems)")
    #expect(problems.contains { $0.contains("path Secordings/") }, "\(problems)")
  }

  @Test func aLibraryFromBeforeGetsThemAndKeepsWhatItHolds() throws {
    let folder = LibraryFolder(path: fixture.temporary.path("old"))
    try makeOld(folder)
    let library = try Library(at: folder)
    #expect(try library.reciters().map(\.name) == ["Mahmoud"])
    #expect(try library.check() == [])
    try library.close()
    #expect(try Data(contentsOf: URL(filePath: folder.database))[20] == 8)
    let backups = LibraryFolder.contents(of: folder.backups)
    #expect(backups.count == 1)
    let copy = try DatabaseQueue(path: folder.backups + "/" + backups[0])
    #expect(
      try copy.read { try String.fetchAll($0, sql: "SELECT name FROM reciter") } == ["Mahmoud"])
    #expect(try Data(contentsOf: URL(filePath: copy.path))[20] == 0, "it is as it was")
    #expect(!LibraryFolder.contents(of: folder.path).contains { $0.contains("part") })
  }

  @Test func aLibraryFromBeforeIsLeftAloneWhileAnOlderProgramHasItOpen() throws {
    let folder = LibraryFolder(path: fixture.temporary.path("old"))
    try makeOld(folder)
    let older = try DatabasePool(path: folder.database)
    _ = try older.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reciter") }
    expect(.busy) { _ = try Library(at: folder, patience: 0.05) }
    try older.write { try $0.execute(sql: "UPDATE reciter SET name = 'Muhammad'") }
    try older.close()
    #expect(try Library(at: folder).reciters().map(\.name) == ["Muhammad"])
  }

  /// A library as the versions before made it, open to everybody's eyes.
  private func makeOld(_ folder: LibraryFolder) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let old = try DatabasePool(path: folder.database)
    try Schema.migrator.migrate(old, upTo: "2")
    try old.write {
      try $0.execute(
        sql: "INSERT INTO reciter (name, riwayah, priority) VALUES ('Mahmoud', 'hafs', 1)")
    }
    try old.close()
    chmod(folder.database, 0o644)
  }

  @Test func theFirstOpeningAfterACrashLooksThroughTheDatabase() throws {
    try library.addReciter("Mahmoud")
    // What no checksum tells, being written like this: pages of an index that nobody knows of.
    try fixture.library.close()
    let queue = try DatabaseQueue(path: fixture.folder.database)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'recordingByContent';
          """)
    }
    try queue.close()
    let folder = LibraryFolder(path: fixture.temporary.path("cut off"))
    let open = try Library(at: fixture.folder)
    try open.set("a", to: "in the log")
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: fixture.folder.database + suffix, toPath: folder.database + suffix)
    }
    for _ in 0..<2 {
      let error = expect(.damaged) { _ = try Library(at: folder) }
      #expect(error?.detail.contains("never used") == true, "\(String(describing: error))")
    }
    // Whoever has it open knows it as it was.
    #expect(try open.setting("a") == "in the log")
    #expect(
      try fixture.reopened().setting("a") == "in the log", "it is in use, and nothing crashed")
  }

  @Test func theSchemaIsNotTrusted() throws {
    let (trusted, cells) = try library.database.writeWithoutTransaction { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA trusted_schema"),
        try Int.fetchOne(db, sql: "PRAGMA cell_size_check")
      )
    }
    #expect(trusted == 0)
    #expect(cells == 1)
    #expect(throws: DatabaseError.self, "nor can it be changed behind SQLite's back") {
      try library.database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
      }
    }
    #expect(try library.read { try Int.fetchOne($0, sql: "PRAGMA trusted_schema") } == 0)
  }

  @Test(arguments: [
    "{}", "[]", " [1, -2.5e+10, \"\\u00e9\\n\", true, false, null, {\"a\" : [ ]}] ", "\"\"", "0",
    "-0", "1e5", "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "1.", ".5", "+1",
    "nul", "nulll", "[1] 2", "\"\u{1}\"", "\"\\x\"", "\"\\u12g4\"", "\"open", "{\"a\" 1}", "[1 2]",
    "{\"kind\":\"ayah\",\"ayah\":\"2:1\"}", "{\"قل\":\"هو\"}",
  ]) func jsonIsValidWhereItIsSoForSQLite(_ text: String) throws {
    let sql = "SELECT json_valid(?)"
    let theirs = try DatabaseQueue().read { try Int.fetchOne($0, sql: sql, arguments: [text]) }
    #expect(try library.read { try Int.fetchOne($0, sql: sql, arguments: [text]) } == theirs)
  }

  @Test func jsonThatIsTooDeepIsNotValid() throws {
    func isValid(_ depth: Int) throws -> Int? {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return try library.read {
        try Int.fetchOne($0, sql: "SELECT json_valid(?)", arguments: [text])
      }
    }
    #expect(try isValid(100) == 1)
    #expect(try isValid(100_000) == 0)
  }

  @Test func theDatabaseItsLogAndItsCopiesAreTheUsersAlone() async throws {
    _ = try fixture.enter("night")
    try library.addReciter("Mahmoud")
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
    for suffix in ["", "-wal", "-shm"] { #expect(mode(fixture.folder.database + suffix) == 0o600) }
    let target = LibraryFolder(path: fixture.temporary.path("backup"))
    _ = try library.backUp(to: target)
    try library.backUpDatabase(to: fixture.temporary.path("copy.sqlite"))
    #expect(mode(target.database) == 0o600)
    #expect(mode(fixture.temporary.path("copy.sqlite")) == 0o600)
    let old = LibraryFolder(path: fixture.temporary.path("old"))
    try makeOld(old)
    #expect(mode(old.database) == 0o644)
    try Library(at: old).close()
    #expect(mode(old.database) == 0o600)
    for name in LibraryFolder.contents(of: old.backups) {
      #expect(mode(old.backups + "/" + name) == 0o600)
    }
    // One that a version since then has left so.
    chmod(old.database, 0o644)
    try Library(at: old).close()
    #expect(mode(old.database) == 0o600)
  }
}
