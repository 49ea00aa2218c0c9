// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import TestSupport
import Testing

@Suite struct EncodeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Recordings of whole numbers, with a span of no round length in each.
  static let exactSources: [(String, Range<Int>)] = [
    ("wav-s16-44k-mono.wav", 1_003..<48_000), ("wav-s24-48k-mono.wav", 0..<57_600),
    ("wav-s16-96k-stereo.wav", 777..<60_001), ("wav-extensible-5.1.wav", 5..<9_595),
    ("wav-rf64.wav", 1..<19_199), ("caf-pcm.caf", 100..<9_000), ("aiff-s16.aiff", 7..<8),
    ("flac-44k-stereo.flac", 500_001..<590_000), ("mosque.flac", 0..<30_000),
    ("m4a-alac.m4a", 4_097..<60_000), ("mkv-flac.mkv", 1_234..<90_000),
  ]

  @Test(arguments: exactSources, [AudioFileKind.wav, .flac])
  func keepsWholeNumbersToTheBit(_ source: (String, Range<Int>), _ kind: AudioFileKind) throws {
    let (name, span) = source
    let media = try fixture(name)
    let path = folder.path("cut.\(kind.fileExtension)")
    let cut = try AudioCutter(media).encode(frames(span), as: EncodingSettings(kind), to: path)
    let expected = try Sound(media, span)
    let written = try Sound(path: path)
    #expect(cut.frameCount.frames == Int64(span.count))
    #expect(cut.clippedSamples == 0)
    #expect(written.format == expected.format)
    #expect(written.frameCount == span.count)
    #expect(written.samples == expected.samples)
    #expect(written.warnings.isEmpty)
    let precision = try MediaSource(path: path).description.precision
    #expect(precision == .integer(bits: name.contains("s24") ? 24 : 16))
  }

  @Test(arguments: ["mp3-cbr-lame.mp3", "m4a-aac.m4a", "wav-f32-22k-mono.wav"])
  func keepsFloatsInWAV(_ name: String) throws {
    let media = try fixture(name)
    let path = folder.path("cut.wav")
    _ = try AudioCutter(media).encode(
      frames(1_111..<26_000), as: EncodingSettings(.wav), to: path)
    #expect(try Sound(path: path).samples == Sound(media, 1_111..<26_000).samples)
    #expect(try MediaSource(path: path).description.precision == .float)
  }

  @Test func dithersLossySoundOnItsWayToFLAC() throws {
    let media = try fixture("ogg-opus.opus")
    let span = 48_000..<144_000
    let path = folder.path("cut.flac")
    _ = try AudioCutter(media).encode(frames(span), as: EncodingSettings(.flac), to: path)
    let before = try Sound(media, span).samples
    let after = try Sound(path: path).samples
    #expect(try MediaSource(path: path).description.precision == .integer(bits: 16))
    let errors = zip(after, before).map { Double($0 - $1) * 32_768 }
    // Triangular dither and rounding: never beyond 1.5 steps, variance 1/4 + 1/12... of a step squared.
    #expect(errors.allSatisfy { abs($0) <= 1.5 })
    let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    #expect(abs(power - 0.25) < 0.02)
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(abs(mean) < 0.02)
  }

  @Test func sameCutIsTheSameFile() throws {
    let media = try fixture("m4a-aac.m4a")
    for kind in AudioFileKind.allCases {
      let paths = ["a", "b"].map { folder.path("\($0).\(kind.fileExtension)") }
      for path in paths {
        _ = try AudioCutter(media).encode(
          frames(10_000..<60_000), as: EncodingSettings(kind), to: path,
          tags: AudioTags(title: "Al-Fatihah 1"))
      }
      #expect(try bytes(paths[0]) == bytes(paths[1]), "\(kind)")
    }
  }

  /// Lengths about one packet of each codec, and less than any.
  static let lengths = [
    1, 2, 100, 575, 576, 577, 959, 960, 961, 1_023, 1_024, 1_025, 1_151, 1_152, 1_153, 2_047, 2_048,
    4_096, 44_101, 100_003,
  ]

  @Test(arguments: [AudioFileKind.mp3, .m4a, .opus, .ogg], lengths)
  func lossyFileHasExactlyTheFramesAskedFor(_ kind: AudioFileKind, _ length: Int) throws {
    let media = try fixture("flac-44k-stereo.flac")
    let path = folder.path("cut.\(kind.fileExtension)")
    let span = 123_457..<(123_457 + length)
    let cut = try AudioCutter(media).encode(frames(span), as: EncodingSettings(kind), to: path)
    let written = try Sound(path: path)
    let expected =
      kind == .opus ? Int((Double(length) * 48_000 / 44_100).rounded()) : length
    #expect(written.frameCount == expected)
    #expect(cut.frameCount.frames == Int64(expected))
    #expect(cut.format == written.format)
    #expect(written.warnings.isEmpty)
  }

  static let rates = [
    "wav-s16-8k-mono.wav", "mosque.flac", "caf-pcm.caf", "wav-f32-22k-mono.wav",
    "wav-s16-44k-mono.wav", "wav-s24-48k-mono.wav", "wav-s16-96k-stereo.wav",
    "wav-extensible-5.1.wav",
  ]

  @Test(arguments: [AudioFileKind.mp3, .m4a, .opus, .ogg], rates)
  func lossyFileSoundsLikeTheSpanAndLiesWhereItDid(_ kind: AudioFileKind, _ name: String) throws {
    let media = try fixture(name)
    let path = folder.path("cut.\(kind.fileExtension)")
    let length = try Int(#require(media.description.frameCount).frames)
    let span = (length / 5)..<(length / 5 + length / 2)
    let cut = try AudioCutter(media).encode(frames(span), as: EncodingSettings(kind), to: path)
    let written = try Sound(path: path)
    #expect(written.frameCount == Int(cut.frameCount.frames))
    let rate = media.description.format.rate.hertz
    let newRate = written.format.rate.hertz
    #expect(
      written.frameCount == Int((Double(span.count) * Double(newRate) / Double(rate)).rounded()))
    #expect(
      written.format.channels
        == (kind == .mp3
          ? min(2, media.description.format.channels) : media.description.format.channels))
    guard newRate == rate, written.format.channels == media.description.format.channels else {
      return
    }
    let expected = try Sound(media, span).mono()
    let heard = written.mono()
    #expect(correlation(heard, expected) > 0.97)
    let part = Array(heard[1_000..<min(heard.count - 200, 5_000)])
    #expect(bestOffset(of: part, in: expected, around: 1_000, reach: 100) == 0)
  }

  @Test func resampledSoundLiesWhereItDid() throws {
    // 96 kHz to MP3's 48 kHz: every second frame.
    let media = try fixture("wav-s16-96k-stereo.wav")
    let path = folder.path("cut.mp3")
    _ = try AudioCutter(media).encode(
      frames(10_000..<100_000), as: EncodingSettings(.mp3), to: path)
    let all = try Sound(media, 10_000..<100_000).mono()
    let expected = stride(from: 0, to: all.count, by: 2).map { all[$0] }
    let heard = try Sound(path: path).mono()
    #expect(heard.count == expected.count)
    #expect(correlation(heard, expected) > 0.97)
    #expect(
      bestOffset(of: Array(heard[2_000..<6_000]), in: expected, around: 2_000, reach: 50) == 0)
  }

  @Test func bitRateIsTheOneAskedFor() throws {
    let media = try fixture("flac-44k-stereo.flac")
    for kind in [AudioFileKind.mp3, .m4a, .opus, .ogg] {
      var sizes: [Int] = []
      for bitRate in [64_000, 128_000] {
        let path = folder.path("\(bitRate).\(kind.fileExtension)")
        _ = try AudioCutter(media).encode(
          frames(0..<441_000), as: EncodingSettings(kind, bitRate: bitRate), to: path)
        sizes.append(try bytes(path).count)
      }
      #expect(Double(sizes[1]) > 1.4 * Double(sizes[0]), "\(kind): \(sizes)")
      // Ten seconds; speech with pauses may need less than it is given.
      #expect(sizes[0] < 10 * 64_000 / 8 * 13 / 10, "\(kind): \(sizes)")
    }
  }

  @Test func refusesBitRateThatNoEncoderHas() throws {
    let media = try fixture("wav-s16-8k-mono.wav")
    let error = #expect(throws: EncodingError.self) {
      try AudioCutter(media).encode(
        frames(0..<8_000), as: EncodingSettings(.ogg, bitRate: 900_000),
        to: folder.path("cut.ogg"))
    }
    guard case .refused = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try folder.contents.isEmpty)
  }

  @Test func refusesFloatInFLAC() throws {
    let media = try fixture("wav-f32-22k-mono.wav")
    #expect(throws: EncodingError.self) {
      try AudioCutter(media).encode(
        frames(0..<8_000), as: EncodingSettings(.flac, depth: .float32),
        to: folder.path("cut.flac"))
    }
    #expect(try folder.contents.isEmpty)
  }

  @Test(arguments: [-1..<5, 5..<5, 0..<154_351, 154_350..<154_351])
  func refusesSpanOutsideTheRecording(_ span: Range<Int>) throws {
    let media = try fixture("wav-s16-44k-mono.wav")
    let error = #expect(throws: EncodingError.self) {
      try AudioCutter(media).encode(
        frames(span), as: EncodingSettings(.wav), to: folder.path("cut.wav"))
    }
    #expect(
      error?.kind
        == .outsideRecording(Int64(span.lowerBound)..<Int64(span.upperBound), length: 154_350))
    #expect(try folder.contents.isEmpty)
  }

  @Test func countsSamplesThatHadToBeClipped() throws {
    let loud: [Float] = [0, 0.5, 1.5, -2, 1, -1]
    let path = try folder.write(WaveFile.bytes(loud, rate: 8_000), to: "loud.wav")
    let cut = try AudioCutter(MediaSource(path: path)).encode(
      frames(0..<6), as: EncodingSettings(.wav, depth: .bits24), to: folder.path("cut.wav"))
    // +1 itself is one step beyond the highest whole number.
    #expect(cut.clippedSamples == 3)
    let written = try Sound(path: folder.path("cut.wav")).samples
    let highest: Float = 1 - 0x1p-23
    #expect(written == [0, 0.5, highest, -1, highest, -1])
  }
}
