// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
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

  @Test func theLeastSureSuggestionComesFirstAndThenTheNextLeastSure() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000, confidences: [0.9, 0.3, 0.7, 0.5]))
    desk.press("n")
    #expect(desk.selected == 3)
    desk.press("n")
    #expect(desk.selected == 5)
    desk.press("n n n")
    #expect(desk.selected == 3)
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

  @Test func findSaysWhatIsNotThere() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:255"))
    desk.press("/ '3:1 enter")
    #expect(desk.state.context == .find)
    #expect(desk.state.notice?.text == "Not in this recording so far")
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
    #expect(desk.effects.contains(.publish))
    #expect(desk.state.context == .completion)
    #expect(desk.screen.contains("2 of 3 segments keep the recording from being complete"))
    desk.press("down enter")
    #expect(desk.selected == 3)
    #expect(desk.state.context == .normal)
  }

  @Test func saveOfACompleteRecordingOnlySaysSo() throws {
    var before = try document(10_000).assigning(1, "2:1", confirming: true)
    before = try before.assigning(2, "2:2", confirming: true)
    var desk = Desk(before)
    desk.press("ctrl-s")
    #expect(desk.state.context == .normal)
    desk.send(.published(PublicationReport(status: .complete, segments: 2, revision: 0)))
    #expect(desk.state.notice?.text == "Published 2 segments; the recording is complete")
    #expect(desk.screen.contains("kept, published"))
  }
}
