// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

@Suite struct PlaybackTests {
  /// What was played of the recording in part is left by going elsewhere, and then goes on from there.
  @Test(arguments: ["n", "tab"]) func aPlaceOutsideOfWhatIsPlayedIsGoneTo(key: String) throws {
    var desk = Desk(try document(20_000, 40_000, 60_000))
    desk.press("down \(key)")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(20_500))))
    desk.effects = []
    desk.press("/ '1:30 enter")
    let end = desk.state.end
    #expect(
      desk.effects.contains(
        .play(
          .play(span: FramePosition(90_000)..<end, from: FramePosition(90_000), looping: false))),
      "\(desk.effects)")
    #expect(desk.state.transport.target == .recording && !desk.state.transport.isLooping)
    desk.effects = []
    desk.press("L")
    #expect(desk.effects.contains(.play(.seek(FramePosition(95_000)))))
  }

  @Test func auditionKeysPlayEdgesOfTheSegment() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down 1 2 3 4 5")
    func once(_ start: Int64, _ end: Int64) -> PlaybackCommand {
      .play(span: span(start, end), from: FramePosition(start), looping: false)
    }
    #expect(
      desk.played == [
        once(10_000, 10_500), once(19_500, 20_000), once(8000, 12_000), once(18_000, 22_000),
        once(18_000, 100_000),
      ])
  }

  @Test func spacePausesAndGoesOn() throws {
    var desk = Desk(try document(10_000))
    desk.press("space space space")
    #expect(
      desk.played == [
        .play(span: span(0, 100_000), from: .zero, looping: false), .pause, .resume,
      ])
  }

  @Test func spaceDecidesWhatHappensWhenALostDeviceIsBack() throws {
    var desk = Desk(try document(10_000))
    desk.press("space")
    let lost = PlaybackReport(
      .paused, at: FramePosition(3000), fault: "no device", wait: .goesOn)
    desk.send(.playback(lost))
    #expect(desk.screen.contains("waiting for the device") && desk.screen.contains("space pause"))
    // A place that is gone to meanwhile is where it goes on.
    desk.press("L")
    #expect(desk.played.last == .seek(FramePosition(8000)))
    desk.press("space")
    #expect(desk.played.last == .pause && desk.screen.contains("paused, no device"))
    desk.press("space")
    #expect(desk.played.last == .resume && desk.screen.contains("waiting for the device"))
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(8000))))
    #expect(!desk.screen.contains("device"))
  }

  @Test(arguments: [
    (PlaybackReport.DeviceWait.goesOn, "playback continues when it is back"),
    (.staysPaused, "reconnect it and play again"),
  ])
  func aLostDeviceIsToldWithWhatHappensWhenItIsBack(
    wait: PlaybackReport.DeviceWait, words: String
  ) throws {
    var desk = Desk(try document(10_000))
    desk.press("space")
    desk.send(
      .playback(PlaybackReport(.paused, at: .zero, fault: "No sound: it is gone", wait: wait)))
    #expect(desk.state.notice?.text == "No sound: it is gone; \(words)")
    desk.press("I")
    #expect(desk.screen.contains("No sound: it is gone; \(words)"))
  }

  @Test func aPausedPlayheadThatWasMovedPlaysFromThere() throws {
    var desk = Desk(try document(10_000))
    desk.press("space space L space")
    let last = PlaybackCommand.play(
      span: span(5000, 100_000), from: FramePosition(5000), looping: false)
    #expect(desk.played.last == last)
  }

  @Test func aLoopFollowsTheEdgeThatIsMoved() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down r o > ")
    desk.wait(1000)
    #expect(desk.played.last == .retarget(span: span(10_000, 20_100), looping: true))
  }

  @Test func aPausedLoopGoesOnBetweenItsNewEdges() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("down r space o > ")
    desk.wait(1000)
    #expect(desk.played.last == .retarget(span: span(10_000, 20_100), looping: true))
    desk.press("space")
    #expect(desk.played.last == .resume)
  }

  @Test func otherProgramsSkipFromSegmentToSegmentOfWhatIsHeard() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.press("space")
    desk.send(.skip(isForward: true))
    #expect(desk.played.last == .seek(FramePosition(10_000)))
    desk.send(.skip(isForward: true))
    #expect(desk.played.last == .seek(FramePosition(20_000)))
    desk.send(.skip(isForward: false))
    #expect(desk.played.last == .seek(FramePosition(10_000)))
    #expect(desk.state.selectedSegment.index == 1)
    // Stopped, it chooses.
    desk.press("space")
    let count = desk.played.count
    desk.send(.skip(isForward: true))
    #expect(desk.played.count == count && desk.state.selectedSegment.index == 2)
  }

  @Test func otherProgramsSetVolumeAndLoopOfWhatPlays() throws {
    var desk = Desk(try document(10_000))
    desk.send(.setLooping(true))
    #expect(desk.played.isEmpty && desk.state.settings.loopsSegments)
    desk.press("space")
    desk.send(.setLooping(true))
    #expect(desk.played.last == .retarget(span: span(0, 100_000), looping: true))
    #expect(desk.state.transport.isLooping)
    let count = desk.played.count
    desk.send(.setLooping(true))
    #expect(desk.played.count == count)
    desk.send(.setLooping(false))
    #expect(desk.played.last == .retarget(span: span(0, 100_000), looping: false))
    desk.send(.setVolume(0.35))
    #expect(desk.played.last == .setVolume(0.35))
    desk.send(.setVolume(7))
    #expect(desk.state.settings.volume == 1)
    desk.send(.setVolume(.nan))
    #expect(desk.state.settings.volume == 1)
  }

  @Test func whatWasLearntIsSaidUntilTheNextKey() throws {
    var desk = Desk(try document(10_000))
    desk.send(.learnt("Learnt: this voice"))
    #expect(desk.state.notice?.text == "Learnt: this voice")
    desk.press("j")
    #expect(desk.state.notice?.text != "Learnt: this voice")
  }

  @Test func speedGoesFromAQuarterToThree() throws {
    var desk = Desk(try document(10_000))
    for _ in 0..<20 { desk.press("]") }
    #expect(desk.state.transport.speed == 3)
    for _ in 0..<20 { desk.press("[") }
    #expect(desk.state.transport.speed == 0.25)
    desk.press("\\")
    #expect(desk.played.last == .setSpeed(1))
  }

  @Test func theViewTurnsThePageWithThePlayheadUnlessToldNotTo() throws {
    var desk = Desk(try document(10_000))
    desk.press("X space")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(60_000))))
    #expect(desk.state.viewport.span.contains(FramePosition(60_000)))
    desk.press("F")
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(90_000))))
    #expect(!desk.state.viewport.span.contains(FramePosition(90_000)))
  }

  @Test func aMissingDeviceIsSaidAndEditingGoesOn() throws {
    var desk = Desk(try document(10_000))
    desk.press("space")
    desk.send(.playback(PlaybackReport(.stopped, at: .zero, fault: "no audio device")))
    #expect(desk.screen.contains("no audio device"))
    desk.press("!")
    #expect(desk.edits.count == 1)
    #expect(desk.screen.contains("no sound"))
  }

  @Test func theEqualiserIsHeardAtOnceAndKept() throws {
    var desk = Desk(try document(10_000))
    desk.press("E down right right right")
    #expect(desk.state.settings.equaliser.bands[0] == 0.625)
    #expect(desk.played.last == .setEqualiser(desk.state.settings.equaliser))
    #expect(desk.effects.contains(.keep(desk.state.settings)))
    desk.press("0 esc")
    #expect(desk.state.settings.equaliser.bands == Equaliser().bands)
    #expect(desk.state.context == .normal)
  }

  @Test func theVolumeIsKept() throws {
    var desk = Desk(try document(10_000))
    desk.press("{ { }")
    #expect(desk.state.settings.volume == 0.9)
    #expect(desk.played == [.setVolume(0.9), .setVolume(0.8), .setVolume(0.9)])
    #expect(desk.effects.contains(.keep(desk.state.settings)))
  }

  @Test func goingToANextSegmentWhileOneLoopsPlaysThat() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("r down")
    let last = PlaybackCommand.play(
      span: span(10_000, 20_000), from: FramePosition(10_000), looping: true)
    #expect(desk.played.last == last)
  }

  @Test func aSelectedSpanIsWhatSpacePlays() throws {
    var desk = Desk(try document(10_000))
    desk.press("v L v space")
    #expect(desk.played == [.play(span: span(0, 5000), from: .zero, looping: true)])
  }

  @Test func whatCouldNotBeHeardIsNotConfirmedOnTheWay() throws {
    var desk = Desk(try document(10_000, 20_000, confidences: [0.5, 0.9]))
    desk.press("n")
    desk.send(.playback(PlaybackReport(.stopped, at: .zero, fault: "No sound: no such device")))
    desk.press("tab")
    #expect(desk.document.markers.map(\.isConfirmed) == [false, false])
    #expect(
      desk.state.notice?.text
        == "Not confirmed, since nothing can be heard; y confirms what you have seen")
    desk.press("y n")
    #expect(desk.document.markers.map(\.isConfirmed) == [true, false])
    #expect(desk.state.selectedMarker?.position == FramePosition(20_000))
  }

  @Test func thatThereIsNoSoundLeavesTheQuestionOfTheEdgeInHand() throws {
    var desk = Desk(try document(10_000, 20_000, confidences: [0.5, 0.9]))
    desk.press("n")
    desk.send(.playback(PlaybackReport(.stopped, at: .zero, fault: "No sound: no such device")))
    let said = try #require(desk.state.notice?.text)
    #expect(said.hasPrefix("No sound: no such device. This edge is 50% sure"), "\(said)")
  }

  /// By every key that would have been heard, unless something else is said.
  @Test func thatThereIsNoSoundIsSaidAgain() throws {
    var desk = Desk(try document(10_000))
    func fail() -> Event {
      .playback(PlaybackReport(.stopped, at: .zero, fault: "No sound: no such device"))
    }
    desk.send(fail())
    #expect(desk.state.notice?.text == "No sound: no such device")
    desk.press("end space")
    desk.send(.playback(PlaybackReport(.playing, at: .zero)))
    desk.send(fail())
    #expect(desk.state.notice?.text == "No sound: no such device")
    desk.press("n")
    let question = desk.state.notice
    desk.send(fail())
    #expect(question != nil && desk.state.notice == question)
    #expect(desk.screen.contains("no sound"), "the transport line says that it is so")
    desk.press("I")
    #expect(desk.screen.contains("No sound: no such device"))
    desk.send(
      .playback(PlaybackReport(.paused, at: .zero, fault: "hw:1 is lost; play tries it again")))
    let news = try #require(desk.state.notice?.text)
    #expect(news.hasPrefix("hw:1 is lost; play tries it again"), "something else is news: \(news)")
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "other"), annotation: WorkingAnnotation(desk.document))))
    desk.send(fail())
    #expect(desk.state.notice?.text == "No sound: no such device")
  }
}
