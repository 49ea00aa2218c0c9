// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Testing

@Suite struct MarkerEditTests {
  @Test func aNewRecordingIsOneUnassignedSegment() {
    let document = AnnotationDocument(length: FrameCount(5000), rate: rate)
    #expect(document.segments.map(\.span) == [span(0, 5000)])
    #expect(document.labels == ["-"] && document.markers.isEmpty)
  }

  @Test func markersCutTheRecordingIntoOneMoreSegments() throws {
    let document = try document(30_000, 10_000, 20_000)
    #expect(document.boundaries == [10_000, 20_000, 30_000])
    #expect(
      document.segments.map(\.span) == [
        span(0, 10_000), span(10_000, 20_000), span(20_000, 30_000), span(30_000, 100_000),
      ])
    #expect(document.segments.map(\.id) == [.first, .from(2), .from(3), .from(1)])
  }

  @Test func splittingKeepsTheAssignmentOnTheLeft() throws {
    var document = try document(10_000)
    try document.apply(.assign(.from(1), "2:1"))
    try document.apply(.setNote(.from(1), "cough"))
    try document.apply(.addMarker(marker(2, at: 50_000)))
    #expect(document.labels == ["-", "2:1", "-"])
    #expect(document.segments.map(\.content.note) == ["", "cough", ""])
  }

  @Test func splittingAConfirmedSegmentKeepsItConfirmedWhenTheCutIs() throws {
    for confirmed in [false, true] {
      var document = AnnotationDocument(length: FrameCount(1000), rate: rate)
      try document.apply(.assign(.first, "2:1", confirming: true))
      try document.apply(.addMarker(marker(1, at: 500, confirmed: confirmed)))
      #expect(document.labels == [confirmed ? "2:1!" : "2:1", "-"])
    }
  }

  @Test func splittingAtAJoinPartsTheAyat() throws {
    var document = try document()
    let run = Assignment.ayat(ayat("93:1", "93:4"), joins: frames(100, 200, 300))
    try document.apply(.assign(.first, Attribution(run)))
    try document.apply(.addMarker(marker(1, at: 200)))
    #expect(
      document.segments.map(\.assignment) == [
        .ayat(ayat("93:1", "93:2"), joins: frames(100)),
        .ayat(ayat("93:3", "93:4"), joins: frames(300)),
      ])
    try document.apply(.addMarker(marker(2, at: 300)))
    #expect(document.labels == ["93:1-2", "93:3", "93:4"])
  }

  @Test func anAssignmentThatIsCutShortIsNoLongerConfirmed() throws {
    var document = try document()
    let run = Assignment.ayat(ayat("93:1", "93:2"), joins: frames(100))
    try document.apply(.assign(.first, Attribution(run), confirming: true))
    try document.apply(.addMarker(marker(1, at: 100, confirmed: true)))
    #expect(document.labels == ["93:1", "93:2"])
  }

  @Test func splittingBetweenJoinsKeepsWhatBeginsBeforeTheCut() throws {
    var document = try document()
    let run = Assignment.ayat(ayat("93:1", "93:4"), joins: frames(100, 200, 300))
    try document.apply(.assign(.first, Attribution(run)))
    try document.apply(.addMarker(marker(1, at: 201)))
    #expect(document.labels == ["93:1-3", "-"])
    try document.apply(.addMarker(marker(2, at: 50)))
    #expect(document.labels == ["93:1", "-", "-"])
  }

  @Test func splittingACrossSurahPairAtItsJoinPartsIt() throws {
    var document = try document()
    let pair = Assignment.crossSurah(ayah("8:75"), join: FramePosition(400), end: ayah("9:1"))
    try document.apply(.assign(.first, Attribution(pair)))
    var apart = document
    try apart.apply(.addMarker(marker(1, at: 400)))
    #expect(apart.labels == ["8:75", "9:1"])
    try document.apply(.addMarker(marker(1, at: 500)))
    #expect(document.labels == ["8:75 | 9:1", "-"])
    try document.apply(.addMarker(marker(2, at: 300)))
    #expect(document.labels == ["8:75", "-", "-"])
  }

  @Test func deletingAMarkerKeepsTheLeftAssignment() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.first, "2:1"))
    try document.apply(.assign(.from(1), "2:2"))
    try document.apply(.delete(1))
    #expect(document.labels == ["2:1", "-"])
  }

  @Test func deletingAMarkerKeepsTheRightAssignmentWhereTheLeftHasNone() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.from(1), "2:2"))
    try document.apply(.delete(1))
    #expect(document.labels == ["2:2", "-"])
  }

  @Test func deletingAMarkerKeepsBothNotesAndTheFlag() throws {
    var document = try document(10_000)
    try document.apply(.setNote(.first, "left"))
    try document.apply(.setNote(.from(1), "right"))
    try document.apply(.setFlag(.from(1), true))
    try document.apply(.delete(1))
    #expect(document.segments[0].content.note == "left\nright")
    #expect(document.segments[0].content.isFlagged)
  }

  @Test func whatIsMergedIsConfirmedWhenBothSidesWere() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1", confirming: true))
    var unsure = document
    try unsure.apply(.delete(1))
    #expect(unsure.labels == ["2:1"])
    try document.apply(.assign(.from(1), "2:1", confirming: true))
    try document.apply(.delete(1))
    #expect(document.labels == ["2:1!"])
  }

  @Test func nobodyHasConfirmedWhatIsMergedOfTwoAyat() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1", confirming: true))
    try document.apply(.assign(.from(1), "2:2", confirming: true))
    try document.apply(.delete(1))
    #expect(document.labels == ["2:1"])
  }

  @Test func draggingConfirmsTheMarkerAndMakesItThePersonsOwn() throws {
    var document = try document(10_000)
    try document.apply(.move(1, to: 10_500))
    let moved = try #require(document.marker(MarkerID(1)))
    #expect(moved.position == FramePosition(10_500) && moved.isConfirmed)
    #expect(moved.origin == .person && moved.confidence == nil)
  }

  @Test(
    arguments: [
      (Int64.min, 10_001), (0, 10_001), (10_000, 10_001), (29_999, 29_999), (30_000, 29_999),
      (Int64.max, 29_999),
    ] as [(Int64, Int64)])
  func aMarkerMovedPastItsNeighbourStopsBesideIt(_ target: Int64, _ reached: Int64) throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.move(2, to: target))
    #expect(document.boundaries == [10_000, reached, 30_000])
  }

  @Test func outerMarkersStopInsideTheRecording() throws {
    var document = try document(10_000)
    try document.apply(.move(1, to: -5))
    #expect(document.boundaries == [1])
    try document.apply(.move(1, to: 100_000))
    #expect(document.boundaries == [99_999])
  }

  @Test func anEdgeStopsBeforeAJoin() throws {
    var document = try document(10_000)
    let left = Assignment.crossSurah(ayah("1:7"), join: FramePosition(9000), end: ayah("2:1"))
    let right = Assignment.ayat(ayat("2:2", "2:3"), joins: frames(11_000))
    try document.apply(.assign(.first, Attribution(left)))
    try document.apply(.assign(.from(1), Attribution(right)))
    #expect(document.room(forMarker: MarkerID(1)) == FramePosition(9001)...FramePosition(10_999))
    try document.apply(.move(1, to: 20_000))
    #expect(document.boundaries == [10_999])
    try document.apply(.move(1, to: 0))
    #expect(document.boundaries == [9001])
    #expect(document.segments.map(\.assignment) == [left, right])
  }
}

@Suite struct SegmentEditTests {
  @Test func confirmingASegmentConfirmsItsEdges() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.assign(.from(1), "2:1"))
    try document.apply(.confirm(.from(1)))
    #expect(document.markers.map(\.isConfirmed) == [true, true, false])
    #expect(document.labels == ["-", "2:1!", "-", "-"])
  }

  @Test func severalSegmentsAreConfirmedWithTheirEdgesInOneEdit() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.fill(SequentialFill(from: .first, starting: ayah("2:1"))))
    let before = document
    var history = History()
    try history.apply(.confirmAll([.from(3), .first]), to: &document)
    #expect(document.labels == ["2:1!", "2:2", "2:3", "2:4!"])
    #expect(document.markers.map(\.isConfirmed) == [true, false, true])
    try history.undo(&document)
    #expect(document == before)
  }

  @Test func severalSegmentsAreNotConfirmedWhereOneHoldsNothing() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1"))
    #expect(throws: EditRefusal.nothingToConfirm) {
      try document.apply(.confirmAll([.first, .from(1)]))
    }
    #expect(throws: EditRefusal.nothingToConfirm) { try document.apply(.confirmAll([])) }
    #expect(document.labels == ["2:1", "-"])
  }

  @Test func assigningAnewWithoutConfirmingUnconfirms() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1", confirming: true))
    try document.apply(.assign(.first, "2:2"))
    #expect(document.labels == ["2:2", "-"])
  }

  @Test func unconfirmingASegmentLeavesItsEdges() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1", confirming: true))
    try document.apply(.unconfirm(.first))
    #expect(document.labels == ["2:1", "-"])
    #expect(document.markers[0].isConfirmed)
  }

  @Test func unconfirmingAMarkerUnconfirmsBothSides() throws {
    var document = try document(10_000)
    try document.apply(.assign(.first, "2:1", confirming: true))
    try document.apply(.assign(.from(1), "2:2", confirming: true))
    try document.apply(.unconfirmMarker(MarkerID(1)))
    #expect(document.labels == ["2:1", "2:2"])
    #expect(!document.markers[0].isConfirmed)
    try document.apply(.confirmMarker(MarkerID(1)))
    #expect(document.markers[0].isConfirmed)
  }

  @Test func clearingLeavesNoteAndFlag() throws {
    var document = try document()
    try document.apply(.markUnused(.first, .takbir, confirming: true))
    #expect(document.labels == ["unused: takbir!"])
    try document.apply(.setNote(.first, "check"))
    try document.apply(.setFlag(.first, true))
    try document.apply(.clear(.first))
    #expect(document.labels == ["-"])
    #expect(document.segments[0].content == SegmentContent(note: "check", isFlagged: true))
  }

  @Test func aJoinCanBeMoved() throws {
    var document = try document()
    let run = Assignment.ayat(ayat("93:1", "93:3"), joins: frames(100, 200))
    try document.apply(.assign(.first, Attribution(run, origin: .aligned, confidence: 0.5)))
    try document.apply(.moveJoin(.first, index: 1, to: FramePosition(250)))
    #expect(document.segments[0].assignment?.joins == frames(100, 250))
    #expect(document.segments[0].content.attribution?.confidence == 0.5)
  }

  @Test func aJoinHasRoomBetweenItsNeighbours() throws {
    var document = try document()
    let run = Assignment.ayat(ayat("93:1", "93:3"), joins: frames(100, 200))
    try document.apply(.assign(.first, Attribution(run)))
    #expect(document.room(forJoin: 0, of: .first) == FramePosition(1)...FramePosition(199))
    #expect(document.room(forJoin: 1, of: .first) == FramePosition(101)...FramePosition(99_999))
    #expect(document.room(forJoin: 2, of: .first) == nil)
    #expect(document.room(forJoin: 0, of: .from(9)) == nil)
    for frame: Int64 in [101, 99_999] {
      try document.apply(.moveJoin(.first, index: 1, to: FramePosition(frame)))
    }
    #expect(throws: EditRefusal.joinsOutOfOrder(FramePosition(100), FramePosition(100))) {
      try document.apply(.moveJoin(.first, index: 1, to: FramePosition(100)))
    }
  }

  @Test func confidenceIsBroughtIntoItsRange() {
    #expect(marker(1, at: 1, confidence: 1.5).confidence == 1)
    #expect(Attribution(.leadIn(.istiadhah), confidence: -.infinity).confidence == 0)
    #expect(marker(1, at: 1, confidence: .nan).confidence == nil)
  }
}
