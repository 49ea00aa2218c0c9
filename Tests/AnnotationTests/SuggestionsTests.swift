// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Testing

@Suite struct SuggestionsTests {
  private func suggest(
    in range: Range<FramePosition> = span(0, 100_000), opening: String? = nil,
    _ boundaries: (id: Int, position: Int64, ayah: String?)...
  ) -> Edit {
    func attribution(_ text: String?) -> Attribution? {
      text.map { Attribution(.ayah(ayah($0)), origin: .aligned, confidence: 0.5) }
    }
    return .replaceSuggestions(
      Suggestions(
        in: range, opening: attribution(opening),
        boundaries.map {
          .init(marker($0.id, at: $0.position, origin: .aligned), attribution($0.ayah))
        }))
  }

  @Test func oldSuggestionsGoAndNewOnesCome() throws {
    var document = try document(10_000, 20_000)
    try document.apply(suggest((3, 15_000, nil), (4, 25_000, nil)))
    #expect(document.boundaries == [15_000, 25_000])
  }

  @Test func suggestionsOutsideTheRangeStay() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(suggest(in: span(15_000, 30_000), (4, 16_000, nil)))
    #expect(document.boundaries == [10_000, 16_000, 30_000])
  }

  @Test func theRangeIsHalfOpen() throws {
    var document = try document(10_000, 20_000)
    try document.apply(suggest(in: span(10_000, 20_000)))
    #expect(document.boundaries == [20_000])
  }

  @Test func whatAPersonConfirmedOrPlacedStays() throws {
    var document = try document(10_000, 30_000)
    try document.apply(.confirmMarker(MarkerID(1)))
    try document.apply(.addMarker(marker(3, at: 20_000, origin: .person)))
    try document.apply(suggest())
    #expect(document.boundaries == [10_000, 20_000])
  }

  @Test(
    arguments: [(9500, true), (9501, false), (10_499, false), (10_500, true)] as [(Int64, Bool)])
  func noneComesWithinHalfASecondOfAConfirmedMarker(_ frame: Int64, _ comes: Bool) throws {
    var document = try document(10_000)
    try document.apply(.confirmMarker(MarkerID(1)))
    try document.apply(suggest((2, frame, nil)))
    #expect(document.boundaries.contains(frame) == comes)
    #expect(document.boundaries.contains(10_000))
  }

  @Test func noneCutsAConfirmedSegment() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.from(1), "2:1", confirming: true))
    try document.apply(suggest((3, 5000, nil), (4, 15_000, nil)))
    #expect(document.boundaries == [5000, 10_000, 20_000])
    #expect(document.labels[2] == "2:1!")
  }

  @Test func whatIsFoundForASegmentIsAssignedUnlessItIsConfirmed() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.first, "1:7", confirming: true))
    try document.apply(suggest(opening: "1:1", (3, 15_000, "2:2"), (4, 10_100, "2:1")))
    #expect(document.labels == ["1:7!", "2:1", "2:2"])
    #expect(document.boundaries == [10_000, 15_000])
    #expect(document.segments[1].content.attribution?.origin == .aligned)
  }

  @Test func whatWasAlignedGoesWhereNothingIsFoundAndTheEdgesAreOthers() throws {
    var document = try document()
    try document.apply(
      suggest(
        opening: "2:1", (1, 10_000, "2:2"), (2, 20_000, "2:3"), (3, 30_000, "2:4"),
        (4, 50_000, "2:5")))
    try document.apply(.assign(.from(3), "2:7"))
    // The second reaches further than before, the third begins elsewhere, and the fourth is a person's.
    try document.apply(suggest((5, 10_000, nil), (6, 25_000, nil), (7, 30_000, nil)))
    #expect(document.boundaries == [10_000, 25_000, 30_000])
    #expect(document.labels == ["2:1", "-", "-", "2:7"])
  }

  @Test(arguments: [(10_000, 1), (15_000, 1), (20_000, 2)] as [(Int64, Int)])
  func theOpeningIsWhatIsHeardWhereTheRangeBegins(_ start: Int64, _ index: Int) throws {
    var document = try document(10_000, 20_000)
    try document.apply(suggest(in: span(start, 100_000), opening: "2:1"))
    #expect(document.boundaries.last == (index == 1 ? 10_000 : 20_000))
    #expect(document.labels.lastIndex(of: "2:1") == index && document.labels.last == "2:1")
  }

  @Test func theSameSuggestionAgainChangesNothingButItsConfidence() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.from(1), "2:1"))
    let same = Suggestions(
      in: span(0, 100_000),
      [.init(marker(8, at: 10_000)), .init(marker(9, at: 20_000, confidence: 0.25))])
    try document.apply(.replaceSuggestions(same))
    #expect(document.labels == ["-", "2:1", "-"])
    #expect(document.markers.map(\.id) == [MarkerID(1), MarkerID(2)])
    #expect(document.markers.map(\.confidence) == [nil, 0.25])
    #expect(try document.apply(.replaceSuggestions(same)).isEmpty)
  }

  /// An alignment is as sure of a segment as of its edges; what it is less sure of by itself is not decided with them.
  @Test(arguments: [(0.9, nil), (0.6, 0.6)])
  func aDoubtIsDecidedWithTheEdgeThatItIsOf(held: Double, left: Double?) throws {
    var document = try document()
    try document.apply(
      .replaceSuggestions(
        Suggestions(
          in: span(0, 100_000), opening: Attribution(.ayah(ayah("2:1")), origin: .aligned),
          [
            .init(
              marker(1, at: 30_000, origin: .aligned, confidence: 0.9),
              Attribution(.ayah(ayah("2:2")), origin: .aligned, confidence: held)),
            .init(
              marker(2, at: 60_000, origin: .aligned, confidence: 0.95),
              Attribution(.ayah(ayah("2:3")), origin: .aligned, confidence: 0.95)),
          ])))
    #expect(document.confidence(of: document.segments[1]) == min(held, 0.9))
    try document.apply(.confirm(.first))
    try document.apply(.confirm(.from(2)))
    #expect(document.confidence(of: document.segments[1]) == left)
    #expect(document.confidence(of: document.segments[2]) == nil)
  }

  @Test func twoOnOneFrameAreOne() throws {
    var document = try document()
    try document.apply(suggest((1, 500, "2:1"), (2, 500, "2:2")))
    #expect(document.markers.map(\.id) == [MarkerID(1)])
    #expect(document.labels == ["-", "2:1"])
  }

  @Test func whatDoesNotFitItsSegmentIsNotAssigned() throws {
    var document = try document(20_000, confirmed: true)
    let run = Assignment.ayat(ayat("2:1", "2:2"), joins: frames(20_000))
    try document.apply(
      .replaceSuggestions(
        Suggestions(in: span(0, 100_000), [.init(marker(2, at: 10_000), Attribution(run))])))
    #expect(document.labels == ["-", "-", "-"])
  }

  @Test func aRangeOutsideTheRecordingChangesNothing() throws {
    var document = try document(10_000)
    #expect(try document.apply(suggest(in: span(.min, 0))).isEmpty)
    #expect(try document.apply(suggest(in: span(100_000, .max))).isEmpty)
    try document.apply(suggest(in: span(.min, .max)))
    #expect(document.boundaries.isEmpty)
  }
}
