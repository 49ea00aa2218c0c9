// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

struct WordTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func words(_ starts: Double..., ayah: AyahReference) -> [TimedWord] {
    starts.enumerated().map { TimedWord(ayah, $0 + 1, seconds($1)..<seconds($1 + 0.5)) }
  }

  private func hear(
    _ words: [TimedWord], in range: Range<FramePosition>, _ engine: AnnotationEngine
  ) async throws {
    try await engine.apply(.replaceSuggestions(Suggestions(in: range, [], words: words)))
  }

  /// A recording with 1:2 from the start and the words of it.
  private func annotated() async throws -> Recording.ID {
    let id = try fixture.enter("night").id
    try await fixture.editing(id) { engine async throws in
      try await engine.apply(.assign(.first, Attribution(.ayah(ayah("1:2")))))
      try await hear(words(1, 2, 3, 4, ayah: ayah("1:2")), in: .zero..<seconds(10), engine)
    }
    return id
  }

  @Test func wordsAreKeptUndoneAndDoneAgain() async throws {
    let id = try await annotated()
    let first = words(1, 2, 3, 4, ayah: ayah("1:2"))
    #expect(try fixture.reopened().annotation(of: id).1.words == first)
    try await fixture.editing(id, in: fixture.reopened()) { engine async throws in
      let second = words(1, 2.25, 3, 4, ayah: ayah("1:2"))
      try await hear(second, in: .zero..<seconds(10), engine)
      #expect(try fixture.reopened().annotation(of: id).1.words == second)
      try await engine.undo()
      #expect(try fixture.reopened().annotation(of: id).1.words == first)
      try await engine.undo()
      #expect(try fixture.reopened().annotation(of: id).1.words == [])
      try await engine.redo()
      try await engine.redo()
      #expect(try fixture.reopened().annotation(of: id).1.words == second)
    }
    #expect(try library.check() == [])
  }

  @Test func theJournalKeepsOnlyTheWordsThatChanged() async throws {
    let id = try await annotated()
    try await fixture.editing(id) { engine async throws in
      try await hear(
        words(1, 2, 3, 4.25, ayah: ayah("1:2")), in: .zero..<seconds(10), engine)
    }
    let history = try library.history(of: library.recording(id))
    let latest = try #require(history.undoable.last)
    #expect(latest.change.words?.new.count == 1 && latest.change.words?.old.count == 1)
    guard case .replaceSuggestions(let suggestions) = latest.edit else {
      Issue.record("\(latest.edit)")
      return
    }
    #expect(suggestions.words == nil)
  }

  @Test func aWordThatTheJournalKnowsNothingOfIsFoundByACheck() async throws {
    let id = try await annotated()
    try library.write { db in
      try db.execute(sql: "UPDATE word SET end = end - 1 WHERE number = 2")
    }
    let problems = try library.check()
    #expect(problems.map(\.subject) == [try library.recording(id).short])
    #expect(problems[0].message.contains("its journal does not match its annotation"))
  }

  @Test(arguments: [
    "INSERT INTO word SELECT id, length - 1, length + 1, 1, 1 FROM recording",
    "INSERT INTO word SELECT id, 5, 5, 1, 1 FROM recording",
    "INSERT INTO word SELECT id, -1, 5, 1, 1 FROM recording",
    "INSERT INTO word SELECT id, 1, 5, 6237, 1 FROM recording",
    "INSERT INTO word SELECT id, 1, 5, 1, 0 FROM recording",
    "INSERT INTO word VALUES (999, 1, 5, 1, 1)",
  ])
  func theSchemaRefusesImpossibleWords(_ sql: String) throws {
    _ = try fixture.enter("night")
    expect(.damaged) { try library.write { try $0.execute(sql: sql) } }
  }

  @Test func aLibraryFromBeforeGetsRoomForWords() throws {
    let folder = LibraryFolder(path: fixture.temporary.path("before"))
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let old = try DatabasePool(path: folder.database)
    try Schema.migrator.migrate(old, upTo: "2")
    try old.close()
    #expect(try Library(at: folder).read { try $0.tableExists("word") })
  }
}
