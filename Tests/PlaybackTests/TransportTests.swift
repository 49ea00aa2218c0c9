// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Playback

@Suite struct TransportTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  @Test func thePositionIsTheFrameThatIsHeardNext() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    var loop = item(source, 1000..<1500)
    loop.repetitions = 3
    stage.session.append([loop])
    stage.session.play()
    for heard in [1, 100, 499, 500, 777, 1499] {
      stage.output.advance(heard - stage.output.playedFrames)
      let position = try #require(stage.session.position)
      #expect(position.item == loop.id)
      #expect(position.repetition == heard / 500)
      #expect(position.sourceFrame == FramePosition(Int64(1000 + heard % 500)))
      #expect(stage.output.played.last == Float(1000 + (heard - 1) % 500 + 1) / 16_777_216)
    }
  }

  @Test func aCrossfadeHasTwoPositions() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    let first = item(source, 0..<1000)
    var second = item(source, 5000..<6000)
    second.crossfade = Fade(FrameCount(400), .linear)
    stage.session.append([first, second])
    stage.session.play()
    stage.output.advance(700)
    let position = try #require(stage.session.position)
    #expect(position.item == second.id && position.sourceFrame == FramePosition(5100))
    #expect(position.outgoing?.item == first.id)
    #expect(position.outgoing?.sourceFrame == FramePosition(700))
  }

  @Test func aPauseWithoutAFadeLosesAndRepeatsNothing() throws {
    let source = try recordings.numbered(frames: 20_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<20_000)])
    for _ in 0..<50 {
      stage.session.play()
      stage.output.advance(211)
      stage.session.pause()
      stage.output.advance(2000)
      let silent = stage.output.playedFrames
      stage.output.advance(2000)
      #expect(stage.output.playedFrames == silent)
      let heard = numbers(stage.output.played)
      #expect(stage.session.position?.sourceFrame == FramePosition(Int64(heard.count)))
    }
    stage.session.play()
    stage.output.advance(20_000)
    #expect(numbers(stage.output.played) == Array(1...20_000))
  }

  @Test func aPauseFadesOutAndPlayingFadesIn() throws {
    let source = try recordings.make(frames: 48_000) { _, _ in 1 }
    let stage = try Stage()
    stage.session.append([item(source, 0..<48_000)])
    stage.session.play(fadeIn: FrameCount(480))
    stage.output.advance(2000)
    stage.session.pause(fadeOut: FrameCount(960))
    stage.output.advance(4000)
    stage.session.play(fadeIn: FrameCount(480))
    stage.output.advance(2000)
    let heard = stage.output.played
    #expect(heard[0] == 0 && heard[480] == 1 && heard[1999] == 1)
    let steps = zip(heard, heard.dropFirst()).map { pair in abs(pair.0 - pair.1) }
    #expect(steps.max()! < 1.6 / 480)
    #expect(heard.last == 1)
  }

  @Test func aSeekIsHeardWithinAPeriodAndNothingStaleAfterIt() throws {
    let source = try recordings.numbered(frames: 100_000)
    var random = SplitMix64(state: 4)
    for isExact in [true, false] {
      let stage = try Stage(exact: isExact)
      let long = item(source, 0..<100_000)
      stage.session.append([long])
      stage.session.play()
      for _ in 0..<100 {
        stage.output.advance(Int.random(in: 1...3000, using: &random))
        let target = Int.random(in: 0..<95_000, using: &random)
        let before = stage.output.playedFrames
        stage.session.seek(to: long.id, sourceFrame: FramePosition(Int64(target)))
        #expect(stage.session.position?.sourceFrame == FramePosition(Int64(target)))
        stage.output.advance(600)
        // A fade of 240 frames of what was heard, then as much of what is new.
        let fade = isExact ? 0 : 240
        let heard = Array(stage.output.played[(before + fade)...])
        let new = isExact ? heard : Array(heard.dropFirst(fade))
        #expect(numbers(new).first == target + (isExact ? 1 : 241))
        #expect(zip(numbers(new), numbers(new).dropFirst()).allSatisfy { $0 + 1 == $1 })
      }
    }
  }

  @Test func seeksWhilePausedStayPaused() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    let only = item(source, 0..<10_000)
    stage.session.append([only])
    stage.session.play()
    stage.output.advance(1000)
    stage.session.pause()
    stage.output.advance(1000)
    let silent = stage.output.playedFrames
    for target in [5000, 100, 9000] {
      stage.session.seek(to: only.id, sourceFrame: FramePosition(Int64(target)))
      stage.output.advance(1000)
      #expect(stage.output.playedFrames == silent)
      #expect(stage.session.position?.sourceFrame == FramePosition(Int64(target)))
    }
    stage.session.play()
    stage.output.advance(500)
    #expect(numbers(stage.output.played.suffix(500)) == Array(9001...9500))
  }

  @Test func seeksIntoACrossfadeAreAsIfPlayedUpToThere() throws {
    let source = try recordings.make(frames: 10_000) { frame, _ in Float(frame) / 10_000 }
    let first = item(source, 0..<1000)
    var second = item(source, 5000..<6000)
    second.crossfade = Fade(FrameCount(400), .linear)
    let whole = try Stage().play([first, second], frames: 1600)
    let stage = try Stage()
    stage.session.append([first, second])
    stage.session.seek(to: first.id, sourceFrame: FramePosition(800))
    stage.session.play()
    stage.output.advance(1000)
    #expect(Array(stage.output.played.prefix(800)) == Array(whole.suffix(800)))
  }

  @Test(arguments: [false, true])
  func anotherItemIsHeardFromAFrameOnWhenItTakesThePlaceOfOne(isPaused: Bool) throws {
    let source = try recordings.numbered(frames: 20_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<20_000)])
    stage.session.play()
    for round in 1...20 {
      stage.output.advance(500)
      if isPaused {
        stage.session.pause(fadeOut: FrameCount(64))
        stage.output.advance(500)
      }
      let new = item(source, 10_000..<20_000)
      let before = stage.output.played.count
      stage.session.replace(after: nil, with: [new])
      stage.session.seek(to: new.id, sourceFrame: FramePosition(Int64(10_000 + round)))
      stage.session.play()
      stage.output.advance(500)
      let heard = numbers(Array(stage.output.played[before...]))
      let first = try #require(heard.firstIndex(of: 10_001 + round), "it is never heard")
      #expect(Array(heard[first...].prefix(100)) == Array(10_001 + round..<10_101 + round))
    }
  }

  @Test func whatIsReplacedBeforeItIsHeardNeverIs() throws {
    let source = try recordings.numbered(frames: 100_000)
    // From long before the join to just before it, when it is in the device already.
    for heard in [100, 2000, 4000, 4700, 4900, 4990, 4999] {
      let stage = try Stage()
      let first = item(source, 0..<5000)
      stage.session.append([first, item(source, 50_000..<60_000)])
      stage.session.play()
      stage.output.advance(heard)
      stage.session.replace(after: first.id, with: [item(source, 20_000..<21_000)])
      stage.output.advance(10_000)
      #expect(numbers(stage.output.played) == Array(1...5000) + Array(20_001...21_000))
    }
  }

  @Test func whatIsReplacedWhileItIsHeardEndsAtOnce() throws {
    let source = try recordings.numbered(frames: 100_000)
    let stage = try Stage()
    let first = item(source, 0..<1000)
    stage.session.append([first, item(source, 50_000..<60_000)])
    stage.session.play()
    stage.output.advance(3000)
    stage.session.replace(after: first.id, with: [item(source, 20_000..<21_000)])
    stage.output.advance(3000)
    #expect(
      numbers(stage.output.played) == Array(1...1000) + Array(50_001...52_000)
        + Array(20_001...21_000))
  }

  @Test func aCancelledItemIsLeftOut() throws {
    let source = try recordings.numbered(frames: 100_000)
    for heard in [100, 900, 990] {
      let stage = try Stage()
      let items = (0..<4).map { item(source, ($0 * 1000)..<($0 * 1000 + 1000)) }
      stage.session.append(items)
      stage.session.play()
      stage.output.advance(heard)
      stage.session.cancel(items[1].id)
      stage.output.advance(5000)
      #expect(numbers(stage.output.played) == Array(1...1000) + Array(2001...4000))
    }
  }

  @Test func cancellingWhatIsHeardGoesOnWithTheNext() throws {
    let source = try recordings.numbered(frames: 100_000)
    let stage = try Stage()
    var loop = item(source, 0..<1000)
    loop.repetitions = nil
    stage.session.append([loop, item(source, 70_000..<71_000)])
    stage.session.play()
    stage.output.advance(2500)
    stage.session.cancel(loop.id)
    stage.output.advance(3000)
    #expect(
      numbers(stage.output.played)
        == Array(1...1000) + Array(1...1000) + Array(1...500) + Array(70_001...71_000))
  }

  @Test func cancellingInACrossfadeLeavesTheOtherItemWhole() throws {
    let source = try recordings.make(frames: 10_000) { _, _ in 0.5 }
    let stage = try Stage()
    let first = item(source, 0..<2000)
    var second = item(source, 0..<2000)
    second.crossfade = Fade(FrameCount(100), .linear)
    second.gainDecibels = -20
    stage.session.append([first, second])
    stage.session.play()
    stage.output.advance(1899)
    stage.session.cancel(second.id)
    stage.output.advance(3000)
    #expect(stage.output.played.prefix(2000).allSatisfy { $0 == 0.5 })
    #expect(stage.output.played.dropFirst(2000).allSatisfy { $0 == 0 })
  }

  @Test func stopEmptiesTheScheduleAndWhatIsAddedAfterwardsPlays() async throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<5000)])
    stage.session.play()
    stage.output.advance(1000)
    stage.session.stop()
    stage.session.append([item(source, 8000..<8100)])
    stage.output.advance(3000)
    let heard = numbers(stage.output.played).count
    #expect(heard <= 1000 + stage.output.bufferFrames)
    stage.session.play()
    stage.output.advance(3000)
    #expect(numbers(stage.output.played) == Array(1...heard) + Array(8001...8100))
    let events = await stage.events()
    #expect(events.contains(.stopped) && !events.contains(.paused(nil)))
  }

  @Test func playingOnBeforeAPauseHasBegunRepeatsNothing() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<5000)])
    stage.session.play()
    stage.output.advance(1000)
    for _ in 0..<10 {
      stage.session.pause()
      // There is room for silence behind the last frame, which playing on takes back.
      stage.output.advance(64)
      // The device plays on between two turns of the output.
      stage.output.play(64)
      stage.session.play()
      stage.output.settle()
      stage.output.advance(200)
    }
    stage.output.advance(5000)
    #expect(numbers(stage.output.played) == Array(1...5000))
  }

  @Test func playingOnInTheMiddleOfAStopHasNothingLeft() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<5000)])
    stage.session.play()
    stage.output.advance(1000)
    stage.session.stop(fadeOut: FrameCount(2000))
    stage.output.advance(500)
    stage.session.append([item(source, 8000..<8100)])
    stage.session.play()
    stage.output.advance(3000)
    #expect(numbers(stage.output.played.suffix(2000)).suffix(100) == Array(8001...8100)[...])
  }

  @Test func eventsComeWhenTheyAreHeard() async throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    var loop = item(source, 0..<1000)
    loop.repetitions = 2
    var second = item(source, 5000..<6000)
    second.crossfade = Fade(FrameCount(100), .linear)
    stage.session.append([loop, second])
    stage.session.play()
    stage.output.advance(5000)
    let events = await stage.events()
    #expect(
      events == [
        .playing, .itemStarted(loop.id), .looped(loop.id, repetition: 1),
        .itemStarted(second.id), .itemEnded(loop.id, wasBrokenOff: false),
        .itemEnded(second.id, wasBrokenOff: false), .drained,
      ])
  }

  @Test(arguments: [false, true])
  func aFadeThatRunsIntoTheEndIsAPauseThere(_ isStopping: Bool) async throws {
    let source = try recordings.numbered(frames: 2000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<1000)])
    stage.session.play()
    stage.output.advance(800)
    if isStopping {
      stage.session.stop(fadeOut: FrameCount(2000))
    } else {
      stage.session.pause(fadeOut: FrameCount(2000))
    }
    stage.output.advance(3000)
    // What is added now waits to be played.
    stage.session.append([item(source, 1000..<2000)])
    stage.output.advance(3000)
    #expect(stage.output.played.dropFirst(1000).allSatisfy { $0 == 0 })
    stage.session.play()
    stage.output.advance(3000)
    #expect(numbers(stage.output.played).suffix(1000) == Array(1001...2000)[...])
    let events = await stage.events()
    if isStopping {
      #expect(events.contains(.stopped))
    } else {
      #expect(events.contains { if case .paused = $0 { true } else { false } })
    }
  }

  @Test func aFeederThatIsLateCostsAGapAndNoFrame() async throws {
    let source = try recordings.numbered(frames: 30_000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<30_000)])
    stage.session.play()
    stage.output.advance(1000)
    stage.output.isFeeding = false
    stage.output.advance(25_000)
    stage.output.isFeeding = true
    stage.output.advance(30_000)
    #expect(numbers(stage.output.played) == Array(1...30_000))
    #expect(await stage.events().contains(.ranDry))
  }

  @Test func whatIsAddedAfterTheEndPlays() async throws {
    let source = try recordings.numbered(frames: 3000)
    let stage = try Stage()
    stage.session.append([item(source, 0..<1000)])
    stage.session.play()
    stage.output.advance(990)
    stage.session.append([item(source, 1000..<2000)])
    stage.output.advance(3000)
    stage.session.append([item(source, 2000..<3000)])
    stage.output.advance(3000)
    #expect(numbers(stage.output.played) == Array(1...3000))
    #expect(await stage.events().filter { $0 == .drained }.count == 2)
  }

  /// At the end and in a pause nothing is heard that a slow recording could break off.
  @Test func whatIsWaitedForAtRestIsNoWantOfFrames() async throws {
    let source = try recordings.numbered(frames: 4000)
    let stage = try Stage()
    func waitForFrames(_ range: Range<Int>) {
      stage.session.replace(after: nil, with: [])
      stage.output.advance(64)
      stage.output.isFeeding = false
      stage.session.append([item(source, range)])
      stage.session.play()
      stage.output.advance(500)
      stage.output.isFeeding = true
      stage.output.advance(1500)
    }
    stage.session.append([item(source, 0..<1000)])
    stage.session.play()
    stage.output.advance(2000)
    waitForFrames(1000..<2000)
    stage.session.append([item(source, 2000..<3000)])
    stage.output.advance(500)
    stage.session.pause()
    stage.output.advance(500)
    waitForFrames(3000..<4000)
    #expect(numbers(stage.output.played).suffix(1000) == Array(3001...4000))
    #expect(await !stage.events().contains(.ranDry))
  }

  @Test func goesOnWithAnotherOutputAtTheFrameThatWasHeard() throws {
    let source = try recordings.numbered(frames: 10_000)
    let stage = try Stage()
    let only = item(source, 0..<10_000)
    stage.session.append([only])
    stage.session.play()
    stage.output.advance(3333)
    let other = ManualOutput(format: format(48000), periodFrames: 100)
    try stage.session.switchOutput(to: .manual(other))
    other.advance(10_000)
    #expect(numbers(stage.output.played + other.played) == Array(1...10_000))
  }
}
