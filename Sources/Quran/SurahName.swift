// SPDX-License-Identifier: GPL-3.0-or-later

/// One way to call a surah, made ready for comparing.
struct SurahName: Sendable {
  /// Of equally good fits, the earlier wins.
  enum Language: Int, Sendable {
    /// In Arabic letters or transliterated.
    case arabic
    /// Arabic too, but not the usual name.
    case otherName
    case english
  }

  let surah: Surah
  let spelling: Spelling
  let language: Language
  /// Whether the first word or words of the name are missing from `spelling`.
  let isLaterWord: Bool

  /// With and without the article, assimilated or not; made when the first name is looked up.
  static let all: [SurahName] = {
    var names: [SurahName] = []
    names.reserveCapacity(2048)
    for surah in Surah.all {
      for name in Set(surah.transliterations) { names += forms(of: name, surah, .arabic) }
      for name in Set(surah.englishNames) { names += forms(of: name, surah, .english) }
      names += forms(of: surah.arabicName, surah, .arabic)
    }
    for (number, others) in otherNames {
      for name in others { names += forms(of: name, Surah(trusted: number), .otherName) }
    }
    return names
  }()

  private static func forms(
    of name: String, _ surah: Surah, _ language: Language
  ) -> [SurahName] {
    var words = Spelling.words(of: name)
    var articles: [[UInt8]] = []
    if words.count > 1, articlesOfNames.contains(words[0]) {
      articles = words[0] == al || words[0] == the ? [words[0]] : [words[0], al]
      words.removeFirst()
    } else if words[0].starts(with: arabicAl), words[0].count > 3 {
      articles = [arabicAl]
      words[0].removeFirst(arabicAl.count)
    }
    func form(_ plain: [UInt8], isLaterWord: Bool = false) -> SurahName {
      SurahName(
        surah: surah, spelling: Spelling(plain: plain), language: language,
        isLaterWord: isLaterWord)
    }
    let stem = Array(words.joined())
    let laterWords = words.indices.dropFirst().filter { words[$0].count >= 3 }
    return [form(stem)] + articles.map { form($0 + stem) }
      + laterWords.map { form(Array(words[$0...].joined()), isLaterWord: true) }
  }
}

private let al = Spelling.plain("al")
private let the = Spelling.plain("the")
private let arabicAl = Spelling.plain("ال")
private let articlesOfNames = [
  "al", "ar", "as", "ash", "at", "ath", "ad", "adh", "an", "az", "the",
].map { Spelling.plain($0) }

/// Names that neither source lists but people use.
private let otherNames: [(Int, [String])] = [
  (1, ["Al-Hamd", "الحمد"]),
  (9, ["Bara'ah", "براءة"]),
  (17, ["Bani Isra'il", "بني إسرائيل"]),
  (35, ["Al-Mala'ikah", "الملائكة"]),
  (36, ["ياسين"]),
  (40, ["Al-Mu'min", "المؤمن"]),
  (41, ["Ha-Mim As-Sajdah", "حم السجدة"]),
  (68, ["Nun", "ن"]),
  (76, ["Ad-Dahr", "الدهر"]),
  (78, ["Amma", "عم"]),
  (94, ["Al-Inshirah", "الانشراح"]),
  (96, ["Iqra", "اقرأ"]),
  (111, ["Al-Lahab", "Tabbat", "اللهب"]),
  (112, ["At-Tawhid", "التوحيد"]),
]
