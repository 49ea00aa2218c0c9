// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Testing

@Suite struct SnapTests {
  @Test(
    arguments: [
      (1000, 1000), (1100, 1000), (1150, 1000), (1151, 1300), (799, 799), (800, 1000),
      (1500, 1300), (1501, 1501), (.min, .min), (.max, .max),
    ] as [(Int64, Int64)])
  func drawsToTheNearestTroughWithin200Milliseconds(_ from: Int64, _ to: Int64) {
    let snap = Snap(to: frames(1300, 1000), at: rate)
    #expect(snap(FramePosition(from)) == FramePosition(to))
  }

  @Test func reachesAsFarAtAnyRate() {
    let snap = Snap(to: frames(0), at: SampleRate(hertz: 44_100)!)
    #expect(snap(FramePosition(8820)) == .zero)
    #expect(snap(FramePosition(8821)) == FramePosition(8821))
  }

  @Test func staysWhereThereAreNoTroughs() {
    #expect(Snap(to: [], at: rate)(FramePosition(5)) == FramePosition(5))
  }
}
