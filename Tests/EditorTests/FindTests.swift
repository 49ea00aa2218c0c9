// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Going to an ayah, a time, a note or what is odd.
@Suite struct FindTests {
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
    for typed in ["0:36,87", "٠:٣٦٫٨٧"] {
      desk.press("home /")
      desk.send(.input(.paste(typed)))
      desk.press("enter")
      #expect(desk.state.transport.position == FramePosition(36_870))
    }
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

  /// In a prayer a number is looked for from al-Fatiha too; a time is shown in the middle.
  @Test func findTakesANumberForThatOfThePortionWithinAlFatiha() throws {
    var desk = Desk(
      try document(10_000, 40_000).assigning(1, "1:6").assigning(2, "1:7").assigning(3, "2:138"))
    desk.press("/ '138 enter")
    #expect(desk.selected == 3)
    desk.press("X / '0:20 enter")
    let column = try #require(desk.state.viewport.column(of: FramePosition(20_000)))
    #expect(abs(column - desk.state.viewport.columns / 2) <= 1)
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
    #expect(desk.screen.contains("112:4 is 0.07 times as long as expected at this pace"))
    desk.send(.input(.resize(Size(columns: 60, rows: 16))))
    #expect(desk.screen.contains("112:4 is 0.07 times as long as expected"))
    let rows = desk.screen.split(separator: "\n")
    let odd = try #require(rows.lastIndex { $0.contains("? ") })
    let open = try #require(rows.firstIndex { $0.contains("not confirmed") })
    #expect(odd < open, "what is odd comes before what is only left to do")
    desk.press("enter")
    #expect(desk.selected == 2)
  }

  @Test func theCheckListNamesADuplicateThatAPersonConfirmed() throws {
    var desk = Desk(
      try document(10_000, 20_000).assigning(1, "75:17", confirming: true)
        .assigning(2, "75:18", confirming: true))
    desk.press("end e '75:17 enter C")
    #expect(desk.screen.contains("75:17, confirmed here, is also in segment 1"))
  }

  @Test func findSaysWhatIsNotThere() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:255"))
    desk.press("/ '3:1 enter")
    #expect(desk.state.context == .find)
    #expect(desk.state.notice?.text == "Not found in this recording")
  }
}
