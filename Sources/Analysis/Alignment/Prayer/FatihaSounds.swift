// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

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
  private static let lastSound = 8
  private static let drawnVowel = 20
  private static let breath = 3

  /// Normalised coefficients of each ayah, without the breath after it.
  static let coefficients: [[Float]] = words.map { ayah in
    sounds(of: ayah).flatMap { mean(of: $0) }
  }

  /// The frames of each ayah; those of the breath after it are zeros, like nothing that is heard.
  static let frames: [SpectralFrames] = coefficients.map { ayah in
    SpectralFrames(joining: [SpectralFrames(normalized: ayah), SpectralFrames(unknown: breath)])
  }

  /// "Ameen", with its vowels as long as they are drawn at least, and a breath before it.
  static let ameen = SpectralFrames(joining: [
    SpectralFrames(unknown: breath),
    SpectralFrames(
      normalized: sounds(of: "aa aa m ii ii n").flatMap { mean(of: $0) }),
  ])

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
      [1.22, -3.32, -3.10, 1.13, -1.00, 1.70, 0.27, -0.15, 0.61, -0.59, 0.36, -0.50]
    case .frontVowel:
      [-0.78, 2.74, 0.83, -0.54, 0.97, -1.79, -0.46, 0.51, -0.55, 1.09, -0.35, 0.59]
    case .roundVowel:
      [2.67, -0.86, -2.11, 0.62, -0.42, 0.43, 0.68, 0.25, 0.53, 0.02, 0.91, -0.09]
    case .nasal:
      [1.34, 1.17, 2.31, -0.45, 0.55, -1.09, -0.55, 0.28, -0.73, -0.28, -0.81, 0.05]
    case .lateral:
      [-1.32, -0.03, 0.82, 0.21, -2.04, 0.05, 0.98, -1.33, 0.39, 0.31, 0.19, -0.13]
    case .trill:
      [2.17, -2.29, -1.80, 0.24, -0.90, 0.80, 1.23, -0.37, 1.06, 0.20, 0.63, -0.01]
    case .voicedStop:
      [1.09, -0.37, 1.27, 0.76, -0.15, 0.85, 0.54, -0.05, 0.35, -0.25, 0.35, -0.17]
    case .voicelessStop:
      [-3.45, -0.43, 1.05, -0.84, 0.33, 0.57, 0.23, -0.73, 0.60, 0.23, 0.38, 0.45]
    case .sibilant:
      [-2.89, -0.13, 0.48, 0.69, -0.62, 0.45, -0.39, -0.03, 0.57, -0.25, 0.93, 0.42]
    case .aspirate:
      [-3.96, -0.24, 1.58, -1.08, 1.18, 0.53, 0.11, -0.34, 0.47, -0.07, 0.65, 0.23]
    case .pharyngeal:
      [-1.13, -6.87, -0.46, 0.69, -1.15, 2.52, 0.55, 1.27, -0.59, -1.12, 0.55, -0.24]
    case .velar:
      [2.11, -0.82, -2.51, -0.48, -0.65, 0.44, 0.46, -0.33, 0.21, -1.57, -0.56, -1.33]
    }
  }
}

extension AlignmentRequest {
  /// Whether it is al-Fatiha alone that is recited, as far as was told: then its sounds help.
  ///
  /// - Parameter seconds: of the recording.
  public func isOfFatiha(withinSeconds seconds: Double) -> Bool {
    guard first.surah.number == 1, prayer == .none else { return false }
    return last.map { $0.surah.number == 1 } ?? (seconds < Self.longestFatiha)
  }

  /// Where no end was told, a longer recording holds more than al-Fatiha.
  private static let longestFatiha = 180.0

  /// A recording of al-Fatiha compared with its sounds; nil for any other.
  func fatiha(_ recording: Cepstra) -> ReferenceComparison? {
    guard isOfFatiha(withinSeconds: recording.seconds) else { return nil }
    let ayat = zip(first.surah.ayat, FatihaSounds.coefficients).map {
      ($0, Cepstra(coefficients: $1))
    }
    return ReferenceComparison(
      recording: recording,
      reference: ReferenceRecitation(ayat: Dictionary(uniqueKeysWithValues: ayat)))
  }
}
