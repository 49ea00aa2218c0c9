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
  /// breath. With 4 the durations of short ayat and of long ones have the same spread in the logarithm;
  /// from recordings of five reciters.
  static let unitsOfStop = 4.0
  /// How often a surah is begun without its basmalah in the middle of a recording.
  private static let skippedBasmalah = 0.15

  static func ayah(_ ayah: AyahReference) -> RecitedToken {
    RecitedToken(
      content: .ayah(ayah), units: Double(ayah.length.phoneticUnits) + unitsOfStop)
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
