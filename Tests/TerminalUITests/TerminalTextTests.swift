// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("two\nlines", "two␊lines"),
    ("tab\tnul\0", "tab␉nul␀"),
    ("\u{1B}[2J\u{7}", "␛[2J␇"),
    ("\u{7F}", "␡"),
    ("\u{9B}31m", "<U+009B>31m"),
    ("mp3\u{202E}exe", "mp3<U+202E>exe"),
    ("\u{2066}a\u{2069}", "<U+2066>a<U+2069>"),
    ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
    ("x\u{E0041}\u{200B}\u{FEFF}", "x<U+E0041><U+200B><U+FEFF>"),
  ])
  func showsWhatATerminalWouldActOn(source: String, safe: String) {
    #expect(TerminalText(source).string == safe)
  }

  @Test(arguments: [
    "بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ", "سُورَةُ البَقَرَة.m4a", "می\u{200C}خواهم", "\u{200F}أ ب\u{200E}", "👨‍👩‍👧 ❤️ 🇸🇦",
    "é e\u{301}",
    "漢字", "\u{E000}", "",
  ])
  func keepsOrdinaryText(text: String) {
    #expect(Array(TerminalText(text).string.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func replacesBytesThatAreNotUTF8() {
    #expect(TerminalText(bytes: [0x61, 0x9B, 0x33, 0x31, 0x6D]).string == "a\u{FFFD}31m")
    #expect(TerminalText(bytes: [0xC2, 0x9B, 0x4A]).string == "<U+009B>J")
    #expect(TerminalText(bytes: [0xFF, 0xFE]).string == "\u{FFFD}\u{FFFD}")
    // What stands for such a byte in a path.
    #expect(TerminalText("nuit \u{10FFE9}").string == "nuit \u{FFFD}")
    #expect(TerminalText("nuit \u{10FFE9}").width == 6)
    // An overlong newline and half of a surrogate pair are not UTF-8.
    #expect(!TerminalText(bytes: [0xC0, 0x8A]).string.contains("\n"))
    #expect(!TerminalText(bytes: [0xED, 0xA0, 0x80]).string.isEmpty)
  }

  @Test func theShortWaysAgreeWithTheList() {
    let listed = TerminalText.forbiddenScalars
    let edges = listed.flatMap { range in
      [range.lowerBound.value, range.upperBound.value].flatMap { [$0 &- 1, $0, $0 + 1] }
    }
    for value in edges + [0x20, 0x7E, 0xA0, 0x600, 0x2070, 0x2500, 0x10FFFF] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isListed = listed.contains { $0.contains(scalar) }
      #expect(TerminalText.isForbidden(scalar) == isListed, "U+\(String(value, radix: 16))")
    }
  }

  @Test func neverContainsAForbiddenScalarWhateverTheBytes() {
    var random = SplitMix64(state: 1)
    let spice = TerminalText.forbiddenScalars.flatMap { [$0.lowerBound, $0.upperBound] }
    for _ in 0..<3000 {
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if let scalar = spice.randomElement(using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        bytes.insert(contentsOf: Array(String(scalar).utf8), at: place)
      }
      let text = TerminalText(bytes: bytes)
      #expect(!text.string.unicodeScalars.contains(where: TerminalText.isForbidden), "\(bytes)")
      #expect(TerminalText(text.string) == text, "\(bytes)")
      #expect(text.width == columns(text.string))
    }
  }

  @Test func forbidsEveryControlAndOverride() {
    for value: UInt32 in 0...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      if category == .control || category == .lineSeparator || category == .paragraphSeparator {
        #expect(TerminalText.isForbidden(scalar))
      }
    }
    for value: UInt32 in Array(0x202A...0x202E) + Array(0x2066...0x2069) {
      #expect(TerminalText.isForbidden(Unicode.Scalar(value)!))
    }
  }
}

@Suite struct TerminalWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("بِسْمِ", 3), ("\u{6DD}", 1), ("漢字", 4), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("🇸🇦", 2), ("…", 1), ("\u{200C}", 0), ("␊", 1),
    ("ﷺ", 1),
    ("ｆ", 2), ("㊊", 2), ("\u{AD}", 1), ("\u{303F}", 1),
  ])
  func countsColumns(text: String, width: Int) {
    #expect(TerminalText(text).width == width)
  }
}

@Suite struct TruncationTests {
  @Test(arguments: [
    ("recitation.m4a", 20, "recitation.m4a", "recitation.m4a"),
    ("recitation.m4a", 14, "recitation.m4a", "recitation.m4a"),
    ("recitation.m4a", 9, "recitati…", "reci….m4a"),
    ("recitation.m4a", 2, "r…", "r…"),
    ("recitation.m4a", 1, "…", "…"),
    ("recitation.m4a", 0, "", ""),
    ("漢字漢字", 4, "漢…", "漢…"),
    ("بِسْمِ", 2, "بِ…", "بِ…"),
  ])
  func leavesOutWhatDoesNotFit(text: String, limit: Int, end: String, middle: String) {
    #expect(TerminalText(text).truncated(to: limit).string == end)
    #expect(TerminalText(text).truncated(to: limit, omitting: .middle).string == middle)
  }

  @Test func neverExceedsTheLimit() {
    var random = SplitMix64(state: 2)
    let alphabet = Array("ab漢😀e\u{301}بِسْ🇸🇦\n\u{202E}")
    for _ in 0..<3000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = TerminalText(
        String((0..<count).compactMap { _ in alphabet.randomElement(using: &random) }))
      let limit = Int.random(in: -1...14, using: &random)
      for omission in [TerminalText.Omission.end, .middle] {
        let short = text.truncated(to: limit, omitting: omission)
        #expect(short.width <= max(0, limit))
        #expect(short.width == columns(short.string))
        #expect(short.padded(to: limit).width == max(short.width, limit))
      }
    }
  }

  @Test func padsOnEitherSide() {
    #expect(TerminalText("ab").padded(to: 4).string == "ab  ")
    #expect(TerminalText("ab").padded(to: 4, alignment: .right).string == "  ab")
    #expect(TerminalText("abc").padded(to: 2).string == "abc")
  }
}

private func columns(_ string: String) -> Int {
  string.unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
}
