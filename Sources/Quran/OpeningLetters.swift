// SPDX-License-Identifier: GPL-3.0-or-later

extension AyahLength {
  /// How much longer a drawn letter takes than the table has it, in phonetic units: the median over ten openings
  /// recited by two reciters (half of them 15 to 23), by Scripts/fit-drawn-letters.py.
  static let unitsOfDrawnLetter = 19
}

extension AyahReference {
  /// How many letters the ayah opens with that are recited by names with a vowel of six counts: lam, mim,
  /// sad, qaf, kaf, ayn, sin and nun at the openings of 29 surahs; 0 for all other ayat.
  public var drawnOpeningLetters: Int {
    Self.drawnOpenings[self] ?? 0
  }

  private static let drawnOpenings: [AyahReference: Int] = {
    let letters: [(surahs: [Int], count: Int)] = [
      ([2, 3, 13, 26, 28, 29, 30, 31, 32], 2), ([7, 19], 3),
      ([10, 11, 12, 14, 15, 27, 36, 38, 40, 41, 42, 43, 44, 45, 46, 50, 68], 1),
    ]
    var openings: [AyahReference: Int] = [:]
    for (surahs, count) in letters {
      for surah in surahs {
        if let ayah = AyahReference(surah: surah, ayah: 1) { openings[ayah] = count }
      }
    }
    // "Ayn sin qaf" is an ayah of its own.
    if let second = AyahReference(surah: 42, ayah: 2) { openings[second] = 3 }
    return openings
  }()
}
