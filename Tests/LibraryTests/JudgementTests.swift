// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

/// What an alignment says is kept with the edits.
struct JudgementTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  private func mark(_ id: Int64, at place: Double) -> Edit {
    .addMarker(Marker(id: MarkerID(id), position: seconds(place), origin: .person))
  }

  private func judgement(
    _ recording: Recording, in library: Library? = nil
  ) throws -> AlignmentJudgement? {
    try (library ?? fixture.reopened()).history(of: recording).judgement
  }

  @Test func itIsReadAgainAndUndoneWithItsEdit() async throws {
    let engine = try fixture.engine()
    let first = AlignmentJudgement(
      doubt: .init(code: "other_text", text: "it hardly fits"), isTakenInDoubt: true,
      remarks: [
        "2:1 is repeated at 0:12", .init(text: "2:2 is missing at 0:31", seconds: 31.25),
        .init(code: "left_out", text: "2:4 is missing at 0:40", seconds: 40),
      ],
      request: .init(
        span: .zero..<FramePosition(900), first: .first, last: .last, prayer: .taraweeh),
      parts: [.init(span: FramePosition(90)..<FramePosition(200), first: .last)])
    try await engine.judge(first)
    let recording = await engine.recording
    #expect(try judgement(recording) == nil, "there is no edit to keep it with")
    try await engine.apply(mark(1, at: 10))
    try await engine.judge(first)
    let revision = await engine.recording.revision
    try await engine.apply(mark(2, at: 20))
    let second = AlignmentJudgement(remarks: ["2:3 is not heard at 0:31 \u{202e}\0\""])
    try await engine.judge(second)
    #expect(await engine.recording.revision == revision + 1, "it is no edit")
    #expect(try judgement(recording) == second)
    try await engine.undo()
    #expect(try judgement(recording) == first)
    try await engine.redo()
    #expect(try judgement(recording) == second)
  }

  @Test func remarksFromBeforeTheyHadCodesAreRead() async throws {
    let engine = try fixture.engine()
    try await engine.apply(mark(1, at: 10))
    try await engine.judge(AlignmentJudgement(remarks: [.init(code: "heard_again", text: "a")]))
    let recording = await engine.recording
    await engine.close()
    try fixture.library.close()
    let database = try DatabaseQueue(path: fixture.folder.database)
    try await database.write { db in
      try db.execute(
        sql: "UPDATE journal SET judgement = ?",
        arguments: [#"{"doubt":"b","isTakenInDoubt":true,"remarks":["c",{"code":"d","text":"e"}]}"#]
      )
    }
    try database.close()
    #expect(
      try judgement(recording)
        == AlignmentJudgement(
          doubt: .init(text: "b"), isTakenInDoubt: true,
          remarks: [.init(text: "c"), .init(code: "d", text: "e")]))
  }

  @Test func aRecordingThatWasGivenBackIsNotJudged() async throws {
    let engine = try fixture.engine()
    try await engine.apply(mark(1, at: 10))
    await engine.close()
    await #expect(throws: LibraryError.self) { try await engine.judge(AlignmentJudgement()) }
  }

  @Test func aLibraryFromBeforeIsBroughtUpToDateWithItsHistory() async throws {
    let engine = try fixture.engine()
    try await engine.apply(mark(1, at: 10))
    try await engine.apply(mark(2, at: 20))
    let recording = await engine.recording
    let history = try fixture.library.history(of: recording)
    await engine.close()
    try fixture.library.close()
    let old = try DatabaseQueue(path: fixture.folder.database)
    try await old.write { db in
      try db.execute(
        sql: """
          ALTER TABLE journal DROP COLUMN judgement;
          DELETE FROM grdb_migrations WHERE identifier = '2';
          """)
    }
    try old.close()
    let library = try fixture.reopened()
    #expect(try library.history(of: recording) == history)
    #expect(LibraryFolder.contents(of: fixture.folder.backups).count == 1)
    let again = try AnnotationEngine(editing: recording.id, in: library)
    let remark = AlignmentJudgement(remarks: ["a remark"])
    try await again.judge(remark)
    #expect(try judgement(recording, in: library) == remark)
  }

  @Test func aBackupHasItToo() async throws {
    let engine = try fixture.engine()
    try await engine.apply(mark(1, at: 10))
    let remark = AlignmentJudgement(remarks: ["a remark"])
    try await engine.judge(remark)
    let path = fixture.temporary.path("copy.sqlite")
    try fixture.library.backUpDatabase(to: path)
    let kept = try await DatabaseQueue(path: path).read { db in
      try String.fetchOne(db, sql: "SELECT judgement FROM journal")
    }
    #expect(kept?.contains("a remark") == true)
  }
}
