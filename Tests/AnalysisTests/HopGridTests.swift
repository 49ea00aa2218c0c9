// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Testing

@Suite("HopGrid")
struct HopGridTests {
  static let rates = [
    1, 50, 99, 100, 101, 7999, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44056, 44100, 47999,
    48000, 88200, 96000, 192_000, 768_000,
  ]

  @Test("A hop starts at floor(k x rate / 100)", arguments: rates)
  func startsOfHops(hertz: Int) throws {
    let grid = HopGrid(rate: try #require(SampleRate(hertz: hertz)))
    for hop in [0, 1, 2, 3, 99, 100, 101, 12345, 3_600_000] {
      #expect(grid.start(ofHop: hop).frames == Int64(hop * hertz / 100))
    }
  }

  @Test("The hop that contains a frame is the one that starts at or before it", arguments: rates)
  func containingIsTheInverse(hertz: Int) throws {
    let grid = HopGrid(rate: try #require(SampleRate(hertz: hertz)))
    let ten = Int64(hertz) * 36000
    let frames = Array(Int64(0)..<2000) + Array((ten - 1000)..<(ten + 1000))
    for frame in frames {
      let position = FramePosition(frame)
      let hop = grid.hop(containing: position)
      if grid.start(ofHop: hop) > position || grid.start(ofHop: hop + 1) <= position {
        Issue.record("frame \(frame) is not in hop \(hop)")
      }
    }
  }

  @Test("Every hop but an empty one contains its first and last frame", arguments: rates)
  func hopsContainTheirEnds(hertz: Int) throws {
    let grid = HopGrid(rate: try #require(SampleRate(hertz: hertz)))
    for hop in Array(0..<300) + Array(3_599_900..<3_600_000) {
      let start = grid.start(ofHop: hop)
      let end = grid.start(ofHop: hop + 1)
      guard start < end else { continue }
      #expect(grid.hop(containing: start) == hop)
      #expect(grid.hop(containing: end - FrameCount(1)) == hop)
    }
  }

  @Test("One frame more than whole hops takes one hop more", arguments: rates.filter { $0 >= 100 })
  func hopCount(hertz: Int) throws {
    let grid = HopGrid(rate: try #require(SampleRate(hertz: hertz)))
    #expect(grid.hopCount(covering: .zero) == 0)
    #expect(grid.hopCount(covering: FrameCount(-5)) == 0)
    #expect(grid.hopCount(covering: FrameCount(1)) == 1)
    for hop in [1, 2, 7, 100, 4321] {
      let length = grid.start(ofHop: hop) - FramePosition.zero
      #expect(grid.hopCount(covering: length) == hop)
      #expect(grid.hopCount(covering: length + FrameCount(1)) == hop + 1)
    }
  }
}
