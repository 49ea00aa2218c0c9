// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Testing

@Suite struct ByteCodingTests {
  private let numbers: [UInt64] = [
    0, 1, 127, 128, 129, 16_383, 16_384, 1 << 32, 1 << 62, 1 << 63, UInt64.max - 1, UInt64.max,
  ]

  @Test func numbersSurviveEncoding() {
    var encoder = ByteEncoder()
    for number in numbers {
      encoder.append(number)
      encoder.append(signed: Int64(bitPattern: number))
      encoder.append(signed: -Int64(number >> 1))
    }
    var decoder = ByteDecoder(encoder.bytes)
    for number in numbers {
      #expect(decoder.next() == number)
      #expect(decoder.nextSigned() == Int64(bitPattern: number))
      #expect(decoder.nextSigned() == -Int64(number >> 1))
    }
    #expect(decoder.isAtEnd && decoder.remaining == 0)
    #expect(decoder.next() == nil && decoder.nextSigned() == nil)
  }

  @Test func smallNumbersTakeOneByte() {
    var encoder = ByteEncoder()
    for number in -64...63 as ClosedRange<Int64> { encoder.append(signed: number) }
    for number in 0..<128 as Range<UInt64> { encoder.append(number) }
    #expect(encoder.bytes.count == 256)
  }

  @Test func unfinishedOrEndlessNumberIsNone() {
    for bytes in [[], [0x80], [0xFF, 0xFF], [UInt8](repeating: 0x80, count: 30)] as [[UInt8]] {
      var decoder = ByteDecoder(bytes)
      #expect(decoder.next() == nil)
    }
  }

  @Test func countBeyondWhatFollowsIsNone() {
    var some = ByteDecoder([2, 0, 0])
    #expect(some.nextCount() == 2)
    var tooMany = ByteDecoder([3, 0, 0])
    #expect(tooMany.nextCount() == nil)
  }
}
