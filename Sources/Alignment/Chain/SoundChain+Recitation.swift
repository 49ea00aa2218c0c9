// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

extension SoundChain {
  /// The column of silence: the one after the phones.
  static let silence = UInt8(Phone.allCases.count)

  /// What is recited in order: every token can follow the one before, be it joined or after a pause.
  init(
    _ tokens: [RecitedToken], in riwayah: Riwayah = .hafs, prices: ChainPrices = ChainPrices()
  ) {
    self.init()
    for (index, token) in tokens.enumerated() { append(token.words(in: riwayah), index, prices) }
  }

  /// Appends the words of a token.
  mutating func append(_ words: [SpokenWord], _ index: Int, _ prices: ChainPrices) {
    for (place, word) in words.enumerated() {
      let isFirst = place == 0
      let isLast = place == words.count - 1
      let sounds = word.sounds(before: isFirst ? .stop : .join, after: isLast ? .stop : .join)
      var states: [UInt8] = []
      var skips: [Int32] = []
      // Of a beginning that is joined to what is before it, such as that of the article, nothing is heard.
      let dropped = isFirst ? sounds.count - sounds.commonSuffix(with: word.sounds()) : 0
      for (number, sound) in sounds.enumerated() {
        let count = prices.states(of: sound.length)
        states += repeatElement(sound.phone.rawValue, count: count)
        skips += [number < dropped ? prices.droppedSound : prices.skippedSound]
        skips += repeatElement(prices.shortened, count: count - 1)
        if sound.length == .leen, let drawn = sound.phone.drawnOut {
          states.append(drawn.rawValue)
          skips.append(0)
        }
      }
      let ending = isLast ? word.joinedEnding(before: isFirst ? .stop : .join) : []
      append(
        states, skips: skips, ending: ending.map(\.phone.rawValue), silence: Self.silence,
        stop: isLast ? prices.joinedAyat : prices.joinedWords, token: index, index: place,
        isLastOfToken: isLast,
        mergedStates: word.beginsWithMergedSound(isFirst: isFirst)
          ? sounds.first.map { prices.states(of: $0.length) } ?? 0 : 0)
    }
  }

  /// The first states of tokens, by token.
  var firstWords: [Int: Word] {
    Dictionary(words.lazy.filter { $0.index == 0 }.map { ($0.token, $0) }) { first, _ in first }
  }
}

/// What is dear in a chain of sounds, in units of scores. Chosen by hand: those of sounds and pauses by
/// `Scripts/measure-accuracy.py`, those of jumps by `Scripts/plant-structures.py`, those of a prayer by
/// `Scripts/plant-prayers.py`.
struct ChainPrices: Sendable {
  private static func nats(_ nats: Double) -> Int32 {
    Int32(nats * Double(AcousticScores.unitsPerNat))
  }

  /// A sound that is not heard: a vowel dropped before a stop, a consonant that another hides.
  var skippedSound = nats(3)
  /// One that is said only where nothing is joined to it.
  var droppedSound = nats(0.5)
  /// A long sound that is shorter than its length class.
  var shortened = nats(1)
  /// Going on without a pause from word to word: less than nothing, for pauses are rare there.
  var joinedWords = nats(-2)
  /// Going on without a pause from ayah to ayah.
  var joinedAyat = nats(1.5)
  /// Beginning anew at a word that was said before, or going on beyond ayat that are left out.
  var jump = nats(50)

  /// Going on after al-Fatiha with another ayah than the next.
  var otherPortion = nats(50)
  /// Going on to bow after al-Fatiha alone.
  var bowAfterFatiha = nats(10)
  /// A frame of speech that is none of the text, between the standings of a prayer. Recitation that fits its
  /// text costs half as much, what does not fit costs as much or more.
  var otherSpeech = nats(1.1)
  /// The same within a pause.
  static let pauseWithSound = nats(2)
  /// A frame of a pause within an ayah. Without it two calls and the silence between them may pass for a basmalah.
  static let pauseWithinToken = nats(0.05)
  /// Beginning or ending with another ayah than was told.
  var otherAyah = nats(40)
  /// Beginning or breaking off within an ayah.
  var cut = nats(10)

  /// Whether long sounds take longer than short ones.
  var countsLengths = true

  /// What beginning or breaking off within an ayah costs of which so many words are said. A word or two would often pass
  /// for the ayah before or after the ones that are recited.
  func cut(words: Int) -> Int32 {
    cut + otherAyah * Int32(max(0, Self.fewWords - words)) / Int32(Self.fewWords)
  }

  /// As many words tell an ayah, judged by `Scripts/tell-wrong-hints.py`.
  private static let fewWords = 3

  /// How many frames of 40 ms a sound of a length class takes at least.
  func states(of length: PhoneLength) -> Int {
    guard countsLengths else { return 1 }
    return switch length {
    case .single, .doubled: 1
    case .nasalised, .natural, .arid, .leen: 2
    case .munfasil, .muttasil: 3
    case .lazim: 4
    }
  }
}

extension SpokenWord {
  /// Whether its first sound is held only where the word is joined to the one before (idgham): the nun or mim that
  /// the one before ends with is heard in it.
  ///
  /// - Parameter isFirst: of its ayah; within one, idgham without ghunnah is too short to count.
  fileprivate func beginsWithMergedSound(isFirst: Bool) -> Bool {
    guard let joined = sounds(before: .join, after: .join).first,
      let begun = sounds(before: .stop, after: .join).first
    else { return false }
    guard isFirst else { return joined.length == .nasalised && begun.length != .nasalised }
    // The chain has the sounds of an ayah that is begun: what else it begins with then has states of its own.
    return joined.phone == begun.phone && joined.length != begun.length
      && (joined.length == .nasalised || joined.length == .doubled)
  }

  /// What the word ends with where it is joined to the next, and not where one stops at it: a vowel, or the
  /// "n" of a tanwin.
  fileprivate func joinedEnding(before: Junction) -> ArraySlice<SpeechSound> {
    let stopped = sounds(before: before, after: .stop)
    let joined = sounds(before: before, after: .join)
    let common = zip(stopped, joined).prefix { $0.phone == $1.phone }.count
    return joined.dropFirst(common).suffix(SoundChain.longestEnding)
  }
}

extension Phone {
  /// What a soft letter (leen) before a stop sounds like where it is drawn out for seconds; nil for other letters.
  fileprivate var drawnOut: Phone? {
    switch self {
    case .waw: .longU
    case .ya: .longI
    default: nil
    }
  }
}

extension [SpeechSound] {
  fileprivate func commonSuffix(with other: [SpeechSound]) -> Int {
    zip(reversed(), other.reversed()).prefix { $0.phone == $1.phone }.count
  }
}
