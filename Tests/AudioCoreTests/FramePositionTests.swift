// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@Suite struct FramePositionTests {
  private let rate = SampleRate(hertz: 44100)!

  @Test(
    arguments: [
      (0, 0), (1, 44100), (0.5, 22050), (-1, -44100), (1.0 / 44100, 1), (0.4 / 44100, 0),
      (0.6 / 44100, 1), (36_000, 1_587_600_000), (0.1, 4410),
    ] as [(Double, Int64)])
  func secondsBecomeTheNearestFrame(_ seconds: Double, _ frames: Int64) {
    #expect(FramePosition(seconds: seconds, at: rate).frames == frames)
    #expect(FrameCount(seconds: seconds, at: rate).frames == frames)
  }

  @Test(arguments: [8000, 11025, 22050, 44100, 48000, 96000, 768_000])
  func everyFrameSurvivesTheWayThroughSeconds(_ hertz: Int) throws {
    let rate = try #require(SampleRate(hertz: hertz))
    for frame in [0, 1, 2, 1023, 44_099, 158_760_001, 1 << 40, -77] as [Int64] {
      #expect(
        FramePosition(seconds: FramePosition(frame).seconds(at: rate), at: rate).frames == frame)
      #expect(FrameCount(seconds: FrameCount(frame).seconds(at: rate), at: rate).frames == frame)
    }
  }

  @Test(
    arguments: [
      (.infinity, .max), (-.infinity, .min), (1e300, .max), (-1e300, .min), (.nan, 0),
      (0x1p63, .max), (-0x1p63, .min), (.greatestFiniteMagnitude, .max),
    ] as [(Double, Int64)])
  func timeBeyondAllFramesIsClamped(_ seconds: Double, _ frames: Int64) {
    #expect(FramePosition(seconds: seconds, at: rate).frames == frames)
    #expect(FrameCount(seconds: seconds, at: rate).frames == frames)
  }

  @Test func positionsAndCountsAddUp() {
    let start = FramePosition(100)
    let count = FrameCount(30)
    #expect(start + count == FramePosition(130))
    #expect(start - count == FramePosition(70))
    #expect(start - FramePosition(130) == FrameCount(-30))
    #expect(count + count == FrameCount(60))
    #expect(count - FrameCount(40) == FrameCount(-10))
    #expect((start..<(start + count)).length == count)
    #expect(FramePosition.zero + .zero == .zero)
  }

  @Test func orderIsThatOfTime() {
    #expect(FramePosition(-1) < .zero && FramePosition.zero < FramePosition(1))
    #expect(FrameCount(1) < FrameCount(2) && !(FrameCount(2) < FrameCount(2)))
  }

  @Test func descriptionsNameTheUnit() {
    #expect("\(FramePosition(12))" == "frame 12")
    #expect("\(FrameCount(12))" == "12 frames")
    #expect("\(rate)" == "44100 Hz")
  }
}
