// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Decoding

@Suite struct MPEGAudioHeaderTests {
  @Test(
    arguments: [
      // MPEG-1 layer III at 44.1 kHz: 128 kbit/s without and with padding; 320 kbit/s at 32 kHz.
      ([0xFF, 0xFB, 0x90, 0x64], 417), ([0xFF, 0xFB, 0x92, 0x64], 418),
      ([0xFF, 0xFB, 0xE8, 0], 1440),
      // MPEG-1 layer II at 32 kbit/s, and layer I at 32 and 448 kbit/s, whose slots have 4 bytes.
      ([0xFF, 0xFD, 0x10, 0], 104), ([0xFF, 0xFF, 0x10, 0], 32), ([0xFF, 0xFF, 0x12, 0], 36),
      ([0xFF, 0xFF, 0xE4, 0], 448),
      // MPEG-2 layer III at 64 kbit/s and 22.05 kHz, layer II at 160 kbit/s and 24 kHz.
      ([0xFF, 0xF3, 0x80, 0xC4], 208), ([0xFF, 0xF5, 0xE4, 0], 960),
      // MPEG-2.5 layer III at 8 kbit/s: 11.025 kHz and 8 kHz.
      ([0xFF, 0xE3, 0x10, 0], 52), ([0xFF, 0xE3, 0x18, 0], 72),
    ] as [([UInt8], Int)])
  func knowsWhereTheNextFrameIs(_ bytes: [UInt8], _ length: Int) {
    #expect(MPEGAudioHeader(bytes, at: 0)?.frameLength == length)
    #expect(MPEGAudioHeader([1, 2] + bytes, at: 2)?.frameLength == length)
  }

  @Test func freeFormatHasNoLength() throws {
    let header = try #require(MPEGAudioHeader([0xFF, 0xFB, 0x00, 0], at: 0))
    #expect(header.frameLength == nil)
  }

  @Test(
    arguments: [
      [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0x9C, 0], [0xFF, 0xF9, 0x90, 0], [0xFF, 0xEB, 0x90, 0],
      [0xFF, 0x1B, 0x90, 0], [0xFE, 0xFB, 0x90, 0], [0xFF, 0xFB, 0x90], [],
    ] as [[UInt8]])
  func refusesReservedValues(_ bytes: [UInt8]) { #expect(MPEGAudioHeader(bytes, at: 0) == nil) }

  @Test(arguments: ["mp3-cbr-no-tag.mp3", "mp3-vbr-no-xing.mp3", "mp3-22k-mono.mp3"])
  func lengthsLeadThroughAWholeFile(_ name: String) throws {
    let bytes = try FixtureIndex.bytes(name)
    var offset = ContentSniffer.id3Length(bytes) ?? 0
    var frames = 0
    while offset < bytes.count {
      let header = try #require(MPEGAudioHeader(bytes, at: offset), "byte \(offset)")
      offset += try #require(header.frameLength)
      frames += 1
    }
    #expect(offset == bytes.count)
    #expect(frames > 200)
  }

  @Test func everyHeaderThereIsLeadsForward() {
    for second in UInt8.min...UInt8.max {
      for third in UInt8.min...UInt8.max {
        let length = MPEGAudioHeader([0xFF, second, third, 0], at: 0)?.frameLength
        if let length, !(24...2881).contains(length) {
          Issue.record("\(second) \(third): \(length)")
        }
      }
    }
  }

  @Test func readsFrameCountOfXingTag() throws {
    for (name, expected) in [
      ("mp3-cbr-no-tag.mp3", nil), ("mp3-vbr-no-xing.mp3", nil), ("mosque.flac", nil),
    ] as [(String, Int?)] {
      #expect(try XingTag.frameCount(in: MediaFile(path: FixtureIndex.path(name))) == expected)
    }
    for name in ["mp3-cbr-lame.mp3", "mp3-vbr-xing.mp3", "mp3-tags.mp3", "exact/mono.mp3"] {
      let path = FixtureIndex.path(name)
      let index = try #require(try MediaSource(path: path).seekIndex)
      #expect(try XingTag.frameCount(in: MediaFile(path: path)) == index.packetCount, "\(name)")
    }
  }

  @Test func shortHeadHasNoXingTag() throws {
    let folder = try TemporaryFolder()
    for count in [1, 4, 15, 16, 40] {
      let path = try folder.write([UInt8](repeating: 0x58, count: count), to: "head")
      #expect(try XingTag.frameCount(in: MediaFile(path: path)) == nil)
    }
  }
}
