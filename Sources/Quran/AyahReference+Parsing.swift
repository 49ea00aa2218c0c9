// SPDX-License-Identifier: GPL-3.0-or-later

extension AyahReference {
  /// Reads an ayah as people type it: "2:255", "2 255", "baqarah 255", "al-baqarah:255".
  ///
  /// Names may be spelled freely and cut short (``Surah/init(parsing:)``), digits be of any script.
  /// - Throws: ``QuranError/unreadableReference(_:)``, ``QuranError/missingAyah(_:)``,
  ///   ``QuranError/noSuchAyah(_:_:)`` and the errors of ``Surah/init(parsing:)``.
  public init(parsing typed: String) throws(QuranError) {
    switch try TypedPlace(parsing: typed[...]) {
    case .ayah(let ayah): self = ayah
    case .surah(let surah): throw .missingAyah(surah)
    }
  }
}

/// Where an English name may stand for a surah.
enum EnglishNames {
  /// Also with the number of an ayah, as in "the cow 255".
  case everywhere
  case withoutNumber, nowhere
}

/// What one end of a range may be.
enum TypedPlace {
  case ayah(AyahReference)
  case surah(Surah)

  init(parsing typed: Substring, english: EnglishNames = .everywhere) throws(QuranError) {
    func surah(_ name: Substring) throws(QuranError) -> Surah {
      try Surah(parsing: name.trimmed, takesEnglish: english == .everywhere)
    }
    guard typed.saysSomething else { throw .unreadableReference(String(typed)) }
    let text = typed.trimmed
    if let colon = text.lastIndex(of: ":") {
      guard let ayah = decimalNumber(text[text.index(after: colon)...].trimmed) else {
        throw .unreadableReference(String(typed))
      }
      self = .ayah(
        try AyahReference(checking: surah(text[..<colon]), ayah: ayah))
    } else if let space = text.lastIndex(where: \.isWhitespace),
      let ayah = decimalNumber(text[space...].trimmed),
      !SurahNameMatcher.isWordForSurah(text[..<space])
    {
      self = .ayah(
        try AyahReference(checking: surah(text[..<space]), ayah: ayah))
    } else {
      self = .surah(try Surah(parsing: text, takesEnglish: english != .nowhere))
    }
  }

  /// The ayah that a range starting here starts with.
  var first: AyahReference {
    switch self {
    case .ayah(let ayah): ayah
    case .surah(let surah): surah.firstAyah
    }
  }

  /// The ayah that a range ending here ends with.
  var last: AyahReference {
    switch self {
    case .ayah(let ayah): ayah
    case .surah(let surah): surah.lastAyah
    }
  }
}
