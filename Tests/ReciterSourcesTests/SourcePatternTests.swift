// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import Testing

@Suite("Patterns of addresses")
struct SourcePatternTests {
  private let ayah = AyahReference(surah: 2, ayah: 255)!

  @Test(arguments: [
    ("https://example.org/{surah:3}{ayah:3}.mp3", "https://example.org/002255.mp3"),
    ("https://example.org/{surah}/{ayah}.ogg", "https://example.org/2/255.ogg"),
    ("http://example.org/{surah:2}_{ayah:4}?a={surah}", "http://example.org/02_0255?a=2"),
    ("https://example.org/{surah}{ayah:3}", "https://example.org/2255"),
  ])
  func address(pattern: String, url: String) throws {
    #expect(try SourcePattern(pattern).url(of: ayah) == url)
  }

  @Test func anAtSignInThePathIsNoPassword() throws {
    let pattern = try SourcePattern("https://example.org/@me/{surah}/{ayah}")
    #expect(pattern.url(of: ayah) == "https://example.org/@me/2/255")
  }

  @Test func theNumberOfAFileMayBeAnother() throws {
    #expect(
      try SourcePattern("https://example.org/{surah:3}{ayah:3}.mp3")
        .url(of: ayah.surah, number: 254) == "https://example.org/002254.mp3")
  }

  @Test(arguments: [
    "https://example.org/a.mp3", "https://example.org/{surah",
    "https://example.org/{surah}{ayah}", "https://example.org/{surah:2}{ayah:2}",
    "https://example.org/{surah}_{ayah:0}", "https://example.org/{surah}_{verse}",
    "ftp://example.org/{surah}_{ayah}", "https://example.org/{surah} {ayah}", "{surah}_{ayah}", "",
    "https://user:word@example.org/{surah}_{ayah}", "https://user@example.org/{surah}_{ayah}",
    "https://example.org/{surah}_{ayah:}", "https:///{surah:3}{ayah:3}.mp3",
    "https://:80/{surah:3}{ayah:3}.mp3",
    "https://example.org/{surah}_{ayah:99999999999999999999}",
  ])
  func noPattern(text: String) {
    #expect(throws: SourcePattern.Problem.self) { try SourcePattern(text) }
  }
}
