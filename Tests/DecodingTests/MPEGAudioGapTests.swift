// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Decoding

/// libmpg123 goes on at the next frame, and the rest is joined; it is said how much is missing.
@Suite struct MPEGAudioGapTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let names = [
    "mp3-cbr-no-tag.mp3", "mp3-vbr-no-xing.mp3", "mp3-22k-mono.mp3", "mp3-cbr-lame.mp3",
  ]

  /// What is told of bytes as a file.
  private func warnings(_ bytes: [UInt8]) throws -> [DecodingWarning] {
    try MediaSource(path: folder.write(bytes, to: "recording.mp3")).description.warnings
  }

  /// Where each frame begins.
  private func offsets(_ bytes: [UInt8]) throws -> [Int] {
    let path = try folder.write(bytes, to: "whole.mp3")
    return try #require(try MediaSource(path: path).seekIndex).offsets.map { Int($0) }
  }

  @Test(arguments: names) func whatIsOverwrittenIsTold(_ name: String) throws {
    var bytes = try FixtureIndex.bytes(name)
    let offsets = try offsets(bytes)
    // From the midst of a frame to the midst of the sixth after it: five headers.
    let middle = { (frame: Int) in (offsets[frame] + offsets[frame + 1]) / 2 }
    for index in middle(100)..<middle(106) { bytes[index] = 0x55 }
    guard case .missing(let position, let frames) = try warnings(bytes).first else {
      Issue.record("nothing is told")
      return
    }
    let framesPerPacket = name.contains("22k") ? 576 : 1152
    // The encoder's delay was taken off.
    #expect((98...101).contains(Int(position.frames) / framesPerPacket), "\(position)")
    #expect((4...7).contains(Int(frames.frames) / framesPerPacket), "\(frames)")
  }

  @Test(arguments: names) func aCutWithinAFrameIsTold(_ name: String) throws {
    let bytes = try FixtureIndex.bytes(name)
    let offsets = try offsets(bytes)
    for (frame, cut) in [(20, 150), (60, 1000), (120, 8000)] {
      let start = (offsets[frame] + offsets[frame + 1]) / 2
      let warnings = try warnings(Array(bytes[..<start] + bytes[(start + cut)...]))
      let told = warnings.contains { if case .missing = $0 { true } else { false } }
      #expect(told, "frame \(frame), \(cut) bytes: \(warnings)")
    }
  }

  @Test func aFileThatIsWholeOrAppendedToAnotherHasNoGap() throws {
    let whole = try FixtureIndex.bytes("mp3-cbr-no-tag.mp3")
    #expect(try warnings(whole).isEmpty)
    let tagged = try FixtureIndex.bytes("mp3-tags.mp3")
    #expect(try warnings(whole + tagged + whole).isEmpty)
  }

  /// A long recording's index knows every other frame, or fewer.
  @Test func aGapIsFoundBetweenPlacesThatTheIndexKnows() throws {
    let bytes = try FixtureIndex.bytes("mp3-cbr-no-tag.mp3")
    let offsets = try offsets(bytes)
    let path = try folder.write(
      Array(bytes[..<(offsets[101] + 100)] + bytes[offsets[103]...]), to: "cut.mp3")
    let file = try MediaFile(path: path)
    let index = try #require(try MediaSource(path: path).seekIndex)
    for step in [1, 2, 8] {
      let sparse = SeekIndex(
        frameOffsets: stride(from: 0, to: index.offsets.count, by: step).map { index.offsets[$0] },
        packetsPerOffset: step, framesPerPacket: index.framesPerPacket,
        decodedLength: index.decodedLength)
      let gaps = try MPEGAudioGaps(in: file, sparse)
      #expect(gaps.packetCount == 1, "every \(step)")
      #expect(gaps.firstPacket.map { (100...102).contains($0) } ?? false, "every \(step)")
    }
  }
}
