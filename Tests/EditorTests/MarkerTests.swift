// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

@Suite struct MarkerTests {
  @Test func aMarkerIsAddedOnlyWhereBothSidesCanBeHeard() throws {
    var desk = Desk(try document(10_000))
    desk.press("down")
    for (position, isAdded) in [(10_049, false), (9_951, false), (99_951, false), (99_950, true)] {
      desk.state.transport.position = FramePosition(Int64(position))
      desk.press("m")
      #expect((desk.edits.count == 1) == isAdded, "\(position)")
    }
    desk.send(.input(.resize(Size(columns: 200, rows: 24))))
    desk.press("home X")
    let column = try #require(desk.state.viewport.column(of: FramePosition(10_030)))
    desk.click(column, desk.layout.canvas.origin.row)
    #expect(desk.edits.count == 1)
    #expect(desk.state.notice?.text == "There is no room for a marker here")
  }

  @Test func aHeldNudgeIsOneEditMadeWhenTheKeysRest() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down , , , >")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.movedMarker?.position == FramePosition(10_070))
    #expect(desk.state.tickInterval != nil)
    desk.wait(60)
    #expect(desk.edits.isEmpty)
    desk.wait(120)
    #expect(desk.edits == [.moveMarker(MarkerID(1), to: FramePosition(10_070))])
    desk.wait(1000)
    #expect(desk.state.tickInterval == nil)
    desk.press("u")
    #expect(desk.boundaries == [10_000, 20_000])
  }

  @Test func whereAMarkerHasComeToLieIsSaidUntilTheNextKey() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.send(.pauses([span(14_000, 15_000)]))
    desk.press("down .")
    desk.wait(200)
    #expect(
      desk.screen.contains("Marker at 0:10.010  +10 ms  lengths 10.0 s | 9.99 s"), "\(desk.screen)")
    desk.press("'")
    #expect(desk.state.notice?.text == "Marker at 0:14.850  +4840 ms  lengths 14.9 s | 5.15 s")
    let column = try #require(desk.state.viewport.column(of: FramePosition(14_850)))
    desk.drag(from: column, to: column + 8, row: desk.layout.canvas.origin.row, .alt)
    desk.mouse(.release(.left), column + 8, desk.layout.canvas.origin.row, .alt)
    #expect(desk.state.notice?.text.hasPrefix("Marker at ") == true)
    desk.press(". down")
    #expect(desk.state.notice == nil, "another key has ended it")
  }

  @Test func undoingAMarkerSelectsTheSegmentThatItCut() throws {
    var desk = Desk(try document(10_000, 50_000))
    desk.press("f '2:1 enter")
    desk.state.transport.position = FramePosition(20_000)
    desk.press("m u")
    #expect(desk.selected == 2)
    desk.press("enter")
    #expect(desk.labels == ["2:1", "2:2!", "2:3"])
  }

  @Test func aNudgeThatWaitsIsNotShownAsKept() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down .")
    #expect(!desk.screen.contains(" saved"))
    #expect(desk.screen.contains("1 edit not on disk yet"))
    desk.wait(150)
    desk.send(.kept(ticket: 1, revision: 1, publication: .nothing))
    #expect(desk.screen.contains(" saved"))
  }

  /// A key that is held rests for longer before it repeats than an edit may wait.
  @Test func whatAHeldKeyMovesIsUndoneTogether() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down .")
    desk.wait(200)
    desk.press(". . .")
    desk.wait(200)
    #expect(desk.boundaries == [10_040, 20_000])
    #expect(desk.edits.count == 2)
    desk.press("u")
    #expect(desk.boundaries == [10_000, 20_000])
    desk.press("U")
    #expect(desk.boundaries == [10_040, 20_000])
    desk.press(".")
    desk.wait(200)
    desk.wait(1000)
    desk.press(". u")
    #expect(desk.boundaries == [10_050, 20_000], "one much later is another edit")
  }

  @Test func itIsUndoneTogetherAfterReopeningToo() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down .")
    desk.wait(200)
    desk.press(". .")
    desk.wait(200)
    let requests = desk.effects.compactMap {
      if case .store(let request) = $0 { request.joinsPrevious } else { nil }
    }
    #expect(requests == [false, true], "what the store keeps")
    let (moved, history) = (desk.document, desk.state.annotation.history)
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(moved))))
    desk.send(.historyRead(history))
    desk.press("u")
    #expect(desk.boundaries == [10_000, 20_000])
  }

  @Test func anotherKeyEndsANudgeAtOnce() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down alt-. alt-. down")
    #expect(desk.boundaries == [10_002, 20_000])
    #expect(desk.edits.count == 1)
  }

  @Test func escapePutsANudgedMarkerBack() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down > > esc")
    desk.wait(2000)
    #expect(desk.boundaries == [10_000, 20_000])
    #expect(desk.edits.isEmpty)
  }

  @Test func aNudgeStopsAtTheNeighbours() throws {
    var desk = Desk(try document(10_000, 10_150))
    desk.press("down > > > down")
    #expect(desk.boundaries == [10_100, 10_150])
  }

  @Test func theOtherEdgeOfASegmentIsNudgedToo() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down o > down")
    #expect(desk.boundaries == [10_000, 20_100])
  }

  @Test func quittingKeepsWhatIsBeingMoved() throws {
    var desk = Desk(try document(10_000))
    desk.press("down > q")
    #expect(desk.boundaries == [10_100])
    #expect(desk.effects.last == .quit)
  }

  @Test func theEndOfTheTerminalKeepsWhatIsBeingMoved() throws {
    var desk = Desk(try document(10_000))
    desk.press("down >")
    desk.send(.ending)
    #expect(desk.boundaries == [10_100])
  }

  @Test func xDeletesAtOnceAndUndoBringsItBack() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down x")
    #expect(desk.boundaries == [20_000])
    #expect(desk.state.notice?.text == "Marker deleted; u restores it")
    desk.press("u")
    #expect(desk.boundaries == [10_000, 20_000])
  }

  @Test func xAsksFirstWhereItIsSetTo() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.send(.perform(.toggleAsking))
    desk.press("down x")
    #expect(desk.state.context == .deletion)
    desk.press("esc")
    #expect(desk.boundaries == [10_000, 20_000])
    desk.press("x enter")
    #expect(desk.boundaries == [20_000])
    #expect(desk.selected == 1)
  }

  @Test func theStartOfTheRecordingHasNoMarkerToDelete() throws {
    var desk = Desk(AnnotationDocument(length: FrameCount(1000), rate: rate))
    desk.press("x")
    #expect(desk.state.context == .normal)
    #expect(desk.state.notice?.text == "The start and end of the recording have no marker")
  }

  @Test func aMarkerPlacedWhilePlayingLiesAReactionTimeEarlier() throws {
    var desk = Desk(try document(50_000))
    desk.press("s space")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(5000))))
    desk.press("m")
    #expect(desk.boundaries == [4800, 50_000])
    desk.press("alt-=")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(9000))))
    desk.press("m")
    #expect(desk.boundaries == [4800, 8780, 50_000])
  }

  @Test func reactionTimeIsTimeHeardAndCountsLessWhenSlow() throws {
    var desk = Desk(try document(50_000))
    desk.press("s space [ [")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(5000))))
    #expect(desk.state.transport.speed == 0.75)
    desk.press("m")
    #expect(desk.boundaries == [4850, 50_000])
  }

  @Test func aNewMarkerSnapsToTheTroughNearIt() throws {
    var desk = Desk(try document(50_000))
    desk.send(levels(length: 100_000, quiet: [5000..<5120]))
    desk.state.transport.position = FramePosition(5200)
    desk.press("m")
    #expect(desk.boundaries == [5060, 50_000])
  }

  @Test func withoutSnappingItLiesWhereItWasPut() throws {
    var desk = Desk(try document(50_000))
    desk.send(levels(length: 100_000, quiet: [5000..<5120]))
    desk.state.transport.position = FramePosition(5200)
    desk.press("s m")
    #expect(desk.boundaries == [5200, 50_000])
  }

  @Test func noSecondMarkerIsPutOnAFrame() throws {
    var desk = Desk(try document(5000))
    desk.state.transport.position = FramePosition(5000)
    desk.press("m")
    #expect(desk.boundaries == [5000])
    #expect(desk.edits.isEmpty)
  }

  @Test func aMarkerInAnUnassignedStretchSelectsThePieceThatItEnds() throws {
    var desk = Desk(try document(), size: Size(columns: 100, rows: 24))
    desk.state.transport.position = FramePosition(10_000)
    desk.press("m")
    #expect(desk.selected == 1)
    desk.state.transport.position = FramePosition(20_000)
    desk.press("m")
    #expect(desk.selected == 2)
    #expect(desk.state.selectedMarker?.position == FramePosition(20_000))
    desk.press("<")
    desk.wait(200)
    #expect(desk.boundaries == [10_000, 19_900])
  }

  @Test func aMarkerInAnAssignedSegmentSelectsThePieceWithoutAName() throws {
    var desk = Desk(try document(50_000).assigning(1, "84:7"))
    desk.state.transport.position = FramePosition(20_000)
    desk.press("m")
    #expect(desk.labels == ["84:7", "-", "-"])
    #expect(desk.selected == 2)
  }

  @Test func anEdgeGoesToThePauseBeforeOrAfterWhereABoundaryWouldLie() throws {
    var desk = Desk(try document(10_000, 40_000))
    desk.send(.pauses([span(5000, 6000), span(11_000, 12_000), span(20_000, 20_400)]))
    desk.press("down '")
    #expect(desk.boundaries == [11_850, 40_000])
    #expect(desk.document.markers[0].isConfirmed)
    #expect(desk.played.last?.span == span(9850, 13_850))
    desk.press("alt-right")
    #expect(desk.boundaries == [20_300, 40_000])
    desk.press("; ;")
    #expect(desk.boundaries == [5850, 40_000])
    desk.press(";")
    #expect(desk.state.notice?.text == "No pause without a marker found before")
  }

  @Test func aPauseWithAnotherMarkerIsNoPlaceForAnEdge() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    // The boundaries lie in pauses, though not where the detector would put them.
    desk.send(.pauses([span(9500, 10_500), span(19_500, 20_400), span(29_600, 30_000)]))
    desk.press("down down '")
    #expect(desk.state.notice?.text == "No pause without a marker found after")
    desk.press(";")
    #expect(desk.state.notice?.text == "No pause without a marker found before")
    desk.press("#")
    #expect(desk.state.numberedPauses == [FramePosition(20_250)], "its own, better placed")
    #expect(desk.boundaries == [10_000, 20_000, 30_000])
  }

  @Test func anEdgeMayGoToTheSilenceThatTheRecordingBeginsWith() throws {
    var desk = Desk(try document(10_000))
    desk.send(.pauses([span(0, 4000), span(98_000, 100_000)]))
    desk.press("down ;")
    #expect(desk.boundaries == [3850])
  }

  @Test func aDigitTakesANumberedPause() throws {
    var desk = Desk(try document(10_000, 40_000))
    desk.send(.pauses([span(5000, 6000), span(11_000, 12_000), span(50_000, 51_000)]))
    desk.press("down #")
    #expect(desk.state.numberedPauses == [FramePosition(5850), FramePosition(11_850)])
    let ruler = view(desk.state).textRows[desk.layout.ruler.origin.row]
    #expect(Array(ruler)[4] == "1")
    #expect(Array(ruler)[9] == "2")
    desk.press("2")
    #expect(desk.boundaries == [11_850, 40_000])
    desk.press("# esc 1")
    #expect(desk.boundaries == [11_850, 40_000], "after esc a digit is a key again")
    desk.effects = []
    desk.press("# 2")
    #expect(desk.boundaries == [11_850, 40_000])
    #expect(desk.played.isEmpty, "a digit that no pause has is no other key")
    #expect(desk.state.notice?.text == "No pause has the number 2")
    #expect(desk.state.numberedPauses.isEmpty)
  }

  @Test func confirmingAMarkerIsTakenBackByTheSameKey() throws {
    var desk = Desk(try document(10_000))
    desk.press("down y")
    #expect(desk.document.markers[0].isConfirmed)
    desk.press("y")
    #expect(!desk.document.markers[0].isConfirmed)
  }
}

extension PlaybackCommand {
  /// What is played by it.
  var span: Range<FramePosition>? {
    if case .play(let span, _, _) = self { span } else { nil }
  }
}
