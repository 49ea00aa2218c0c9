// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

/// What somebody stumbles over who does not know the editor.
@Suite struct NewcomerTests {
  // MARK: Markers

  @Test func aMarkerIsNotMovedSoFarThatNothingCanBeHeard() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down")
    for _ in 0..<150 { desk.press(">") }
    desk.wait(1000)
    #expect(desk.boundaries == [19_950, 20_000])
    desk.press("up down")
    for _ in 0..<300 { desk.press("<") }
    desk.wait(1000)
    #expect(desk.boundaries == [50, 20_000])
  }

  @Test func severalMarkersCanBePlacedWhileASegmentIsHeard() throws {
    var desk = Desk(try document(40_000))
    desk.press("r")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(10_000))))
    desk.press("m")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(30_000))))
    desk.press("m")
    #expect(desk.boundaries == [9_800, 29_800, 40_000])
    let retargets = desk.played.filter { if case .retarget = $0 { true } else { false } }
    #expect(retargets.isEmpty)
  }

  // MARK: Assigning

  @Test(arguments: ["?", "!", "--"])
  func whatIsNoNameIsNoSurah(text: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("e '2:1 alt-enter e '\(text) enter")
    #expect(desk.state.context == .assignment)
    #expect(desk.labels == ["2:1!", "-"])
  }

  @Test func anotherSurahBeginsWithItsFirstAyah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '93:6 alt-enter e '94 enter")
    #expect(desk.labels == ["93:6!", "94:1!"])
  }

  @Test func theSameSurahKeepsItsAyah() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '93:6 alt-enter e 'duha enter")
    #expect(desk.labels == ["93:6!", "93:7!"])
  }

  @Test func theFirstSurahCanBeReachedByArrows() throws {
    var desk = Desk(try document())
    desk.press("e down")
    #expect(desk.screen.contains("Which ayah of Al-Fatihah?"))
    desk.press("down down")
    #expect(desk.screen.contains("Which ayah of Ali 'Imran?"))
  }

  @Test func whatIsPastedReplacesWhatWasFilledIn() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '93:6 alt-enter e")
    desk.send(.input(.paste("112:3")))
    desk.press("enter")
    #expect(desk.labels == ["93:6!", "112:3!"])
  }

  @Test func theBasmalahSaysWhatFollows() throws {
    var desk = Desk(try document(10_000))
    desk.press("e '112:1 alt-l down enter down enter")
    #expect(desk.labels == ["basmalah!", "112:1!"])
  }

  // MARK: Seeing

  @Test func nothingIsEditedOnAScreenThatIsTooSmallToDraw() throws {
    var desk = Desk(try document())
    desk.send(.input(.resize(Size(columns: 30, rows: 10))))
    desk.press("L m e")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.panel == nil)
    desk.press("q")
    #expect(desk.effects.contains(.quit))
  }

  @Test func theKeysNameTheirActionsWhereThereIsRoom() throws {
    for (columns, isNamed) in [(80, false), (100, true)] {
      var desk = Desk(try document(), size: Size(columns: columns, rows: 60))
      desk.press("?")
      #expect(desk.screen.contains("go to the next segment"))
      #expect(desk.screen.contains("segment.next") == isNamed)
      #expect(desk.screen.contains("segment  …") == false && !desk.screen.contains("  …│"))
    }
  }

  @Test(arguments: ["q", "?", "esc"])
  func theHelpIsWholeAt80ColumnsAndClosedByWhatOneTries(key: String) throws {
    var desk = Desk(try document())
    desk.press("?")
    #expect(desk.screen.contains("the wheel scrolls and with Ctrl zooms"))
    desk.press(key)
    #expect(desk.state.panel == nil)
    #expect(!desk.effects.contains(.quit))
  }

  @Test func theViewStaysWhereAPersonLooksWhileItPlays() throws {
    var desk = Desk(try document(40_000, 43_000))
    desk.press("down r")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(40_000))))
    desk.press("X")
    let viewport = desk.state.viewport
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(42_500))))
    #expect(desk.state.viewport == viewport)
    desk.press("r z -")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(42_900))))
    #expect(desk.state.viewport.column(of: FramePosition(42_900)) != nil)
  }

  @Test func theTitleSaysWhatIsNotPublished() throws {
    var desk = Desk(try document(10_000))
    #expect(desk.screen.contains(" saved"))
    #expect(!desk.screen.contains("published"))
    desk.press("e '2:1 alt-enter")
    let ticket = try #require(
      desk.effects.lazy.compactMap {
        if case .store(let request) = $0 { request.ticket } else { nil }
      }
      .last)
    desk.send(.kept(ticket: ticket, revision: 1, publication: .nothing))
    #expect(desk.screen.contains("saved, not published"))
    desk.send(.published(PublicationReport(status: .partial, segments: 1)))
    #expect(desk.screen.contains("saved, published"))
  }

  @Test func thatEditsCannotBeKeptStaysOnTheScreen() throws {
    var desk = Desk(try document(10_000))
    desk.press("!")
    desk.send(.notKept(ticket: 1, reason: "the disk is full"))
    desk.press("j k")
    #expect(desk.screen.contains("Edits cannot be saved: the disk is full"))
    desk.press("!")
    desk.send(.kept(ticket: 2, revision: 1, publication: .nothing))
    desk.press("j")
    #expect(!desk.screen.contains("cannot be saved"))
  }

  // MARK: Reviewing

  @Test func theLeastSureNotYetVisitedComesNextFromWhereverOneIs() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.99, 0.4, 0.6]))
    desk.press("down n")
    #expect(desk.selected == 3)
    desk.press("n")
    #expect(desk.selected == 4)
    desk.press("home n")
    #expect(desk.selected == 2)
  }

  @Test func assignmentsThatADetectionTakesAwayAreCounted() throws {
    func attribution(_ text: String) -> Attribution {
      Attribution(.ayah(ayah(text)), origin: .aligned, confidence: 0.8)
    }
    var desk = Desk(try document())
    desk.press("A '2:1")
    desk.send(
      .detected(
        id: desk.state.lastDetection,
        DetectionReport(
          boundaries: [
            .init(
              position: FramePosition(20_000), confidence: 0.8, origin: .aligned,
              attribution: attribution("2:2"))
          ], opening: attribution("2:1"))))
    desk.press("enter home a")
    desk.send(
      .detected(
        id: desk.state.lastDetection,
        DetectionReport(boundaries: [.init(position: FramePosition(50_000), confidence: 0.5)])))
    #expect(desk.screen.contains("2 assignments removed"))
  }

  @Test func theHistoryNamesWhatWasConfirmed() throws {
    var desk = Desk(try document(10_000))
    desk.press("f '2:1 enter home enter i")
    #expect(desk.screen.contains("segment confirmed: 1, 2:1"))
  }
}
