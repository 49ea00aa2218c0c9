// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@Suite struct ValidationTests {
  /// A document whose segments hold these and last as long as their ayat do, 100 ms a sound, times
  /// the factor given for one of them.
  private func document(
    _ assignments: [Assignment?], stretching stretched: Int? = nil, by factor: Double = 1
  ) throws -> AnnotationDocument {
    var end: Int64 = 0
    let records = assignments.enumerated().map { index, assignment in
      let start = index == 0 ? nil : marker(index, at: end)
      var units = 50
      if case .ayah(let ayah, _, _) = assignment { units = ayah.length.phoneticUnits }
      end += Int64(Double(units * 100) * (index == stretched ? factor : 1))
      return SegmentRecord(
        start: start, content: SegmentContent(assignment.map { Attribution($0) }))
    }
    return try AnnotationDocument(length: FrameCount(end), rate: rate, records: records)
  }

  private func document(_ ayat: String...) throws -> AnnotationDocument {
    try document(ayat.map { .ayah(ayah($0)) })
  }

  private func kinds(_ document: AnnotationDocument) -> [Int: [Finding.Kind]] {
    Dictionary(grouping: document.validate(), by: \.index).mapValues { $0.map(\.kind) }
  }

  @Test func ayatInOrderGiveNoFindings() throws {
    #expect(try document("2:285", "2:286", "3:1", "3:2").validate().isEmpty)
  }

  @Test func unassignedSegmentsBlockCompletion() throws {
    let findings = try document([.ayah(ayah("2:1")), nil]).validate()
    #expect(findings.map(\.kind) == [.unassigned])
    #expect(findings[0].segment == .from(1) && findings[0].severity == .blocksCompletion)
  }

  @Test func unusedSegmentsAndLeadInsStandBetweenAyat() throws {
    let document = try document([
      .leadIn(.istiadhah), .ayah(ayah("2:1")), .unused(.noise), .ayah(ayah("2:2")),
    ])
    #expect(document.validate().isEmpty)
  }

  @Test func ayatMissingBetweenNeighboursAreNamed() throws {
    #expect(try kinds(document("2:1", "2:4")) == [1: [.missing(ayat("2:2", "2:3"))]])
    // Once, however often it is passed over.
    #expect(
      try kinds(document("2:1", "2:3", "2:1", "2:4")) == [
        1: [.missing(ayat("2:2", "2:2"))],
        2: [.repeated(ayah("2:1"), first: .first)],
      ])
    #expect(
      try kinds(document("2:285", "3:3")) == [1: [.missing(ayat("2:286", "3:2"))]])
  }

  @Test func ayatHeardElsewhereAreNotMissing() throws {
    #expect(
      try kinds(document("2:1", "2:2", "2:6", "2:4", "2:5")) == [
        2: [.missing(ayat("2:3", "2:3"))],
        3: [.outOfOrder(ayah("2:4"), after: ayah("2:6"))],
      ])
  }

  @Test func aJumpToAFarSurahIsAChoiceAndNoGap() throws {
    #expect(try document("32:30", "76:1", "87:1").validate().isEmpty)
  }

  @Test func goingBackToWhatWasHeardIsRepetition() throws {
    let document = try document("2:1", "2:2", "2:1", "2:2", "2:3")
    #expect(
      kinds(document) == [
        2: [.repeated(ayah("2:1"), first: .first)],
        3: [.repeated(ayah("2:2"), first: .from(1))],
      ])
    #expect(document.validate().allSatisfy { $0.severity == .note })
  }

  @Test func anEarlierAyahNotHeardBeforeIsOutOfOrder() throws {
    #expect(
      try kinds(document("2:5", "2:3")) == [1: [.outOfOrder(ayah("2:3"), after: ayah("2:5"))]])
  }

  @Test func theQuranMayBeBegunAgain() throws {
    #expect(try document("114:5", "114:6", "2:1").validate().isEmpty)
  }

  @Test func alFatihaComesInEveryRakah() throws {
    let fatiha = (1...7).map { "1:\($0)" }
    let ayat = fatiha + ["2:1", "2:2"] + fatiha.dropFirst() + ["2:3"] + fatiha + ["2:4"]
    #expect(try document(ayat.map { .ayah(ayah($0)) }).validate().isEmpty)
  }

  @Test func alFatihaMayFollowItselfWithASilentBasmalah() throws {
    let ayat = (1...7).map { "1:\($0)" } + (2...7).map { "1:\($0)" }
    #expect(try document(ayat.map { .ayah(ayah($0)) }).validate().isEmpty)
  }

  @Test func alFatihaIsFollowedWithinARakah() throws {
    #expect(
      try kinds(document("1:1", "1:3", "2:1", "2:2", "1:1", "1:1", "1:2", "1:2")) == [
        1: [.missing(ayat("1:2", "1:2"))],
        2: [.missing(ayat("1:4", "1:7"))],
        5: [.repeated(ayah("1:1"), first: .from(4))],
        7: [.repeated(ayah("1:2"), first: .from(6))],
      ])
  }

  @Test func aPartWithoutTheRestIsIncomplete() throws {
    func parts(_ parts: AyahPart?...) throws -> [Int: [Finding.Kind]] {
      kinds(try document(parts.map { .ayah(ayah("2:282"), part: $0) }))
    }
    #expect(try parts(.beginning) == [0: [.incomplete(ayah("2:282"))]])
    #expect(try parts(.end, .beginning) == [0: [.incomplete(ayah("2:282"))]])
    #expect(try parts(.beginning, .middle, .end).isEmpty)
    #expect(try parts(.beginning, nil).isEmpty)
    #expect(try parts(nil, .end).isEmpty)
  }

  @Test func ayatInOneBreathAreEachFollowed() throws {
    let document = try document([
      .ayat(ayat("93:1", "93:3"), joins: frames(1000, 2000)),
      .crossSurah(ayah("93:5"), join: FramePosition(6000), end: ayah("94:1")),
    ])
    #expect(
      kinds(document) == [
        1: [.missing(ayat("93:4", "93:4")), .missing(ayat("93:6", "93:11"))]
      ])
  }

  private let passage = ayat("2:2", "2:9").map { Assignment?.some(.ayah($0)) }

  @Test(arguments: [(0.45, true), (0.55, false)])
  func anAyahMuchTooShortIsWorthALook(_ factor: Double, _ isShort: Bool) throws {
    let findings = try document(passage, stretching: 3, by: factor).validate()
    #expect(findings.map(\.index) == (isShort ? [3] : []))
    for finding in findings {
      guard case .short(let found) = finding.kind else { return #expect(Bool(false)) }
      #expect(abs(found - factor) < 0.01 && finding.severity == .worthALook)
    }
  }

  @Test(arguments: [(2.4, true), (1.9, false)])
  func anAyahMuchTooLongIsWorthALook(_ factor: Double, _ isLong: Bool) throws {
    let findings = try document(passage, stretching: 3, by: factor).validate()
    #expect(findings.map(\.index) == (isLong ? [3] : []))
    for finding in findings {
      guard case .long(let found) = finding.kind else { return #expect(Bool(false)) }
      #expect(abs(found - factor) < 0.01 && finding.severity == .worthALook)
    }
  }

  @Test func aShortAyahMayHaveAPauseWithIt() throws {
    let short = passage + [Assignment?.some(.ayah(ayah("103:1")))]
    #expect(ayah("103:1").length.phoneticUnits < 40)
    let pause = 1.4 / (Double(ayah("103:1").length.phoneticUnits) * 0.1)
    #expect(try document(short, stretching: passage.count, by: 2 + pause).validate().isEmpty)
  }

  @Test func fewSegmentsHaveNoPace() throws {
    let few = Array(passage.prefix(4))
    #expect(try document(few, stretching: 3, by: 10).validate().isEmpty)
  }

  @Test func findingsSpeakToPeople() throws {
    let document = try document("2:1", "2:4", "2:1")
    #expect(
      document.validate().map(\.description) == [
        "2:2-3 missing before this", "2:1 is repeated",
      ])
  }
}

@Suite struct StatusTests {
  @Test func goesFromNoneOverPartialToComplete() throws {
    var document = try document(10_000)
    #expect(document.status == .none)
    try document.apply(.assign(.first, "2:1", confirming: true))
    #expect(document.status == .partial)
    try document.apply(.markUnused(.from(1), .silence))
    #expect(document.status == .partial)
    try document.apply(.confirm(.from(1)))
    #expect(document.status == .complete)
    #expect(document.progress.assigned == 2 && document.progress.confirmed == 2)
    try document.apply(.clear(.first))
    #expect(document.status == .partial)
  }
}

@Suite struct OccurrenceTests {
  @Test func everyTimeAnAyahIsHeardIsAnOccurrence() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.assign(.first, Attribution(.ayah(ayah("2:2"), part: .beginning))))
    let run = Assignment.ayat(ayat("2:1", "2:3"), joins: frames(13_000, 16_000))
    try document.apply(.assign(.from(1), Attribution(run)))
    try document.apply(.assign(.from(2), "2:2"))
    let pair = Assignment.crossSurah(ayah("1:7"), join: FramePosition(40_000), end: ayah("2:2"))
    try document.apply(.assign(.from(3), Attribution(pair)))
    #expect(
      document.occurrences(of: ayah("2:2")).map(\.span) == [
        span(0, 10_000), span(13_000, 16_000), span(20_000, 30_000), span(40_000, 100_000),
      ])
    #expect(document.firstCompleteOccurrence(of: ayah("2:2"))?.segment == .from(1))
    #expect(document.firstCompleteOccurrence(of: ayah("2:4")) == nil)
    #expect(document.segments[3].passages.map(\.ayah) == [ayah("1:7"), ayah("2:2")])
  }
}
