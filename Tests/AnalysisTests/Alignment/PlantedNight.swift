// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport

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
    var hasQunut = false
    /// Whether the qunut comes before the bow.
    var isQunutEarly = false
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
        night.silence(5)
        for (ayah, units) in fatiha.enumerated() {
          night.recite("1:\(ayah + 1)", units: units)
        }
        if unusual.hasAmeen { night.recite("unused: ameen", units: 13) }
        if unusual.hasSilence { night.silence(2.2) }
      }
      night.recite(try AyahRange(parsing: portion))
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
}
