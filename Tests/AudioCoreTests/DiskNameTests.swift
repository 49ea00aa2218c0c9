// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@Suite struct DiskNameTests {
  static let names: [(text: String, bytes: [UInt8])] = [
    ("", []), ("night.wav", Array("night.wav".utf8)), ("ليلة", Array("ليلة".utf8)),
    ("\u{10FFE9}", [0xE9]),
    ("nuit \u{10FFE9}.wav", [0x6E, 0x75, 0x69, 0x74, 0x20, 0xE9, 0x2E, 0x77, 0x61, 0x76]),
    ("\u{10FFC0}\u{10FFAF}", [0xC0, 0xAF]), ("é\u{10FF80}é", [0xC3, 0xA9, 0x80, 0xC3, 0xA9]),
    ("\u{10FFE2}\u{10FF82}/a", [0xE2, 0x82, 0x2F, 0x61]), ("\u{10FFFF}", [0xFF]),
  ]

  @Test(arguments: names)
  func bytesThatAreNotUTF8HaveCharactersOfTheirOwn(_ text: String, _ bytes: [UInt8]) {
    #expect(String(diskName: bytes).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(text.diskBytes == bytes)
    #expect(text.diskName == bytes.map { CChar(bitPattern: $0) } + [0])
    text.diskName.withUnsafeBufferPointer { name in
      #expect(String(diskName: name.baseAddress!).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }

  @Test func everyNameSurvives() {
    for first in UInt8(1)...255 {
      for second in UInt8(1)...255 {
        for name in [[first, second], [0xE2, first, second], [first, 0xA9, second]] {
          #expect(String(diskName: name).diskBytes == name)
        }
      }
    }
  }

  @Test func isLegibleForPeople() {
    let name = String(diskName: Array("nuit ".utf8) + [0xE9, 0x20, 0xFF])
    #expect(name.hasDiskBytes)
    #expect(name.legibleName == "nuit \u{FFFD} \u{FFFD}")
    #expect(!"nuit é".hasDiskBytes)
    #expect("nuit é".legibleName == "nuit é")
  }
}
