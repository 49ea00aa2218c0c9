// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// The list shows some of the segments.
@Suite struct FilterTests {
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

  @Test func theEdgeInHandIsAlwaysListed() throws {
    var before = try document(10_000, 20_000, 30_000, confidences: [0.95, 0.4, 0.95])
    for (number, text) in [(1, "2:1"), (2, "2:2"), (3, "2:3")] {
      before = try before.assigning(number, text)
    }
    var desk = Desk(before)
    desk.state.filter = .unassigned
    #expect(desk.state.listed.map { $0 + 1 } == [4])
    desk.press("n")
    #expect(desk.state.selectedMarker?.position == FramePosition(20_000))
    #expect(desk.state.filter == .all)
    #expect(desk.state.notice?.text.hasPrefix("This edge is 40") == true)
  }

  @Test func whatTheListDoesNotShowIsListedWhenItIsGoneTo() throws {
    var before = try document(10_000, 20_000, 30_000, confidences: [0.95, 0.4, 0.95])
    before = try before.assigning(4, "2:4")
    var desk = Desk(before)
    desk.press("& / '2:4 enter")
    #expect(desk.selected == 4)
    #expect(desk.state.filter == .all)
    #expect(desk.state.notice?.text == "The list shows all segments")
    desk.press("up & / '0:25 enter")
    #expect(desk.selected == 3)
    #expect(desk.state.filter == .unsure && desk.state.notice == nil)
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
}
