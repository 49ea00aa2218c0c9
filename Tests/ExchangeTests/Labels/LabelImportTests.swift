// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Exchange

/// Labels on a recording of 100 s at 1,000 frames a second, so that frames are milliseconds.
@Suite struct LabelImportTests {
  private let rate = SampleRate(hertz: 1000)!

  private func region(_ start: Double, _ end: Double, _ text: String) -> Label {
    Label(start: start, end: end, text: text, place: .line(Int(start) + 1))
  }

  private func point(_ start: Double, _ text: String) -> Label {
    Label(start: start, text: text, place: .line(Int(start) + 1))
  }

  private func imported(
    _ labels: Label..., isConfirmed: Bool = false, tolerance: Double = 0.01
  ) throws -> LabelImport {
    try LabelImport(
      LabelFile(labels), length: FrameCount(100_000), rate: rate, isConfirmed: isConfirmed,
      tolerance: tolerance)
  }

  /// `start label` of each segment.
  private func segments(_ result: LabelImport) -> [String] {
    result.document.segments.map {
      "\($0.span.lowerBound.frames) \($0.assignment?.labelText ?? "-")"
    }
  }

  @Test func gapsBecomeUnassignedAndTouchingLabelsShareAMarker() throws {
    let result = try imported(
      region(10, 20, "2:1"), region(20, 30, "2:2"), region(40, 100, "2:3"))
    #expect(segments(result) == ["0 -", "10000 2:1", "20000 2:2", "30000 -", "40000 2:3"])
    #expect(result.warnings.isEmpty)
    #expect(result.document.markers.allSatisfy { $0.origin == .person && !$0.isConfirmed })
    #expect(result.document.records.allSatisfy { $0.content.attribution?.origin != .detected })
  }

  @Test func gapsAndOverlapsWithinTheToleranceCloseUp() throws {
    let result = try imported(
      region(0.01, 20, "2:1"), region(20.01, 30.005, "2:2"), region(29.995, 99.99, "2:3"))
    #expect(segments(result) == ["0 2:1", "20010 2:2", "29995 2:3"])
    #expect(result.warnings.isEmpty)
    let strict = try imported(region(0, 20, "2:1"), region(20.01, 100, "2:2"), tolerance: 0)
    #expect(segments(strict) == ["0 2:1", "20000 -", "20010 2:2"])
  }

  @Test func nothingTooShortToBeHeardIsLeftAtTheEnds() throws {
    let result = try imported(region(0.03, 20, "2:1"), region(20, 99.981, "2:2"))
    #expect(segments(result) == ["0 2:1", "20000 2:2"])
    let far = try imported(region(0.06, 20, "2:1"), region(20, 99.94, "2:2"))
    #expect(segments(far) == ["0 -", "60 2:1", "20000 2:2", "99940 -"])
    let point = try imported(point(0, "2:1"), point(20, "2:2"), point(99.981, ""))
    #expect(segments(point) == ["0 2:1", "20000 2:2"])
  }

  @Test func overlapsBelongToTheLaterLabelWithAWarning() throws {
    let result = try imported(region(0, 30, "2:1"), region(20, 50, "2:2"), region(30, 40, "2:3"))
    #expect(segments(result) == ["0 2:1", "20000 2:2", "30000 2:3", "40000 -"])
    #expect(
      result.warnings.map(\.description) == [
        "line 21: \"2:2\" overlaps the label before it, which was shortened",
        "line 31: \"2:3\" overlaps the label before it, which was shortened",
      ])
  }

  @Test func warningsComeInTheOrderOfTheirLines() throws {
    let result = try imported(region(0, 30, "cough"), region(20, 50, "2:2"), region(60, 70, "hm"))
    #expect(result.warnings.map(\.place) == [.line(1), .line(21), .line(61)])
  }

  @Test func labelsInAnyOrderAreSorted() throws {
    let result = try imported(region(50, 100, "2:2"), region(0, 50, "2:1"))
    #expect(segments(result) == ["0 2:1", "50000 2:2"])
  }

  @Test func labelsOutsideTheRecordingAreReported() throws {
    let result = try imported(
      region(0, 50, "2:1"), region(50, 101, "2:2"), region(100, 102, "2:3"), point(1e9, "2:4"))
    #expect(segments(result) == ["0 2:1", "50000 2:2"])
    #expect(
      result.warnings.map(\.description) == [
        "line 51: \"2:2\" ends after the end of the recording; cut",
        "line 101: \"2:3\" begins after the end of the recording; skipped",
        "line 1000000001: \"2:4\" begins after the end of the recording; skipped",
      ])
  }

  @Test func timesThatNoReaderLetsThroughLeaveMarkersInTheRecording() throws {
    for time in [-1.0, .nan, .infinity, -.infinity, 1e300] {
      let result = try LabelImport(
        LabelFile([
          Label(start: time, end: 5, text: "2:1", place: .wholeFile),
          Label(start: 1, end: time, text: "2:1-3", place: .wholeFile, joins: [time]),
          Label(start: time, text: "", place: .wholeFile),
          Label(start: 2, end: 3, text: "2:1", place: .wholeFile),
          Label(start: 3, text: "2:2", place: .wholeFile),
        ]), length: FrameCount(10_000), rate: rate, tolerance: time)
      let positions = result.document.markers.map(\.position.frames)
      #expect(positions.allSatisfy { (1..<10_000).contains($0) }, "\(time): \(positions)")
      #expect(result.document.segments.count == positions.count + 1)
    }
  }

  @Test func pointsAloneCutTheRecording() throws {
    let result = try imported(point(10, "2:1"), point(20, ""), point(30, "takbir"))
    #expect(segments(result) == ["0 -", "10000 2:1", "20000 -", "30000 unused: takbir"])
    #expect(try segments(imported(point(0, "2:1"), point(20, "2:2"))) == ["0 2:1", "20000 2:2"])
  }

  @Test func pointsBetweenLabelsAreBoundaries() throws {
    let result = try imported(region(10, 20, "2:1"), point(25, "2:2"), region(50, 60, "2:3"))
    #expect(
      segments(result) == ["0 -", "10000 2:1", "20000 -", "25000 2:2", "50000 2:3", "60000 -"])
    #expect(
      try segments(imported(region(0, 20, "2:1"), point(20.01, "2:2"))) == ["0 2:1", "20000 2:2"])
  }

  @Test func pointsInsideALabelAreItsJoins() throws {
    let result = try imported(
      region(0, 50, "93:1-3"), point(10, "93:2"), point(20, ""), region(50, 100, "2:286 | 3:1"),
      point(80, "x"))
    #expect(
      result.document.segments.map(\.assignment) == [
        .ayat(
          AyahRange(first: ayah(93, 1), last: ayah(93, 3))!,
          joins: [FramePosition(10_000), FramePosition(20_000)]),
        .crossSurah(ayah(2, 286), join: FramePosition(80_000), end: ayah(3, 1)),
      ])
    #expect(result.document.segments[1].content.note == "x")
    #expect(
      result.warnings.map(\.description) == [
        "line 81: \"x\" is inside another label; kept as a note there"
      ])
  }

  @Test func missingJoinsArePlacedByLengthAndFlagged() throws {
    let result = try imported(region(0, 50, "93:1-3"), region(50, 100, "2:1"), isConfirmed: true)
    let first = result.document.segments[0]
    let joins = try #require(first.assignment?.joins)
    #expect(joins.count == 2 && first.content.isFlagged && !first.isConfirmed)
    // The first two ayat of the surah are a fraction as long as the third.
    #expect(joins[0] < joins[1] && FramePosition.zero < joins[0])
    #expect(joins[1] < FramePosition(40_000))
    #expect(result.document.segments[1].isConfirmed)
    #expect(
      result.warnings.map(\.description) == [
        "line 1: \"93:1-3\" needs 2 joins but it has none;"
          + " placed by the lengths of the ayat and flagged for review"
      ])
  }

  @Test func thereIsRoomForAJoinBeforeEachAyahOrNone() throws {
    let result = try LabelImport(
      LabelFile([
        region(0, 0.003, "93:1-3"), region(0.003, 0.005, "93:1-3"), region(1, 2, "2:1-7:200"),
      ]), length: FrameCount(2000), rate: rate, tolerance: 0)
    #expect(
      result.document.segments.map { $0.assignment?.joins.map(\.frames) }
        == [[1, 2], nil, nil, nil])
    #expect(result.document.segments[1].content.note == "93:1-3")
    // 882 ayat in 1,000 frames.
    let tight = try imported(region(0, 1, "2:1-6:100"))
    #expect(tight.document.segments[0].assignment?.joins.count == 881)
  }

  @Test func whatIsNotUnderstoodIsKeptAsANote() throws {
    let result = try imported(region(0, 50, "cough\u{1B}[2J"), region(50, 100, "2:1"))
    #expect(segments(result) == ["0 -", "50000 2:1"])
    #expect(result.document.segments[0].content.note == "cough\u{1B}[2J")
    #expect(
      result.warnings.map(\.description) == [
        "line 1: \"cough [2J\" is not a known label; kept as a note"
      ])
  }

  @Test func aBasmalahIsOfTheSurahThatFollows() throws {
    let result = try imported(
      region(0, 10, "basmalah"), region(10, 20, "takbir"), region(20, 30, "2:1"),
      region(30, 40, "isti'adhah + basmalah"), region(40, 50, "114:6"), region(50, 100, "basmalah"))
    #expect(
      segments(result) == [
        "0 basmalah (2)", "10000 unused: takbir", "20000 2:1", "30000 isti'adhah + basmalah (114)",
        "40000 114:6", "50000 -",
      ])
    #expect(result.document.segments[5].content.note == "basmalah")
    #expect(
      try segments(imported(region(0, 50, "basmalah"), region(50, 100, "1:2")))
        == ["0 1:1", "50000 1:2"])
    #expect(
      try segments(imported(region(0, 50, "112:4"), region(50, 100, "basmalah")))
        == ["0 112:4", "50000 basmalah (113)"])
  }

  @Test func labelsThatStartTogetherLeaveANote() throws {
    let result = try imported(region(10, 20, "2:1"), region(10, 30, "again"), point(10, ""))
    #expect(segments(result) == ["0 -", "10000 2:1", "20000 -"])
    #expect(result.document.segments[1].content.note == "again")
    #expect(result.warnings.count == 1)
    #expect(
      try segments(imported(region(10, 20, ""), region(10, 30, "2:1")))
        == ["0 -", "10000 2:1", "30000 -"])
  }

  @Test func confirmedMeansAssignedSegmentsAndAllMarkers() throws {
    let result = try imported(region(10, 20, "2:1"), region(20, 30, "?"), isConfirmed: true)
    #expect(result.document.markers.allSatisfy { $0.isConfirmed })
    #expect(result.document.segments.map(\.isConfirmed) == [false, true, false, false])
  }

  // MARK: Tiers

  private let tiers = LabelFile(tiers: [
    LabelTier(name: "pauses", labels: [Label(start: 1, end: 2, text: "pause", place: .line(1))]),
    LabelTier(
      name: "Ayat",
      labels: [
        Label(start: 0, end: 50, text: "2:1", place: .line(2)),
        Label(start: 50, end: 100, text: "2:286 | 3:1", place: .line(3)),
      ]),
    LabelTier(name: "joins", labels: [Label(start: 70, text: "3:1", place: .line(4))]),
    LabelTier(name: "notes", labels: [Label(start: 51, end: 99, text: "slow", place: .line(5))]),
    LabelTier(name: "flags", labels: [Label(start: 3, text: "flag", place: .line(6))]),
  ])

  private func imported(_ file: LabelFile, tier: String?) throws -> LabelImport {
    try LabelImport(file, tier: tier, length: FrameCount(100_000), rate: rate)
  }

  @Test func theTierThatIsUnderstoodCountsAndOthersAddToIt() throws {
    let result = try imported(tiers, tier: nil)
    #expect(result.tier == "Ayat")
    #expect(segments(result) == ["0 2:1", "50000 2:286 | 3:1"])
    #expect(result.document.segments[1].assignment?.joins == [FramePosition(70_000)])
    #expect(result.document.segments.map(\.content.note) == ["", "slow"])
    #expect(result.document.segments.map(\.content.isFlagged) == [true, false])
    #expect(result.warnings.isEmpty)
  }

  @Test func aTierIsChosenByNameWhateverItsCase() throws {
    #expect(try imported(tiers, tier: "ayat").tier == "Ayat")
    #expect(try imported(tiers, tier: "pauses").document.segments.count == 3)
    let error = #expect(throws: ExchangeError.self) { try imported(tiers, tier: "words") }
    #expect(
      error?.description == "there is no tier \"words\"; choose one of \"pauses\", \"Ayat\","
        + " \"joins\", \"notes\", \"flags\"")
  }
}
