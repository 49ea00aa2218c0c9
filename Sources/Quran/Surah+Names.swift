// SPDX-License-Identifier: GPL-3.0-or-later

extension Surah {
  /// The transliterated name as quran.com writes it, "Al-Baqarah".
  public var name: String { names.transliterations[0] }

  /// The Arabic name without vowel signs, "البقرة".
  public var arabicName: String { names.arabic }

  /// The English name as quran.com gives it, "The Cow".
  public var englishName: String { names.english[0] }

  /// The transliterations of quran.com and Tanzil, "Al-Baqarah" and "Al-Baqara"; often the same.
  public var transliterations: [String] { names.transliterations }

  /// The English names of quran.com and Tanzil; often the same.
  public var englishNames: [String] { names.english }

  private var names: SurahNames { SurahNames.all[number - 1] }
}

private struct SurahNames: Sendable {
  let arabic: String
  let transliterations: [String]
  let english: [String]

  /// Read from the table when a name is first asked for.
  static let all: [SurahNames] = SurahNameTable.text.withUTF8Buffer { text in
    text.split(separator: UInt8(ascii: "\n")).map { line in
      let names = line.split(separator: UInt8(ascii: "|")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return SurahNames(
        arabic: names[0], transliterations: [names[1], names[2]], english: [names[3], names[4]])
    }
  }
}
