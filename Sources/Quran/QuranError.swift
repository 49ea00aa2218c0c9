// SPDX-License-Identifier: GPL-3.0-or-later

/// What is wrong with a reference, a range or a name.
public enum QuranError: Error, Hashable, Sendable {
  case noSuchSurah(Int)
  case noSuchAyah(Surah, Int)
  case noSuchPart(QuranDivision, Int)
  /// No surah has this name; the suggestions are those with similar names, the likeliest first.
  case unknownSurahName(String, suggestions: [Surah])
  /// The name, or its beginning, is that of several surahs.
  case ambiguousSurahName(String, candidates: [Surah])
  /// A surah alone where an ayah was wanted.
  case missingAyah(Surah)
  case unreadableReference(String)
  case unreadableRange(String)
  case endsBeforeItStarts(first: AyahReference, last: AyahReference)
}

extension QuranError: CustomStringConvertible {
  /// What is wrong and what there is instead, in one line without a full stop.
  ///
  /// Text that was typed appears quoted, without control characters and cut at 40 characters.
  public var description: String {
    switch self {
    case .noSuchSurah(let number):
      "there are 114 surahs; surah \(number) does not exist"
    case .noSuchAyah(let surah, let ayah):
      "surah \(surah.number) has \(surah.ayahCount) ayat; \(surah.number):\(ayah) does not exist"
    case .noSuchPart(let division, let number):
      "\(division.rawValue) \(number) does not exist; they are numbered 1 to \(division.count)"
    case .unknownSurahName(let name, let suggestions):
      suggestions.isEmpty
        ? "no surah is called \(quoted(name)); give its number, 1 to 114, or its name"
        : "no surah is called \(quoted(name)); did you mean \(list(suggestions))?"
    case .ambiguousSurahName(let name, let candidates):
      "\(quoted(name)) may be \(list(candidates))"
    case .missingAyah(let surah):
      "\(surah) is a whole surah; name one of its ayat, \(surah.firstAyah) to \(surah.lastAyah)"
    case .unreadableReference(let text):
      "\(quoted(text)) is not an ayah; write it as 2:255 or baqarah 255"
    case .unreadableRange(let text):
      "\(quoted(text)) is not a range of ayat; write it as 2:1-20, 2:280-3:5, 36, yasin or juz 30"
    case .endsBeforeItStarts(let first, let last):
      "\(last) comes before \(first); write the earlier ayah first"
    }
  }
}

private func list(_ surahs: [Surah]) -> String {
  var names = surahs.prefix(4).map(\.description)
  if surahs.count > names.count { names.append("another") }
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}

private func quoted(_ text: String) -> String {
  let safe = text.unicodeScalars.prefix(40).map { scalar -> Character in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
    default: Character(scalar)
    }
  }
  return "\"" + String(safe) + (text.unicodeScalars.count > 40 ? "..." : "") + "\""
}
