// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

struct AnnotationEngineTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  /// What a process that opens the library now finds.
  private func expectKept(
    _ engine: AnnotationEngine, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let id = await engine.recording.id
    let (recording, document) = try fixture.reopened().annotation(of: id)
    let kept = await engine.document
    #expect(document == kept, sourceLocation: sourceLocation)
    let revision = await engine.recording.revision
    #expect(recording.revision == revision, sourceLocation: sourceLocation)
  }

  @Test func theWholeHistoryIsReadWithWhatCanBeRedone() async throws {
    let engine = try fixture.engine()
    var document = await engine.document
    var history = History()
    for (number, place) in [10.0, 20, 30, 40].enumerated() {
      let edit = Edit.addMarker(
        Marker(id: MarkerID(Int64(number + 1)), position: seconds(place), origin: .person))
      try await engine.apply(edit)
      try history.apply(edit, to: &document)
    }
    for _ in 0..<2 {
      try await engine.undo()
      try history.undo(&document)
    }
    let recording = await engine.recording
    #expect(try fixture.reopened().history(of: recording) == history)
  }

  @Test func eachKindOfEditIsReadBackEqualByAReopenedLibraryAndCanBeUndone() async throws {
    let engine = try fixture.engine()
    let found = Marker(id: MarkerID(7), position: seconds(15), origin: .detected, confidence: 0.3)
    let edits: [Edit] = [
      .addMarker(
        Marker(id: MarkerID(1), position: seconds(10), origin: .aligned, confidence: 0.1 + 0.2)),
      .addMarker(
        Marker(id: MarkerID(2), position: seconds(20), origin: .person, isConfirmed: true)),
      .addMarker(Marker(id: MarkerID(3), position: seconds(30), origin: .detected)),
      .confirmMarker(MarkerID(3)),
      .moveMarker(MarkerID(1), to: seconds(11)),
      .assign(.first, Attribution(.leadIn(.istiadhahAndBasmalah(of: Surah(2)!)))),
      .assign(
        .from(MarkerID(1)),
        Attribution(
          .crossSurah(ayah("2:286"), join: seconds(15), end: ayah("3:1")), origin: .aligned,
          confidence: 1 / 3)),
      .assign(
        .from(MarkerID(2)),
        Attribution(.ayat(ayat("93:1", "93:3"), joins: [seconds(22), seconds(25)])),
        confirming: true),
      .moveJoin(.from(MarkerID(2)), index: 1, to: seconds(26)),
      .assign(.from(MarkerID(3)), Attribution(.ayah(ayah("2:5"), part: .end))),
      .confirm(.from(MarkerID(1))),
      .unconfirm(.from(MarkerID(1))),
      .unconfirmMarker(MarkerID(2)),
      .setNote(.from(MarkerID(3)), "he coughs \"here\"\n\u{202e}\u{1b}[2Jآمِين\0 end"),
      .setFlag(.first, true),
      .markUnused(.from(MarkerID(3)), .takbir, confirming: true),
      .clear(.from(MarkerID(2))),
      .fill(SequentialFill(from: .from(MarkerID(1)), starting: ayah("112:1"))),
      .replaceSuggestions(
        Suggestions(
          in: span(12, 19), [.init(found, Attribution(.ayah(ayah("1:1")), origin: .aligned))])),
      .deleteMarker(MarkerID(2)),
      .replaceAll([
        SegmentRecord(start: nil, content: SegmentContent(note: "from elsewhere")),
        SegmentRecord(start: found, content: SegmentContent(Attribution(.unused(.ameen)))),
      ]),
    ]
    var states = [await engine.document]
    for edit in edits {
      let change = try await engine.apply(edit)
      #expect(!change.isEmpty, "\(edit)")
      try await expectKept(engine)
      states.append(await engine.document)
    }
    let (entries, redoable) = try fixture.reopened()
      .history(of: await engine.recording, limit: 100)
    #expect(entries.map(\.edit) == edits.reversed() && redoable == 0)
    #expect(entries.allSatisfy { $0.madeAt == LibraryFixture.noon })
    for state in states.dropLast().reversed() {
      try await engine.undo()
      #expect(await engine.document == state)
    }
    try await expectKept(engine)
  }

  @Test func undoAndRedoReachAcrossReopeningWithoutLimit() async throws {
    let id = try fixture.enter("night").id
    for time in 1...15 {
      try await fixture.editing(id) { _ = try await $0.cut(at: Double(time)) }
    }
    for left in (0..<15).reversed() {
      try await fixture.editing(id, in: fixture.reopened()) { engine async throws in
        #expect(try await engine.undo() != nil)
        #expect(await engine.document.markers.count == left)
      }
    }
    try await fixture.editing(id) { engine async throws in
      #expect(try await engine.undo() == nil, "that was the beginning")
    }
    for count in 1...15 {
      try await fixture.editing(id, in: fixture.reopened()) { engine async throws in
        #expect(try await engine.redo() != nil)
        #expect(await engine.document.markers.count == count)
      }
    }
    try await fixture.editing(id) { engine async throws in
      #expect(try await engine.redo() == nil)
    }
  }

  @Test func aNewEditDropsWhatCouldBeRedoneAndNothingElse() async throws {
    let engine = try fixture.engine()
    for time in 1...5 { try await engine.cut(at: Double(time)) }
    for _ in 1...3 { try await engine.undo() }
    #expect(
      try fixture.library.history(of: await engine.recording, limit: 10).redoable == 3)
    // Refused, and without effect: what can be redone stays.
    await expect(.refused(.unknownMarker(MarkerID(99)))) {
      try await engine.apply(.deleteMarker(MarkerID(99)))
    }
    try await engine.apply(.setFlag(.first, false))
    #expect(
      try fixture.library.history(of: await engine.recording, limit: 10).redoable == 3)
    try await engine.cut(at: 30)
    #expect(try await engine.redo() == nil)
    #expect(try fixture.count("journal") == 3)
  }

  @Test func refusedEditsLeaveNoTrace() async throws {
    let engine = try fixture.engine()
    try await engine.cut(at: 10)
    let before = await (engine.document, engine.recording)
    let refused: [Edit] = [
      .addMarker(Marker(id: MarkerID(5), position: seconds(10), origin: .person)),
      .addMarker(Marker(id: MarkerID(5), position: seconds(61), origin: .person)),
      .confirm(.first), .deleteMarker(MarkerID(9)),
      .assign(
        .first, Attribution(.crossSurah(ayah("2:286"), join: seconds(20), end: ayah("3:1")))),
    ]
    for edit in refused {
      do {
        try await engine.apply(edit)
        Issue.record("\(edit)")
      } catch {
        guard case .refused(let refusal) = error.kind else { throw error }
        #expect(error.description.contains("\(refusal)"))
      }
    }
    #expect(await engine.document == before.0)
    #expect(await engine.recording == before.1)
    #expect(try fixture.count("journal") == 1)
    try await expectKept(engine)
  }

  @Test func anEditThatChangesNothingLeavesNoRow() async throws {
    let engine = try fixture.engine()
    let revision = await engine.recording.revision
    #expect(try await engine.apply(.setFlag(.first, false)).isEmpty)
    #expect(try await engine.apply(.setNote(.first, "")).isEmpty)
    #expect(try fixture.count("journal") == 0)
    #expect(await engine.recording.revision == revision)
  }

  /// The journal has the words of an edit in what it did, and not twice.
  private func kept(_ entry: History.Entry) -> History.Entry {
    History.Entry(entry.edit.withoutWords, entry.change)
  }

  @Test(arguments: 1...(Harness.isThorough ? 100 : 3) as ClosedRange<UInt64>)
  func afterEachRandomStepAFreshLibraryReadsWhatTheEngineHolds(_ seed: UInt64) async throws {
    let engine = try fixture.engine()
    let start = await engine.document
    var steps = RandomSteps(seed: seed)
    var model = start
    var history = History()
    for number in 1...60 {
      do {
        switch steps.next(for: model) {
        case .edit(let edit):
          let before = model
          do { try history.apply(edit, to: &model) } catch { #expect(model == before) }
          try await engine.apply(edit)
        case .undo:
          let entry = try history.undo(&model)
          #expect(try await engine.undo() == entry.map(kept))
        case .redo:
          let entry = try history.redo(&model)
          #expect(try await engine.redo() == entry.map(kept))
        }
      } catch let error as LibraryError {
        guard case .refused = error.kind else { throw error }
      }
      #expect(await engine.document == model)
      if number % 3 == 0 { try await expectKept(engine) }
    }
    while try await engine.undo() != nil {}
    #expect(await engine.document == start)
    #expect(try fixture.library.check() == [])
  }

  @Test func progressIsCountedWithoutReadingTheAnnotation() async throws {
    let engine = try fixture.engine()
    try await engine.cut(at: 10)
    try await engine.cut(at: 20)
    try await engine.assign(0, .ayah(ayah("1:1")))
    try await engine.assign(1, .ayah(ayah("1:2")), confirming: false)
    let other = try fixture.enter("other")
    let progress = try fixture.library.progress()
    let expected = await engine.document.progress
    let id = await engine.recording.id
    #expect(progress[id] == expected)
    #expect(progress[other.id] == AnnotationProgress(segments: 1, assigned: 0, confirmed: 0))
  }
}

/// Who may edit, and what happens to those who may not.
struct EditingAloneTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  @Test func aSecondEditorIsToldWhoHoldsTheRecordingAndSinceWhen() throws {
    let id = try fixture.enter("night").id
    #expect(fixture.library.holder(of: id) == nil)
    let engine = try AnnotationEngine(editing: id, in: fixture.library)
    let later = try Library(at: fixture.folder) { LibraryFixture.noon.addingTimeInterval(420) }
    let error = expect(.held) { _ = try AnnotationEngine(editing: id, in: later) }
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    #expect(error?.description.contains("process \(getpid()) on \(host)") == true)
    #expect(error?.description.contains("7 min ago") == true)
    let holder = later.holder(of: id)
    #expect(holder == EditLock.Holder(pid: getpid(), host: host, since: LibraryFixture.noon))
    #expect(try later.annotation(of: id).0.id == id, "to look at it is not forbidden")
    expect(.held) { try later.remove(id) }
    withExtendedLifetime(engine) {}
  }

  @Test func theRecordingIsFreeOnceItsEditorIsClosedOrGone() async throws {
    let id = try fixture.enter("night").id
    do { _ = try AnnotationEngine(editing: id, in: fixture.library) }
    #expect(fixture.library.holder(of: id) == nil)
    let engine = try AnnotationEngine(editing: id, in: fixture.reopened())
    try await engine.cut(at: 10)
    await engine.close()
    #expect(fixture.library.holder(of: id) == nil)
    await expect(.unusable) { try await engine.cut(at: 20) }
    await expect(.unusable) { _ = try await engine.undo() }
    await expect(.unusable) { _ = try await engine.publish() }
    _ = try AnnotationEngine(editing: id, in: fixture.reopened())
  }

  @Test func askingWhoEditsDoesNotKeepAnEditorOut() throws {
    let id = try fixture.enter("night").id
    _ = try AnnotationEngine(editing: id, in: fixture.library)
    let folder = fixture.folder
    let (asked, isDone) = (Monitor(0), Monitor(false))
    let asking = WorkerThread {
      while !isDone.update({ $0 }) {
        _ = EditLock.holder(of: id, in: folder)
        asked.update { $0 += 1 }
      }
    }
    let thread = try #require(asking)
    defer {
      isDone.update { $0 = true }
      thread.join()
    }
    for _ in 0..<300 {
      // Whoever asks has its turn between each two, however busy the machine is.
      let before = asked.update { $0 }
      #expect(throws: Never.self) { try EditLock(id, in: folder, now: LibraryFixture.noon) }
      asked.wait { $0 > before ? () : nil }
    }
  }

  @Test func anEditorWhoseLockWasDeletedUnderItNoticesTheOther() async throws {
    let id = try fixture.enter("night").id
    let first = try AnnotationEngine(editing: id, in: fixture.library)
    try await first.cut(at: 5)
    for name in fixture.names(in: fixture.folder.locks) {
      try FileManager.default.removeItem(atPath: fixture.folder.locks + "/" + name)
    }
    let second = try AnnotationEngine(editing: id, in: fixture.reopened())
    try await second.cut(at: 10)
    await expect(.changedElsewhere) { try await first.cut(at: 20) }
    await expect(.changedElsewhere) { _ = try await first.undo() }
    await expect(.changedElsewhere) { _ = try await first.redo() }
    await expect(.changedElsewhere) { _ = try await first.publish() }
    await expect(.changedElsewhere) { try await first.cut(at: 20) }
    let kept = try fixture.reopened().annotation(of: id).1
    #expect(await second.document == kept)
    #expect(kept.markers.count == 2)
  }

  @Test func refusesWhatCannotBeEdited() throws {
    let id = try fixture.enter("night").id
    let reader = try Library(at: fixture.folder, access: .readOnly)
    expect(.readOnly) { _ = try AnnotationEngine(editing: id, in: reader) }
    let unknown = Recording.ID.new()
    expect(.noSuchRecording) { _ = try AnnotationEngine(editing: unknown, in: fixture.library) }
    #expect(!fixture.names(in: fixture.folder.locks).contains { $0.contains(unknown.rawValue) })
    try fixture.library.remove(id)
    expect(.unusable) { _ = try AnnotationEngine(editing: id, in: fixture.library) }
  }

  @Test func editsThatAreUndoneTogetherAreKnownAfterReopening() async throws {
    let engine = try fixture.engine(seconds: 30)
    let marker = try await engine.cut(at: 10)
    try await engine.apply(.moveMarker(marker, to: seconds(11)))
    try await engine.apply(.moveMarker(marker, to: seconds(12)), joinsPrevious: true)
    let history = try fixture.reopened().history(of: await engine.recording)
    #expect(history.undoable.map(\.joinsPrevious) == [false, false, true])
  }

  @Test func enginesThatWaitForTheDiskLeaveTheCooperativeThreadsFree() async throws {
    // More engines than there are cooperative threads, each on a connection of its own.
    let writers = WaitingWriters()
    let engines = try (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map {
      let id = try fixture.enter("night \($0)").id
      return try AnnotationEngine(editing: id, in: writers.open(fixture.folder))
    }
    let finished = Monitor(0)
    let other = try blockingWriter(fixture.folder)
    let edits = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for engine in engines {
          group.addTask {
            try await engine.cut(at: 10)
            finished.update { $0 += 1 }
          }
        }
        try await group.waitForAll()
      }
    }
    // That all of them come to wait, and this task to notice it, shows that threads are free.
    await writers.wait(for: engines.count)
    for _ in 0..<100 { await Task.yield() }
    #expect(finished.update { $0 } == 0)
    try other.release()
    try await edits.value
    #expect(finished.update { $0 } == engines.count)
  }
}
