// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Testing

@Suite struct GoodFixtureTests {
  @Test(arguments: FixtureIndex.all.good)
  func describesFileAsIndexed(_ fixture: GoodFixture) throws {
    let description = try MediaSource(path: fixture.file).description
    #expect(description.format.rate.hertz == fixture.rate)
    #expect(description.format.channels == fixture.channels)
    #expect(description.trackCount == fixture.audioTracks)
    #expect(description.track == 1)
    #expect(description.warnings.isEmpty)
    #expect(!description.container.isEmpty && !description.codec.isEmpty)
    let frames = try #require(description.frameCount).frames
    if let expected = fixture.frames { #expect(frames == expected) }
    let seconds = Double(frames) / Double(fixture.rate)
    #expect(abs(seconds - fixture.sourceSeconds) < 0.15)
  }

  @Test(arguments: FixtureIndex.all.good)
  func decodesExactlyAsManyFramesAsPromised(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let count = try #require(source.description.frameCount).frames
    let decoder = try source.makeDecoder()
    let buffer = PCMBuffer(channels: fixture.channels, frameCapacity: 4096)
    #expect(decoder.format == source.description.format)
    #expect(decoder.position == .zero)
    var total: Int64 = 0
    while true {
      let got = try decoder.read(into: buffer)
      #expect(got == buffer.frameCount)
      total += Int64(got)
      #expect(decoder.position == FramePosition(total))
      if got == 0 { break }
    }
    #expect(total == count)
    let atEnd = decoder.warnings
    #expect(try decoder.read(into: buffer) == 0)
    #expect(decoder.position == FramePosition(count))
    #expect(decoder.warnings == atEnd)
    #expect(atEnd.isEmpty)
  }

  @Test(arguments: FixtureIndex.all.good)
  func givesTheSameFramesInBlocksOfAnyLength(_ fixture: GoodFixture) throws {
    let source = try MediaSource(path: fixture.file)
    let count = try Int(#require(source.description.frameCount).frames)
    // Single frames are slow to take in a debug build, and three seconds hold every kind of packet.
    let limit = min(count, 150_000)
    let whole = try Recording(source.makeDecoder(), blockLength: 4096, limit: limit)
    for length in [1, 7, 1152, 65_536] {
      let other = try Recording(source.makeDecoder(), blockLength: length, limit: limit)
      #expect(
        isSame(whole.frames(0..<limit), other.frames(0..<limit)), "blocks of \(length) frames")
    }
  }

  @Test(arguments: FixtureIndex.all.good)
  func givesFiniteSoundWithinFullScale(_ fixture: GoodFixture) throws {
    let recording = try Recording(path: fixture.file)
    let peak = recording.samples.reduce(0) { max($0, abs($1)) }
    #expect(peak > 0.05 && peak < 1.2)
  }

  @Test func choosesTheTrackAskedFor() throws {
    for name in ["mp4-video-two-tracks.mp4", "webm-video-two-tracks.webm"] {
      let path = FixtureIndex.path(name)
      let second = try MediaSource(path: path, track: 2)
      #expect(second.description.track == 2)
      let first = try Recording(MediaSource(path: path, track: 1).makeDecoder(), limit: 8192)
      let byDefault = try Recording(path: path, limit: 8192)
      let other = try Recording(second.makeDecoder(), limit: 8192)
      #expect(isSame(first.samples, byDefault.samples))
      #expect(!isSame(first.samples, other.samples))
    }
  }

  @Test(arguments: [
    ("mp4-video-two-tracks.mp4", 3), ("mp4-video-two-tracks.mp4", 0), ("mosque.flac", 2),
    ("mp3-cbr-lame.mp3", -1), ("webm-video-two-tracks.webm", .max),
  ])
  func refusesTrackThatIsNotThere(_ name: String, _ track: Int) throws {
    let count = try #require(FixtureIndex.all.good.first { $0.path == name }).audioTracks
    let error = #expect(throws: DecodingError.self) {
      try MediaSource(path: FixtureIndex.path(name), track: track)
    }
    #expect(error?.kind == .noSuchTrack(of: count))
  }
}
