// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Quran
import Testing

@testable import Alignment

@Suite struct PassageTests {
  private func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
    try AyahReference(checking: surah, ayah: ayah)
  }

  private struct Passage {
    var tokens: [RecitedToken]
    var heard: [HeardToken]
  }

  private func grammar(
    from first: AyahReference, to last: AyahReference? = nil
  ) throws -> RecitationGrammar {
    try #require(
      RecitationGrammar.passage(
        first: first, last: last, furthest: last ?? first.advanced(by: 8) ?? .last))
  }

  private func align(
    _ speech: Speech, from first: AyahReference, to last: AyahReference? = nil
  ) throws -> Passage {
    let grammar = try grammar(from: first, to: last)
    let path = try #require(grammar.path(speech.scores))
    return Passage(tokens: grammar.tokens, heard: grammar.chain.heard(along: path))
  }

  /// What was heard of ayat, in order, with the frames from their first sounds to their last.
  private func ayat(
    _ passage: Passage
  ) -> [(ayah: AyahReference, frames: Range<Int>)] {
    passage.heard.compactMap { heard in
      passage.tokens[heard.token].ayah.map { ($0, heard.frames) }
    }
  }

  private func expect(
    _ found: [(ayah: AyahReference, frames: Range<Int>)], equal speech: Speech,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found.map(\.ayah) == speech.ayat.map(\.ayah), sourceLocation: location)
    #expect(found.map(\.frames) == speech.ayat.map(\.frames), sourceLocation: location)
  }

  @Test func aSoftLetterThatIsDrawnOutBeforeAStopIsHeardAsALongVowelToo() throws {
    let chain = SoundChain([.ayah(try ayah(106, 1))])
    let ya = try #require(chain.sounds.lastIndex(of: Phone.ya.rawValue))
    #expect(chain.sounds[ya...].prefix(3) == [Phone.ya, .longI, .shin].map(\.rawValue)[...])
    // Nobody has to draw it out.
    #expect(chain.skips[ya + 1] == 0)
    var speech = Speech()
    speech.say(try ayah(106, 1))
    speech.draw(.ya, for: 80, takenFor: .longI)
    expect(try ayat(align(speech, from: ayah(106, 1))), equal: speech)
  }

  @Test func findsAyatPartedByPausesToTheFrame() throws {
    var speech = Speech()
    speech.pause(10)
    for number in 1...4 {
      speech.say(try ayah(112, number))
      speech.pause(12)
    }
    expect(ayat(try align(speech, from: ayah(112, 1), to: ayah(112, 4))), equal: speech)
  }

  @Test func findsAyatThatAreJoined() throws {
    var speech = Speech()
    for number in 1...4 { speech.say(try ayah(112, number)) }
    let found = ayat(try align(speech, from: ayah(112, 1), to: ayah(112, 4)))
    #expect(found.map(\.ayah) == speech.ayat.map(\.ayah))
    // What begins with a vowel that is dropped where it is joined takes a frame to begin.
    #expect(
      zip(found, speech.ayat).allSatisfy {
        abs($0.frames.lowerBound - $1.frames.lowerBound) <= 1
      })
  }

  @Test func aHeldNasalBelongsToTheWordThatEndsInIt() throws {
    // "kitabun marqum": the nun is heard as the mim that follows, held.
    let marqum = try ayah(83, 9)
    let words = QuranSounds.words(of: marqum)
    var speech = Speech()
    speech.pause(10)
    speech.say(marqum)
    speech.pause(10)
    let first = words[0].sounds(before: .stop, after: .join).count * speech.framesPerSound
    let nasal = try #require(words[1].sounds(before: .join, after: .stop).first)
    #expect(nasal.length == .nasalised)
    let heard = try #require(try align(speech, from: marqum, to: marqum).heard.first)
    #expect(heard.words.map(\.frames.lowerBound) == [10, 10 + first + speech.framesPerSound])
    // After a stop there is nothing to merge.
    var stopped = Speech()
    stopped.pause(10)
    stopped.say([words[0]])
    let end = stopped.sounds.count
    stopped.pause(10)
    stopped.say([words[1]])
    stopped.pause(10)
    let parted = try #require(try align(stopped, from: marqum, to: marqum).heard.first)
    #expect(parted.words.map(\.frames.lowerBound) == [10, end + 10])
  }

  @Test func findsTheEndWhenNobodyKnowsIt() throws {
    var speech = Speech()
    for number in 1...3 {
      speech.say(try ayah(113, number))
      speech.pause(9)
    }
    expect(ayat(try align(speech, from: ayah(113, 1))), equal: speech)
  }

  @Test func hearsIstiadhahAndBasmalahBeforeTheFirstAyah() throws {
    var speech = Speech()
    speech.say(try #require(QuranSounds.wordings(of: .istiadhah).first))
    speech.pause(10)
    speech.say(QuranSounds.words(of: .first))
    speech.pause(10)
    speech.say(try ayah(114, 1))
    speech.pause(10)
    speech.say(try ayah(114, 2))
    let passage = try align(speech, from: ayah(114, 1), to: ayah(114, 2))
    let opening = passage.heard.prefix(2).map { passage.tokens[$0.token] }
    #expect(opening == [.formula(.istiadhah), .basmalah(try Surah(checking: 114))])
    expect(ayat(passage), equal: speech)
  }

  @Test(arguments: [true, false])
  func aBasmalahBetweenSurahsMayBeSaidOrNot(isSaid: Bool) throws {
    var speech = Speech()
    speech.say(try ayah(112, 4))
    speech.pause(10)
    if isSaid {
      speech.say(QuranSounds.words(of: .first))
      speech.pause(10)
    }
    speech.say(try ayah(113, 1))
    let passage = try align(speech, from: ayah(112, 4), to: ayah(113, 1))
    let basmalah = RecitedToken.basmalah(try Surah(checking: 113))
    #expect(passage.heard.map { passage.tokens[$0.token] }.contains(basmalah) == isSaid)
    expect(ayat(passage), equal: speech)
  }

  /// Its first word is hardly heard, but nothing says that it was left out.
  @Test func whatIsSaidAgainIsHeardFromItsBeginning() throws {
    var speech = Speech()
    for _ in 0..<2 {
      for number in 1...4 {
        speech.say(try ayah(112, number))
        if number == 1 { speech.beginSoftly(8) }
        speech.pause(12)
      }
    }
    let passage = try align(speech, from: ayah(112, 1), to: ayah(112, 4))
    #expect(ayat(passage).map(\.ayah) == speech.ayat.map(\.ayah))
    #expect(passage.heard.map(\.words.count) == [4, 2, 4, 5, 4, 2, 4, 5])
  }

  @Test func hearsAnAyahThatIsSaidAgain() throws {
    var speech = Speech()
    for number in [1, 2, 3, 2, 3, 4] {
      speech.say(try ayah(67, number))
      speech.pause(12)
    }
    expect(ayat(try align(speech, from: ayah(67, 1), to: ayah(67, 4))), equal: speech)
  }

  @Test func aReciterWhoGoesBackSomeWordsIsStillAtTheSameAyah() throws {
    var speech = Speech()
    speech.say(try ayah(67, 1))
    speech.pause(12)
    let second = try ayah(67, 2)
    let count = QuranSounds.wordCount(of: second)
    let start = speech.sounds.count
    speech.say(second, words: 0..<6)
    speech.pause(12)
    speech.say(second, words: 3..<count)
    let end = speech.sounds.count
    let found = ayat(try align(speech, from: ayah(67, 1), to: second))
    #expect(found.map(\.ayah) == [try ayah(67, 1), second])
    #expect(found.last?.frames == start..<end)
  }

  @Test func hearsThatAnAyahIsLeftOut() throws {
    var speech = Speech()
    for number in [1, 2, 4, 5] {
      speech.say(try ayah(67, number))
      speech.pause(12)
    }
    expect(ayat(try align(speech, from: ayah(67, 1), to: ayah(67, 5))), equal: speech)
  }

  @Test(arguments: [2, 3, 4, 9])
  func findsTheTrueStartNearOneThatWasToldWrongly(told: Int) throws {
    var speech = Speech()
    for number in 5...8 {
      speech.say(try ayah(78, number))
      speech.pause(8)
    }
    expect(ayat(try align(speech, from: ayah(78, told), to: ayah(78, 8))), equal: speech)
  }

  @Test(arguments: [2, 3, 5])
  func findsThatItBeginsWithinAnAyahBeforeTheOneThatWasTold(told: Int) throws {
    let second = try ayah(67, 2)
    let count = QuranSounds.wordCount(of: second)
    var speech = Speech()
    speech.say(second, words: count / 2..<count)
    speech.pause(12)
    for number in 3...5 {
      speech.say(try ayah(67, number))
      speech.pause(12)
    }
    expect(ayat(try align(speech, from: ayah(67, told), to: ayah(67, 5))), equal: speech)
  }

  @Test(arguments: [(67, 16), (67, 25), (2, 1), (36, 60)])
  func aStartThatWasToldFarAwayIsNamed(surah: Int, told: Int) throws {
    var speech = Speech()
    for number in 1...30 {
      speech.say(try ayah(67, number))
      speech.pause(12)
    }
    let alignment = try speech.aligner().align(AlignmentRequest(first: ayah(surah, told)))
    #expect(alignment.doubt == .beginsWith(try ayah(67, 1), told: try ayah(surah, told)))
    let recited = alignment.segments.compactMap { $0.assignment.recited?.first }
    #expect(recited == speech.ayat.map(\.ayah))
  }

  @Test func findsTheTrueEndNearOneThatWasToldWrongly() throws {
    var speech = Speech()
    for number in 1...5 {
      speech.say(try ayah(78, number))
      speech.pause(8)
    }
    expect(ayat(try align(speech, from: ayah(78, 1), to: ayah(78, 9))), equal: speech)
    expect(ayat(try align(speech, from: ayah(78, 1), to: ayah(78, 3))), equal: speech)
  }

  @Test func whatIsSettledEarlyIsWhatAWholeSearchFinds() throws {
    // More than two minutes after which choices are settled.
    var speech = Speech()
    speech.framesPerSound = 6
    for number in 1...30 {
      speech.say(try ayah(67, number))
      speech.pause(15)
    }
    #expect(speech.sounds.count > 8000)
    expect(ayat(try align(speech, from: ayah(67, 1), to: ayah(67, 30))), equal: speech)
  }

  @Test func hasNoAnswerToNothing() throws {
    let scores = AcousticScores(soundCount: Int(SoundChain.silence) + 1, values: [])
    #expect(try grammar(from: .first).path(scores, isStopped: { false }) == nil)
  }

  @Test func givesUpWhenAskedTo() throws {
    var speech = Speech()
    speech.say(try ayah(1, 1))
    #expect(try grammar(from: .first).path(speech.scores, isStopped: { true }) == nil)
  }
}

@Suite struct BoundaryMarginTests {
  @Test func aClearEdgeBeatsEveryOtherPlaceAndAnUnclearOneDoesNot() throws {
    var speech = Speech()
    let first = try AyahReference(checking: 112, ayah: 1)
    let second = try AyahReference(checking: 112, ayah: 2)
    speech.say(first)
    speech.pause(20)
    speech.say(second)
    let grammar = try #require(
      RecitationGrammar.passage(first: first, last: second, furthest: second))
    let path = try #require(grammar.path(speech.scores))
    let margins = BoundaryMargins(chain: grammar.chain, scores: speech.scores, path: path)
    let heard = try #require(grammar.chain.heard(along: path).last)
    let word = grammar.chain.words[try #require(heard.words.first).word]
    let clear = margins.evidence(
      at: heard.frames.lowerBound, edge: heard.frames.lowerBound, of: word, pause: 0.8)
    #expect(clear.margin > 5)
    #expect(clear.misfit == 0)
    #expect(clear.probability > 0.95)
    // A flat stretch tells nothing.
    var flat = speech.scores.values
    for index in flat.indices { flat[index] = 0 }
    let deaf = BoundaryMargins(
      chain: grammar.chain,
      scores: AcousticScores(soundCount: speech.scores.soundCount, values: flat), path: path)
    let unclear = deaf.evidence(
      at: heard.frames.lowerBound, edge: heard.frames.lowerBound, of: word, pause: 0)
    #expect(unclear.margin < clear.margin)
    #expect(unclear.probability < 0.6)
  }

  @Test func noPlaceIsBetterThanTheOneThatWasChosenBeItAfterAHub() throws {
    var speech = Speech()
    speech.say(.istiadhah)
    speech.pause(8)
    speech.say(QuranSounds.words(of: .first))
    speech.pause(10)
    for number in 1...4 {
      speech.say(try AyahReference(checking: 67, ayah: number))
      // One is joined to the next.
      speech.pause(number == 2 ? 0 : 12)
      if number == 3 { speech.mumble(15) }
    }
    speech.mishear(everyNth: 5)
    let first = try AyahReference(checking: 67, ayah: 1)
    let last = try AyahReference(checking: 67, ayah: 4)
    let grammar = try #require(
      RecitationGrammar.passage(first: first, last: last, furthest: last))
    let path = try #require(grammar.path(speech.scores))
    let margins = BoundaryMargins(chain: grammar.chain, scores: speech.scores, path: path)
    let heard = grammar.chain.heard(along: path)
    #expect(heard.count == 6)
    for heard in heard.dropFirst() {
      let frame = heard.frames.lowerBound
      let word = grammar.chain.words[try #require(heard.words.first).word]
      if heard.token == 2 { #expect(path[frame - 1] < 0, "it does not come from a hub") }
      let marginals = try #require(margins.marginals(around: frame, of: word))
      #expect(marginals.values[frame - marginals.first] == 0)
      #expect(margins.evidence(at: frame, edge: frame, of: word, pause: 0).margin > 1)
    }
  }
}
