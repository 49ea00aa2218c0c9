// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

@Suite struct ReviewTests {
  @Test func enterConfirmsWithTheNextAyahFilledInAndPlaysTheNextSegment() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000).assigning(1, "2:1"))
    desk.press("enter enter enter")
    #expect(desk.labels == ["2:1!", "2:2!", "2:3!", "-"])
    #expect(desk.selected == 4)
    let last = PlaybackCommand.play(
      span: span(30_000, 100_000), from: FramePosition(30_000), looping: true)
    #expect(desk.played.last == last)
  }

  @Test func enterAsksWhatTheFirstSegmentHolds() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("enter")
    #expect(desk.state.context == .assignment)
    desk.press("'67 tab '1 enter")
    #expect(desk.labels == ["67:1!", "-", "-"])
    #expect(desk.state.context == .normal)
  }

  @Test func theNextAyahLeavesOutLeadInsAndUnusedSegments() throws {
    var before = try document(10_000, 20_000, 30_000).assigning(1, "1:7")
    try before.apply(.markUnused(before.segments[1].id, .ameen))
    try before.apply(
      .assign(before.segments[2].id, Attribution(.leadIn(.basmalah(of: Surah(2)!)))))
    let desk = Desk(before)
    #expect(desk.state.proposal(for: 3) == .ayah(ayah("2:1")))
  }

  @Test func afterTheBeginningOfAnAyahComesItsEnd() throws {
    var before = try document(10_000)
    try before.apply(.assign(.first, Attribution(.ayah(ayah("2:282"), part: .beginning))))
    let desk = Desk(before)
    #expect(desk.state.proposal(for: 1) == .ayah(ayah("2:282"), part: .end))
  }

  @Test func theLeastSureEdgeComesFirstAndEachOnce() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000, confidences: [0.9, 0.3, 0.7, 0.5]))
    var edges: [Int64] = []
    for _ in 1...5 {
      desk.press("n")
      edges.append(desk.state.selectedMarker?.position.frames ?? 0)
    }
    #expect(edges == [20_000, 40_000, 30_000, 10_000, 20_000])
  }

  @Test func anEdgeIsShownInTheMiddleHeardOnBothSidesAndSaysHowManyAreLeft() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, confidences: [0.9, 0.345, 0.7]))
    desk.press("n")
    #expect(desk.state.viewport.column(of: FramePosition(20_000)) == 40)
    #expect(desk.state.viewport.span.length < FrameCount(5000))
    #expect(desk.played.last?.span == span(18_000, 22_000))
    #expect(
      desk.state.notice?.text
        == "This edge is 34% sure; 2 more from 70% on, under 1 wrong")
    #expect(desk.state.footerItems.map(\.action).starts(with: [.reviewConfirmNext]))
    desk.press("y")
    #expect(desk.document.markers[1].isConfirmed)
    desk.press("alt-3 alt-3 3")
    #expect(desk.played.last?.span == span(19_000, 21_000))
  }

  @Test func anEdgeThatAPersonHasPlacedOrDecidedIsNotVisited() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, confidences: [0.2, 0.3, 0.4]))
    desk.press("n y n > n")
    #expect(desk.state.selectedMarker?.position == FramePosition(30_000))
    desk.press("y n")
    #expect(
      desk.state.notice?.text
        == "Every edge is decided; N goes to the next unconfirmed one")
  }

  @Test func afterALookCloselyWhatIsGoneToIsInTheMiddle() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("down X down")
    #expect(desk.state.viewport.column(of: FramePosition(20_000)) == 40)
    desk.press("o")
    #expect(desk.state.viewport.column(of: FramePosition(30_000)) == 40)
  }

  @Test func aStormOfResizesLeavesTheViewWhereItWas() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("down X")
    let before = desk.state.viewport.span
    for step in 0..<500 {
      desk.send(.input(.resize(Size(columns: 80 + step * 37 % 120, rows: 24 + step % 30))))
    }
    desk.send(.input(.resize(Size(columns: 80, rows: 24))))
    #expect(desk.state.viewport.span == before)
    desk.press("Z")
    desk.send(.input(.resize(Size(columns: 120, rows: 24))))
    #expect(desk.state.viewport.showsAll)
  }

  @Test func acceptingWhatTheNextSegmentHoldsOffersToNumberThoseAfterItAnew() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("f '84:7 enter")
    desk.state.transport.position = FramePosition(5000)
    desk.press("m")
    #expect(desk.labels == ["84:7", "-", "84:8", "84:9", "84:10"])
    desk.press("enter")
    #expect(desk.state.context == .fill)
    #expect(
      desk.state.notice?.text == "84:8 is in the next segment: this renumbers the segments")
    desk.press("enter")
    #expect(desk.labels == ["84:7", "84:8", "84:9", "84:10", "84:11"])
    desk.press("u")
    #expect(desk.labels == ["84:7", "-", "84:8", "84:9", "84:10"])
  }

  @Test func anAyahThatIsNamedTwiceIsToldWhereItIsNamed() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("f '84:7 enter")
    desk.state.transport.position = FramePosition(5000)
    desk.press("m e enter")
    #expect(desk.labels == ["84:7", "84:8!", "84:8", "84:9", "84:10"])
    #expect(
      desk.state.notice
        == Notice(.warning, "84:8 is in the next segment too; f on it renumbers from there"))
    desk.press("j f enter")
    #expect(desk.labels == ["84:7", "84:8!", "84:9", "84:10", "84:11"])
  }

  @Test func whatIsCutOffFromAnAlignedAyahIsOfferedAsItsRestAndNotAsADuplicate() throws {
    var before = try document(10_000, 20_000, 30_000)
    for (index, text) in ["84:7", "84:8", "84:9", "84:10"].enumerated() {
      try before.apply(
        .assign(
          before.segments[index].id,
          Attribution(.ayah(ayah(text)), origin: .aligned, confidence: 0.9)))
    }
    var desk = Desk(before)
    desk.state.transport.position = FramePosition(5000)
    desk.press("m enter")
    #expect(desk.state.context == .assignment)
    #expect(
      desk.state.notice?.text
        == "84:8 is in a later segment; what is recited here? (esc f renumbers from here)")
    desk.press("enter")
    #expect(desk.labels == ["84:7 (beginning)", "84:7 (end)!", "84:8", "84:9", "84:10"])
    desk.press("u esc f enter")
    #expect(desk.labels == ["84:7", "84:8", "84:9", "84:10", "84:11"])
    // Where it was not cut off from anything, there is no likely ayah.
    desk.press("u")
    desk.press("home enter home down enter")
    #expect(desk.state.context == .assignment)
    desk.press("enter")
    #expect(desk.state.notice?.text == "Which ayah of Al-Inshiqaq?")
    desk.press("'7 enter")
    #expect(desk.labels == ["84:7!", "84:7!", "84:8", "84:9", "84:10"])
  }

  @Test func whatAConfirmedSegmentHoldsIsNotConfirmedOnceMore() throws {
    var desk = Desk(
      try document(10_000, 20_000).assigning(1, "84:7", confirming: true)
        .assigning(3, "84:8", confirming: true))
    desk.press("home down enter enter")
    #expect(desk.labels == ["84:7!", "-", "84:8!"])
  }

  @Test func beforeAnythingIsSuggestedNoEdgeIsCalledDecided() throws {
    var desk = Desk(try document())
    desk.press("n")
    #expect(desk.state.notice?.text == "There is no boundary yet")
    desk.state.isProvisional = true
    desk.press("n")
    #expect(
      desk.state.notice?.text == "Boundaries are suggested when the analysis is complete")
  }

  @Test func nextOpenGoesRoundPastWhatIsConfirmed() throws {
    var desk = Desk(try document(10_000, 20_000).assigning(2, "2:2", confirming: true))
    desk.press("N")
    #expect(desk.selected == 3)
    desk.press("N")
    #expect(desk.selected == 1)
  }

  @Test func zeroMarksTheSegmentUnusedWithALetterForTheReason() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("0 s")
    #expect(desk.labels == ["unused: sujud!", "-", "-"])
    #expect(desk.selected == 2)
    #expect(desk.state.settings.lastUnusedReason == .sujud)
    desk.press("0 0")
    #expect(desk.labels == ["unused: sujud!", "unused: sujud!", "-"])
  }

  @Test func allReasonsAreInSightAndCanBeClicked() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("0")
    for reason in UnusedReason.allCases { #expect(desk.screen.contains(reason.rawValue)) }
    let place = UnusedLayout(desk.layout.smallPanel)[10]
    desk.click(place.origin.column + 8, place.origin.row)
    #expect(desk.labels.first == "unused: noise!")
  }

  @Test func aNoteIsReadWhereTheListHasNoRoomForIt() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down w 'a_cough_at_the_end enter down up")
    #expect(desk.screen.contains("Note: a_cough_at_the_end"))
    desk.press("down")
    #expect(!desk.screen.contains("cough"))
    desk.press("up I")
    #expect(desk.screen.contains("Note on segment 2: a_cough_at_the_end"))
    desk.press("esc")
    desk.send(.input(.resize(Size(columns: 200, rows: 50))))
    #expect(!desk.screen.contains("Note:"), "the list has it")
    #expect(desk.screen.contains("a_cough_at_the_end"))
  }

  @Test func notesAndFlagsAreKeptAndFoundAgain() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down w 'cough enter")
    desk.press("down ! up up")
    #expect(desk.document.segments[1].content.note == "cough")
    #expect(desk.document.segments[2].content.isFlagged)
    desk.press("@")
    #expect(desk.selected == 2)
    desk.press("@")
    #expect(desk.selected == 3)
  }

  @Test func oneKeyConfirmsWhatWasHeardAndGoesOn() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.9, 0.4, 0.7]))
    desk.press("down tab")
    #expect(desk.edits.isEmpty, "the first has not been heard as the least sure one")
    #expect(desk.selected == 3)
    desk.press("heard tab")
    #expect(desk.edits == [.confirmMarker(MarkerID(2))])
    #expect(desk.selected == 4)
    desk.press("heard tab heard tab")
    #expect(desk.document.openEdges.isEmpty)
    #expect(desk.state.notice?.text.hasPrefix("Every edge is decided") == true)
    #expect(desk.edits.count == 3)
  }

  @Test func anEdgeIsConfirmedByItsSoundOnlyWhenThatWasHeard() throws {
    var desk = Desk(try document(10_000, 50_000, confidences: [0.9, 0.4]))
    let unheard = "Not confirmed, since it was not heard yet; y confirms what you have seen"
    desk.press("n")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(49_900))))
    desk.press("tab")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.notice?.text == unheard)
    #expect(desk.played.count == 1, "what plays goes on to the edge")
    desk.press("L")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(56_000))))
    desk.press("tab")
    #expect(desk.edits.isEmpty, "only what comes before and after it was heard")
    #expect(desk.played.last?.span == span(48_000, 52_000), "it plays once more")
    desk.press("H")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(50_001))))
    desk.press("space tab")
    #expect(desk.edits == [.confirmMarker(MarkerID(2))])
  }

  /// Wherever one is led by other keys.
  @Test func anEdgeThatOneHasHeardIsConfirmedByTheSameKey() throws {
    var desk = Desk(try document(10_000, 50_000, 90_000, confidences: [0.9, 0.4, 0.8]))
    desk.press("down 3 tab")
    #expect(desk.edits.isEmpty && desk.state.notice?.text.contains("not heard yet") == true)
    #expect(desk.played.count == 1, "what plays goes on to the edge")
    desk.press("heard tab")
    #expect(desk.edits == [.confirmMarker(MarkerID(1))])
    #expect(desk.state.selectedMarker?.position == FramePosition(50_000))
    // Its end: what is seen and heard is what keys act on.
    desk.press("4 heard")
    #expect(desk.state.selectedMarker?.position == FramePosition(90_000))
    desk.press("tab")
    #expect(desk.edits.last == .confirmMarker(MarkerID(3)))
    desk.press("G 4")
    #expect(desk.state.selectedMarker != nil, "the end of the recording is no marker")
  }

  @Test func afterAJumpToLongBeforeTheEdgeItIsLedToAgain() throws {
    var desk = Desk(try document(50_000))
    desk.press("n H H H H tab")
    #expect(desk.edits.isEmpty)
    #expect(desk.played.last?.span == span(48_000, 52_000))
    #expect(desk.state.viewport.column(of: FramePosition(50_000)) == 40)
  }

  @Test func undoShowsTheEdgeThatItReopensAndNothingIsConfirmedUnheard() throws {
    var desk = Desk(try document(10_000, 50_000, 90_000, confidences: [0.9, 0.4, 0.7]))
    desk.press("n heard tab")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(89_000))))
    desk.effects = []
    desk.press("u")
    #expect(desk.state.selectedMarker?.position == FramePosition(50_000))
    #expect(desk.state.viewport.column(of: FramePosition(50_000)) == 40)
    #expect(desk.played == [.pause])
    #expect(desk.state.footerItems.first?.action == .segmentCommit)
    desk.press("tab")
    #expect(desk.edits.isEmpty, "it is heard first")
    #expect(desk.played.last?.span == span(48_000, 52_000))
    desk.press("heard tab")
    #expect(desk.edits == [.confirmMarker(MarkerID(2))])
  }

  @Test func anEdgeThatUndoReopensIsLedToAgain() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000, confidences: [0.9, 0.3, 0.7, 0.5]))
    desk.press("n heard tab heard tab u n")
    #expect(desk.state.selectedMarker?.position == FramePosition(40_000))
    desk.press("u n")
    #expect(desk.state.selectedMarker?.position == FramePosition(20_000))
  }

  @Test func undoWhileTheRecordingPlaysStaysWithWhatItTookBack() throws {
    var desk = Desk(try document(10_000, 90_000))
    desk.press("down y Z + + + + 5")
    desk.state.transport.position = FramePosition(80_000)
    desk.press("u")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(80_500))))
    #expect(desk.state.viewport.column(of: FramePosition(10_000)) != nil)
    #expect(desk.state.transport.isPlaying)
  }

  @Test func whenEveryEdgeIsDecidedTheWayToConfirmTheSegmentsIsNamed() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("f '2:1 enter home n heard tab heard tab")
    #expect(
      desk.state.notice?.text
        == "No suggested boundary is left; 3 segments not confirmed yet; B confirms several segments, "
        + "N goes to the next unconfirmed one")
  }

  @Test func theHistorySaysWhere() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("f '2:1 enter home down y down x")
    func summaries() -> [String] {
      desk.state.annotation.history.undoable.map { $0.summary(rate) }
    }
    #expect(
      summaries() == [
        "filled from 2:1 in segment 1", "marker confirmed at 0:10.000, 2:2",
        "marker deleted at 0:20.000, 2:3",
      ])
    desk.press("u")
    #expect(desk.state.notice?.text == "Undone: marker deleted at 0:20.000, 2:3")
    desk.press("> down end e '2:7 enter home B down down up enter")
    #expect(
      summaries().dropFirst(2) == [
        "marker moved to 0:20.100, 2:3", "2:7 confirmed in segment 4",
        "1 segment confirmed from segment 1 on",
      ])
  }

  @Test func theKeysOfTheReviewAreInTheFooterWhileItLasts() throws {
    var desk = Desk(try document(10_000, 20_000, confidences: [0.5, 0.9]))
    desk.send(.pauses([span(8000, 9000), span(11_000, 12_000)]))
    func offered() -> [Action] { desk.state.footerItems.map(\.action) }
    #expect(offered().first == .segmentCommit)
    desk.press("n")
    #expect(
      offered().starts(with: [
        .reviewConfirmNext, .markerPauseBefore, .markerPauseAfter, .markerPauseNumbered,
      ]))
    desk.press("'")
    #expect(offered().first == .reviewConfirmNext, "an edge that was moved is still in hand")
    desk.press("down")
    #expect(offered().first == .segmentCommit)
  }

  @Test func edgesBetweenPartsOfPrayerAreHeardLast() throws {
    var before = try document(10_000, 20_000, 30_000, confidences: [0.9, 0.1, 0.7])
    for number in [2, 3] {
      try before.apply(
        .assign(
          before.segments[number - 1].id, Attribution(.unused(.takbir), origin: .aligned),
          confirming: false))
    }
    var desk = Desk(before)
    var order: [Int] = []
    var questions: [String?] = []
    for _ in 0..<3 {
      desk.press("n")
      order.append(desk.selected)
      questions.append(desk.state.notice?.text)
    }
    #expect(order == [4, 2, 3])
    #expect(
      questions == [
        "This edge is 70% sure; 1 more from 90% on, under 1 wrong; 1 with no ayah",
        "This edge is 90% sure; 1 more from 70% on, under 1 wrong; 1 with no ayah",
        "This edge is 10% sure; 2 more from 70% on, under 1 wrong",
      ])
  }

  @Test func oneSuggestedMarkerIsOne() throws {
    #expect(Desk(try document(10_000)).screen.contains("1 suggested marker "))
  }

  @Test func wordsTimedAfterAConfirmationAreNamedInTheHistory() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1").assigning(2, "2:2"))
    desk.press("enter")
    let timed = Suggestions(
      in: span(0, 10_000), [], words: [TimedWord(ayah("2:1"), 1, span(0, 1000))])
    _ = desk.state.edit(.replaceSuggestions(timed), joinsPrevious: true, &desk.effects)
    #expect(desk.state.annotation.history.undoable.last?.summary(rate) == "words timed")
    desk.press("u")
    let undone = try #require(desk.state.notice?.text)
    desk.press("U")
    #expect(desk.state.notice?.text == undone.replacing("Undone", with: "Redone"))
  }
}
