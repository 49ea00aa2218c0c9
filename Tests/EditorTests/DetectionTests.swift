// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

@Suite struct DetectionTests {
  private func report(_ positions: Int64...) -> DetectionReport {
    DetectionReport(
      boundaries: positions.map { .init(position: FramePosition($0), confidence: 0.8) },
      pauses: positions.map { span($0 - 300, $0 + 100) })
  }

  private func requests(_ desk: Desk) -> [DetectionRequest] {
    desk.effects.compactMap { if case .detect(let request) = $0 { request } else { nil } }
  }

  @Test func theCountFollowsWhileParametersAreTuned() throws {
    var desk = Desk(try document())
    desk.press("a")
    #expect(requests(desk).map(\.span) == [span(0, 100_000)])
    desk.send(.detected(id: 1, report(10_000, 20_000)))
    #expect(desk.screen.contains("2 boundaries found"))
    desk.press("right down right")
    #expect(requests(desk).map(\.id) == [1, 2, 3])
    #expect(requests(desk).last?.parameters.detector == .fixed)
    #expect(requests(desk).last?.parameters.threshold == 0.022)
    #expect(desk.screen.contains("Searching"))
    desk.send(.detected(id: 2, report(5000)))
    #expect(desk.screen.contains("Searching"))
    desk.send(.detected(id: 3, report(10_000, 20_000, 30_000)))
    #expect(desk.screen.contains("3 boundaries found"))
    #expect(desk.boundaries.isEmpty)
  }

  @Test func acceptingPutsSuggestionsInAndSaysHowMany() throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detected(id: 1, report(10_000, 20_000, 30_000)))
    desk.press("enter")
    #expect(desk.boundaries == [10_000, 20_000, 30_000])
    #expect(desk.document.markers.allSatisfy { $0.isSuggestion })
    #expect(desk.screen.contains("Found 3 boundaries. Review and confirm."))
    #expect(desk.state.sound.pauses.count == 3)
    desk.press("u")
    #expect(desk.boundaries.isEmpty)
  }

  @Test func acceptingBeforeItIsFoundTakesItWhenItComes() throws {
    var desk = Desk(try document())
    desk.press("a enter")
    #expect(desk.state.context == .detection)
    desk.send(.detected(id: 1, report(10_000)))
    #expect(desk.boundaries == [10_000])
    #expect(desk.state.context == .normal)
  }

  @Test func confirmedMarkersStay() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down y a")
    desk.send(.detected(id: 1, report(10_200, 50_000)))
    #expect(desk.screen.contains("keeps 1 marker of yours"))
    desk.press("enter")
    #expect(desk.boundaries == [10_000, 50_000])
  }

  @Test func onlyTheSelectedSpanIsSearched() throws {
    var desk = Desk(try document(10_000, 50_000))
    desk.press("down V a")
    #expect(requests(desk).last?.span == span(10_000, 50_000))
    desk.send(.detected(id: 1, report(30_000)))
    desk.press("enter")
    #expect(desk.boundaries == [10_000, 30_000, 50_000])
  }

  @Test func ayatTypedAreHanded() throws {
    var desk = Desk(try document())
    desk.press("a tab '2:1 tab '2:20")
    let last = try #require(requests(desk).last).parameters
    #expect(last.first == ayah("2:1"))
    #expect(last.last == ayah("2:20"))
    desk.press("ctrl-u '1:7 enter")
    #expect(desk.state.notice?.text == "The recitation ends before it starts")
  }

  @Test func leavingCancelsTheSearch() throws {
    var desk = Desk(try document())
    desk.press("a esc")
    #expect(desk.effects.contains(.cancelDetection))
    desk.send(.detected(id: 1, report(10_000)))
    #expect(desk.boundaries.isEmpty)
  }

  @Test func aFailureIsSaid() throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detectionFailed(id: 1, reason: "the sidecar is gone"))
    #expect(desk.screen.contains("The sidecar is gone"))
    #expect(!desk.state.isAvailable(.panelAccept))
  }

  @Test func theBannerGoesWhenItsNewsIsOld() throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detected(id: 1, report(10_000)))
    desk.press("enter")
    #expect(desk.state.tickInterval == .seconds(1))
    desk.wait(59_000)
    #expect(desk.screen.contains("Found 1 boundary. Review and confirm."))
    desk.wait(2000)
    #expect(desk.state.banner == nil)
    #expect(desk.state.tickInterval == nil)
  }

  @Test func theBannerIsThereAgainAfterTheHelp() throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detected(id: 1, report(10_000, 20_000)))
    desk.press("enter ? esc")
    #expect(desk.screen.contains("Found 2 boundaries. Review and confirm."))
  }

  @Test(arguments: ["u", "enter '2:1 enter", "down y", "!", "n", "B esc", "C esc", "f esc"])
  func theBannerGoesWhenAPersonGoesOn(keys: String) throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detected(id: 1, report(10_000, 20_000)))
    desk.press("enter")
    #expect(desk.state.banner == "Found 2 boundaries. Review and confirm.")
    desk.press(keys)
    #expect(desk.state.banner == nil)
  }

  @Test func whatIsFoundIsReadWholeOnTheSmallestScreen() throws {
    var desk = Desk(try document(length: 6_000_000), size: Size(columns: 60, rows: 16))
    desk.state.selection.span = span(60_000, 5_000_000)
    desk.press("A '2:1")
    desk.send(
      .detected(
        id: desk.state.lastDetection,
        DetectionReport(
          boundaries: (1...26).map {
            .init(position: FramePosition($0 * 100_000), confidence: 0.9)
          },
          opening: Attribution(.ayah(ayah("2:1")), origin: .aligned, confidence: 0.9))))
    #expect(
      desk.screen.contains("Find each ayah in 1:00 – 1:23:20: 1 gap, 1 segment"), "\(desk.screen)")
    #expect(desk.screen.contains("1 segment with ayat found"), "\(desk.screen)")
    #expect(desk.screen.contains("26 markers to review"), "\(desk.screen)")
  }

  @Test func theBannerGoesWhenNothingIsLeftToReview() throws {
    var desk = Desk(try document())
    desk.press("a")
    desk.send(.detected(id: 1, report(10_000)))
    desk.press("enter down y")
    #expect(desk.state.banner == nil)
  }
}
