// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import TestSupport
import Testing

@testable import Capture

@Suite struct RecordingFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ samples: [Int32], to file: RecordingFile, block: Int) throws {
    for start in stride(from: 0, to: samples.count, by: block) {
      try samples[start..<min(start + block, samples.count)].withUnsafeBufferPointer {
        try file.write($0)
      }
    }
  }

  @Test(arguments: [(8_000, 1, 16), (48_000, 2, 24), (44_100, 1, 24), (48_000, 2, 16)])
  func finishedFileHasEverySampleAndItsLength(_ hertz: Int, _ channels: Int, _ bits: Int) throws {
    let samples = signal(frames: 30_011, channels: channels, bits: bits)
    let path = folder.path("recording.flac")
    let file = try RecordingFile(
      path, format: format(hertz, channels), depth: bits == 16 ? .bits16 : .bits24,
      tags: AudioTags(title: "Night 1"))
    try write(samples, to: file, block: 700 * channels)
    try file.finish()
    #expect(try decoded(path) == samples)
    let description = try MediaSource(path: path).description
    #expect(description.frameCount == FrameCount(30_011))
    #expect(description.precision == .integer(bits: bits))
    #expect(description.warnings.isEmpty)
  }

  @Test(arguments: [(8_000, 1), (48_000, 2)])
  func killedRecordingLacksLessThanASecond(_ hertz: Int, _ channels: Int) throws {
    let samples = signal(frames: hertz * 3, channels: channels, bits: 24)
    let path = folder.path("recording.flac")
    let file = try RecordingFile(
      path, format: format(hertz, channels), depth: .bits24, tags: AudioTags())
    let block = hertz / 20 * channels
    for end in stride(from: block, through: samples.count, by: block) {
      try write(Array(samples[(end - block)..<end]), to: file, block: block)
      guard end > hertz * channels, end % (7 * block) == 0 else { continue }
      // What `kill -9` at this moment would leave.
      let left = try folder.write(bytes(path), to: "left.flac")
      let heard = try decoded(left)
      #expect(heard.count >= end - hertz * channels)
      #expect(samples.starts(with: heard))
    }
    try file.finish()
  }

  @Test func fileCutAnywhereGivesWhatIsBeforeTheCut() throws {
    let samples = signal(frames: 60_000, channels: 1, bits: 16)
    let path = folder.path("recording.flac")
    let file = try RecordingFile(
      path, format: format(48_000, 1), depth: .bits16, tags: AudioTags())
    try write(samples, to: file, block: 2_400)
    let whole = try bytes(path)
    var random = SplitMix64(state: 3)
    var longest = 0
    for length in (0..<60).map({ _ in Int.random(in: 0...whole.count, using: &random) }) + [
      whole.count
    ] {
      let cut = try folder.write(Array(whole.prefix(length)), to: "cut.flac")
      let heard = (try? decoded(cut)) ?? []
      #expect(samples.starts(with: heard), "\(length) of \(whole.count) bytes")
      // Frames of FLAC are 4,096 long here; a cut costs two of them at most.
      let share = Double(length) / Double(whole.count) * 60_000
      #expect(Double(heard.count) >= share - 3 * 4_096, "\(length) of \(whole.count) bytes")
      longest = max(longest, heard.count)
    }
    #expect(longest >= 60_000 - 4_096)
    try file.finish()
  }

  @Test func doesNotTouchAFileThatIsThere() throws {
    let path = try folder.write([1, 2], to: "recording.flac")
    let error = #expect(throws: EncodingError.self) {
      try RecordingFile(path, format: format(48_000, 1), depth: .bits16, tags: AudioTags())
    }
    #expect(error?.kind == .alreadyExists)
    #expect(try bytes(path) == [1, 2])
  }
}
