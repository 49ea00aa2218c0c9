// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

@Suite struct MarkerTests {
  @Test func aHeldNudgeIsOneEditMadeWhenTheKeysRest() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down , , , >")
    #expect(desk.edits.isEmpty)
    #expect(desk.state.movedMarker?.position == FramePosition(10_070))
    #expect(desk.state.wantsTicks)
    desk.wait(600)
    #expect(desk.edits.isEmpty)
    desk.wait(800)
    #expect(desk.edits == [.moveMarker(MarkerID(1), to: FramePosition(10_070))])
    #expect(!desk.state.wantsTicks)
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

  @Test func xDeletesAfterAsking() throws {
    var desk = Desk(try document(10_000, 20_000))
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
    #expect(desk.state.notice?.text == "The recording's own start and end have no marker")
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

  @Test func confirmingAMarkerIsTakenBackByTheSameKey() throws {
    var desk = Desk(try document(10_000))
    desk.press("down y")
    #expect(desk.document.markers[0].isConfirmed)
    desk.press("y")
    #expect(!desk.document.markers[0].isConfirmed)
  }
}
