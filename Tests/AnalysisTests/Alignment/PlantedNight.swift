// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TestSupport

@testable import Analysis

/// A night of prayer, with all that is said between.
enum PlantedNight {
  /// Units of al-Fatiha as one may recite it: the last ayah is drawn out.
  static let fatiha = [28, 30, 18, 24, 32, 22, 92]

  /// What makes a night unlike others.
  struct Unusual {
    var hasAmeen = true
    var hasSilence = true
    /// The number of the portion after which nothing is said before the next, as after a prostration.
    var prostration: Int?
    /// The number of the portion before which somebody speaks.
    var talk: Int?
    /// Seconds between the takbir and al-Fatiha.
    var wait = 5.0
    var hasQunut = false
    /// Whether the qunut comes before the bow.
    var isQunutEarly = false
    /// Of the portions' ayat; see ``PlantedRecitation``.
    var spread = 0.08
    var joined = 0.0
  }

  /// A night, with all that is said between.
  static func planted(
    _ portions: [String], _ unusual: Unusual = Unusual(), seed: UInt64 = 21
  ) throws -> PlantedRecitation {
    var night = PlantedRecitation(random: SplitMix64(state: seed))
    var isGoingOn = false
    for (number, portion) in portions.enumerated() {
      if unusual.talk == number {
        for sentence in 0..<12 { night.recite("talk \(sentence)", units: 40) }
        night.silence(8)
      }
      if !isGoingOn {
        night.recite("unused: takbir", units: 16)
        night.silence(unusual.wait)
        for (ayah, units) in fatiha.enumerated() {
          night.recite("1:\(ayah + 1)", units: units)
        }
        if unusual.hasAmeen { night.recite("unused: ameen", units: 13) }
        if unusual.hasSilence { night.silence(2.2) }
      }
      night.spread = unusual.spread
      night.joined = unusual.joined
      night.recite(try AyahRange(parsing: portion))
      night.spread = Unusual().spread
      night.joined = 0
      isGoingOn = unusual.prostration == number
      if unusual.isQunutEarly, number == portions.count - 1 {
        night.silence(1.5)
        for sentence in 0..<12 { night.recite("qunut \(sentence)", units: 40) }
      }
      night.recite("unused: takbir", units: 16)
      night.silence(7)
      if isGoingOn {
        night.recite("unused: takbir", units: 16)
        night.silence(2)
        continue
      }
      night.recite("unused: tasmee", units: 22)
      if unusual.hasQunut, number == portions.count - 1 {
        night.silence(1.5)
        for sentence in 0..<12 { night.recite("qunut \(sentence)", units: 40) }
      }
      night.silence(3)
      for _ in 0..<3 {
        night.recite("unused: takbir", units: 16)
        night.silence(6.5)
      }
      if number % 2 == 1 {
        night.silence(18)
        night.recite("unused: salam", units: 34)
        night.silence(1.4)
        night.recite("unused: salam", units: 34)
        night.silence(15)
      }
    }
    return night
  }

  /// Another recitation of al-Fatiha and of ayat; after the last of al-Fatiha the file goes on in silence.
  static func reference(_ ayat: AyahRange) -> ReferenceRecitation {
    var recitation = PlantedRecitation(random: SplitMix64(state: 90))
    recitation.pace = 0.09
    for (ayah, units) in fatiha.enumerated() { recitation.recite("1:\(ayah + 1)", units: units) }
    recitation.recite(ayat)
    let sound = recitation.sound()
    let ends = recitation.starts.map(\.seconds).dropFirst() + [recitation.seconds]
    var reference: [AyahReference: Cepstra] = [:]
    for (part, end) in zip(recitation.starts, ends) {
      guard let ayah = try? AyahRange(parsing: part.label).first else { continue }
      let rate = PlantedRecitation.rate
      reference[ayah] = sound.part(
        FramePosition(seconds: part.seconds, at: rate)..<FramePosition(seconds: end, at: rate),
        rate: rate)
    }
    if let last = AyahReference(surah: 1, ayah: 7), let words = reference[last] {
      let silence = [Float](repeating: 0, count: 4 * Cepstra.framesPerSecond * Cepstra.width)
      reference[last] = Cepstra(coefficients: words.coefficients + silence)
    }
    return ReferenceRecitation(ayat: reference)
  }
}
