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
      [-0.69, -3.00, -1.18, 0.37, -1.75, 1.32, 1.26, -0.83, 0.42, -0.43, -0.23, -0.42]
    case .frontVowel:
      [-0.46, 2.96, 0.95, -0.51, 1.03, -1.64, -0.57, 0.46, -0.37, 0.94, -0.28, 0.44]
    case .roundVowel:
      [3.53, -1.25, -2.37, 0.66, -0.36, 0.39, -0.17, -0.12, 1.16, 0.08, 1.29, 0.02]
    case .nasal:
      [1.76, 1.44, 2.51, -0.37, 0.52, -0.95, -0.44, 0.21, -0.48, -0.25, -0.56, 0.30]
    case .lateral:
      [-4.13, -1.34, 0.08, -0.21, -0.94, 0.73, 0.50, -0.39, 0.54, -0.22, 0.46, 0.29]
    case .trill:
      [2.53, -2.03, -1.76, 0.25, -0.53, 0.80, 0.96, -0.15, 0.54, -0.23, 0.61, -0.12]
    case .voicedStop:
      [3.18, -2.63, -3.55, 2.01, 0.00, 1.99, -1.03, 1.11, 0.15, -0.55, 0.91, -0.15]
    case .voicelessStop:
      [1.23, -2.48, -2.01, 1.37, -1.15, 0.63, 1.72, 0.23, 0.73, 0.10, -0.04, -0.23]
    case .sibilant:
      [-3.11, -0.06, 0.89, -0.29, 0.50, 0.41, -0.43, -0.34, 0.60, 0.15, 0.72, 0.27]
    case .aspirate:
      [-3.22, 0.02, 1.74, -1.20, 1.11, 0.28, 0.04, -0.30, 0.27, 0.16, 0.56, 0.27]
    case .pharyngeal:
      [-1.24, -5.83, -0.13, 0.28, -0.81, 1.91, -0.04, 1.15, -0.54, -0.86, 0.77, 0.03]
    case .velar:
      [5.32, -0.65, -5.59, 1.04, -0.15, 2.00, -1.54, -1.55, 1.36, -0.44, 2.13, -1.76]
    }
  }
}
