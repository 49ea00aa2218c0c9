// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing

struct ParserFuzzTests {
  /// What arrives is read or refused, never trapped on; what is read prints and reads back.
  private func expectSafe(_ text: String) {
    if let ayah = try? AyahReference(parsing: text) {
      #expect(AyahReference(ayah.description) == ayah)
    }
    do throws(QuranError) {
      let range = try AyahRange(parsing: text)
      #expect((try? AyahRange(parsing: range.description)) == range)
    } catch {
      #expect(!error.description.isEmpty)
      #expect(!error.description.contains("\n"))
    }
    #expect(Surah.matching(text).count <= 114)
    _ = AyahReference(text)
  }

  @Test func survivesPiecesOfReferencesInAnyOrder() {
    let pieces = [
      "2", "255", "0", "-", "–", ":", " ", "  ", "\t", "\n", "yasin", "al-", "baqarah", "juz",
      "page",
      "rub", "surah", "ال", "سورة", "٣", "بقره", "99999999999999999999", "-1", "½", "²", "Ⅷ",
      "\u{0}",
      "\u{301}", "👨‍👩‍👧", "ß", "ﷺ", "K", "'", "\"", "|", "ya-sin", "the", "\u{200f}", "x",
    ]
    var random = SplitMix64(state: 42)
    for _ in 0..<800 {
      let count = Int.random(in: 0...7, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      expectSafe(text)
    }
  }

  @Test func survivesRandomScalars() {
    var random = SplitMix64(state: 7)
    for _ in 0..<400 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
        if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
          scalars.append(scalar)
        }
      }
      expectSafe(String(scalars))
    }
  }

  @Test func survivesRandomBytesAndGreatLength() {
    var random = SplitMix64(state: 99)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      expectSafe(String(decoding: bytes, as: UTF8.self))
    }
    expectSafe(String(repeating: "a", count: 100_000))
    expectSafe(String(repeating: "1", count: 100_000))
    expectSafe(String(repeating: "-", count: 100_000))
    expectSafe(String(repeating: "1:", count: 50_000))
  }
}
