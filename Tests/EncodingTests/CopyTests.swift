// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import TestSupport
import Testing

@Suite struct CopyTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Source: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: AudioFileKind
    /// The largest difference of a sample from the recording's.
    let tolerance: Float
    var testDescription: String { name }
  }

  static let sources = [
    Source(name: "mp3-cbr-lame.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "mp3-vbr-xing.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "mp3-vbr-no-xing.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "mp3-cbr-no-tag.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "mp3-22k-mono.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "mp3-tags.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "exact/stereo.mp3", kind: .mp3, tolerance: 1e-5),
    Source(name: "m4a-aac.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "m4a-voice-memo.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "m4a-itunsmpb.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "m4a-fragmented.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "m4a-aac-5.1.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "exact/stereo-apple.m4a", kind: .m4a, tolerance: 1e-6),
    Source(name: "3gp-aac.3gp", kind: .m4a, tolerance: 1e-6),
    Source(name: "aac-adts.aac", kind: .m4a, tolerance: 1e-6),
    Source(name: "mp4-video-two-tracks.mp4", kind: .m4a, tolerance: 1e-6),
    Source(name: "ogg-opus.opus", kind: .opus, tolerance: 1e-3),
    Source(name: "opus-48k-stereo.opus", kind: .opus, tolerance: 1e-3),
    Source(name: "webm-video-two-tracks.webm", kind: .opus, tolerance: 1e-3),
    Source(name: "ogg-vorbis.ogg", kind: .ogg, tolerance: 1e-5),
  ]

  /// Spans as shares of the length, and their frames: at the start, within, short, to the end.
  static func spans(of length: Int) -> [Range<Int>] {
    [
      0..<min(20_000, length), (length / 3)..<(length / 3 + length / 4),
      (length / 2 + 77)..<(length / 2 + 127), (length - 5_001)..<length, 0..<length,
    ]
  }

  @Test(arguments: sources)
  func copyHoldsTheSpanAndSaysWhatElse(_ source: Source) throws {
    let media = try fixture(source.name)
    let length = try Int(#require(media.description.frameCount).frames)
    let cutter = AudioCutter(media)
    #expect(cutter.copyKind == source.kind)
    for (number, span) in Self.spans(of: length).enumerated() {
      let path = folder.path("\(number).\(source.kind.fileExtension)")
      let cut = try cutter.copy(frames(span), to: path)
      let copy = try Sound(path: path)
      #expect(copy.warnings.isEmpty, "\(span)")
      #expect(copy.format == media.description.format)
      let lead = Int(cut.lead.frames)
      let tail = Int(cut.tail.frames)
      #expect(copy.frameCount == lead + span.count + tail, "\(span)")
      #expect(cut.frameCount.frames == Int64(copy.frameCount))
      #expect(tail == 0 && (0..<1_024).contains(lead) && (lead == 0 || source.kind == .ogg))
      let expected = try Sound(media, (span.lowerBound - lead)..<span.upperBound)
      let worst = zip(copy.samples, expected.samples).map { abs($0 - $1) }.max() ?? 0
      #expect(worst <= source.tolerance, "\(span)")
    }
  }

  @Test(arguments: ["m4a-aac.m4a", "mp3-cbr-lame.mp3", "ogg-opus.opus", "ogg-vorbis.ogg"])
  func copyIsAboutAsLargeAsItsShareOfTheRecording(_ name: String) throws {
    let media = try fixture(name)
    let length = try Int(#require(media.description.frameCount).frames)
    let path = folder.path("copy")
    _ = try AudioCutter(media).copy(frames((length / 4)..<(length * 3 / 4)), to: path)
    let whole = try bytes(FixtureFolder.path(name)).count
    let share = try Double(bytes(path).count) / Double(whole)
    #expect((0.35...0.65).contains(share))
  }

  @Test(arguments: [
    ("flac-44k-stereo.flac", AudioFileKind.flac), ("m4a-alac.m4a", .flac), ("mkv-flac.mkv", .flac),
    ("wav-s24-48k-mono.wav", .wav), ("aiff-s16.aiff", .wav), ("wav-f32-22k-mono.wav", .wav),
  ])
  func encodesLosslessRecordingsAnew(_ name: String, _ kind: AudioFileKind) throws {
    let media = try fixture(name)
    let path = folder.path("copy.\(kind.fileExtension)")
    let cut = try AudioCutter(media).copy(frames(1_001..<18_000), to: path)
    #expect(cut.kind == kind)
    #expect(cut.lead == .zero && cut.tail == .zero)
    #expect(try Sound(path: path).samples == Sound(media, 1_001..<18_000).samples)
  }

  @Test func refusesCodecThatIsNotCutAtPackets() throws {
    let media = try fixture("asf-wmav2.wma")
    let cutter = AudioCutter(media)
    #expect(cutter.copyKind == nil)
    let error = #expect(throws: EncodingError.self) {
      try cutter.copy(frames(0..<1_000), to: folder.path("copy.wma"))
    }
    #expect(error?.kind == .notCopyable(codec: "wmav2"))
    #expect(try folder.contents.isEmpty)
  }

  @Test func copyOfACopyIsStillExact() throws {
    for name in ["m4a-aac.m4a", "mp3-vbr-xing.mp3", "ogg-opus.opus"] {
      let media = try fixture(name)
      let first = folder.path("first-\(name)")
      let second = folder.path("second-\(name)")
      _ = try AudioCutter(media).copy(frames(100_001..<300_000), to: first)
      _ = try AudioCutter(MediaSource(path: first)).copy(frames(5_003..<90_000), to: second)
      let copy = try Sound(path: second)
      let expected = try Sound(media, 105_004..<190_001)
      #expect(copy.frameCount == 84_997)
      #expect(zip(copy.samples, expected.samples).allSatisfy { abs($0 - $1) < 1e-3 })
    }
  }
}
