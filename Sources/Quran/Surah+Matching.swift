// SPDX-License-Identifier: GPL-3.0-or-later

/// A surah that typed text may mean, and how well its name fits.
public struct SurahMatch: Hashable, Sendable {
  /// From the best to the least.
  public enum Quality: Int, Comparable, Sendable {
    /// The text is the surah's number.
    case number
    /// The text is one of its names, but for case, accents, punctuation and the article.
    case name
    /// The text is one of its names spelled otherwise.
    case spelling
    /// A name starts with the text.
    case beginning
    /// A name spelled otherwise starts with the text.
    case spelledBeginning
    /// A later word of a name starts with the text.
    case laterWord
    /// A name, or its beginning, is a few letters away from the text.
    case similar

    public static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
  }

  public let surah: Surah
  public let quality: Quality
  /// Whether it is an English name that fits.
  public let isEnglish: Bool
}

extension Surah {
  /// The surahs that typed text may mean, the likeliest first; all when it has no letters.
  ///
  /// Reads numbers, Arabic, both transliterations, English and some other common names. Similar names
  /// are offered only when nothing fits better.
  public static func matching(_ typed: String) -> [SurahMatch] {
    SurahNameMatcher(typed[...]).ranked.map {
      SurahMatch(surah: $0.surah, quality: $0.quality, isEnglish: $0.language == .english)
    }
  }

  /// The one surah that a number or a name means, which may be cut short ("baq") but not misspelled.
  ///
  /// - Throws: ``QuranError/noSuchSurah(_:)``, ``QuranError/unknownSurahName(_:suggestions:)`` or
  ///   ``QuranError/ambiguousSurahName(_:candidates:)``.
  public init(parsing typed: String) throws(QuranError) {
    try self.init(parsing: typed[...])
  }

  init(parsing typed: Substring, takesEnglish: Bool = true) throws(QuranError) {
    let matcher = SurahNameMatcher(typed, takesEnglish: takesEnglish)
    if let number = matcher.number {
      try self.init(checking: number)
      return
    }
    let ranked = matcher.ranked
    guard let best = ranked.first, best.quality != .similar, !matcher.isBlank else {
      throw .unknownSurahName(
        String(typed), suggestions: matcher.isBlank ? [] : ranked.map(\.surah))
    }
    // A whole name in Arabic or transliteration goes before the same word in English; a beginning
    // must be that of one surah only.
    let rivals =
      best.quality <= .spelling
      ? ranked.filter { $0.quality == best.quality && $0.language == best.language } : ranked
    guard rivals.count == 1 else {
      throw .ambiguousSurahName(String(typed), candidates: rivals.map(\.surah))
    }
    self = best.surah
  }
}
