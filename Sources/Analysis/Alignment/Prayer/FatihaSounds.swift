// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What al-Fatiha sounds like, whoever recites it.
///
/// Twelve kinds of sound, each with the mean of what several reciters make of it, follow each other as
/// the words have them. That is far from any one voice, but the order of the sounds tells one ayah's end
/// from another's, and al-Fatiha from everything else.
enum FatihaSounds {
  /// Kinds of sound that differ in the spectrum's shape.
  enum Kind: CaseIterable {
    case openVowel, frontVowel, roundVowel, nasal, lateral, trill, voicedStop, voicelessStop
    case sibilant, aspirate, pharyngeal, velar
  }

  /// The seven ayat in sounds; a vowel is as long as it is written.
  private static let words = [
    "b i s m i l l aa h i r r a h m aa n i r r a h ii m",
    "a l h a m d u l i l l aa h i r a b b i l ' aa l a m ii n",
    "a r r a h m aa n i r r a h ii m",
    "m aa l i k i y a w m i d d ii n",
    "i y y aa k a n a ' b u d u w a i y y aa k a n a s t a ' ii n",
    "i h d i n a s s i r aa t a l m u s t a q ii m",
    "s i r aa t a l l a dh ii n a a n ' a m t a ' a l a y h i m gh a y r i l m a gh d uu b i "
      + "' a l a y h i m w a l a d d aaaaaa l l ii n",
  ]

  /// Frames of a short sound, of a long vowel, of the one before a stop, of the sound that a stop falls on,
  /// of the long vowel before a doubled consonant, and of the breath after.
  private static let shortSound = 2
  private static let longVowel = 4
  private static let heldVowel = 8
  private static let lastSound = 6
  private static let drawnVowel = 20
  private static let breath = 3

  /// Normalised coefficients of each ayah, without the breath after it.
  static let coefficients: [[Float]] = words.map { ayah in
    sounds(of: ayah).flatMap { mean(of: $0) }
  }

  /// The frames of each ayah; those of the breath after it are zeros, like nothing that is heard.
  static let frames: [SpectralFrames] = coefficients.map { ayah in
    SpectralFrames(
      values: SpectralFrames(normalized: ayah).values
        + [Float](repeating: 0, count: breath * SpectralFrames.width))
  }

  private static func sounds(of ayah: String) -> [Kind] {
    let letters = ayah.split(separator: " ")
    var sounds: [Kind] = []
    for (index, letter) in letters.enumerated() {
      let isLong = letter.count == 2 && letter.first == letter.last
      let frames =
        index == letters.count - 1
        ? lastSound
        : letter.count > 2
          ? drawnVowel
          : !isLong ? shortSound : index >= letters.count - 2 ? heldVowel : longVowel
      sounds += [Kind](repeating: kind(of: letter), count: frames)
    }
    return sounds
  }

  private static func kind(of letter: Substring) -> Kind {
    switch letter {
    case "i", "ii", "y": .frontVowel
    case "u", "uu", "w": .roundVowel
    case "m", "n": .nasal
    case "l": .lateral
    case "r": .trill
    case "b", "d", "dh": .voicedStop
    case "t", "q", "k": .voicelessStop
    case "s": .sibilant
    case "h": .aspirate
    case "'": .pharyngeal
    case "gh": .velar
    default: .openVowel
    }
  }

  /// Fitted by `Scripts/fit-fatiha-sounds.py` to five reciters, each counting as much as the others.
  private static func mean(of kind: Kind) -> [Float] {
    switch kind {
    case .openVowel:
      [-0.87, -2.87, -0.96, 0.27, -1.77, 1.21, 1.22, -0.97, 0.40, -0.47, -0.30, -0.51]
    case .frontVowel:
      [-0.52, 2.96, 0.95, -0.47, 1.08, -1.65, -0.56, 0.45, -0.39, 0.91, -0.34, 0.43]
    case .roundVowel:
      [3.48, -1.27, -2.51, 0.50, -0.40, 0.35, -0.27, -0.11, 1.30, 0.06, 1.37, -0.09]
    case .nasal:
      [2.04, 1.23, 2.32, -0.30, 0.41, -0.91, -0.40, 0.33, -0.50, -0.07, -0.40, 0.39]
    case .lateral:
      [-4.40, -0.81, 0.37, -0.41, -0.08, 0.63, 0.26, -0.31, 0.61, 0.07, 0.65, 0.41]
    case .trill:
      [2.60, -2.00, -1.78, 0.20, -0.48, 0.83, 0.92, -0.10, 0.60, -0.18, 0.69, -0.02]
    case .voicedStop:
      [3.12, -2.76, -3.68, 2.05, -0.07, 2.02, -0.91, 1.15, 0.18, -0.63, 0.96, -0.06]
    case .voicelessStop:
      [1.22, -2.47, -2.05, 1.36, -1.13, 0.67, 1.63, 0.23, 0.84, 0.08, 0.01, -0.24]
    case .sibilant:
      [-3.14, 0.10, 1.02, -0.47, 0.51, 0.36, -0.41, -0.35, 0.61, 0.17, 0.65, 0.26]
    case .aspirate:
      [-2.01, -0.25, 2.12, -1.36, 0.22, 0.59, 0.10, -0.36, -0.02, -0.16, 0.24, 0.13]
    case .pharyngeal:
      [-1.25, -6.41, -0.46, 0.46, -0.97, 2.27, 0.23, 1.31, -0.79, -1.24, 0.67, -0.32]
    case .velar:
      [5.34, -0.67, -5.67, 1.11, -0.11, 1.99, -1.56, -1.54, 1.41, -0.48, 2.16, -1.77]
    }
  }
}
