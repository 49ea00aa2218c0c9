// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Decoding

@Suite struct SeekIndexTests {
  /// The fixtures whose backend keeps an index.
  static let indexed = FixtureIndex.all.good.filter {
    !$0.codec.hasPrefix("pcm_") && $0.container != "flac"
  }

  @Test(arguments: indexed)
  func survivesEncodingAndServesTheSameFrames(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let index = try #require(source.seekIndex)
    let bytes = encoded(index)
    #expect(bytes.count < 100 + 8 * index.packetCount)
    let kept = try #require(decoded(bytes))
    #expect(kept == index)
    let other = try MediaSource(path: fixture.file, seekIndex: kept)
    #expect(other.seekIndex == index)
    #expect(other.description.frameCount == source.description.frameCount)
    let first = try Recording(source.makeDecoder())
    let second = try Recording(other.makeDecoder())
    #expect(isSame(first.samples, second.samples))
  }

  @Test(arguments: indexed)
  func everyFrameLiesInThePacketThatIsSaidToHoldIt(_ fixture: GoodFixture) throws {
    let index = try #require(try MediaSource(path: fixture.file).seekIndex)
    #expect(index.startFrame(ofPacket: 0) == 0)
    #expect(index.startFrame(ofPacket: index.packetCount) == index.decodedLength)
    var random = SplitMix64(state: 5)
    for _ in 0..<200 {
      let frame = Int64.random(in: 0..<index.decodedLength, using: &random)
      let packet = index.packet(holding: frame)
      #expect(index.startFrame(ofPacket: packet) <= frame)
      #expect(frame < index.startFrame(ofPacket: packet + 1))
    }
    #expect(index.packet(holding: -5) == 0)
    #expect(index.packet(holding: .max) == index.packetCount - 1)
  }

  @Test func fileWithoutNeedOfAnIndexHasNone() throws {
    #expect(try MediaSource(path: FixtureIndex.path("mosque.flac")).seekIndex == nil)
    #expect(try MediaSource(path: FixtureIndex.path("wav-rf64.wav")).seekIndex == nil)
  }

  @Test func indexWithPacketsOfUnequalLengthSurvivesEncoding() throws {
    let index = SeekIndex(
      kind: .demuxedPackets, offsets: [40, 40, 900, 500, -1], sizes: [0, 7, 4_000_000_000, 1, 2],
      durations: [0, 1024, 0, 4_000_000_000, 3])
    #expect(index.framesPerPacket == 0)
    #expect(decoded(encoded(index)) == index)
    #expect(index.packet(holding: 0) == 1)
    #expect(index.packet(holding: 1023) == 1)
    #expect(index.packet(holding: 1024) == 3)
  }

  @Test func emptyIndexHoldsNothing() {
    let index = SeekIndex(kind: .directPackets, offsets: [], sizes: [], durations: [])
    #expect(index.decodedLength == 0)
    #expect(index.packet(holding: 10) == 0)
    #expect(decoded(encoded(index)) == index)
  }

  @Test func cutOffBytesAreNoIndex() throws {
    for name in ["mp3-cbr-lame.mp3", "m4a-aac-faststart.m4a", "webm-video-two-tracks.webm"] {
      let index = try #require(try MediaSource(path: FixtureIndex.path(name)).seekIndex)
      let bytes = encoded(index)
      for length in 0..<bytes.count { #expect(decoded(Array(bytes[..<length])) == nil) }
    }
  }

  @Test func contradictionsAreNoIndex() {
    func index(
      kind: UInt64 = 2, framesPerPacket: UInt64 = 1024, packetsPerOffset: UInt64 = 1,
      decodedLength: Int64 = 2048, lower: Int64 = 0, upper: Int64 = 2048, count: UInt64 = 2
    ) -> SeekIndex? {
      var encoder = ByteEncoder()
      encoder.append(kind)
      encoder.append(framesPerPacket)
      encoder.append(packetsPerOffset)
      encoder.append(signed: decodedLength)
      encoder.append(signed: lower)
      encoder.append(signed: upper)
      encoder.append(count)
      for _ in 0..<2 { encoder.append(signed: 10) }
      for _ in 0..<2 { encoder.append(100) }
      return decoded(encoder.bytes)
    }
    #expect(index() != nil)
    #expect(index(kind: 0) == nil)
    #expect(index(kind: 4) == nil)
    #expect(index(kind: 258) == nil)
    #expect(index(framesPerPacket: 1 << 24) == nil)
    #expect(index(packetsPerOffset: 0) == nil)
    #expect(index(packetsPerOffset: 2) == nil)
    #expect(index(kind: 1, packetsPerOffset: 1 << 24) == nil)
    #expect(index(kind: 1, framesPerPacket: 0, decodedLength: 0, upper: 0) == nil)
    #expect(index(kind: 1, decodedLength: .max, upper: .max) == nil)
    #expect(index(decodedLength: 2049) == nil)
    #expect(index(decodedLength: -1, upper: -1) == nil)
    #expect(index(lower: 5, upper: 4) == nil)
    #expect(index(lower: -1) == nil)
    #expect(index(upper: 2049) == nil)
    #expect(index(count: 1 << 40) == nil)
    #expect(index(count: .max) == nil)
  }

  @Test func randomBytesAreNoIndexOrASoundOne() throws {
    var random = SplitMix64(state: 2)
    var sound = 0
    for _ in 0..<1000 {
      let count = Int.random(in: 0..<200, using: &random)
      var bytes = (0..<count).map { _ in
        // Small numbers get further than others before they are found wrong.
        Bool.random(using: &random)
          ? UInt8.random(in: 0...3, using: &random)
          : .random(
            in: 0...255, using: &random)
      }
      if count > 0 { bytes[0] = .random(in: 1...3, using: &random) }
      if try expectSound(decoded(bytes)) { sound += 1 }
    }
    #expect(sound > 0)
  }

  /// 2,000 damaged indices; those that are still sound are used on their file.
  @Test func damagedIndexNeverTraps() throws {
    var random = SplitMix64(state: 3)
    var sound = 0
    for name in [
      "mp3-cbr-lame.mp3", "m4a-aac-faststart.m4a", "webm-video-two-tracks.webm", "aac-adts.aac",
      "opus-48k-stereo.opus",
    ] {
      let path = FixtureIndex.path(name)
      let good = encoded(try #require(try MediaSource(path: path).seekIndex))
      for round in 0..<400 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let reach = Bool.random(using: &random) ? min(14, bytes.count) : bytes.count
          bytes[Int.random(in: 0..<reach, using: &random)] = .random(in: 0...255, using: &random)
        }
        let index = decoded(bytes)
        if try expectSound(index) { sound += 1 }
        guard round < 40, let index else { continue }
        do throws(DecodingError) {
          let decoder = try MediaSource(path: path, seekIndex: index).makeDecoder()
          _ = try Recording(decoder, limit: 20_000)
          for place in [0, 100_000, 5000, Int64.max] {
            try decoder.seek(to: FramePosition(place))
            _ = try decoder.frames(2000)
          }
        } catch {
          #expect(error.file == path)
        }
      }
    }
    #expect((100...1900).contains(sound))
  }

  private func encoded(_ index: SeekIndex) -> [UInt8] {
    var encoder = ByteEncoder()
    index.encode(into: &encoder)
    return encoder.bytes
  }

  private func decoded(_ bytes: [UInt8]) -> SeekIndex? {
    var decoder = ByteDecoder(bytes)
    return SeekIndex(from: &decoder)
  }

  /// - Returns: whether there is an index, which then must be sound.
  private func expectSound(_ index: SeekIndex?) throws -> Bool {
    guard let index else { return false }
    #expect(index.audible.lowerBound >= 0 && index.audible.upperBound <= index.decodedLength)
    #expect(index.kind == .mpegFrames || index.sizes.count == index.packetCount)
    #expect(index.framesPerPacket > 0 || index.startFrames.count == index.packetCount + 1)
    #expect(decoded(encoded(index)) == index)
    return true
  }
}
