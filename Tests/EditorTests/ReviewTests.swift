// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
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
        == "Every edge is decided; N goes to the next unconfirmed segment")
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

  @Test func allThatAreSureEnoughAreConfirmedTogetherAndUndoneTogether() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000, confidences: [0.95, 0.8, 0.95, 0.95]))
    desk.press("f '2:1 enter B")
    #expect(desk.screen.contains("at least 90 % sure  3 segments, under 1 expected wrong"))
    desk.press("left '80")
    #expect(desk.screen.contains("at least 80 % sure  5 segments, under 1 expected wrong"))
    desk.press("enter")
    #expect(desk.labels == ["2:1!", "2:2!", "2:3!", "2:4!", "2:5!"])
    #expect(desk.state.notice?.text == "Confirmed 5 segments; u undoes that")
    #expect(desk.state.settings.sureEnough == 80)
    desk.press("u")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4", "2:5"])
    #expect(desk.state.notice?.text == "Undone: 5 segments confirmed")
  }

  @Test func whatIsExpectedWrongIsWhatTheSuggestionsLackOfCertainty() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.5, 0.5, 0.5]))
    desk.press("f '2:1 enter B '50")
    #expect(desk.screen.contains("4 segments, about 2 expected wrong"))
    desk.press("backspace '1")
    #expect(desk.screen.contains("at least 51 % sure  nothing"))
    desk.press("enter")
    #expect(desk.state.context == .confirmation)
    #expect(desk.state.notice?.text == "No unconfirmed segment is that sure")
  }

  @Test(arguments: [
    ("80", 80), ("950", 0), ("988", 8), ("1007", 7), ("100", 100), ("05", 5), ("٩٥", 95),
  ])
  func digitsAreAPercentageAndOneTooManyBeginsAnother(typed: String, percent: Int) throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1"))
    desk.press("B '\(typed)")
    #expect(desk.screen.contains("at least \(percent) % sure"), "\(desk.screen)")
  }

  @Test func backspaceTakesOneDigitOfAPercentageAndTypingGoesOn() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1"))
    desk.press("B backspace")
    #expect(desk.screen.contains("at least 9 % sure"))
    desk.press("'5")
    #expect(desk.screen.contains("at least 95 % sure"))
    desk.press("backspace backspace '80")
    #expect(desk.screen.contains("at least 80 % sure"))
    desk.press("right '7")
    #expect(desk.screen.contains("at least 7 % sure"), "after an arrow a digit begins anew")
  }

  @Test func bulkConfirmationIsReadWholeOnTheSmallestScreen() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000), size: Layout.minSize)
    desk.press("f '2:1 enter down ! down down B down")
    #expect(desk.screen.contains("1, under 1 wrong, after the flag"), "\(desk.screen)")
  }

  @Test func bulkConfirmationNeverGoesPastAFlag() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, 40_000))
    desk.press("f '2:1 enter down ! down down B down")
    #expect(desk.screen.contains("1 segment, under 1 expected wrong, after the flag"))
    #expect(desk.screen.contains("2 segments, under 1 expected wrong, 3 left out"))
    #expect(desk.screen.contains("Left out: flagged segments"))
    desk.press("enter")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4!", "2:5"])
  }

  @Test func bulkConfirmationLeavesTheEdgesOfAFlaggedSegmentUndecided() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, 40_000))
    desk.press("f '2:1 enter down down ! B '50 enter")
    #expect(desk.labels == ["2:1!", "2:2", "2:3", "2:4", "2:5!"])
    #expect(desk.document.markers.map(\.isConfirmed) == [true, false, false, true])
    desk.press("n")
    #expect(desk.state.notice?.text.hasPrefix("This edge is") == true)
    // Edges that are decided hold nothing back.
    desk.press("home down down y o y B '50 enter")
    #expect(desk.labels == ["2:1!", "2:2!", "2:3", "2:4!", "2:5!"])
  }

  @Test func partsOfPrayerTheViewAndASpanAreConfirmedTogether() throws {
    var before = try document(10_000, 20_000, 30_000, 40_000)
    try before.apply(.fill(SequentialFill(from: .first, starting: ayah("2:1"))))
    try before.apply(.markUnused(before.segments[1].id, .ruku))
    try before.apply(.markUnused(before.segments[3].id, .sujud))
    var desk = Desk(before)
    desk.press("B down down enter")
    #expect(desk.labels == ["2:1", "unused: ruku!", "2:3", "unused: sujud!", "2:5"])
    desk.press("u home down down z B down down down enter")
    #expect(desk.labels == ["2:1", "unused: ruku", "2:3!", "unused: sujud", "2:5"])
    desk.press("home V B down down down down enter")
    #expect(desk.labels == ["2:1!", "unused: ruku", "2:3!", "unused: sujud", "2:5"])
    desk.press("esc B down down down down enter")
    #expect(desk.state.notice?.text == "No span of time is selected")
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

  @Test func timesLineUpInTheListsOfPanels() throws {
    var desk = Desk(
      try document(100_000, 700_000, length: 800_000).assigning(2, "2:1").assigning(3, "2:1"))
    desk.press("C")
    let columns = desk.screen.split(separator: "\n").filter { $0.contains("not confirmed: 2:1") }
      .compactMap { line in
        line.range(of: "not").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
    #expect(columns.count == 2 && Set(columns).count == 1, "\(desk.screen)")
  }

  @Test func fillTakesANumberAndGoesPastConfirmedSegmentsIfWished() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000).assigning(2, "2:9", confirming: true))
    desk.press("f '2:8 tab '3")
    #expect(desk.screen.contains("1 segment, up to 2:8, before a confirmed segment"))
    desk.press("tab space")
    #expect(desk.screen.contains("3 segments, up to 2:11, the number asked for"))
    desk.press("enter")
    #expect(desk.labels == ["2:8", "2:9!", "2:10", "2:11", "-"])
    desk.press("u f '2:8 tab '0 enter")
    #expect(desk.state.notice?.text == "How many segments?")
  }

  @Test func fillShowsHowLongEachLastsOfWhatItShouldAndWhereThatDoesNotFit() throws {
    // Al-Falaq at one pace, but for the third ayah, which lasts a tenth.
    var positions: [Int64] = []
    var end: Int64 = 0
    for ayah in 1...5 {
      let units = try #require(AyahReference("113:\(ayah)")).length.phoneticUnits
      end += Int64(units) * (ayah == 3 ? 10 : 100)
      positions.append(end)
    }
    var before = AnnotationDocument(length: FrameCount(end), rate: rate)
    for (index, position) in positions.dropLast().enumerated() {
      try before.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(index + 1)), position: FramePosition(position), origin: .detected)))
    }
    var desk = Desk(before)
    desk.press("f '113:1")
    let rows = desk.screen.split(separator: "\n").filter { $0.contains("  113:") }
    #expect(rows.map { $0.contains("?") } == [false, false, true, false, false])
  }

  @Test(arguments: [
    ("2", "2:1"), ("al-baqarah", "2:1"), ("juz 30", "78:1"), ("page 3", "2:6"), ("٢:٥", "2:5"),
  ])
  func fillBeginsWithTheFirstAyahOfWhatIsTyped(typed: String, first: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("f")
    desk.send(.input(.paste(typed)))
    desk.press("enter")
    #expect(desk.labels.first == first, "\(desk.state.notice?.text ?? "")")
  }

  @Test func fillSaysWhatItTakes() throws {
    var desk = Desk(try document(10_000))
    desk.press("f")
    for (typed, words) in [
      ("basmalah", "Begin with an ayah or a surah (2:1, 36); e assigns anything else"),
      ("silence", "Begin with an ayah or a surah (2:1, 36); e assigns anything else"),
      ("2:1-20", "Type the first ayah alone, 2:1, and how many segments below"),
      ("juz 29-30", "Type the first ayah alone, 67:1, and how many segments below"),
      ("2:286 3:1", "Type the first ayah alone, 2:286, and how many segments below"),
      ("2:287", "Surah 2 has 286 ayat; 2:287 does not exist"),
    ] {
      desk.press("ctrl-u")
      desk.send(.input(.paste(typed)))
      desk.press("enter")
      #expect(desk.state.notice?.text == words)
      #expect(desk.screen.contains(words), "the rim has room for it")
    }
    #expect(desk.edits.isEmpty)
  }

  @Test func fillOffersTheAyahThatIsDueThere() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, 40_000).assigning(1, "84:5"))
    desk.press("down down down f")
    #expect(desk.screen.contains("beginning with 84:6"))
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

  @Test func fillIsShownBeforeItIsDoneAndStopsBeforeAConfirmedSegment() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000).assigning(4, "3:1", confirming: true))
    desk.press("f '2:5")
    #expect(desk.labels == ["-", "-", "-", "3:1!", "-"])
    #expect(desk.screen.contains("3 segments, up to 2:7, before a confirmed segment"))
    desk.press("enter")
    #expect(desk.labels == ["2:5", "2:6", "2:7", "3:1!", "-"])
    desk.press("u")
    #expect(desk.labels == ["-", "-", "-", "3:1!", "-"])
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

  @Test func fillGoesOnWithTheRestOfAnAyah() throws {
    var before = try document(10_000, 20_000)
    try before.apply(.assign(.first, Attribution(.ayah(ayah("2:5"), part: .beginning))))
    var desk = Desk(before)
    desk.press("down f")
    #expect(desk.screen.contains("2:5 (end)"))
    desk.press("enter")
    #expect(desk.document.segments[1].assignment == .ayah(ayah("2:5"), part: .end))
    #expect(desk.document.segments[2].assignment == .ayah(ayah("2:6")))
    #expect(desk.state.notice?.text.contains("from 2:5 (end)") == true)
  }

  @Test func findGoesToWhereAnAyahIsHeard() throws {
    var desk = Desk(try document(10_000, 20_000).assigning(3, "2:255"))
    desk.press("/ 'baqarah")
    #expect(desk.screen.contains("2:255 Al-Baqarah"))
    desk.press("ctrl-u '2:255 enter")
    #expect(desk.selected == 3)
    #expect(desk.state.transport.target == .segment(.from(MarkerID(2))))
  }

  @Test func findGoesToATime() throws {
    var desk = Desk(try document(10_000, 40_000).assigning(3, "2:30"))
    desk.press("/ '0:36.87")
    #expect(desk.screen.contains("0:36.870"))
    desk.press("enter")
    #expect(desk.state.transport.position == FramePosition(36_870))
    #expect(desk.selected == 2)
    desk.press("/ '1:30 enter")
    #expect(desk.state.transport.position == FramePosition(90_000))
    desk.press("/ '9:99 enter")
    #expect(desk.state.notice?.text == "Not found in this recording")
  }

  @Test func whatMayBeAnAyahAndATimeOffersBoth() throws {
    var desk = Desk(try document(10_000, 40_000, length: 200_000).assigning(3, "2:30"))
    desk.press("/ '2:30 enter")
    #expect(desk.selected == 3)
    desk.press("home / '2:30 down enter")
    #expect(desk.state.transport.position == FramePosition(150_000))
  }

  @Test(arguments: ["13", " 13 ", "١٣", "84:13 ", "٨٤:١٣", "take ٢", "Take 2 ", "0:15", "٠:١٥"])
  func findTakesSpacesAndDigitsOfAnyScript(typed: String) throws {
    var desk = Desk(
      try document(10_000, 40_000).assigning(1, "84:12").assigning(2, "84:13").assigning(3, "84:14")
    )
    desk.press("down w 'take")
    desk.send(.input(.paste(" ٢")))
    desk.press("enter up /")
    desk.send(.input(.paste(typed)))
    desk.press("enter")
    #expect(desk.selected == 2, "\(desk.state.notice?.text ?? "")")
  }

  @Test func findTakesANumberForAnAyahOfTheSurah() throws {
    var desk = Desk(
      try document(10_000, 40_000).assigning(1, "84:12").assigning(2, "84:13").assigning(3, "13:1"))
    desk.press("/ '13 enter")
    #expect(desk.selected == 2)
    desk.press("end / '13 enter")
    #expect(desk.selected == 3, "there is no 13:13 here, and 13 names a surah")
  }

  @Test func aNumberIsAnAyahOfTheSurahThatBeginsHere() throws {
    var before = try document(10_000, 20_000).assigning(2, "84:1").assigning(3, "84:2")
    try before.apply(
      .assign(
        before.segments[0].id, Attribution(.leadIn(.basmalah(of: ayah("84:1").surah)))))
    var desk = Desk(before)
    desk.press("/ '2 enter")
    #expect(desk.selected == 3)
    desk.press("home 0 t home / '2 enter")
    #expect(desk.selected == 3, "no surah is known before it")
  }

  @Test func theCheckListNamesWhatIsOddAndLeadsThere() throws {
    var before = try document(10_000, 20_000, 30_000, 31_000, 41_000)
    for (number, text) in zip(1..., ["112:1", "112:1", "112:3", "112:4", "113:1", "112:2"]) {
      before = try before.assigning(number, text)
    }
    var desk = Desk(before, size: Size(columns: 100, rows: 40))
    desk.press("C")
    #expect(desk.screen.contains("112:1 is also in segment 1"))
    #expect(desk.screen.contains("112:2 comes after 113:1"))
    #expect(desk.screen.contains("112:4 is 0.1 times as long as expected at this pace"))
    let rows = desk.screen.split(separator: "\n")
    let odd = try #require(rows.lastIndex { $0.contains("? ") })
    let open = try #require(rows.firstIndex { $0.contains("not confirmed") })
    #expect(odd < open, "what is odd comes before what is only left to do")
    desk.press("enter")
    #expect(desk.selected == 2)
  }

  @Test func findSaysWhatIsNotThere() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:255"))
    desk.press("/ '3:1 enter")
    #expect(desk.state.context == .find)
    #expect(desk.state.notice?.text == "Not found in this recording")
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

  @Test func savePublishesAndListsWhatIsLeftAKeyFromItsPlace() throws {
    var desk = Desk(try document(10_000, 20_000).assigning(1, "2:1", confirming: true))
    desk.press("ctrl-s")
    #expect(desk.effects.contains(.publish(includingUnconfirmed: false)))
    #expect(desk.state.context == .completion)
    #expect(desk.screen.contains("2 of 3 segments are left to confirm"))
    desk.press("down enter")
    #expect(desk.selected == 3)
    #expect(desk.state.context == .normal)
  }

  @Test func oneKeyConfirmsWhatWasHeardAndGoesOn() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.9, 0.4, 0.7]))
    desk.press("down tab")
    #expect(desk.edits.isEmpty, "the first has not been heard as the least sure one")
    #expect(desk.selected == 3)
    desk.press("tab")
    #expect(desk.edits == [.confirmMarker(MarkerID(2))])
    #expect(desk.selected == 4)
    desk.press("tab tab")
    #expect(desk.document.openEdges.isEmpty)
    #expect(desk.state.notice?.text.hasPrefix("Every edge is decided") == true)
    #expect(desk.edits.count == 3)
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

  /// Nights whose edges are wrong as often as their confidences say.
  @Test(arguments: [0, 50, 80, 90])
  func whatIsExpectedWrongIsAboutWhatIsWrong(percent: Int) throws {
    var random = SplitMix64(state: 7)
    var said = 0.0
    var real = 0
    for _ in 0..<40 {
      let confidences = (0..<200).map { _ in
        1 - pow(Double.random(in: 0...1, using: &random), 4) * 0.9
      }
      let isWrong = confidences.map { Double.random(in: 0...1, using: &random) > $0 }
      var night = try document(
        each: (1...200).map { $0 * 400 }, confidences: confidences)
      for (index, segment) in Array(night.segments).enumerated() {
        let held = Attribution(
          .ayah(AyahReference(absoluteIndex: index + 1)!), origin: .aligned, confidence: 1)
        try night.apply(.assign(segment.id, held, confirming: false))
      }
      let confirmation = Desk(night).state.confirmable(.sure, percent: percent)
      said += confirmation.expectedWrong
      let taken = Set(confirmation.segments.compactMap(night.index(of:)))
      real += (1...200).count { isWrong[$0 - 1] && (taken.contains($0) || taken.contains($0 - 1)) }
    }
    #expect(real > 40, "enough to tell")
    #expect(said < 2 * Double(real) && said > Double(real) / 2, "said \(said), wrong \(real)")
  }

  @Test func theListShowsOnlyWhatItsFilterTakes() throws {
    var before = try document(
      10_000, 20_000, 30_000, 40_000, confidences: [0.95, 0.4, 0.95, 0.95])
    before = try before.assigning(1, "2:1", confirming: true).assigning(4, "2:4")
    try before.apply(.setFlag(before.segments[4].id, true))
    var desk = Desk(before)
    func numbers() -> [Int] { desk.state.listed.map { $0 + 1 } }
    #expect(numbers() == [1, 2, 3, 4, 5])
    desk.press("&")
    #expect(numbers() == [2, 3], "both segments beside the edge of 40%")
    #expect(desk.state.notice?.text == "The list shows 2 unsure segments")
    desk.press("down")
    #expect(desk.selected == 2)
    desk.press("down")
    #expect(desk.selected == 3)
    desk.press("down")
    #expect(desk.selected == 3 && desk.state.notice?.text == "End of the list; esc lists all")
    desk.press("up up")
    #expect(desk.selected == 2 && desk.state.notice?.text == "Start of the list; esc lists all")
    desk.press("esc end down")
    #expect(desk.state.notice?.text == "This is the last segment")
    desk.press("& &")
    #expect(numbers() == [2, 3, 4, 5])
    desk.press("&")
    #expect(numbers() == [5])
    desk.press("&")
    #expect(numbers() == [2, 3, 5])
    #expect(desk.screen.contains("listed: 3 unassigned"))
    desk.press("&")
    #expect(numbers() == [1, 2, 3, 4, 5], "no part of prayer, so all")
    desk.press("& esc")
    #expect(desk.state.filter == .all)
  }

  @Test func theSmallestScreenSaysThatTheListIsFiltered() throws {
    var before = try document(10_000, 20_000)
    try before.apply(.setFlag(before.segments[1].id, true))
    var desk = Desk(before, size: Layout.minSize)
    desk.press("& & z")
    #expect(desk.state.filter == .flagged)
    #expect(desk.screen.contains("listed: 1 segment with a flag"))
  }

  @Test func aClickOnAFilteredListSelectsWhatIsSeen() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.95, 0.95, 0.3]))
    desk.press("&")
    desk.click(20, desk.layout.list.origin.row + 1)
    #expect(desk.selected == 4)
  }

  @Test func oneSuggestedMarkerIsOne() throws {
    #expect(Desk(try document(10_000)).screen.contains("1 suggested marker "))
  }

  @Test func confirmingGoesOnInTheFilteredList() throws {
    var before = try document(10_000, 20_000, 30_000, 40_000)
    for number in 1...5 { before = try before.assigning(number, "2:\(number)") }
    try before.apply(.setFlag(before.segments[1].id, true))
    try before.apply(.setFlag(before.segments[3].id, true))
    var desk = Desk(before)
    desk.press("& &")
    #expect(desk.state.filter == .flagged, "nothing is unsure: a person assigned all of it")
    desk.press("down enter")
    #expect(desk.selected == 4)
    desk.press("enter")
    #expect(desk.state.notice?.text == "End of the list; esc lists all")
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

  @Test func whatIsConfirmedAndNotPublishedIsCounted() throws {
    let recited = try document(10_000, 20_000).assigning(1, "2:1", confirming: true)
    var before = try recited.assigning(2, "2:2")
    try before.apply(
      .assign(before.segments[2].id, Attribution(.unused(.takbir)), confirming: true))
    var desk = Desk(before)
    desk.send(
      .published(PublicationReport(status: .partial, segments: 1, omitted: 1, revision: 0)))
    #expect(
      desk.state.notice?.text
        == "Published 1 segment; 1 without recitation, 1 unconfirmed not published")
  }

  @Test func suggestionsArePublishedByAKeyOfItsOwn() throws {
    let before = try document(10_000).assigning(1, "2:1", confirming: true).assigning(2, "2:2")
    var desk = Desk(before)
    desk.press("ctrl-s")
    desk.send(
      .published(PublicationReport(status: .partial, segments: 1, omitted: 1, revision: 0)))
    #expect(desk.state.notice?.text == "Published 1 segment; 1 unconfirmed not published")
    #expect(desk.screen.contains("p publish unconfirmed too"))
    desk.press("p")
    #expect(desk.effects.contains(.publish(includingUnconfirmed: true)))
    desk.send(
      .published(PublicationReport(status: .partial, segments: 2, unconfirmed: 1, revision: 0)))
    #expect(desk.state.notice?.text == "Published 2 segments, 1 of them unconfirmed")
    #expect(desk.screen.contains("saved, published, 1 unconfirmed"))
    desk.press("!")
    #expect(desk.state.annotation.publication == .outdated(unconfirmed: 1))
  }

  @Test func withoutASuggestionThatHoldsAnAyahThereIsNoneToPublish() throws {
    var desk = Desk(try document(10_000))
    desk.press("C p")
    #expect(!desk.effects.contains(.publish(includingUnconfirmed: true)))
    #expect(desk.state.notice?.text == "No unconfirmed segment has an ayah")
  }

  @Test func saveOfACompleteRecordingOnlySaysSo() throws {
    var before = try document(10_000).assigning(1, "2:1", confirming: true)
    before = try before.assigning(2, "2:2", confirming: true)
    var desk = Desk(before)
    desk.press("ctrl-s")
    #expect(desk.state.context == .normal)
    desk.send(.published(PublicationReport(status: .complete, segments: 2, revision: 0)))
    #expect(desk.state.notice?.text == "Published 2 segments; the recording is complete")
    #expect(desk.screen.contains("saved, published"))
  }
}
