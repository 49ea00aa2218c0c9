// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Quran
import Testing

@Suite struct RefusalTests {
  /// Checks that an edit of markers at 10 s and 20 s is refused and changes nothing.
  private func expect(
    _ refusal: EditRefusal, of edit: Edit, after preparation: [Edit] = [],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var document = try document(10_000, 20_000)
    for edit in preparation { try document.apply(edit) }
    let before = document
    #expect(throws: refusal, sourceLocation: location) { try document.apply(edit) }
    #expect(throws: refusal, sourceLocation: location) { try document.plan(edit) }
    #expect(document == before, sourceLocation: location)
    #expect(!refusal.description.isEmpty && !refusal.description.hasSuffix("."))
  }

  @Test(arguments: [.min, -1, 0, 100_000, 100_001, .max] as [Int64])
  func refusesMarkerOutsideTheRecording(_ frame: Int64) throws {
    try expect(
      .markerOutsideRecording(FramePosition(frame)), of: .addMarker(marker(3, at: frame)))
  }

  @Test func refusesTwoMarkersOnOneFrame() throws {
    try expect(
      .twoMarkersOnOneFrame(FramePosition(20_000)), of: .addMarker(marker(3, at: 20_000)))
  }

  @Test func refusesAMarkerWithTheNumberOfAnother() throws {
    try expect(.markerInUse(MarkerID(2)), of: .addMarker(marker(2, at: 5)))
  }

  @Test func refusesEditsOfMarkersThatDoNotExist() throws {
    for edit: Edit in [
      .delete(9), .move(9, to: 5), .confirmMarker(MarkerID(9)), .unconfirmMarker(MarkerID(9)),
    ] {
      try expect(.unknownMarker(MarkerID(9)), of: edit)
    }
  }

  @Test func refusesEditsOfSegmentsThatDoNotExist() throws {
    for edit: Edit in [
      .assign(.from(9), "2:1"), .clear(.from(9)), .confirm(.from(9)), .unconfirm(.from(9)),
      .moveJoin(.from(9), index: 0, to: .zero), .setNote(.from(9), ""), .setFlag(.from(9), true),
      .fill(SequentialFill(from: .from(9), starting: ayah("2:1"))),
    ] {
      try expect(.unknownSegment(.from(9)), of: edit)
    }
  }

  @Test(arguments: [9999, 10_000, 20_000, 20_001] as [Int64])
  func refusesJoinOutsideItsSegment(_ frame: Int64) throws {
    let join = FramePosition(frame)
    let refusal = EditRefusal.joinOutsideSegment(join, span(10_000, 20_000))
    let pair = Assignment.crossSurah(ayah("2:286"), join: join, end: ayah("3:1"))
    try expect(refusal, of: .assign(.from(1), Attribution(pair)))
    let inside = Assignment.crossSurah(
      ayah("2:286"), join: FramePosition(15_000), end: ayah("3:1"))
    try expect(
      refusal, of: .moveJoin(.from(1), index: 0, to: join),
      after: [.assign(.from(1), Attribution(inside))])
  }

  @Test func refusesJoinsThatDoNotFitTheAyat() throws {
    let range = ayat("2:1", "2:3")
    try expect(
      .wrongNumberOfJoins(1, for: range),
      of: .assign(.first, Attribution(.ayat(range, joins: frames(5)))))
    try expect(
      .joinsOutOfOrder(FramePosition(5), FramePosition(5)),
      of: .assign(.first, Attribution(.ayat(range, joins: frames(5, 5)))))
    try expect(
      .runOfOneAyah(ayah("2:1")),
      of: .assign(.first, Attribution(.ayat(AyahRange(ayah("2:1")), joins: []))))
    try expect(
      .pairWithinOneSurah(ayah("2:1"), ayah("2:2")),
      of: .assign(
        .first, Attribution(.crossSurah(ayah("2:1"), join: FramePosition(5), end: ayah("2:2")))))
  }

  @Test func refusesABasmalahWhereNoSurahBeginsWithOne() throws {
    let join = FramePosition(5)
    for assignment in [
      Assignment.ayah(ayah("112:2"), withBasmalah: true), .ayah(ayah("1:1"), withBasmalah: true),
      .ayah(ayah("9:1"), withBasmalah: true), .ayah(ayah("2:1"), part: .end, withBasmalah: true),
      .crossSurah(ayah("8:75"), join: join, end: ayah("9:1"), withBasmalah: true),
      .ayat(ayat("112:2", "112:3"), joins: [join], withBasmalah: true),
    ] {
      try expect(.noBasmalah(assignment), of: .assign(.first, Attribution(assignment)))
      #expect(!assignment.withBasmalah().hasBasmalah)
    }
  }

  @Test(arguments: [-1, 0, .max]) func refusesMovingAJoinThatIsNotThere(_ index: Int) throws {
    try expect(
      .noSuchJoin(.first, index), of: .moveJoin(.first, index: index, to: .zero),
      after: [.assign(.first, "2:1")])
  }

  @Test func refusesConfirmingWhatIsUnassigned() throws {
    try expect(.nothingToConfirm, of: .confirm(.first))
  }

  @Test func refusesAFillThatFillsNothing() throws {
    let fill = Edit.fill(SequentialFill(from: .first, starting: ayah("2:1")))
    try expect(.nothingToFill, of: fill, after: [.assign(.first, "2:1", confirming: true)])
  }

  @Test func refusesSuggestionsOutsideTheirRange() throws {
    let suggestions = Suggestions(in: span(0, 1000), [.init(marker(3, at: 1000))])
    try expect(
      .suggestionOutsideRange(FramePosition(1000)), of: .replaceSuggestions(suggestions))
  }

  @Test func refusesAChangeOfAnotherDocument() throws {
    var document = try document(10_000)
    let change = try document.apply(.assign(.first, "2:1"))
    let before = document
    #expect(throws: EditRefusal.documentChanged) { try document.apply(change) }
    #expect(document == before)
  }

  @Test(arguments: [-1, 2, 3, .min, .max]) func refusesAChangeOfWhatIsNotThere(_ first: Int) throws
  {
    var document = try document(10_000)
    let blank = #"[{"segment":{"confirmed":false,"flagged":false,"note":""}}]"#
    let change = try JSONDecoder().decode(
      Change.self, from: Data(#"{"first":\#(first),"old":\#(blank),"new":[]}"#.utf8))
    #expect(throws: EditRefusal.documentChanged) { try document.apply(change) }
    let removal = try JSONDecoder().decode(
      Change.self, from: Data(#"{"first":0,"old":\#(blank),"new":[]}"#.utf8))
    #expect(throws: EditRefusal.noSingleFirstSegment) { try document.apply(removal) }
  }

  @Test func refusesKeptRecordsThatBreakAPromise() throws {
    func kept(_ records: SegmentRecord...) throws -> AnnotationDocument {
      try AnnotationDocument(length: FrameCount(1000), rate: rate, records: records)
    }
    func record(_ marker: Marker?, _ content: SegmentContent = SegmentContent()) -> SegmentRecord {
      SegmentRecord(start: marker, content: content)
    }
    let blank = record(nil)
    let sure = SegmentContent(Attribution(.ayah(ayah("2:1"))), isConfirmed: true)
    #expect(try kept(blank).labels == ["-"])
    #expect(try kept(blank, record(marker(1, at: 5, confirmed: true), sure)).labels[1] == "2:1!")
    #expect(throws: EditRefusal.noSingleFirstSegment) { try kept() }
    #expect(throws: EditRefusal.noSingleFirstSegment) { try kept(blank, blank) }
    #expect(throws: EditRefusal.noSingleFirstSegment) { try kept(record(marker(1, at: 5))) }
    #expect(throws: EditRefusal.markersOutOfOrder(FramePosition(5), FramePosition(4))) {
      try kept(blank, record(marker(1, at: 5)), record(marker(2, at: 4)))
    }
    #expect(throws: EditRefusal.twoMarkersOnOneFrame(FramePosition(5))) {
      try kept(blank, record(marker(1, at: 5)), record(marker(2, at: 5)))
    }
    #expect(throws: EditRefusal.markerInUse(MarkerID(1))) {
      try kept(blank, record(marker(1, at: 5)), record(marker(1, at: 6)))
    }
    #expect(throws: EditRefusal.nothingToConfirm) {
      try kept(record(nil, SegmentContent(isConfirmed: true)))
    }
    #expect(throws: EditRefusal.confirmedBetweenUnconfirmedEdges(.first)) {
      try kept(record(nil, sure), record(marker(1, at: 5)))
    }
    #expect(throws: EditRefusal.confirmedBetweenUnconfirmedEdges(.from(1))) {
      try kept(blank, record(marker(1, at: 5), sure))
    }
  }

  @Test func aRefusalNamesPlacesAsTimes() {
    let refusal = EditRefusal.twoMarkersOnOneFrame(FramePosition(62_345))
    #expect(
      refusal.message(at: rate)
        == "there is already a marker at 1:02.345; choose another place")
    #expect(
      EditRefusal.markerOutsideRecording(FramePosition(.min)).message(at: SampleRate(hertz: 1)!)
        .hasPrefix("-"))
  }
}
