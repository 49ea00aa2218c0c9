// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@Suite struct SeekingTests {
  /// 300 jumps a file, or at least 10,000 a codec when `TILAWA_THOROUGH` is set.
  static func jumpCount(_ fixture: GoodFixture) -> Int {
    guard ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] != nil else { return 100 }
    let files = FixtureIndex.all.good.count { $0.family == fixture.family }
    return (10_000 + files - 1) / files
  }

  @Test(arguments: FixtureIndex.all.good)
  func framesAfterAJumpAreThoseOfLinearDecoding(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let linear = try Recording(source.makeDecoder())
    let decoder = try source.makeDecoder()
    var random = SplitMix64(state: fixture.path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    var wrong = 0
    for _ in 0..<Self.jumpCount(fixture) {
      let start = Int.random(in: 0..<linear.frameCount, using: &random)
      let count = Int.random(in: 1...1500, using: &random)
      let end = min(start + count, linear.frameCount)
      try decoder.seek(to: FramePosition(Int64(start)))
      #expect(decoder.position == FramePosition(Int64(start)))
      let frames = try decoder.frames(count)
      #expect(decoder.position == FramePosition(Int64(end)))
      let expected = linear.frames(start..<end)
      if !isSame(frames, expected) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(decoder.warnings.isEmpty)
  }

  @Test(arguments: FixtureIndex.all.good)
  func edgesOfTheStreamCanBeSoughtAgainAndAgain(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let linear = try Recording(source.makeDecoder())
    let decoder = try source.makeDecoder()
    let count = linear.frameCount
    let places = [
      count - 1, 0, 0, count - 1, count - 1, count, 0, count / 2, count / 2, count / 2 + 1,
      count - 1,
      count + 1_000_000, 1, 0,
    ]
    for place in places {
      try decoder.seek(to: FramePosition(Int64(place)))
      #expect(decoder.position == FramePosition(Int64(place)))
      let frames = try decoder.frames(600)
      let expected = linear.frames(min(place, count)..<min(place + 600, count))
      #expect(isSame(frames, expected), "at \(place)")
    }
    #expect(decoder.warnings.isEmpty)
  }

  @Test(arguments: FixtureIndex.all.good)
  func jumpFarPastTheEndReadsNothing(_ fixture: GoodFixture) throws {
    let decoder = try MediaSource(path: fixture.file).makeDecoder()
    let first = try decoder.frames(1)
    let buffer = PCMBuffer(channels: fixture.channels, frameCapacity: 64)
    for place in [Int64.max, Int64.max - 1, Int64.max - 4096, 1 << 62, 1 << 40] {
      try decoder.seek(to: FramePosition(place))
      #expect(decoder.position == FramePosition(place))
      #expect(try decoder.read(into: buffer) == 0)
    }
    try decoder.seek(to: .zero)
    let again = try decoder.frames(1)
    #expect(isSame(first, again))
    #expect(decoder.warnings.isEmpty)
  }

  @Test(arguments: FixtureIndex.all.good)
  func refusesNegativePosition(_ fixture: GoodFixture) throws {
    let decoder = try MediaSource(path: fixture.file).makeDecoder()
    try decoder.seek(to: FramePosition(500))
    for place in [Int64(-1), -4096, Int64.min] {
      let error = #expect(throws: DecodingError.self) {
        try decoder.seek(to: FramePosition(place))
      }
      guard case .outOfRange(let span) = error?.kind else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(span.asked == place)
      #expect(error?.file == fixture.file)
    }
    #expect(decoder.position == FramePosition(500))
    #expect(try !decoder.frames(10).isEmpty)
  }

  @Test(arguments: FixtureIndex.all.good.filter { $0.sourceSeconds < 20 })
  func twoDecodersOfOneSourceDoNotDisturbEachOther(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let linear = try Recording(source.makeDecoder())
    let wrong = Monitor<[String]>([])
    let threads = try [UInt64(1), 2].map { seed in
      try #require(
        WorkerThread {
          do throws(DecodingError) {
            let decoder = try source.makeDecoder()
            var random = SplitMix64(state: seed)
            for _ in 0..<40 {
              let start = Int.random(in: 0..<linear.frameCount, using: &random)
              let end = min(start + 900, linear.frameCount)
              try decoder.seek(to: FramePosition(Int64(start)))
              let frames = try decoder.frames(900)
              if !isSame(frames, linear.frames(start..<end)) {
                wrong.update { $0.append("\(start)") }
              }
            }
          } catch {
            wrong.update { $0.append("\(error)") }
          }
        })
    }
    for thread in threads { thread.join() }
    #expect(wrong.update { $0 }.isEmpty)
  }
}
