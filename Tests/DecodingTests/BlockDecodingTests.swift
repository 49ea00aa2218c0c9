// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Decoding

/// Lossy streams, whose frames must not tell how they were reached.
@Suite struct BlockDecodingTests {
  static let fixtures = FixtureIndex.all.good.filter { fixture in
    let source = try? MediaSource(path: fixture.file)
    return source?.description.backend == .ffmpeg && source?.description.precision == .lossy
  }

  /// With blocks as short as these fixtures, so that there are many.
  private static let blockLength = 24

  private func media(_ fixture: GoodFixture) throws -> FFmpegMedia {
    try FFmpegMedia(MediaFile(path: fixture.file), track: nil, reason: "", seekIndex: nil)
  }

  @Test(arguments: fixtures)
  func framesAreTheSameHoweverTheyAreReached(_ fixture: GoodFixture) throws {
    let media = try media(fixture)
    #expect(media.parameters.blockLength != nil)
    let linear = try Recording(media.makeDecoder(blockLength: Self.blockLength))
    let decoder = try media.makeDecoder(blockLength: Self.blockLength)
    var random = SplitMix64(state: fixture.path.utf8.reduce(3) { $0 &* 31 &+ UInt64($1) })
    for _ in 0..<(isThoroughRun ? 200 : 60) {
      let start = Int.random(in: 0..<linear.frameCount, using: &random)
      let end = min(start + Int.random(in: 1...60_000, using: &random), linear.frameCount)
      try decoder.seek(to: FramePosition(Int64(start)))
      #expect(isSame(try decoder.frames(end - start), linear.frames(start..<end)), "at \(start)")
    }
    #expect(linear.warnings == [] && decoder.warnings == [])
  }

  @Test(arguments: fixtures)
  func blocksSoundAsIfThereWereNone(_ fixture: GoodFixture) throws {
    let media = try media(fixture)
    let whole = try Recording(media.makeDecoder(blockLength: nil))
    let blocks = try Recording(media.makeDecoder(blockLength: Self.blockLength))
    #expect(whole.frameCount == blocks.frameCount)
    switch fixture.startAccuracy {
    case .exact: #expect(isSame(whole.samples, blocks.samples))
    case .within(let tolerance):
      #expect(largestDifference(whole.samples, blocks.samples) <= tolerance)
    case .energy: #expect(isAlikeInEnergy(whole.samples, blocks.samples))
    }
  }

  /// Whether two runs of frames are within 3 dB of each other, block of 10 ms by block.
  private func isAlikeInEnergy(
    _ left: some Collection<Float>, _ right: some Collection<Float>
  ) -> Bool {
    let left = Array(left)
    let right = Array(right)
    for start in stride(from: 0, to: left.count - 440, by: 441) {
      let block = start..<(start + 441)
      let first = left[block].reduce(1e-6) { $0 + $1 * $1 }
      let second = right[block].reduce(1e-6) { $0 + $1 * $1 }
      if max(first, second) > 2 * min(first, second) { return false }
    }
    return true
  }
}
