// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Decoding

/// Good recordings with random damage: frames or a typed error, and nothing else.
@Suite struct MutationFuzzTests {
  static let formats = [
    "wav-s16-8k-mono.wav", "wav-extensible-5.1.wav", "wav-f32-22k-mono.wav", "wav-rf64.wav",
    "caf-pcm.caf", "aiff-s16.aiff", "malformed/neighbour.flac", "opus-48k-stereo.opus",
    "ogg-vorbis.ogg", "mp3-cbr-lame.mp3", "mp3-vbr-no-xing.mp3", "mp3-22k-mono.mp3",
    "m4a-aac-faststart.m4a", "m4a-aac.m4a", "m4a-itunsmpb.m4a", "m4a-fragmented.m4a",
    "m4a-alac.m4a", "m4a-aac-pns.m4a", "m4a-aac-5.1.m4a", "3gp-aac.3gp", "mkv-flac.mkv",
    "aac-adts.aac", "asf-wmav2.wma", "mp4-video-two-tracks.mp4", "webm-video-two-tracks.webm",
  ]

  /// 20 for each format, or 1,000 when `TILAWA_THOROUGH` is set; another number there gives others.
  static let thorough = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"]
  static let mutationCount = thorough == nil ? 20 : 1000
  static let seed = thorough.flatMap { UInt64($0) } ?? 1

  @Test(arguments: formats)
  func damagedRecordingGivesFramesOrATypedError(_ name: String) throws {
    let folder = try TemporaryFolder()
    let good = try FixtureIndex.bytes(name)
    let length = try Recording(path: FixtureIndex.path(name)).frameCount
    // A damaged header may name a codec that makes far more of the same bytes: G.723.1 has up to 240
    // frames in one.
    let limit = max(30 * length, 256 * good.count)
    var random = SplitMix64(state: name.utf8.reduce(Self.seed) { $0 &* 131 &+ UInt64($1) })
    for round in 0..<Self.mutationCount {
      let bytes = Self.mutate(good, using: &random)
      let path = try folder.write(bytes, to: "recording")
      let begun = Self.processorSeconds
      do throws(DecodingError) {
        let source = try MediaSource(path: path)
        let decoder = try source.makeDecoder()
        let recording = try Recording(decoder, limit: limit)
        #expect(recording.frameCount < limit, "round \(round)")
        #expect(!hasNonFinite(recording.samples), "round \(round)")
        for _ in 0..<5 {
          let place = Int64.random(in: 0...Int64(recording.frameCount), using: &random)
          try decoder.seek(to: FramePosition(place))
          let frames = try decoder.frames(1000)
          #expect(!hasNonFinite(frames), "round \(round)")
        }
      } catch {
        #expect(!error.explanation.isEmpty && error.file == path)
      }
      #expect(Self.processorSeconds - begun < 20, "round \(round)")
    }
  }

  /// What this thread has used of the processor, however busy others keep it.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func hasNonFinite(_ samples: [Float]) -> Bool {
    var samples = samples
    return samples.withUnsafeMutableBufferPointer { silenceNonFiniteSamples($0) } > 0
  }

  /// One of eight kinds of damage; the ends of the file, where headers are, get more than their share.
  static func mutate(_ good: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = good
    func place() -> Int {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Int.random(in: 0..<min(256, bytes.count), using: &random)
      case 1: max(0, bytes.count - 1 - Int.random(in: 0..<4096, using: &random))
      default: Int.random(in: 0..<bytes.count, using: &random)
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 1: for _ in 0..<20 { bytes[place()] = .random(in: 0...255, using: &random) }
    case 2:
      for _ in 0..<5 {
        let start = place()
        let edge: [UInt8] =
          [
            [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
          ].randomElement(using: &random) ?? []
        for (index, byte) in edge.enumerated() where start + index < bytes.count {
          bytes[start + index] = byte
        }
      }
    case 3:
      let start = place()
      for index in start..<min(bytes.count, start + 2000) {
        bytes[index] = .random(in: 0...255, using: &random)
      }
    case 4:
      let start = place()
      bytes.removeSubrange(
        start..<min(bytes.count, start + Int.random(in: 1...3000, using: &random)))
    case 5:
      let start = place()
      bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + 700)], at: place())
    default: bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return bytes.isEmpty ? [0] : bytes
  }
}
