// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TestSupport
import Testing

@testable import Editor

@Suite struct LevelTrackTests {
  private func track(_ levels: [Float]) -> LevelTrack {
    var track = LevelTrack(rate: rate)
    track.take(levels.map { LevelTrack.code(meanSquare: $0) }, from: 0)
    return track
  }

  @Test func aTroughIsTheCentreOfTheQuietestFiftyMilliseconds() {
    var levels = [Float](repeating: 1e-2, count: 100)
    for hop in 50..<55 { levels[hop] = 1e-6 }
    #expect(track(levels).troughs(near: FramePosition(600)) == [FramePosition(525)])
  }

  @Test func aSteadyBackgroundHasNone() {
    var random = SplitMix64(state: 1)
    let levels = (0..<200).map { _ in Float.random(in: 0.9e-5...1.1e-5, using: &random) }
    #expect(track(levels).troughs(near: FramePosition(1000)).isEmpty)
  }

  @Test func theNearestOfSeveralIsTaken() {
    var levels = [Float](repeating: 1e-2, count: 200)
    for hop in 90..<96 { levels[hop] = 1e-6 }
    for hop in 112..<118 { levels[hop] = 1e-5 }
    let troughs = track(levels).troughs(near: FramePosition(1050))
    #expect(troughs.count == 2)
    let snap = Snap(to: troughs, at: rate)
    #expect(snap(FramePosition(1090)) == troughs[1])
    #expect(snap(FramePosition(980)) == troughs[0])
  }

  @Test func levelsArriveInPiecesAndAreReplaced() {
    var track = LevelTrack(rate: rate)
    track.take([1, 2, 3], from: 0)
    track.take([9, 9, 9, 9], from: 2)
    #expect(track.hopCount == 6)
    track.take([1], from: 7)
    #expect(track.hopCount == 6)
    track.take([1], from: -1)
    #expect(track.hopCount == 6)
  }

  @Test func placesOutsideHaveNone() {
    let track = track([Float](repeating: 1e-2, count: 50))
    for frame in [Int64.min, -1, 0, 499, 500, 100_000] {
      #expect(track.troughs(near: FramePosition(frame)).isEmpty)
    }
  }

  @Test func codesCoverSilenceAndFullScale() {
    #expect(LevelTrack.code(meanSquare: 0) == 0)
    #expect(LevelTrack.code(meanSquare: 1) == 255)
    #expect(LevelTrack.code(meanSquare: .infinity) == 255)
    #expect(LevelTrack.code(meanSquare: -1) == 0)
    #expect(LevelTrack.code(meanSquare: .nan) == 0)
  }

  /// A breath is seen in a column of less than three times its length, wherever it lies in it.
  @Test func aPauseInAColumnIsItsQuietestPart() throws {
    var levels = [Float](repeating: 1e-2, count: 400)
    for hop in 130..<280 { levels[hop] = 1e-6 }
    let extremes = try #require(track(levels).extremes(over: span(0, 4000)))
    #expect(abs(extremes.quiet - -60) <= 0.5)
    #expect(abs(extremes.loud - -20) <= 0.5)
  }

  /// In a column of a night breaths are not seen, but the silence between two rak'ahs is.
  @Test func aPauseThatIsShortForItsColumnIsNot() throws {
    let breathing = (0..<4000).map { $0 % 400 < 40 ? Float(1e-6) : 1e-2 }
    let breaths = try #require(track(breathing).extremes(over: span(0, 40_000)))
    #expect(breaths.quiet > -26)
    let silence = breathing.enumerated().map {
      (1000..<2600).contains($0.offset) ? 1e-6 : $0.element
    }
    let rakahs = try #require(track(silence).extremes(over: span(0, 40_000)))
    #expect(rakahs.quiet < -58)
  }

  @Test func whatIsNotKnownHasNoExtremes() {
    let track = track([1e-2, 1e-2])
    #expect(track.extremes(over: span(20, 40)) == nil)
    #expect(track.extremes(over: span(5, 5)) == nil)
    #expect(track.extremes(over: span(0, 90)) != nil)
  }

  @Test func theScaleGoesFromTheBackgroundToTheLoudest() {
    var levels = [Float](repeating: 1e-3, count: 1000)
    for hop in 0..<200 { levels[hop] = 1e-7 }
    for hop in 200..<300 { levels[hop] = 0 }
    let scale = track(levels).scale
    #expect(abs(scale.lowerBound - -70) <= 0.5)
    #expect(abs(scale.upperBound - -30) <= 0.5)
  }

  @Test func noiseAloneIsNotDrawnAsMountains() {
    let scale = track([Float](repeating: 1e-5, count: 500)).scale
    #expect(scale.upperBound - scale.lowerBound >= 24)
    #expect(track([]).scale == -60...0)
    #expect(track([0, 0, 0]).scale == -60...0)
  }

  @Test func levelsThatAreReplacedCountOnce() {
    var track = track([Float](repeating: 1, count: 100))
    track.take([UInt8](repeating: LevelTrack.code(meanSquare: 1e-4), count: 100), from: 0)
    #expect(abs(track.scale.upperBound - -40) <= 0.5)
    #expect(track.extremes(over: span(0, 1000))?.loud == -40)
  }
}
