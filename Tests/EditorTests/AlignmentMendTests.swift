// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

/// What a confirmation or a correction mends around it.
extension AlignmentTests {
  @Test func theHistoryTellsAnAlignmentFromItsMends() throws {
    var desk = try alignedDesk()
    desk.press("home down down e '2:4 alt-enter")
    desk.send(
      .detected(
        id: try #require(requests(desk).last).id,
        report(
          "2:1", (15_000, "2:2"), (30_000, "2:3"), (40_000, "2:4"), (60_000, "2:5"),
          (80_000, "2:6"))))
    desk.press("i")
    #expect(desk.screen.contains("aligned: 5 segments with ayat"), "\(desk.screen)")
    #expect(desk.screen.contains("2:4 confirmed in segment 3"))
    #expect(
      desk.screen.contains("realigned: 1 boundary moved, 1 boundary added from 0:15.000 on"))
    #expect(desk.screen.contains("realigned: 2 segments renamed from 1:00.000 on"))
  }

  @Test func whatAPersonHasAlignedOnceMoreIsNoMend() throws {
    var desk = try alignedDesk()
    desk.press("A")
    desk.send(
      .detected(
        id: try #require(requests(desk).last).id,
        report("2:1", (20_000, "2:2"), (41_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))))
    desk.press("enter")
    #expect(
      desk.state.annotation.history.undoable.last?.summary(rate)
        == "aligned again: 1 boundary moved from 0:40.000 on")
  }

  @Test func aMendThatOnlyAddsABoundaryOrTimesWordsIsNoAlignment() throws {
    var desk = try alignedDesk()
    desk.press("home down down y")
    var mended = report(
      "2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"), (90_000, "2:6"))
    mended.words = [TimedWord(ayah("2:2"), 1, span(20_000, 21_000))]
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    let said = desk.state.annotation.history.undoable.suffix(2).map { $0.summary(rate) }
    #expect(said == ["words timed", "realigned: 1 boundary added from 1:30.000 on"])
  }

  @Test func aMendThatFailsIsSaid() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    desk.send(
      .detectionFailed(
        id: try #require(requests(desk).last).id, reason: "/ayat: no such folder"))
    #expect(desk.state.notice?.text == "Not realigned: /ayat: no such folder")
  }

  @Test func confirmingWhatWasFoundChangesNothingElse() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    let asked = try #require(requests(desk).last)
    #expect(asked.annotation == desk.document && asked.isRealignment)
    #expect(asked.span == span(0, 100_000))
    #expect(asked.parameters.first == ayah("2:1"))
    let edits = desk.edits.count
    desk.send(
      .detected(
        id: asked.id,
        report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))))
    #expect(desk.edits.count == edits)
    #expect(desk.labels == ["2:1", "2:2", "2:3!", "2:4", "2:5"])
  }

  @Test func aCorrectionMendsItsNeighboursAndIsUndoneWithThem() throws {
    var desk = try alignedDesk()
    // What was taken for 2:3 is 2:4.
    desk.press("home down down e '2:4 alt-enter")
    let mended = report(
      "2:1", (15_000, "2:2"), (30_000, "2:3"), (40_000, "2:4"), (60_000, "2:5"), (80_000, "2:6"))
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4!", "2:5", "2:6"])
    #expect(desk.boundaries == [15_000, 30_000, 40_000, 60_000, 80_000])
    desk.press("u")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4", "2:5"])
    desk.press("U")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4!", "2:5", "2:6"])
  }

  @Test func whatIsMendedMeanwhileLeavesTheQuestionOfTheEdgeInHand() throws {
    var desk = try alignedDesk()
    desk.press("n heard tab heard")
    #expect(desk.state.selectedMarker?.position == FramePosition(40_000))
    let mended = report(
      "2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (81_000, "2:5"))
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    #expect(desk.boundaries == [20_000, 40_000, 60_000, 81_000])
    let notice = try #require(desk.state.notice?.text)
    #expect(notice.hasPrefix("1 boundary moved") && notice.contains(". This edge is"))
    desk.press("tab")
    #expect(desk.document.markers[1].isConfirmed, "it was heard where it is")
  }

  @Test func onlyTheNeighboursOfAConfirmationAreMended() throws {
    var desk = try alignedDesk()
    desk.press("home down enter")
    desk.press("end enter")
    // Whatever is found before 2:2 is none of 2:5's business.
    let elsewhere = report(
      "1:7", (10_000, "2:1"), (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    desk.send(.detected(id: try #require(requests(desk).last).id, elsewhere))
    #expect(desk.labels == ["2:1", "2:2!", "2:3", "2:4", "2:5!"])
    #expect(desk.boundaries.first == 20_000)
    #expect(desk.edits.count == 2, "confirmations and nothing else")
  }

  @Test func aMovedMarkerIsKeptToWhileItsSidesAreMended() throws {
    var desk = try alignedDesk()
    desk.press("home down down alt-,")
    desk.wait(1000)
    let asked = try #require(requests(desk).last)
    #expect(asked.annotation.markers[1].isConfirmed)
    desk.send(
      .detected(
        id: asked.id,
        report("2:1", (25_000, "2:2"), (39_999, "2:3"), (60_000, "2:4"), (82_000, "2:5"))))
    #expect(desk.boundaries == [25_000, 39_999, 60_000, 82_000])
  }

  @Test func aConfirmedMarkerIsKeptToAsWell() throws {
    var desk = try alignedDesk()
    desk.press("home down down y")
    let asked = try #require(requests(desk).last)
    #expect(asked.annotation.markers[1].isConfirmed)
    desk.send(
      .detected(
        id: asked.id,
        report("2:1", (25_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (82_000, "2:5"))))
    #expect(desk.boundaries == [25_000, 40_000, 60_000, 82_000])
    #expect(desk.state.notice?.text == "2 boundaries moved around 2:3")
  }

  @Test func whatAPersonSaidMeanwhileStays() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    let first = try #require(requests(desk).last)
    desk.press("home enter")
    let moved = report(
      "2:1", (10_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    desk.send(.detected(id: first.id, moved))
    #expect(desk.boundaries.first == 20_000, "a newer one is under way")
    desk.send(.detected(id: try #require(requests(desk).last).id, moved))
    #expect(desk.labels == ["2:1!", "2:2", "2:3!", "2:4", "2:5"])
    #expect(desk.boundaries.first == 20_000)
  }
}
