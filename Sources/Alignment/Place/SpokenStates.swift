// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

/// Words as states, each of which holds one sound, with a state of silence after every word.
struct SpokenStates {
  /// For each state its column of the scores.
  private(set) var sounds: [UInt8] = []
  /// For each state what passing over it costs, in units of scores.
  private(set) var skips: [Int32] = []
  private var spoken: [SpeechSound] = []

  var count: Int { sounds.count }

  mutating func appendSilence(skip: Int32) {
    sounds.append(SoundChain.silence)
    skips.append(skip)
  }

  /// Appends what is said without a stop.
  ///
  /// - Parameter body: told the number of each word and the states of its sounds.
  mutating func append(
    _ words: [SpokenWord], _ prices: ChainPrices, body: (Int, Range<Int>) -> Void = { _, _ in }
  ) {
    for (number, word) in words.enumerated() {
      let isLast = number == words.count - 1
      spoken.removeAll(keepingCapacity: true)
      word.append(
        to: &spoken, before: number == 0 ? .stop : .join, after: isLast ? .stop : .join)
      let first = count
      for sound in spoken {
        let states = prices.states(of: sound.length)
        sounds += repeatElement(sound.phone.rawValue, count: states)
        skips.append(prices.skippedSound)
        skips += repeatElement(prices.shortened, count: states - 1)
      }
      body(number, first..<count)
      appendSilence(skip: isLast ? prices.joinedAyat : prices.joinedWords)
    }
  }
}

/// What is dear in looking for a place, in units of scores.
struct PlacePrices: Sendable {
  var chain = ChainPrices()
  /// A frame in a pause that sounds like speech, besides what its likeliest sound scores.
  var otherSound = Self.nats(2)
  /// A frame before or after all that is found in the text.
  var unheard: Int32 { chain.otherSpeech }
  /// Beginning with what is none of the text, besides.
  var unheardLeadIn = Self.nats(10)
  /// Beginning within an ayah.
  var within = Self.nats(3)
  /// A basmalah before an ayah that is not the first of its surah.
  var basmalahWithin = Self.nats(5)
  /// Going on from surah to surah without the basmalah.
  var withoutBasmalah = Self.nats(3)

  private static func nats(_ nats: Double) -> Int32 {
    Int32(nats * Double(AcousticScores.unitsPerNat))
  }
}
