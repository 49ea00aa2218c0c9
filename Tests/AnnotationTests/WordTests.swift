// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Testing

@Suite struct WordTests {
  private func word(_ name: String, _ start: Int64, _ end: Int64) -> TimedWord {
    let parts = name.split(separator: ":")
    return TimedWord(ayah("\(parts[0]):\(parts[1])"), Int(parts[2])!, span(start, end))
  }

  /// Words by number, start and end.
  private func shown(_ document: AnnotationDocument) -> [[String]] {
    document.segments.map { segment in
      document.words(in: segment).map {
        "\($0.ayah):\($0.number) \($0.span.lowerBound.frames)-\($0.span.upperBound.frames)"
      }
    }
  }

  private func hearing(
    _ words: [TimedWord], in range: Range<FramePosition> = span(0, 100_000)
  ) -> Edit { .replaceSuggestions(Suggestions(in: range, [], words: words)) }

  /// 112:1 and 112:2, ten seconds each, with their words.
  private func ikhlas() throws -> AnnotationDocument {
    var document = try document(10_000, 20_000, origin: .person)
    try document.apply(.assign(.first, "112:1"))
    try document.apply(.assign(.from(1), "112:2"))
    try document.apply(
      hearing([
        word("112:1:1", 1000, 3000), word("112:1:2", 3000, 4000), word("112:1:3", 4000, 7000),
        word("112:1:4", 7000, 9000), word("112:2:1", 11_000, 14_000),
        word("112:2:2", 15_000, 18_000),
      ]))
    return document
  }

  @Test func wordsBelongToTheSegmentOfTheirAyah() throws {
    let document = try ikhlas()
    #expect(
      shown(document) == [
        ["112:1:1 1000-3000", "112:1:2 3000-4000", "112:1:3 4000-7000", "112:1:4 7000-9000"],
        ["112:2:1 11000-14000", "112:2:2 15000-18000"], [],
      ])
  }

  @Test func wordsOfAnotherAyahOrPlaceAreNotTaken() throws {
    var document = try ikhlas()
    try document.apply(
      hearing([
        word("112:2:1", 2000, 3000), word("112:1:4", 8000, 9000), word("112:1:4", 30_000, 31_000),
      ]))
    #expect(document.words == [word("112:1:4", 8000, 9000)])
  }

  @Test func aMovedEdgeClipsAndDropsWordsUntilItIsMovedBack() throws {
    var document = try ikhlas()
    let before = document
    var history = History()
    try history.apply(.move(1, to: 7500), to: &document)
    #expect(
      shown(document)[0] == ["112:1:1 1000-3000", "112:1:2 3000-4000", "112:1:3 4000-7000"])
    try history.apply(.move(1, to: 8500), to: &document)
    #expect(shown(document)[0].last == "112:1:4 7000-8500")
    try history.apply(.move(1, to: 10_000), to: &document)
    #expect(shown(document) == shown(before))
    while try history.undo(&document) != nil {}
    #expect(document == before)
  }

  @Test func anotherAssignmentHidesThem() throws {
    var document = try ikhlas()
    try document.apply(.assign(.first, "112:3"))
    #expect(shown(document)[0].isEmpty)
    try document.apply(.assign(.first, "112:1"))
    #expect(shown(document)[0].count == 4)
  }

  @Test func splitAndMergedSegmentsKeepTheirOwn() throws {
    var document = try ikhlas()
    try document.apply(.addMarker(marker(9, at: 5000)))
    #expect(shown(document)[0] == ["112:1:1 1000-3000", "112:1:2 3000-4000"])
    try document.apply(.assign(.from(9), Attribution(.ayah(ayah("112:1"), part: .end))))
    #expect(shown(document)[1] == ["112:1:3 5000-7000", "112:1:4 7000-9000"])
    try document.apply(.delete(9))
    #expect(shown(document)[0].count == 4)
    try document.apply(
      .assign(.first, Attribution(.ayat(ayat("112:1", "112:2"), joins: frames(9500)))))
    try document.apply(.delete(1))
    #expect(shown(document)[0].count == 6)
  }

  @Test func whatWasHeardInARangeTakesThePlaceOfWhatWasThere() throws {
    var document = try ikhlas()
    try document.apply(hearing([word("112:1:3", 4500, 6500)], in: span(4000, 9500)))
    #expect(
      shown(document)[0] == ["112:1:1 1000-3000", "112:1:2 3000-4000", "112:1:3 4500-6500"])
    #expect(shown(document)[1].count == 2)
  }

  @Test func aWordThatReachesIntoTheRangeIsCutAtItsEdge() throws {
    var document = try ikhlas()
    try document.apply(hearing([word("112:1:2", 2600, 3400)], in: span(2500, 9500)))
    #expect(shown(document)[0] == ["112:1:1 1000-2500", "112:1:2 2600-3400"])
  }

  @Test func aConfirmedSegmentKeepsItsWordsWhereNoneOfTheNewAgree() throws {
    var document = try ikhlas()
    let before = shown(document)
    try document.apply(.confirm(.first))
    try document.apply(hearing([word("112:3:1", 1000, 9000)]))
    #expect(shown(document) == [before[0], [], []])
    try document.apply(hearing([word("112:1:1", 1100, 3000)]))
    #expect(shown(document)[0] == ["112:1:1 1100-3000"])
  }

  @Test func suggestionsOfWhoDidNotListenLeaveWordsAlone() throws {
    var document = try ikhlas()
    let words = document.words
    try document.apply(.replaceSuggestions(Suggestions(in: span(0, 100_000), [])))
    #expect(document.words == words)
  }

  @Test func anImportBringsItsOwnOrLeavesThemAlone() throws {
    var document = try ikhlas()
    let before = document
    let change = try document.apply(.replaceAll(document.records, words: []))
    #expect(document.words.isEmpty)
    try document.apply(change.inverse)
    #expect(document == before)
    #expect(try document.apply(.replaceAll(document.records)).isEmpty)
  }

  @Test func whatAChangeDidToWordsIsAsShortAsItGoes() throws {
    var document = try ikhlas()
    var words = document.words
    words[2].span = span(4100, 7000)
    let change = try document.apply(hearing(words))
    #expect(change.old.isEmpty && change.new.isEmpty)
    #expect(change.words?.old == [word("112:1:3", 4000, 7000)])
    #expect(change.words?.new == [words[2]])
    let text = try JSONEncoder().encode(change)
    #expect(try JSONDecoder().decode(Change.self, from: text) == change)
  }

  @Test(
    arguments: [
      ([("112:1:1", 5, 5)], "empty"), ([("112:1:1", 5, 9), ("112:1:2", 8, 12)], "overlap"),
      ([("112:1:2", 8, 12), ("112:1:1", 5, 7)], "order"),
      ([("112:1:1", -5, 7)], "before the start"), ([("112:1:1", 90_000, 100_001)], "after the end"),
      ([("112:1:5", 1, 2)], "no such word"), ([("112:1:0", 1, 2)], "no such word"),
    ] as [([(String, Int64, Int64)], String)])
  func impossibleWordsAreRefused(words: [(String, Int64, Int64)], reason: String) throws {
    let words = words.map { word($0.0, $0.1, $0.2) }
    #expect(throws: EditRefusal.self, "\(reason)") {
      try AnnotationDocument(
        length: FrameCount(100_000), rate: rate, records: document().records, words: words)
    }
  }

  @Test func aChangeOfOtherWordsIsRefused() throws {
    var document = try ikhlas()
    var words = document.words
    words.removeLast()
    let change = try document.apply(hearing(words))
    #expect(throws: EditRefusal.documentChanged) { try document.apply(change) }
    try document.apply(change.inverse)
    #expect(throws: EditRefusal.wordsOutOfOrder(FramePosition(15_000))) {
      try document.apply(change.inverse)
    }
  }

  @Test func wordsMoveToAnotherClock() throws {
    let retiming = Retiming(from: rate, to: try #require(SampleRate(hertz: 100)), delay: 1)
    #expect(word("112:1:1", 1000, 3000).retimed(retiming) == word("112:1:1", 200, 400))
    #expect(word("112:1:1", 1000, 1001).retimed(retiming) == nil)
    let document = try ikhlas()
    var moved = try AnnotationDocument(
      length: FrameCount(10_100), rate: retiming.newRate,
      records: document.records.map { $0.retimed(retiming) },
      words: document.words.compactMap { $0.retimed(retiming) })
    var original = document
    let change = try original.apply(hearing([word("112:1:2", 3100, 4000)], in: span(0, 9500)))
    try moved.apply(change.retimed(retiming))
    #expect(moved.words == original.words.compactMap { $0.retimed(retiming) })
  }
}
