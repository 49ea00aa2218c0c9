// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing

struct SurahMatchingTests {
  /// The type is written out, since the compiler takes 12 s to find it.
  static let typed: [(name: String, number: Int)] = [
    ("2", 2), ("baqara", 2), ("al-baqarah", 2), ("albaqara", 2), ("Al Baqarah", 2), ("bakara", 2),
    ("baqarah", 2), ("BAQARAH", 2), ("al-Baqaráh", 2), ("the cow", 2), ("cow", 2), ("البقرة", 2),
    ("بقره", 2), ("بقرة", 2), ("البقره", 2), ("ٱلْبَقَرَةِ", 2), ("سورة البقرة", 2),
    ("surah al-baqarah", 2), ("surat al baqara", 2), ("baq", 2), ("baqra", 2), ("al-bagarah", 2),
    ("yaseen", 36), ("yasin", 36), ("ya-sin", 36), ("ya sin", 36), ("Yā-Sīn", 36), ("يس", 36),
    ("يسٓ", 36), ("ياسين", 36), ("yassin", 36), ("qaf", 50), ("qaaf", 50), ("ق", 50), ("kaf", 50),
    ("imran", 3), ("ali imran", 3), ("aal-e-imran", 3), ("ale imran", 3), ("al-imran", 3),
    ("آل عمران", 3), ("ال عمران", 3), ("عمران", 3), ("Âl-i İmrân", 3), ("fatihah", 1),
    ("fatiha", 1), ("faatiha", 1), ("al-fatiha", 1), ("alfatiha", 1), ("الفاتحه", 1),
    ("opening", 1),
    ("Fātiḥa", 1), ("fateha", 1), ("nisa", 4), ("nisaa", 4), ("an nisa", 4), ("al-nisa", 4),
    ("women", 4), ("النساء", 4), ("النسا", 4), ("maidah", 5), ("ma'idah", 5), ("anam", 6),
    ("an'am", 6), ("الأنعام", 6), ("الانعام", 6), ("tawba", 9), ("taubah", 9), ("at-tawbah", 9),
    ("al-tawbah", 9), ("baraah", 9), ("younus", 10), ("yoonus", 10), ("jonah", 10), ("hood", 11),
    ("yousuf", 12), ("yousef", 12), ("joseph", 12), ("ibraheem", 14), ("ابراهيم", 14),
    ("إبراهيم", 14), ("isra", 17), ("bani israil", 17), ("night journey", 17), ("cave", 18),
    ("mariam", 19), ("maryam", 19), ("taha", 20), ("ta-ha", 20), ("طه", 20), ("muminoon", 23),
    ("mominun", 23), ("mu’minun", 23), ("noor", 24), ("nur", 24), ("light", 24), ("shuara", 26),
    ("ankaboot", 29), ("room", 30), ("luqmaan", 31), ("sajda", 32), ("saba", 34), ("سبأ", 34),
    ("malaika", 35), ("saffat", 37), ("saaffaat", 37), ("sad", 38), ("saad", 38), ("ص", 38),
    ("zumar", 39), ("ghafir", 40), ("gafir", 40), ("mumin", 40), ("fussilat", 41), ("shura", 42),
    ("dukhan", 44), ("jathiya", 45), ("jasiya", 45), ("muhammad", 47), ("mohamed", 47),
    ("محمد", 47), ("hujurat", 49), ("zariyat", 51), ("dhariyat", 51), ("rahman", 55),
    ("ar-rahman", 55), ("al-rahman", 55), ("arrahman", 55), ("الرحمن", 55), ("الرحمان", 55),
    ("rehman", 55), ("waqiah", 56), ("ouaqia", 56), ("jumua", 62), ("friday", 62), ("mulk", 67),
    ("الملك", 67), ("nun", 68), ("nooh", 71), ("noah", 71), ("jinn", 72), ("djinn", 72),
    ("muzammil", 73), ("muddathir", 74), ("mudassir", 74), ("dahr", 76), ("amma", 78), ("naba", 78),
    ("النبأ", 78), ("abasa", 80), ("inshirah", 94), ("iqra", 96), ("qadr", 97), ("kadr", 97),
    ("zilzal", 99), ("takasur", 102), ("quraish", 106), ("quresh", 106), ("kausar", 108),
    ("kawthar", 108), ("kafiroon", 109), ("lahab", 111), ("tabbat", 111), ("ikhlas", 112),
    ("ihlas", 112), ("tawhid", 112), ("falaq", 113), ("nas", 114), ("annas", 114), ("١١٤", 114),
  ]

  @Test(arguments: typed)
  func findsFirst(typed: String, number: Int) {
    #expect(Surah.matching(typed).first?.surah.number == number)
  }

  @Test func everySurahIsFoundFirstByItsOwnNames() {
    var owners: [String: Set<Surah>] = [:]
    for surah in Surah.all {
      for name in surah.englishNames { owners[name, default: []].insert(surah) }
    }
    for surah in Surah.all {
      let names =
        surah.transliterations + [surah.arabicName, "\(surah.number)"]
        + surah.englishNames.filter { owners[$0]?.count == 1 }
      for name in names {
        #expect((try? Surah(parsing: name)) == surah, "\(name)")
        let spellings: Set = [
          name.lowercased(), " \(name.uppercased()) ", name.replacing("-", with: " "),
          name.replacing("-", with: "").replacing("'", with: ""),
        ]
        for spelling in spellings {
          #expect(Surah.matching(spelling).first?.surah == surah, "\(spelling)")
        }
      }
    }
    #expect(owners.filter { $0.value.count > 1 }.keys.sorted() == ["The Dawn"])
  }

  @Test func beginningsGoBeforeSimilarNames() {
    // The last is "The Power, Fate".
    #expect(Surah.matching("fat").map(\.surah.number) == [1, 35, 48, 97])
    #expect(
      Surah.matching("fat").map(\.quality) == [.beginning, .beginning, .beginning, .laterWord])
    #expect(Surah.matching("nas").prefix(2).map(\.surah.number) == [114, 110])
    #expect(Surah.matching("baqra").first?.quality == .similar)
  }

  @Test func aNumberOffersThoseThatStartWithIt() {
    #expect(Surah.matching("11").map(\.surah.number) == [11, 110, 111, 112, 113, 114])
    #expect(Surah.matching("2").map(\.surah.number) == [2] + Array(20...29))
    #expect(Surah.matching("115").isEmpty)
    #expect(Surah.matching("0").isEmpty)
  }

  @Test func everyBeginningOfANameKeepsItInSight() {
    for surah in Surah.all {
      for name in [surah.name, surah.arabicName] {
        for length in 1...name.count {
          let typed = String(name.prefix(length))
          #expect(Surah.matching(typed).contains { $0.surah == surah }, "<\(typed)> of \(name)")
        }
      }
    }
  }

  @Test func nothingTypedOffersEverything() {
    #expect(Surah.matching("").map(\.surah) == Surah.all)
    #expect(Surah.matching("  ").map(\.surah) == Surah.all)
    #expect(Surah.matching("'").map(\.surah) == Surah.all)
    for typed in ["", " ", "?!"] {
      #expect(throws: QuranError.unknownSurahName(typed, suggestions: [])) {
        try Surah(parsing: typed)
      }
    }
  }

  @Test(arguments: ["日本", "日本nas", "qwertyuiop", "36x", "1-1"])
  func nonsenseOffersNothing(typed: String) {
    #expect(Surah.matching(typed).isEmpty)
    #expect(throws: QuranError.self) { try Surah(parsing: typed) }
  }

  @Test func aMisspelledNameIsSuggestedButNotTaken() {
    #expect(
      throws: QuranError.unknownSurahName("rahmn", suggestions: [Surah(55)].compactMap(\.self))
    ) {
      try Surah(parsing: "rahmn")
    }
  }
}
