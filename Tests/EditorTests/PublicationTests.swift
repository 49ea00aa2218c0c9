// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// What was confirmed or suggested is published.
@Suite struct PublicationTests {
  /// Where nothing is odd, what is left is looked for from here on.
  @Test func whatIsLeftToConfirmBeginsWithTheSelectedSegment() throws {
    var before = try document(20_000, 40_000, 60_000, 80_000)
    for number in 1...5 { before = try before.assigning(number, "55:\(number)") }
    var desk = Desk(before)
    #expect(desk.document.validate().isEmpty)
    desk.press("down down C")
    desk.press("enter")
    #expect(desk.state.selectedSegment.index == 2)
    desk.press("down C enter")
    #expect(desk.state.selectedSegment.index == 3, "from here on, not from the beginning")
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

  @Test func onTheSmallestScreenTheChosenFindingIsReadWhole() throws {
    var before = try document(
      10_000, 20_000, 30_000, 40_000, 50_000, length: 350_000)
    for number in 1...6 { before = try before.assigning(number, "2:1", confirming: true) }
    var desk = Desk(before, size: Size(columns: 60, rows: 16))
    desk.press("C down down down down")
    #expect(
      desk.screen.contains("2:1 is 30 times as long as expected at this pace"), "\(desk.screen)")
  }

  @Test func whatIsConfirmedAndNotPublishedIsCounted() throws {
    let recited = try document(10_000, 20_000).assigning(1, "2:1", confirming: true)
    var before = try recited.assigning(2, "2:2")
    try before.apply(
      .assign(before.segments[2].id, Attribution(.unused(.takbir)), confirming: true))
    var desk = Desk(before)
    desk.send(
      .published(PublicationReport(status: .partial, segments: 1, omitted: 1)))
    #expect(
      desk.state.notice?.text
        == "Published 1 segment; 1 without recitation, 1 unconfirmed not published")
  }

  @Test func suggestionsArePublishedByAKeyOfItsOwn() throws {
    let before = try document(10_000).assigning(1, "2:1", confirming: true).assigning(2, "2:2")
    var desk = Desk(before)
    desk.press("ctrl-s")
    desk.send(
      .published(PublicationReport(status: .partial, segments: 1, omitted: 1)))
    #expect(desk.state.notice?.text == "Published 1 segment; 1 unconfirmed not published")
    #expect(desk.screen.contains("p publish unconfirmed too"))
    desk.press("p")
    #expect(desk.effects.contains(.publish(includingUnconfirmed: true)))
    desk.send(
      .published(PublicationReport(status: .partial, segments: 2, unconfirmed: 1)))
    #expect(desk.state.notice?.text == "Published 2 segments, 1 of them unconfirmed")
    #expect(desk.screen.contains("saved, published, 1 unconfirmed"))
    var other = desk
    other.send(.published(PublicationReport(status: .partial, segments: 1, omitted: 1)))
    #expect(other.state.notice?.text == "Published 1 segment; 1 unconfirmed no longer published")
    other = desk
    other.send(.published(PublicationReport(status: .partial, segments: 0, omitted: 2)))
    #expect(
      other.state.notice?.text == "No ayah is confirmed yet, so nothing is published any more")
    desk.press("!")
    desk.send(.kept(ticket: 1, revision: 1, publication: .current(unconfirmed: 1)))
    #expect(desk.screen.contains("saved, published, 1 unconfirmed"), "a flag is not published")
    desk.press("down x")
    desk.send(.kept(ticket: 2, revision: 2, publication: .outdated(unconfirmed: 1)))
    #expect(desk.screen.contains("saved, changed since published"))
  }

  @Test func withoutASuggestionThatHoldsAnAyahThereIsNoneToPublish() throws {
    var desk = Desk(try document(10_000))
    desk.press("C p")
    #expect(!desk.effects.contains(.publish(includingUnconfirmed: true)))
    #expect(desk.state.notice?.text == "No unconfirmed segment has an ayah")
  }

  @Test func aLengthOfManyMinutesIsReadAsSuch() {
    #expect(
      [9.87, 12.34, 999.4, 1000, 2347.9].map(Clock.seconds) == [
        "9.87", "12.3", "999.4", "16:40", "39:08",
      ])
  }

  @Test func saveOfACompleteRecordingOnlySaysSo() throws {
    var before = try document(10_000).assigning(1, "2:1", confirming: true)
    before = try before.assigning(2, "2:2", confirming: true)
    var desk = Desk(before)
    desk.press("ctrl-s")
    #expect(desk.state.context == .normal)
    desk.send(.published(PublicationReport(status: .complete, segments: 2)))
    #expect(desk.state.notice?.text == "Published 2 segments; the recording is complete")
    #expect(desk.screen.contains("saved, published"))
  }
}
