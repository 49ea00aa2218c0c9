// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import GeneratedVideo
import TestSupport
import Testing

@testable import Video

/// Cuts and stillness of the picture.
@Suite struct MotionTests {
  private static let rate = SampleRate(hertz: 1000)!

  /// A track with five samples a second, of stretches of seconds that change by so many percent.
  private func track(_ stretches: (seconds: Double, change: Float)...) -> MotionTrack {
    var samples: [MotionTrack.Sample] = []
    for stretch in stretches {
      for _ in 0..<Int((stretch.seconds * 5).rounded()) {
        // No camera is quite still.
        let noise = 1 + 0.2 * Float(samples.count % 3)
        samples.append(
          .init(
            position: FramePosition(Int64(samples.count) * 200), change: stretch.change * noise))
      }
    }
    return MotionTrack(
      length: FrameCount(Int64(samples.count) * 200), rate: Self.rate, samples: samples,
      isComplete: true)
  }

  private func told(_ marks: [MotionMark]) -> [String] {
    marks.map { "\($0.kind) \(Double($0.position.frames) / 1000)" }
  }

  @Test func standingAndBowingIsToldByItsEnds() {
    // Stands, bows in two seconds, stays, rises.
    let track = track((20, 0.2), (2, 3), (8, 0.2), (2, 3), (20, 0.2))
    #expect(told(track.marks) == ["motion 19.8", "rest 21.8", "motion 29.8", "rest 31.8"])
  }

  @Test func aTwitchInterruptsNothingAndAShortRestIsNone() {
    #expect(told(track((20, 0.2), (0.6, 3), (20, 0.2)).marks) == [])
    let restless = track((10, 0.2), (3, 3), (1, 0.2), (3, 3), (10, 0.2))
    #expect(told(restless.marks) == ["motion 9.8", "rest 16.8"])
  }

  @Test func aCutIsNoMotion() {
    let track = track((10, 0.2), (0.2, 40), (10, 0.2), (2, 3), (5, 0.2))
    #expect(told(track.marks) == ["cut 10.0", "motion 20.0", "rest 22.0"])
  }

  @Test func whatIsAllAlikeHasNoMarks() {
    #expect(track((60, 0.2)).marks.isEmpty)
    #expect(track((60, 0)).marks.isEmpty)
    #expect(track((60, 3)).marks.isEmpty)
    #expect(track().marks.isEmpty && track((0.2, 1)).marks.isEmpty)
  }

  @Test func aCutBetweenColoursOfTheSameBrightnessIsSeen() {
    let (red, blue): ([UInt8], [UInt8]) = ([200, 0, 0, 200, 0, 0], [0, 0, 200, 0, 0, 200])
    let change = MotionMeter.difference(red, blue)
    #expect(told(track((10, 0.2), (0.2, change), (10, 0.2)).marks) == ["cut 10.0"])
    #expect(MotionMeter.difference(red, red) == 0)
  }

  // MARK: - Measured

  /// Still from second 4 to 10, without any frame between.
  private static let video: GeneratedVideo = {
    var video = GeneratedVideo(frames: 0, rate: 25)
    let moving = (0..<100).map { (number: Int) -> Double in Double(number) * 0.04 }
    video.times = moving + moving.map { (time: Double) -> Double in time + 10 }
    video.soundSeconds = 14
    // No frame differs so much from the one before that it could be a cut.
    video.white = 50
    return video
  }()

  private func measured(
    _ track: MotionTrack, of source: MediaSource, frames: Int = .max
  ) throws -> MotionTrack {
    var track = track
    let meter = MotionMeter(try VideoReader(source), for: track)
    var left = frames
    while !track.isComplete, left > 0 {
      try meter.measure(into: &track)
      left -= 1
    }
    return track
  }

  @Test func aVideoIsMeasuredToItsEnd() throws {
    try withVideo(Self.video) { source in
      let rate = source.description.format.rate
      let empty = MotionTrack(length: try #require(source.description.frameCount), rate: rate)
      #expect(empty.fraction == 0)
      let track = try measured(empty, of: source)
      #expect(track.isComplete && track.fraction == 1)
      let seconds = track.marks.map { $0.position.seconds(at: rate) }
      #expect(track.marks.map(\.kind) == [.rest, .motion])
      #expect(zip(seconds, [4, 10]).allSatisfy { abs($0 - $1) <= 0.5 }, "\(seconds)")
      // What was broken off goes on where it was.
      let part = try measured(empty, of: source, frames: 30)
      #expect(part.fraction < 1 && !part.samples.isEmpty)
      let whole = try measured(part, of: source)
      #expect(whole.marks.map(\.kind) == track.marks.map(\.kind))
      #expect(whole.samples.count == track.samples.count)
    }
  }

  // MARK: - The cache

  private let key = [UInt8](1...16)

  @Test func whatIsKeptIsReadBack() throws {
    let folder = try TemporaryFolder()
    let file = MotionFile(path: folder.path("x-motion.bin"), key: key)
    let track = track((3, 0.2), (2, 3))
    #expect(file.read(length: track.length, rate: Self.rate) == nil)
    for _ in 0..<2 { file.write(track) }
    #expect(file.read(length: track.length, rate: Self.rate) == track)
    #expect(file.read(length: track.length + FrameCount(1), rate: Self.rate) == nil)
    let other = MotionFile(path: file.path, key: key.reversed())
    #expect(other.read(length: track.length, rate: Self.rate) == nil)
  }

  @Test func whatIsDamagedIsAsGoodAsNone() {
    let file = MotionFile(path: "", key: key)
    let track = track((3, 0.2), (2, 3))
    let bytes = file.encode(track)
    func decoded(_ bytes: [UInt8]) -> MotionTrack? {
      file.decode(bytes, length: track.length, rate: Self.rate)
    }
    #expect(decoded(bytes) == track)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(decoded(damaged) == nil, "byte \(index)")
    }
    for length in bytes.indices { #expect(decoded(Array(bytes[..<length])) == nil) }
    // Also with a hash that fits.
    var random = SplitMix64(state: 3)
    let content = Array(bytes.dropLast(CacheFile.hashLength))
    for _ in 0..<1000 {
      var changed = content
      for _ in 0..<3 {
        changed[Int.random(in: 40..<changed.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if let read = decoded(CacheFile.sealed(changed)) {
        #expect(read.samples.count == track.samples.count)
        _ = read.marks
      }
    }
  }
}
