// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
import Quran
import TestSupport
import Testing

@testable import Library

struct PublishingTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  @Test func statusFollowsWhatIsAssignedAndConfirmed() async throws {
    let engine = try fixture.engine(seconds: 30)
    try await engine.cut(at: 10)
    try await engine.cut(at: 20)
    var publication = try await engine.publish()
    #expect(publication.status == .none && publication.segmentCount == 0)
    #expect(publication.covers == nil)
    try await engine.assign(0, .leadIn(.basmalah(of: Surah(112)!)))
    try await engine.assign(1, .ayah(ayah("112:1")), confirming: false)
    publication = try await engine.publish()
    #expect(publication.status == .partial && publication.segmentCount == 1)
    #expect(publication.unconfirmedCount == 0 && publication.omittedCount == 1)
    #expect(publication.findings.contains { $0.kind == .unassigned && $0.index == 2 })
    try await engine.assign(2, .unused(.ruku))
    publication = try await engine.publish()
    #expect(publication.status == .partial, "one is not confirmed")
    try await engine.assign(1, .ayah(ayah("112:1")))
    publication = try await engine.publish()
    #expect(publication.status == .complete && publication.segmentCount == 2)
    #expect(publication.progress == AnnotationProgress(segments: 3, assigned: 3, confirmed: 3))
    let recording = try fixture.reopened().recording(await engine.recording.id)
    #expect(recording.status == .complete && recording.publication == .current(unconfirmed: 0))
    #expect(await engine.recording == recording)
    try await engine.apply(.clear(.first))
    #expect(try library.recording(recording.id).publication == .outdated(unconfirmed: 0))
    #expect(try library.sources(of: ayah("112:1")).count == 1, "published is what was published")
    try await engine.undo()
    #expect(try library.recording(recording.id).publication.isCurrent)
    #expect(await engine.recording == (try library.recording(recording.id)))
  }

  /// Whether it has changed is a matter of what is heard, not of how many edits there were.
  @Test(arguments: [false, true])
  func whatIsAsPublishedHasNotChanged(includingUnconfirmed: Bool) async throws {
    let engine = try fixture.engine(seconds: 50)
    let id = await engine.recording.id
    for time in [10.0, 20, 30, 40] { try await engine.cut(at: time) }
    for (index, text) in ["112:1", "112:2", "112:3"].enumerated() {
      try await engine.assign(index, .ayah(ayah(text)), confirming: index != 1)
    }
    let marker = try #require(await engine.document.segments[2].id.marker)
    func move(to time: Double) async throws {
      try await engine.apply(.moveMarker(marker, to: seconds(time)))
    }
    func state() async throws -> PublicationState {
      let state = try library.recording(id).publication
      #expect(await engine.recording.publication == state)
      return state
    }
    _ = try await engine.publish(includingUnconfirmed: includingUnconfirmed)
    let published = try await state()
    #expect(published == .current(unconfirmed: includingUnconfirmed ? 1 : 0))
    let changed = PublicationState.outdated(unconfirmed: published.unconfirmed)

    try await engine.apply(.setNote(.first, "heard twice"))
    try await engine.assign(4, .unused(.ruku))
    #expect(try await state() == published, "neither is published")
    try await move(to: 21)
    try await engine.apply(.setFlag(.first, true))
    #expect(try await state() == changed)
    try await move(to: 20)
    #expect(try await state() == published, "there and back")
    try await engine.assign(0, .ayah(ayah("112:4")))
    try await engine.assign(2, .ayah(ayah("112:4")))
    try await engine.undo()
    #expect(try await state() == changed, "one of two is as it was")
    try await engine.undo()
    #expect(try await state() == published)
    try await engine.redo()
    #expect(try await state() == changed)
    try await engine.undo()
    try await engine.assign(1, .ayah(ayah("112:2")))
    #expect(try await state() == changed, "one more is confirmed")
    #expect(try fixture.reopened().recording(id).publication == changed)
  }

  @Test func whatAnotherProcessPublishesIsWhatEditsAreComparedWith() async throws {
    let engine = try fixture.engine(seconds: 20)
    let id = await engine.recording.id
    try await engine.assign(0, .ayah(ayah("112:1")))
    _ = try await engine.publish()
    try await engine.assign(0, .ayah(ayah("112:2")))
    _ = try library.publish(id)
    try await engine.undo()
    #expect(try library.recording(id).publication == .outdated(unconfirmed: 0))
    try await engine.redo()
    #expect(try library.recording(id).publication == .current(unconfirmed: 0))
  }

  @Test func suggestionsArePublishedOnlyWhenToldAndMarked() async throws {
    let engine = try fixture.engine(seconds: 30)
    try await engine.cut(at: 10)
    try await engine.cut(at: 20)
    try await engine.assign(0, .ayah(ayah("112:1")))
    try await engine.assign(1, .ayah(ayah("112:2")), confirming: false)
    try await engine.apply(
      .assign(
        await engine.document.segments[2].id,
        Attribution(.ayah(ayah("112:2")), origin: .aligned, confidence: 0.99), confirming: false))
    _ = try await engine.publish()
    #expect(try library.sources(of: ayah("112:2")).isEmpty)
    let publication = try await engine.publish(includingUnconfirmed: true)
    #expect(publication.segmentCount == 3 && publication.unconfirmedCount == 2)
    #expect(publication.omittedCount == 0)
    #expect(try library.sources(of: ayah("112:1")).map(\.isManual) == [true])
    #expect(try library.sources(of: ayah("112:2")).map(\.isManual) == [false, false])
    let id = await engine.recording.id
    #expect(try fixture.reopened().recording(id).publication == .current(unconfirmed: 2))
    try await engine.apply(.clear(.first))
    #expect(try library.recording(id).publication == .outdated(unconfirmed: 2))
    #expect(await engine.recording == (try library.recording(id)))
    try await engine.undo()
    _ = try await engine.publish()
    #expect(try library.recording(id).publication == .current(unconfirmed: 0))
    #expect(try library.sources(of: ayah("112:2")).isEmpty, "taken back by publishing without")
  }

  @Test func theLibraryKnowsWhatIsLeftToDecideAndWhenItWasEdited() async throws {
    let engine = try fixture.engine(seconds: 30)
    let id = await engine.recording.id
    #expect(try library.remainingWork()[id] == RemainingWork(openEdges: 0, editedAt: nil))
    for (number, origin) in [Origin.detected, .aligned, .person].enumerated() {
      try await engine.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(number + 1)), position: seconds(Double(number * 5 + 5)),
            origin: origin)))
    }
    #expect(
      try library.remainingWork()[id]
        == RemainingWork(openEdges: 2, editedAt: LibraryFixture.noon))
    try await engine.apply(.confirmMarker(MarkerID(1)))
    #expect(try library.remainingWork()[id]?.openEdges == 1)
  }

  @Test func aRecordingWithNothingConfirmedPublishesNothing() async throws {
    let engine = try fixture.engine(seconds: 10)
    try await engine.assign(0, .ayah(ayah("112:1")), confirming: false)
    let publication = try await engine.publish()
    #expect(publication.segmentCount == 0 && publication.omittedCount == 1)
    #expect(await engine.recording.publication == .nothing)
  }

  @Test func olderLibrariesKeepWhatTheyPublished() async throws {
    let id = try await fixture.publish(
      [.ayah(ayah("112:1")), .ayah(ayah("112:2"))], confirming: false
    ).id
    try library.close()
    try fixture.tamper(
      """
      ALTER TABLE journal DROP COLUMN joinsPrevious; DROP INDEX segmentUnconfirmed;
      DELETE FROM grdb_migrations WHERE identifier = '8'
      """)
    #expect(try fixture.reopened().recording(id).publication == .current(unconfirmed: 2))
  }

  @Test func coversTheLowestAndTheHighestSurahOfWhatIsPublished() async throws {
    let recording = try await fixture.publish([
      .ayah(ayah("78:1")), .crossSurah(ayah("2:286"), join: seconds(15), end: ayah("3:1")),
      .ayah(ayah("90:1"), part: .beginning), .unused(.salam), nil,
    ])
    #expect(recording.covers == Surah(2)!...Surah(90)!)
    #expect(try fixture.reopened().recording(recording.id).covers == Surah(2)!...Surah(90)!)
  }

  @Test func publishingAgainReplacesItsOwnAndTouchesNoOther() async throws {
    let other = try await fixture.publish([.ayah(ayah("1:1")), .ayah(ayah("1:2"))])
    let before = try library.sources(of: ayah("1:1"))
    let engine = try fixture.engine(seconds: 20)
    try await engine.assign(0, .ayah(ayah("1:1")))
    _ = try await engine.publish()
    try await engine.assign(0, .ayah(ayah("1:7")))
    _ = try await engine.publish()
    #expect(try library.sources(of: ayah("1:1")) == before)
    #expect(try library.sources(of: ayah("1:7")).count == 1)
    #expect(try library.coverage(of: other, in: ayat("1:1", "1:7")).coveredCount == 2)
    try await engine.apply(.clear(.first))
    _ = try await engine.publish()
    #expect(try library.sources(of: ayah("1:7")).isEmpty)
    #expect(try library.recording(await engine.recording.id).status == .none)
    #expect(try fixture.count("segment") == 2)
  }

  @Test func pairsAndRunsGiveTheExactSpanOfEachAyah() async throws {
    let recording = try await fixture.publish([
      .crossSurah(ayah("2:286"), join: seconds(4.5), end: ayah("3:1")),
      .ayat(ayat("112:1", "112:3"), joins: [seconds(12), seconds(15.25)]),
      .ayah(ayah("114:6")),
    ])
    let expected: [(String, PassageRole, Range<FramePosition>)] = [
      ("2:286", .pairFirst, span(0, 4.5)), ("3:1", .pairEnd, span(4.5, 10)),
      ("112:1", .run, span(10, 12)), ("112:2", .run, span(12, 15.25)),
      ("112:3", .run, span(15.25, 20)), ("114:6", .whole, span(20, 30)),
    ]
    for (text, role, span) in expected {
      let source = try #require(try library.resolve(ayah(text)))
      #expect(source.recording == recording.id && source.ayah == ayah(text))
      #expect(source.role == role && source.span == span && source.part == nil)
      #expect(try library.sources(of: ayah(text)) == [source])
    }
    let run = try library.resolve(ayat("112:1", "112:4"))
    #expect(run.map(\.ayah) == Array(ayat("112:1", "112:4")))
    #expect(
      run.map { $0.source?.span.lowerBound } == [seconds(10), seconds(12), seconds(15.25), nil])
  }

  @Test func partsAreListedButNeverTakenForTheWhole() async throws {
    try await fixture.publish([
      .ayah(ayah("2:282"), part: .beginning), .ayah(ayah("2:282"), part: .end),
    ])
    #expect(try library.sources(of: ayah("2:282")).map(\.part) == [.beginning, .end])
    #expect(try library.resolve(ayah("2:282")) == nil)
    #expect(try library.missingAyat(in: ayat("2:282", "2:282")) == [ayat("2:282", "2:282")])
  }

  @Test func whatIsUnusedOrUnassignedIsNotPublished() async throws {
    let recording = try await fixture.publish([.unused(.takbir), nil, .ayah(ayah("1:1"))])
    #expect(try fixture.count("segment") == 1 && fixture.count("passage") == 1)
    #expect(recording.status == .partial)
  }

  @Test func anAyahTellsWhetherItBeginsWithTheBasmalah() async throws {
    _ = try await fixture.publish([
      .crossSurah(ayah("111:5"), join: seconds(5), end: ayah("112:1"), withBasmalah: true),
      .ayah(ayah("113:1"), withBasmalah: true), .ayah(ayah("114:1")),
    ])
    for (text, begins) in [("111:5", false), ("112:1", true), ("113:1", true), ("114:1", false)] {
      #expect(try library.resolve(ayah(text))?.beginsWithBasmalah == begins, "\(text)")
    }
  }

  @Test func theBasmalahNextBeforeAnAyahOfItsRecordingIsThatAyahs() async throws {
    let reciter = try library.addReciter("A").id
    let basmalah = Assignment.leadIn(.basmalah(of: Surah(3)!))
    let night = try await fixture.publish(
      [basmalah, .ayah(ayah("3:1")), basmalah, .ayah(ayah("3:1")), basmalah], reciter: reciter)
    _ = try await fixture.publish([basmalah], reciter: reciter)
    func found(_ time: Double) throws -> Range<FramePosition>? {
      let found = try library.basmalah(
        of: Surah(3)!, SourceFilter(.only(reciter)), in: night.id, before: seconds(time))
      return found?.recording == night.id ? found?.span : nil
    }
    #expect(try found(10) == span(0, 10))
    #expect(try found(30) == span(20, 30))
    #expect(try found(35) == span(20, 30))
    // Where none comes before, one of the same recording still sounds as it does.
    #expect(try found(0) == span(0, 10))
  }

  @Test func recordingsOfNobodyKnownAreLookedThroughByThemselves() async throws {
    let reciter = try library.addReciter("A").id
    let known = try await fixture.publish([.ayah(ayah("1:1"))], reciter: reciter)
    #expect(try library.resolve(ayah("1:1"), SourceFilter(.nobodyKnown)) == nil)
    let unknown = try await fixture.publish([.ayah(ayah("1:1"))])
    #expect(try library.resolve(ayah("1:1"), SourceFilter(.nobodyKnown))?.recording == unknown.id)
    #expect(try library.resolve(ayah("1:1"))?.recording == known.id)
  }

  @Test func aBasmalahBeforeASurahIsFoundByItsSurah() async throws {
    let (first, second) = (try library.addReciter("A").id, try library.addReciter("B").id)
    let b = try await fixture.publish(
      [.leadIn(.basmalah(of: Surah(3)!)), .leadIn(.istiadhah)], reciter: second)
    let a = try await fixture.publish(
      [nil, .leadIn(.istiadhahAndBasmalah(of: Surah(3)!))], reciter: first, confirming: false)
    let none = try await fixture.publish([.leadIn(.basmalah(of: Surah(3)!))])
    func found(_ filter: SourceFilter) throws -> Recording.ID? {
      try library.basmalah(of: Surah(3)!, filter)?.recording
    }
    #expect(try found(SourceFilter()) == a.id)
    #expect(try library.basmalah(of: Surah(3)!)?.span == span(10, 20))
    #expect(try found(SourceFilter(.only(second))) == b.id)
    #expect(try found(SourceFilter(unavailable: [a.id])) == b.id)
    #expect(try found(SourceFilter(unavailable: [a.id, b.id])) == none.id)
    #expect(try found(SourceFilter(.inOrder([second, first]))) == b.id)
    #expect(try found(SourceFilter(riwayah: .warsh)) == nil)
    #expect(try found(SourceFilter(.nobodyKnown)) == none.id)
    #expect(try library.basmalah(of: Surah(4)!) == nil)
    try library.remove(a.id)
    #expect(try found(SourceFilter()) == b.id)
  }

  @Test func retaggingGoesToWhatIsPublished() async throws {
    let (hafs, warsh) = (
      try library.addReciter("A").id, try library.addReciter("B", riwayah: .warsh).id
    )
    let recording = try await fixture.publish([.ayah(ayah("1:1"))], reciter: hafs)
    #expect(try library.resolve(ayah("1:1"), SourceFilter(.only(hafs)))?.reciter == hafs)
    var changes = RecordingChanges()
    changes.reciter = .some(warsh)
    #expect(try library.change(recording.id, changes).riwayah == .warsh)
    #expect(try library.resolve(ayah("1:1")) == nil, "never another riwayah")
    let source = try library.resolve(ayah("1:1"), SourceFilter(riwayah: .warsh))
    #expect(source?.reciter == warsh && source?.riwayah == .warsh)
    changes = RecordingChanges()
    changes.riwayah = .qalun
    try library.change(recording.id, changes)
    #expect(try library.resolve(ayah("1:1"), SourceFilter(riwayah: .qalun))?.reciter == warsh)
    var reciter = try library.reciter(named: "B")
    reciter.riwayah = .douri
    try library.update(reciter)
    #expect(try library.resolve(ayah("1:1"), SourceFilter(riwayah: .douri))?.reciter == warsh)
    try library.removeReciter(warsh)
    let orphan = try library.resolve(ayah("1:1"), SourceFilter(riwayah: .douri))
    #expect(orphan?.recording == recording.id && orphan?.reciter == nil)
  }

  @Test func theBinTakesWhatIsPublishedOutOfReachAndGivesItBack() async throws {
    let reciter = try library.addReciter("A", riwayah: .warsh).id
    let recording = try await fixture.publish([.ayah(ayah("1:1")), .ayah(ayah("1:2"))])
    try library.remove(recording.id)
    #expect(try library.sources(of: ayah("1:1")).isEmpty)
    #expect(try library.resolve(ayah("1:1")) == nil)
    var changes = RecordingChanges()
    changes.reciter = .some(reciter)
    try library.change(recording.id, changes)
    #expect(try library.sources(of: ayah("1:1")).isEmpty, "retagged in the bin, it stays there")
    try library.restore(recording.id)
    #expect(
      try library.resolve(ayah("1:2"), SourceFilter(riwayah: .warsh))?.span == span(10, 20))
  }
}

struct ResolverTests {
  let fixture: LibraryFixture
  let clock: Monitor<Date>
  var library: Library { fixture.library }

  init() throws {
    let clock = Monitor(LibraryFixture.noon)
    self.clock = clock
    fixture = try LibraryFixture(now: { clock.update { $0 } })
  }

  private func publish(
    _ reciter: Reciter.ID? = nil, confirming: Bool = true, confidence: Double? = nil,
    repeats: Int = 1
  ) async throws -> Recording.ID {
    let engine = try fixture.engine(seconds: Int64(10 * repeats), reciter: reciter)
    for number in 1..<max(repeats, 1) { try await engine.cut(at: Double(10 * number)) }
    for segment in await engine.document.segments {
      try await engine.apply(
        .assign(
          segment.id, Attribution(.ayah(ayah("1:1")), origin: .aligned, confidence: confidence),
          confirming: confirming))
    }
    _ = try await engine.publish(includingUnconfirmed: !confirming)
    await engine.close()
    return await engine.recording.id
  }

  @Test func takesTheRecitersInTheirOrderBeforeAnythingElse() async throws {
    let (first, second) = (try library.addReciter("A").id, try library.addReciter("B").id)
    let nobody = try await publish(confidence: 1)
    let sure = try await publish(second, confidence: 1)
    let unsure = try await publish(first, confirming: false, confidence: 0.1)
    func resolved(_ who: SourceFilter.Who) throws -> Recording.ID? {
      try library.resolve(ayah("1:1"), SourceFilter(who))?.recording
    }
    #expect(try resolved(.anybody) == unsure)
    #expect(try resolved(.inOrder([second, first])) == sure)
    #expect(try resolved(.inOrder([])) == nil)
    #expect(try resolved(.only(second)) == sure)
    try library.move(second, toPlace: 0)
    #expect(try resolved(.anybody) == sure)
    try library.remove(sure)
    try library.remove(unsure)
    #expect(try resolved(.anybody) == nobody)
  }

  @Test func amongEqualsTakesConfirmedThenSurestThenNewestThenTheFirstRepeat() async throws {
    let first = try await publish(confirming: false, confidence: 0.9)
    #expect(try library.resolve(ayah("1:1"))?.recording == first)
    let manual = try await publish(confidence: 0.2)
    #expect(try library.resolve(ayah("1:1"))?.recording == manual)
    #expect(try library.resolve(ayah("1:1"))?.isManual == true)
    let surer = try await publish(confidence: 0.3, repeats: 3)
    #expect(try library.resolve(ayah("1:1"))?.recording == surer)
    #expect(try library.resolve(ayah("1:1"))?.span == span(0, 10), "the first of the repeats")
    clock.update { $0 = LibraryFixture.noon.addingTimeInterval(60) }
    let newer = try await publish(confidence: 0.3)
    #expect(try library.resolve(ayah("1:1"))?.recording == newer)
    #expect(
      try library.sources(of: ayah("1:1")).map(\.recording)
        == [newer, surer, surer, surer, manual, first])
  }

  @Test func hearsTheSurestOfTheRepeatsAndOfEqualOnesTheFirst() async throws {
    let engine = try fixture.engine(seconds: 40)
    for time in [10.0, 20, 30] { try await engine.cut(at: time) }
    for (index, confidence) in [0.3, 0.8, 0.8, 0.1].enumerated() {
      try await engine.apply(
        .assign(
          await engine.document.segments[index].id,
          Attribution(.ayah(ayah("1:1")), origin: .aligned, confidence: confidence)))
    }
    _ = try await engine.publish(includingUnconfirmed: true)
    #expect(try library.resolve(ayah("1:1"))?.span == span(10, 20))
    try await engine.apply(.confirm(await engine.document.segments[3].id))
    _ = try await engine.publish(includingUnconfirmed: true)
    #expect(try library.resolve(ayah("1:1"))?.span == span(30, 40), "a person's word counts more")
  }

  @Test func skipsRecordingsThatCannotBeHeard() async throws {
    let reciter = try library.addReciter("A").id
    var recordings: [Recording.ID] = []
    for _ in 0..<3 { recordings.append(try await publish(reciter, confidence: 0.5, repeats: 2)) }
    let last = try await publish()
    var filter = SourceFilter()
    var heard: [Recording.ID] = []
    while let source = try library.resolve(ayah("1:1"), filter) {
      heard.append(source.recording)
      filter.unavailable.insert(source.recording)
    }
    #expect(heard == recordings.reversed() + [last])
    #expect(try library.missingAyat(in: ayat("1:1", "1:1"), filter) == [ayat("1:1", "1:1")])
    for name in recordings {
      try FileManager.default.removeItem(
        atPath: fixture.folder.recordings + "/\(name.rawValue).wav")
    }
    #expect(try library.unavailableRecordings() == Set(recordings))
  }

  @Test func findsTheBestByAnIndexWithoutSorting() throws {
    let plan = try library.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + Library.bestSources, arguments: ["hafs", 1, 2]
      )
      .map { $0["detail"] as String }
    }
    #expect(plan.contains { $0.contains("SEARCH passage USING INDEX passageByRank") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP") || $0.contains("SCAN") }, "\(plan)")
  }

  @Test func aClockThatGoesBackNeverMattersMoreThanTheOrder() async throws {
    let first = try await publish(confidence: 0.5)
    clock.update { $0 = Date(timeIntervalSince1970: -86_400) }
    let second = try await publish(confidence: 0.5)
    #expect(try library.resolve(ayah("1:1"))?.recording == first)
    #expect(try library.recordings().map(\.id) == [first, second], "by the time of import")
    try library.remove(second)
    try library.restore(second)
    #expect(try library.check().isEmpty)
  }
}
