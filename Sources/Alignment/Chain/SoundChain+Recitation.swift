// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

extension SoundChain {
  /// The column of silence: the one after the phones.
  static let silence = UInt8(Phone.allCases.count)

  /// What is recited in order: every token can follow the one before, be it joined or after a pause.
  init(_ tokens: [RecitedToken], prices: ChainPrices = ChainPrices()) {
    self.init()
    for (index, token) in tokens.enumerated() { append(token, index, prices) }
  }

  mutating func append(_ token: RecitedToken, _ index: Int, _ prices: ChainPrices) {
    let words = token.words
    for (place, word) in words.enumerated() {
      let isLast = place == words.count - 1
      var states: [UInt8] = []
      var skips: [Int32] = []
      for sound in word.sounds(before: place == 0 ? .stop : .join, after: isLast ? .stop : .join) {
        let count = ChainPrices.states(of: sound.length)
        states += repeatElement(sound.phone.rawValue, count: count)
        skips += [prices.skippedSound] + repeatElement(prices.shortened, count: count - 1)
      }
      append(
        states, skips: skips, silence: Self.silence,
        stop: isLast ? prices.joinedAyat : prices.joinedWords, token: index, index: place,
        isLastOfToken: isLast)
    }
  }

  /// The first states of tokens, by token.
  var firstWords: [Int: Word] {
    Dictionary(words.lazy.filter { $0.index == 0 }.map { ($0.token, $0) }) { first, _ in first }
  }
}

/// What is dear in a chain of sounds, in units of scores.
struct ChainPrices: Sendable {
  private static func nats(_ nats: Double) -> Int32 {
    Int32(nats * Double(AcousticScores.unitsPerNat))
  }

  /// A sound that is not heard: a vowel dropped before a stop, a consonant that another hides.
  var skippedSound = nats(3)
  /// A long sound that is shorter than its length class.
  var shortened = nats(1)
  /// Going on without a pause from word to word: less than nothing, for pauses are rare there.
  var joinedWords = nats(-2)
  /// Going on without a pause from ayah to ayah.
  var joinedAyat = nats(1.5)
  /// Beginning anew at a word that was said before, or going on beyond ayat that are left out.
  var jump = nats(50)

  /// Beginning or ending with another ayah than was told.
  var otherAyah = nats(40)

  /// How many frames of 40 ms a sound of a length class takes at least.
  static func states(of length: PhoneLength) -> Int {
    switch length {
    case .single, .doubled: 1
    case .nasalised, .natural, .arid, .leen: 2
    case .munfasil, .muttasil: 3
    case .lazim: 4
    }
  }
}
