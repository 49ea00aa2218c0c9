// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Playback

@Suite struct LimiterTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  /// The gain of each frame.
  private func gains(_ peaks: [Float], rate: Int = 48_000) -> [Double] {
    var limiter = LimiterStage(rate: rate)
    var gains: [Double] = []
    for peak in peaks + [Float](repeating: 0, count: limiter.lookahead) {
      gains.append(limiter.gain(after: peak))
    }
    return Array(gains.dropFirst(limiter.lookahead))
  }

  @Test(arguments: [8000, 44_100, 48_000, 192_000])
  func noPeakIsLetThroughAndNothingElseIsTouched(_ rate: Int) {
    var random = SplitMix64(state: 9)
    var peaks: [Float] = []
    while peaks.count < 200_000 {
      let isLoud = Bool.random(using: &random)
      let top: Float = isLoud ? Float.random(in: 0...6, using: &random) : 1
      for _ in 0..<Int.random(in: 1...20_000, using: &random) {
        peaks.append(Float.random(in: 0...top, using: &random))
      }
    }
    let gains = gains(peaks, rate: rate)
    #expect(zip(peaks, gains).allSatisfy { Float(Double($0) * $1) <= 1 && $1 > 0 && $1 <= 1 })
    // No jump: on its way down no step is more than a frame's part of the whole way.
    let lookahead = LimiterStage(rate: rate).lookahead
    let steps = zip(gains, gains.dropFirst()).map { abs($1 - $0) }
    #expect(steps.max()! <= 1.001 / Double(lookahead + 1))
  }

  @Test func aPeakIsFollowedByARestAfterWhichTheGainIsExactlyOne() {
    var peaks = [Float](repeating: 0.9, count: 300_000)
    peaks[10_000] = 4
    let gains = gains(peaks)
    let lookahead = LimiterStage(rate: 48_000).lookahead
    #expect(gains[10_000] <= 0.25)
    #expect(gains[..<(10_000 - lookahead)].allSatisfy { $0 == 1 })
    #expect(gains[200_000...].allSatisfy { $0 == 1 })
    #expect(gains[10_000 + 7200] > 0.65 && gains[10_000 + 7200] < 0.9)
  }

  @Test func boostedSoundFitsAndLosesNoFrame() throws {
    let count = 60_000
    let source = try recordings.make(frames: count, channels: 2) { frame, channel in
      Float(sin(Double(frame * (channel + 1)) / 40)) * 0.9
    }
    let stage = try Stage(format(48000, 2))
    stage.session.equaliser = Equaliser(bands: [0.5, 0.8], preamp: 1)
    let heard = stage.play([item(source, 0..<count)], frames: count)
    #expect(heard.count == 2 * count)
    #expect(heard.allSatisfy { abs($0) <= 1 })
    #expect(heard.contains { abs($0) > 0.8 })
    let level = stage.session.takeLevel()
    #expect(level.clippedSamples == 0 && level.peak <= 1)
    let boost = stage.session.equaliser.boostDecibels(at: rate(48_000))
    #expect(level.limitedDecibels > 13 && level.limitedDecibels <= boost)
    #expect(stage.session.takeLevel().limitedDecibels == 0)
    #expect(stage.session.position?.sourceFrame == FramePosition(Int64(count)))
  }

  /// The gain of an item counts as the equaliser does.
  @Test func anItemThatIsMadeLouderFits() throws {
    let source = try recordings.make(frames: 20_000) { frame, _ in Float(sin(Double(frame) / 40)) }
    let stage = try Stage()
    var loud = item(source, 0..<20_000)
    loud.gainDecibels = 36
    let heard = stage.play([loud], frames: 20_000)
    #expect(heard.count == 20_000 && heard.allSatisfy { abs($0) <= 1 })
    #expect(stage.session.takeLevel().limitedDecibels > 35)
  }

  /// A lossy file may decode to more than full scale.
  @Test func aSourceAboveFullScaleFitsAndTheRestIsUntouched() throws {
    let source = try recordings.make(frames: 60_000) { frame, _ in
      Float(sin(Double(frame) / 40)) * (frame < 30_000 ? 0.9 : 1.3)
    }
    let stage = try Stage()
    let heard = stage.play([item(source, 0..<60_000)], frames: 60_000)
    #expect(heard.count == 60_000 && heard.allSatisfy { abs($0) <= 1 })
    #expect((0..<29_000).allSatisfy { heard[$0] == Float(sin(Double($0) / 40)) * 0.9 })
    let level = stage.session.takeLevel()
    #expect(level.limitedDecibels > 2 && level.clippedSamples == 0)
  }

  /// What is too quiet to be limited comes out as the preamp alone would have it, whatever happens meanwhile.
  @Test func seeksPausesLoopsAndFaultsLoseNothingWhileFramesAreHeld() throws {
    let source = try recordings.numbered(frames: 100_000)
    var random = SplitMix64(state: 21)
    for round in 0..<30 {
      let stage = try Stage()
      var equaliser = Equaliser.flat
      equaliser.preamp = 0.75
      stage.session.equaliser = equaliser
      let gain = pow(10, equaliser.preampDecibels / 20)
      var loop = item(source, 0..<3000)
      loop.repetitions = 3
      let last = item(source, 5000..<9000)
      stage.session.append([loop, last])
      stage.session.play()
      var expected = (0..<3).flatMap { _ in Array(1...3000) } + Array(5001...9000)
      var isSought = false
      for _ in 0..<20 {
        stage.output.advance(Int.random(in: 1...700, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          stage.session.pause()
          stage.output.advance(100)
          stage.session.play()
        case 1:
          stage.output.faults = [
            (
              at: stage.output.playedFrames + Int.random(in: 0..<300, using: &random),
              fault: .underrun
            )
          ]
        case 2:
          stage.output.isFeeding = false
          stage.output.advance(300)
          stage.output.isFeeding = true
        default: break
        }
        if round % 2 == 1, !isSought, stage.output.playedFrames > 4000 {
          isSought = true
          let before = numbers(stage.output.played.map { Float(Double($0) / gain) })
          stage.session.seek(to: last.id, sourceFrame: FramePosition(6000))
          expected = before + Array(6001...9000)
        }
      }
      stage.output.advance(20_000)
      #expect(numbers(stage.output.played.map { Float(Double($0) / gain) }) == expected)
    }
  }
}
