// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Quran

struct QuranSoundsTests {
  private func ayah(_ text: String) throws -> AyahReference { try #require(AyahReference(text)) }

  private func text(_ sounds: [SpeechSound]) -> String {
    sounds.map(\.description).joined(separator: " ")
  }

  private func said(
    _ reference: String, in riwayah: Riwayah = .hafs, before: Junction = .stop,
    after: Junction = .stop
  ) throws -> String {
    text(QuranSounds.sounds(of: try ayah(reference), in: riwayah, before: before, after: after))
  }

  // MARK: Warsh

  @Test func warshReadsOtherWordsAndOtherSounds() throws {
    // "maliki", without a long vowel.
    #expect(try said("1:4", in: .warsh).hasPrefix("m a l i k i j a w m i"))
    #expect(try said("1:4").hasPrefix("m a: l i k i"))
    // Naql: the hamzah of "aflaha" gives its vowel to the dal before it.
    #expect(try said("23:1", in: .warsh).hasPrefix("q aˤ d a f l a ħ a l m u: m i n"))
    // Ibdal: the quiescent hamzah of "yu'minuna" is a long vowel.
    #expect(try said("2:3", in: .warsh).contains("j u: m i n u: n a"))
    // Two words of Hafs that are written as one, and one that Warsh leaves out, have sounds of their own.
    for (reference, word, sounds) in [
      ("15:7", 0, "l/doubled a w"), ("27:20", 3, "m a:"), ("40:26", 12, "w a"),
      ("57:24", 9, "h u w a"),
    ] {
      let words = QuranSounds.words(of: try ayah(reference), in: .warsh)
      #expect(text(words[word].sounds()).hasPrefix(sounds), "\(reference)")
    }
    #expect(QuranSounds.words(of: .first, in: .warsh) == QuranSounds.words(of: .first))
  }

  @Test func readingsWithoutATableAreGivenTheSoundsOfHafs() throws {
    for riwayah in Riwayah.allCases where !QuranSounds.riwayat.contains(riwayah) {
      #expect(try said("1:4", in: riwayah) == said("1:4"))
    }
  }

  // MARK: The whole table

  /// What `checksum` of the script computes.
  @Test func theWholeTableIsWhatTheScriptPacked() {
    var texts = AyahRange.wholeQuran.map { QuranSounds.words(of: $0) }
    for formula in SpokenFormula.allCases where formula != .basmalah {
      texts += QuranSounds.wordings(of: formula)
    }
    #expect(checksum(texts) == PhoneTable.checksum)
    let warsh = AyahRange.wholeQuran.map { QuranSounds.words(of: $0, in: .warsh) }
    #expect(checksum(warsh) == PhoneTable.warshChecksum)
    #expect(warsh.map(\.count) == texts.prefix(warsh.count).map(\.count))
    #expect(warsh.allSatisfy { $0.allSatisfy { !$0.sounds().isEmpty } })
  }

  private func checksum(_ texts: [[SpokenWord]]) -> UInt64 {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var sounds: [SpeechSound] = []
    for words in texts {
      for word in words {
        for (before, after) in [
          (Junction.join, Junction.join), (.stop, .join), (.join, .stop), (.stop, .stop),
        ] {
          sounds.removeAll(keepingCapacity: true)
          word.append(to: &sounds, before: before, after: after)
          for sound in sounds {
            add(sound.phone.rawValue)
            add(sound.length.rawValue)
          }
          add(0xff)
        }
        add(word.precedesSakt ? 1 : 0)
      }
      add(0xfe)
    }
    return value
  }

  @Test func totalsAreKnown() {
    #expect(QuranSounds.wordCount == 77_433)
    #expect(WordTable.shared.words.count == 23_968)
    let sounds = AyahRange.wholeQuran.reduce(0) { $0 + QuranSounds.sounds(of: $1).count }
    #expect(sounds == 474_917)
  }

  @Test func eachAyahHasTheWordsOfTheText() {
    for ayah in AyahRange.wholeQuran {
      #expect(QuranSounds.wordCount(of: ayah) == ayah.length.words, "\(ayah)")
    }
  }

  @Test func aSaktIsHeldInFivePlaces() {
    var places: [String] = []
    for ayah in AyahRange.wholeQuran {
      for (place, word) in QuranSounds.words(of: ayah).enumerated() where word.precedesSakt {
        places.append("\(ayah):\(place + 1)")
      }
    }
    #expect(places == ["18:1:11", "36:52:6", "69:28:4", "75:27:2", "83:14:2"])
  }

  @Test func everyPhoneAndLengthIsInUse() {
    var phones: Set<Phone> = []
    var lengths: Set<PhoneLength> = []
    for ayah in AyahRange.wholeQuran {
      for sound in QuranSounds.sounds(of: ayah) {
        phones.insert(sound.phone)
        lengths.insert(sound.length)
      }
    }
    #expect(phones == Set(Phone.allCases))
    #expect(lengths == Set(PhoneLength.allCases))
  }

  @Test func symbolsAreDistinctAndOnePerPhone() {
    #expect(Set(Phone.allCases.map(\.symbol)).count == 38)
    #expect(SpeechSound(.ayn).description == "ʕ")
    #expect(SpeechSound(.heavyLongA, .lazim).description == "aˤ:/lazim")
  }

  // MARK: Hard places

  @Test func openingLettersAreSaidByName() throws {
    #expect(try said("2:1") == "ʔ a l i f l a:/lazim m/nasalised i:/lazim m")
    #expect(try said("36:1") == "j a: s i:/lazim n")
    #expect(
      try said("19:1") == "k a:/lazim f h a: j a: ʕ a j/lazim ŋ sˤ aˤ:/lazim d Q")
    // Joined to "Allahu" the last mim has a fathah, and its vowel is not drawn out.
    #expect(try said("3:1", after: .join) == "ʔ a l i f l a:/lazim m/nasalised i: m a")
  }

  @Test func asManyOpeningLettersAreDrawnOutAsAreKnown() throws {
    let opened = AyahRange.wholeQuran.filter { $0.drawnOpeningLetters > 0 }
    #expect(opened.count == 29)
    for ayah in opened {
      let letters = try #require(QuranSounds.words(of: ayah).first)
      let drawn = letters.sounds(before: .stop, after: .stop).count { $0.length == .lazim }
      #expect(drawn == ayah.drawnOpeningLetters, "\(ayah)")
    }
  }

  @Test func atTawbahIsJoinedToAlAnfalWithoutABasmalah() throws {
    #expect(try said("8:75").hasSuffix("ʕ a l i:/arid m"))
    #expect(try said("8:75", after: .join).hasSuffix("ʕ a l i: m u ŋ"))
    #expect(
      try said("9:1", before: .join).hasPrefix("b a r aˤ:/muttasil ʔ a t u m/nasalised i n a"))
  }

  @Test func nunOfTamannaIsNasalised() throws {
    #expect(try said("12:11").contains("t a ʔ m a n/nasalised a: ʕ a l a:"))
    #expect(try said("12:11").hasPrefix("q aˤ: l u: j a:/munfasil ʔ a b a: n a: m a:"))
  }

  @Test func anAyahThatComesAgainSoundsTheSame() throws {
    let refrain = "f a b i ʔ a j/doubled i ʔ a: l a:/muttasil ʔ i r aˤ b/doubled i k u m a: "
    #expect(try said("55:13") == refrain + "t u k a ð/doubled i b a:/arid n")
    #expect(
      QuranSounds.words(of: try ayah("55:13")) == QuranSounds.words(of: try ayah("55:77")))
  }

  @Test func saktKeepsTheNunOfManRaq() throws {
    #expect(try said("75:27") == "w a q i: l a m a n r aˤ:/arid q Q")
    let words = QuranSounds.words(of: try ayah("75:27"))
    #expect(words.map(\.precedesSakt) == [false, true, false])
  }

  @Test func alIkhlasIsStoppedAtAndJoined() throws {
    #expect(try said("112:1") == "q u l h u w a l/doubled aˤ: h u ʔ a ħ a d Q")
    #expect(try said("112:2") == "ʔ a l/doubled aˤ: h u sˤ/doubled aˤ m a d Q")
    #expect(try said("112:3") == "l a m j a l i d Q w a l a m j u: l a d Q")
    #expect(
      try said("112:4") == "w a l a m j a k u l/doubled a h u: k u f u w a n ʔ a ħ a d Q")
    // "Ahaduni 'llahu": the tanween has a kasrah, and the lam of Allah is light after it.
    #expect(try said("112:1", after: .join).hasSuffix("ʔ a ħ a d u n i"))
    #expect(try said("112:2", before: .join).hasPrefix("l/doubled a: h u sˤ/doubled"))
    // Before the basmalah the tanween becomes a hidden mim.
    #expect(try said("112:4", after: .join).hasSuffix("ʔ a ħ a d u ŋ"))
  }

  // MARK: Words

  @Test func aWordIsBegunAndStoppedAt() throws {
    // "ar-rahmani": the article's hamzah, and the vowel before the stop.
    let word = QuranSounds.words(of: .first)[2]
    #expect(text(word.sounds()) == "r/doubled aˤ ħ m a: n i")
    #expect(text(word.sounds(before: .stop)) == "ʔ a r/doubled aˤ ħ m a: n i")
    #expect(text(word.sounds(after: .stop)) == "r/doubled aˤ ħ m a:/arid n")
    #expect(word.changesWhenBegun && word.changesWhenStopped)
  }

  @Test func munfasilIsOnlyDrawnOutWhenJoined() throws {
    // 2:4 "bima", before "unzila".
    let word = QuranSounds.words(of: try ayah("2:4"))[2]
    #expect(text(word.sounds()) == "b i m a:/munfasil")
    #expect(text(word.sounds(after: .stop)) == "b i m a:")
    #expect(word.changesWhenStopped && !word.changesWhenBegun)
  }

  @Test func leenIsDrawnOutBeforeAStop() throws {
    #expect(try said("106:1").hasSuffix("q u r aˤ j/leen ʃ"))
    #expect(try said("106:1", after: .join).hasSuffix("q u r aˤ j ʃ i n"))
  }

  @Test func soundsOfWordsAreThoseOfTheirAyah() throws {
    for reference in ["1:7", "2:282", "114:6"] {
      let ayah = try ayah(reference)
      for before in [Junction.join, .stop] {
        for after in [Junction.join, .stop] {
          #expect(
            QuranSounds.sounds(of: QuranSounds.words(of: ayah), before: before, after: after)
              == QuranSounds.sounds(of: ayah, before: before, after: after))
        }
      }
    }
    #expect(QuranSounds.sounds(of: [SpokenWord]()).isEmpty)
  }

  // MARK: Formulas

  @Test func formulasAreSaidAsWordsOfTheQuranAre() throws {
    #expect(QuranSounds.wordings(of: .basmalah) == [QuranSounds.words(of: .first)])
    func first(_ formula: SpokenFormula) throws -> String {
      let words = try #require(QuranSounds.wordings(of: formula).first)
      return text(QuranSounds.sounds(of: words))
    }
    #expect(
      try first(.istiadhah)
        == "ʔ a ʕ u: ð u b i l/doubled a: h i m i n a ʃ/doubled a j tˤ aˤ: n i r/doubled aˤ ʒ i:/arid m"
    )
    #expect(try first(.takbir) == "ʔ a l/doubled aˤ: h u ʔ a k b a r")
    #expect(try first(.tasmee) == "s a m i ʕ a l/doubled aˤ: h u l i m a n ħ a m i d a h")
    #expect(try first(.tahmeed) == "r aˤ b/doubled a n a: w a l a k a l ħ a m d Q")
    #expect(try first(.ameen) == "ʔ a: m i:/arid n")
    #expect(
      try first(.salam)
        == "ʔ a s/doubled a l a: m u ʕ a l a j k u m w a r aˤ ħ m a t u l/doubled aˤ:/arid h")
    #expect(
      SpokenFormula.allCases.map { QuranSounds.wordings(of: $0).count } == [2, 1, 1, 1, 4, 1, 3])
  }

  /// "Allahu" and "rabbana" of the formulas are the words of the Quran.
  @Test func wordsOfFormulasAreFoundInTheQuran() throws {
    let takbir = try #require(QuranSounds.wordings(of: .takbir).first)
    #expect(takbir.first == QuranSounds.words(of: try ayah("2:255")).first)
  }
}
