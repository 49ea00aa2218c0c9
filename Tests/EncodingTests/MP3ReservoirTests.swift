// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import TestSupport
import Testing

@testable import Encoding

@Suite struct MP3ReservoirTests {
  /// A header of layer III: version and checksum, bit rate and sampling rate, channels.
  private func frame(_ head: [UInt8], _ rest: [UInt8] = []) -> [UInt8] { [0xFF] + head + rest }

  @Test func readsHowFarBackAFrameBorrows() throws {
    // MPEG-1 without checksum: nine bits after the header.
    let first = frame([0xFB, 0x90, 0xC0], [0b1010_1010, 0b1000_0000])
    #expect(
      try MP3Reservoir.borrowedBytes(first, #require(MPEGAudioHeader(first, at: 0)))
        == 0b1_0101_0101)
    // With checksum they come two bytes later.
    let summed = frame([0xFA, 0x90, 0xC0], [9, 9, 0, 0b1000_0000])
    #expect(try MP3Reservoir.borrowedBytes(summed, #require(MPEGAudioHeader(summed, at: 0))) == 1)
    // MPEG-2 has eight.
    let second = frame([0xF3, 0x90, 0xC0], [200, 255])
    #expect(try MP3Reservoir.borrowedBytes(second, #require(MPEGAudioHeader(second, at: 0))) == 200)
  }

  @Test(arguments: [0, 1, 80, 255, 511])
  func silentFrameHasRoomForWhatItLendsAndNoMore(_ count: Int) throws {
    let model = frame([0xFB, 0x92, 0x44])
    let lent = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    let silent = try #require(MP3Reservoir.silentFrame(like: model, endingWith: lent))
    let header = try #require(MPEGAudioHeader(silent, at: 0))
    #expect(header.frameLength == silent.count)
    #expect(header.isFirstVersion && !header.isMono && !header.hasChecksum)
    #expect(Array(silent.suffix(count)) == lent)
    // Side information of 32 bytes, all zeros.
    #expect(silent[4..<36].allSatisfy { $0 == 0 })
    if silent[2] >> 4 > 1 {
      var smaller = silent
      smaller[2] -= 0x10
      let length = try #require(MPEGAudioHeader(smaller, at: 0)?.frameLength)
      #expect(length < 36 + count)
    }
  }

  @Test(arguments: ["mp3-cbr-lame.mp3", "mp3-vbr-xing.mp3", "mp3-22k-mono.mp3", "exact/stereo.mp3"])
  func primingFrameEndsWithTheBytesBeforeTheBorrowersOwn(_ name: String) throws {
    let reader = try #require(try fixture(name).makePacketReader())
    var borrowed = 0
    for number in [1, 2, 10, 50, 90] {
      let packet = try #require(try reader.packet(number))
      let header = try #require(MPEGAudioHeader(packet, at: 0))
      let needed = MP3Reservoir.borrowedBytes(packet, header)
      borrowed += needed
      let frame = try #require(
        try MP3Reservoir.primingFrame(before: number, packet, of: reader))
      let before = try #require(try reader.packet(number - 1))
      let shared = min(needed, before.count - 38)
      #expect(frame.suffix(shared) == before.suffix(shared))
    }
    #expect(borrowed > 0)
  }
}
