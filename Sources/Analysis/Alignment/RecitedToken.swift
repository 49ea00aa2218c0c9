// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// One thing that is recited, in its order: an ayah, or the basmalah before a surah.
struct RecitedToken: Hashable {
  enum Content: Hashable {
    case ayah(AyahReference)
    case basmalah(Surah)
  }

  var content: Content
  /// Which part of an ayah is recited, when it is not whole.
  var part: AyahPart?
  /// How much there is to say, in phonetic units.
  var units: Double
  /// How likely it is to be left out.
  var skip = 0.0

  /// What is added to the units of everything recited between two stops: the held syllable and the
  /// breath. This and the next three are fitted by `Scripts/fit-ayah-lengths.py` to 1,700 ayat by four
  /// reciters.
  static let unitsOfStop = 3.6
  /// What is added for each sign of madd.
  private static let unitsOfMadd = 6.1
  /// What is added for each place where the text speaks of stopping.
  private static let unitsOfWaqf = 2.5
  /// What is added for each letter that is recited by its name and drawn out; by `Scripts/fit-ayah-lengths.py`
  /// from two reciters.
  private static let unitsOfOpeningLetter = 14.0
  /// By how much the last ayah of a surah is drawn out.
  private static let lastAyah = 1.23
  /// How long each ayah of al-Fatiha takes, in units that add up to those of other ayat as long.
  ///
  /// Geometric means of four reciters (three of them recording ayah by ayah). Everybody knows al-Fatiha,
  /// and it is recited unlike anything else: the last ayah, with its long vowel and often a breath
  /// inside, takes more than a third of it.
  static let unitsOfFatiha: [Double] = [34, 32, 27, 31, 39, 29, 100]
  /// How often a surah is begun without its basmalah in the middle of a recording.
  private static let skippedBasmalah = 0.15

  static func ayah(_ ayah: AyahReference) -> RecitedToken {
    RecitedToken(content: .ayah(ayah), units: units(of: ayah))
  }

  /// How much there is to say in an ayah, and after it.
  static func units(of ayah: AyahReference) -> Double {
    if ayah.surah.number == 1 { return unitsOfFatiha[ayah.ayah - 1] }
    let length = ayah.length
    let units =
      Double(length.phoneticUnits) + unitsOfStop + unitsOfMadd * Double(length.maddSigns)
      + unitsOfWaqf * Double(length.waqfMarks)
      + unitsOfOpeningLetter * Double(ayah.drawnOpeningLetters)
    return ayah == ayah.surah.lastAyah ? units * lastAyah : units
  }

  /// What it is in an annotation.
  var assignment: Assignment {
    switch content {
    case .ayah(let ayah): .ayah(ayah, part: part)
    case .basmalah(let surah): .leadIn(.basmalah(of: surah))
    }
  }

  static func basmalah(of surah: Surah, skip: Double = skippedBasmalah) -> RecitedToken {
    RecitedToken(content: .basmalah(surah), units: unitsOfBasmalah, skip: skip)
  }

  static var unitsOfBasmalah: Double {
    Double(AyahLength.basmalah.phoneticUnits) + unitsOfStop
  }

  static var unitsOfIstiadhah: Double {
    Double(AyahLength.istiadhah.phoneticUnits) + unitsOfStop
  }

  /// Ayat in order, with the basmalahs of surahs begun on the way.
  static func tokens(_ range: AyahRange) -> [RecitedToken] {
    var tokens: [RecitedToken] = []
    for reference in range {
      if reference != range.first, reference.ayah == 1, reference.surah.opensWithUncountedBasmalah {
        tokens.append(.basmalah(of: reference.surah))
      }
      tokens.append(.ayah(reference))
    }
    return tokens
  }
}
