// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Playback

@Suite struct ScheduleTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  @Test func playsExactlyTheFramesOfASegment() throws {
    let source = try recordings.numbered(frames: 10_000)
    let heard = try Stage().play([item(source, 1234..<5678)], frames: 4444)
    #expect(numbers(heard) == Array(1235...5678))
  }

  @Test func whatFollowsTheLastFrameIsSilence() throws {
    let source = try recordings.numbered(frames: 1000)
    let stage = try Stage()
    _ = stage.play([item(source, 0..<100)], frames: 100)
    stage.output.advance(5000)
    #expect(numbers(stage.output.played) == Array(1...100))
    #expect(stage.output.played.count < 100 + 2 * stage.output.bufferFrames)
  }

  @Test func loopsASegmentAThousandTimesWithoutAFrameMoreOrLess() throws {
    let source = try recordings.numbered(frames: 2000)
    var loop = item(source, 500..<777)
    loop.repetitions = 1000
    let heard = try Stage().play([loop], frames: 277_000)
    let once = Array(501...777)
    #expect(numbers(heard) == (0..<1000).flatMap { _ in once })
  }

  @Test func joinsSegmentsOfOneMP3AsIfTheyWereOne() throws {
    try expectGapless("exact/mono.mp3", cut: 100_001)
  }

  @Test func joinsSegmentsOfOneM4AAsIfTheyWereOne() throws {
    try expectGapless("exact/mono.m4a", cut: 123_457)
  }

  private func expectGapless(_ fixture: String, cut: Int) throws {
    let source = try MediaSource(path: FixtureFolder.path(fixture))
    let own = source.description.format
    let range = (cut - 30_000)..<(cut + 30_000)
    let stage = try Stage(own)
    let heard = stage.play(
      [item(source, range.lowerBound..<cut), item(source, cut..<range.upperBound)], frames: 60_000)
    #expect(heard == (try decoded(source, range)))
  }

  @Test func segmentsOfDifferentRatesFollowEachOtherWithoutAFrameBetween() throws {
    let slow = try recordings.make(frames: 44_100, rate: 44_100) { _, _ in 0.5 }
    let fast = try recordings.make(frames: 48_000) { _, _ in -0.25 }
    // 0.1 s of each: 4,410 frames become 4,800.
    let heard = try Stage().play(
      [item(fast, 0..<4800), item(slow, 10_000..<14_410), item(fast, 20_000..<24_800)],
      frames: 14_400)
    #expect(heard.prefix(4800).allSatisfy { $0 == -0.25 })
    #expect(heard[4800..<9600].allSatisfy { abs($0 - 0.5) < 1e-4 })
    #expect(heard.suffix(4800).allSatisfy { $0 == -0.25 })
  }

  @Test func aConvertedSegmentIsTheSameWhereverItBegins() throws {
    let source = try recordings.make(frames: 30_000, rate: 44_100) { frame, _ in
      sinf(Float(frame) * 0.05) * 0.5
    }
    // Starts that fall on whole session frames: multiples of 147 source frames are 160 of the session.
    let whole = try Stage().play([item(source, 0..<29_400)], frames: 32_000)
    let part = try Stage().play([item(source, 7350..<14_700)], frames: 8000)
    expectSame(part, Array(whole[8000..<16_000]), within: 1e-5)
  }

  @Test func aGapHasItsExactLength() throws {
    let source = try recordings.numbered(frames: 2000, rate: 44_100)
    let gap = FrameCount(seconds: 0.5, at: rate(44_100))
    #expect(gap == FrameCount(22_050))
    let heard = try Stage(format(44_100)).play(
      [item(source, 0..<1000), RenderItem(.silence(gap)), item(source, 1000..<2000)],
      frames: 24_050)
    #expect(numbers(heard.prefix(1000)) == Array(1...1000))
    #expect(heard[1000..<23_050].allSatisfy { $0 == 0 })
    #expect(numbers(heard.suffix(1000)) == Array(1001...2000))
  }

  @Test func aLoopWithAGapEndsWithItsLastFrame() throws {
    let source = try recordings.numbered(frames: 100)
    var loop = item(source, 0..<100)
    loop.repetitions = 3
    loop.gap = FrameCount(50)
    let heard = try Stage().play([loop, item(source, 0..<1)], frames: 401)
    let silence = [Float](repeating: 0, count: 50)
    let once = try decoded(source, 0..<100)
    let expected = [once, silence, once, silence, once, [once[0]]].flatMap { $0 }
    #expect(heard == expected)
  }

  @Test(arguments: FadeCurve.allCases)
  func crossfadesFollowTheirCurveSampleBySample(_ curve: FadeCurve) throws {
    // Opposite signs in two channels show either gain by itself.
    let out = try recordings.make(frames: 3000, channels: 2) { _, channel in channel == 0 ? 1 : 0 }
    let into = try recordings.make(frames: 3000, channels: 2) { _, channel in channel == 0 ? 0 : 1 }
    var second = item(into, 0..<2000)
    second.crossfade = Fade(FrameCount(500), curve)
    let heard = try Stage(format(48000, 2)).play([item(out, 0..<2000), second], frames: 3500)
    for frame in 0..<3500 {
      let x = Double(frame - 1500) / 500
      let falling = frame < 2000 ? Float(curve.falling(x)) : 0
      let rising = frame < 1500 ? 0 : Float(curve.rising(x))
      #expect(abs(heard[2 * frame] - falling) < 1e-6)
      #expect(abs(heard[2 * frame + 1] - rising) < 1e-6)
      if abs(heard[2 * frame] - falling) > 1e-6 { break }
    }
  }

  @Test func aCrossfadeIsNoLongerThanTheShorterItem() throws {
    let long = try recordings.make(frames: 2000) { _, _ in 0.5 }
    var short = item(long, 0..<100)
    short.crossfade = Fade(FrameCount(1000), .linear)
    var last = item(long, 0..<1000)
    last.crossfade = Fade(FrameCount(1000), .linear)
    // The short one fades in over all its length, so nothing of it is left to fade out.
    let heard = try Stage().play([item(long, 0..<1000), short, last], frames: 2000)
    #expect(heard.allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test func fadesInAndOutAtTheEndsOfAnItem() throws {
    let source = try recordings.make(frames: 1000) { _, _ in 1 }
    var faded = item(source, 0..<1000)
    faded.fadeIn = Fade(FrameCount(100), .linear)
    faded.fadeOut = Fade(FrameCount(200), .linear)
    faded.gainDecibels = -6.0206
    let heard = try Stage().play([faded], frames: 1000)
    for frame in 0..<1000 {
      let gain: Float = min(1, Float(frame) / 100, Float(1000 - frame) / 200)
      let difference = abs(heard[frame] - gain / 2)
      #expect(difference < 1e-5)
    }
  }

  @Test func loopJoinsAreSmoothedWithinTheRepetitions() throws {
    let source = try recordings.make(frames: 10_000) { _, _ in 1 }
    var loop = item(source, 0..<4800)
    loop.repetitions = 3
    let heard = try Stage(exact: false).play([loop], frames: 14_400)
    for join in [4800, 9600] {
      #expect(heard[join] == 0)
      #expect(heard[join - 240] == 1 && heard[join + 240] == 1)
    }
    // No step is larger than the steepest of an S-curve over 240 frames.
    let steps = zip(heard, heard.dropFirst()).map { pair in abs(pair.0 - pair.1) }
    #expect(steps.max()! < 1.6 / 240)
    #expect(heard.prefix(4560).allSatisfy { $0 == 1 })
    #expect(heard.suffix(4560).allSatisfy { $0 == 1 })
  }

  @Test func theSizeOfBlocksMakesNoDifference() throws {
    let source = try recordings.numbered(frames: 20_000)
    let other = try recordings.make(frames: 9000, rate: 44_100) { frame, _ in
      sinf(Float(frame) * 0.1)
    }
    var second = item(other, 100..<8000)
    second.crossfade = Fade(FrameCount(777), .equalPower)
    var loop = item(source, 10..<1010)
    loop.repetitions = 5
    loop.gap = FrameCount(33)
    let items = [item(source, 0..<5000), second, loop]
    let length = Mixer(
      format: format(48000), loopDeclick: 100, waitsForSuccessor: false
    ).renderAll(items, block: 4096)
    for block in [1, 7, 1000] {
      let mixer = Mixer(
        format: format(48000), loopDeclick: 100, waitsForSuccessor: false)
      #expect(mixer.renderAll(items, block: block) == length)
    }
  }

  @Test func monoIsHeardOnBothSidesAndStereoInTheMiddle() throws {
    let mono = try recordings.make(frames: 100) { frame, _ in Float(frame) / 100 }
    let stereo = try recordings.make(frames: 100, channels: 2) { _, channel in
      channel == 0 ? 0.5 : 0.25
    }
    let wide = try Stage(format(48000, 2)).play([item(mono, 0..<100)], frames: 100)
    let twice: [Float] = (0..<200).map { Float($0 / 2) / 100 }
    #expect(wide == twice)
    let narrow = try Stage().play([item(stereo, 0..<100)], frames: 100)
    #expect(narrow.allSatisfy { $0 == 0.375 })
  }

  @Test func anItemLongerThanItsRecordingEndsWithIt() async throws {
    let source = try recordings.numbered(frames: 500)
    let stage = try Stage()
    let long = item(source, 400..<900)
    let heard = stage.play([long, item(source, 0..<10)], frames: 110)
    #expect(numbers(heard) == Array(401...500) + Array(1...10))
  }

  @Test func aLoopOfNothingIsPassedOver() throws {
    let source = try recordings.numbered(frames: 500)
    var nothing = item(source, 500..<600)
    nothing.repetitions = nil
    let heard = try Stage().play([nothing, item(source, 0..<10)], frames: 10)
    #expect(numbers(heard) == Array(1...10))
  }
}

extension Mixer {
  func renderAll(_ items: [RenderItem], block: Int) -> [Float] {
    append(items)
    var samples: [Float] = []
    let buffer = PCMBuffer(channels: format.channels, frameCapacity: block)
    while true {
      let count = render(into: buffer.samples.baseAddress!, capacity: block) { _ in }.count
      if count == 0 { return samples }
      samples += buffer.samples.prefix(count * format.channels)
    }
  }
}
