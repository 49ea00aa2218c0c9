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
}
