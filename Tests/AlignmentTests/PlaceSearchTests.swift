// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran
import Testing

@testable import Alignment

@Suite struct PlaceSearchTests {
  private func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
    try AyahReference(checking: surah, ayah: ayah)
  }

  /// Says ayat one after the other, with pauses after some.
  private func speech(_ range: String, from word: Int = 0) throws -> Speech {
    var speech = Speech()
    for (index, ayah) in try AyahRange(parsing: range).enumerated() {
      speech.say(ayah, words: index == 0 ? word..<QuranSounds.wordCount(of: ayah) : nil)
      if index % 2 == 0 { speech.pause(8) }
    }
    return speech
  }

  private func candidates(
    _ speech: Speech, in range: String = "1-114"
  ) throws -> [PlaceCandidate] {
    let search = PlaceSearch(in: try AyahRange(parsing: range))
    return try #require(search.places(speech.scores, threadCount: 2)).candidates
  }

  @Test(arguments: ["1:1-7", "2:30-31", "18:109-110", "55:33-40", "81:1-14", "114:1-6"])
  func findsWhereAPassageBegins(_ range: String) throws {
    var speech = try speech(range)
    speech.mishear(everyNth: 9)
    let first = try #require(try candidates(speech).first)
    #expect(first.first == (try AyahRange(parsing: range)).first)
    #expect(!first.isWithin)
    #expect(first.probability > 0.5)
  }

  @Test func findsTheWordWhereARecordingBeginsWithinAnAyah() throws {
    let first = try #require(try candidates(speech("2:282", from: 61)).first)
    #expect(first.first == (try ayah(2, 282)))
    #expect(first.word == 61)
    #expect(first.isWithin)
  }

  @Test func istiadhahAndBasmalahAreNotTheStart() throws {
    for (istiadhah, basmalah, range) in [
      (true, true, "67:1-3"), (true, false, "67:1-3"), (false, true, "2:255"),
      (true, true, "3:190"), (true, false, "9:1"), (true, false, "33:35"),
    ] {
      var speech = Speech()
      speech.pause(30)
      if istiadhah {
        speech.say(QuranSounds.wordings(of: .istiadhah)[0])
        speech.pause(12)
      }
      if basmalah {
        speech.say(QuranSounds.words(of: .first))
        speech.pause(12)
      }
      for ayah in try AyahRange(parsing: range) { speech.say(ayah) }
      let first = try #require(try candidates(speech).first)
      #expect(first.first == (try AyahRange(parsing: range)).first)
      #expect(!first.isWithin)
    }
  }

  @Test func theBasmalahOfAlFatihahIsItsFirstAyah() throws {
    let first = try #require(try candidates(speech("1:1-3")).first)
    #expect(first.first == .first)
  }

  @Test func goesOnFromSurahToSurahWithAndWithoutTheBasmalah() throws {
    for isSaid in [true, false] {
      var speech = try speech("112:2-4")
      speech.pause(15)
      if isSaid { speech.say(QuranSounds.words(of: .first)) }
      speech.pause(15)
      for number in 1...3 { speech.say(try ayah(113, number)) }
      let first = try #require(try candidates(speech).first)
      #expect(first.first == (try ayah(112, 2)))
      #expect(first.probability > 0.9)
    }
  }

  @Test func ayatThatAreWordedAlikeAreAllCandidates() throws {
    var speech = Speech()
    speech.say(try ayah(55, 13))
    let candidates = try candidates(speech)
    let refrains = Set(
      try AyahRange(parsing: "55").filter {
        QuranSounds.words(of: $0) == QuranSounds.words(of: try ayah(55, 13))
      })
    #expect(refrains.count == 31)
    #expect(Set(candidates.prefix(31).map(\.first)) == refrains)
    #expect(candidates.prefix(31).allSatisfy { $0.probability > 0.02 && $0.probability < 0.04 })
    #expect(candidates.dropFirst().prefix(30).allSatisfy { $0.isWordedAlike })
    #expect(!candidates.dropFirst(31).contains { $0.isWordedAlike })
  }

  @Test func whatFollowsTellsAyatThatAreWordedAlikeApart() throws {
    for (first, range) in [("29:1", "29:1-2"), ("2:1", "2:1-2"), ("55:61", "55:61-62")] {
      let candidates = try candidates(speech(range))
      #expect(candidates.first?.first == (try AyahReference(parsing: first)))
      #expect(candidates.contains { $0.isWordedAlike })
      #expect(candidates[0].probability > 0.9)
    }
  }

  @Test func aReciterWhoGoesBackIsStillFound() throws {
    var speech = Speech()
    speech.say(try ayah(12, 4))
    speech.pause(10)
    speech.say(try ayah(12, 4), words: 3..<14)
    speech.pause(10)
    speech.say(try ayah(12, 5))
    #expect(try candidates(speech).first?.first == (try ayah(12, 4)))
  }

  @Test func candidatesLieWithinTheRange() throws {
    let range = try AyahRange(parsing: "2:1-50")
    let candidates = try candidates(speech("2:40-42"), in: "2:1-50")
    #expect(candidates.first?.first == (try ayah(2, 40)))
    #expect(candidates.allSatisfy { range.contains($0.first) })
    let total = candidates.reduce(0) { $0 + $1.probability }
    #expect(abs(total - 1) < 1e-9)
  }

  @Test func whatIsNotThereDoesNotFit() throws {
    let speech = try speech("12:4-6")
    let here = try #require(PlaceSearch(in: AyahRange(parsing: "12")).places(speech.scores))
    let elsewhere = try #require(PlaceSearch(in: AyahRange(parsing: "2")).places(speech.scores))
    #expect(here.isHeard)
    #expect(!elsewhere.isHeard)
  }

  @Test func isTheSameOnAnyNumberOfThreads() throws {
    var speech = try speech("24:35")
    speech.mishear(everyNth: 3)
    let search = PlaceSearch()
    let one = try #require(search.places(speech.scores, threadCount: 1))
    for threads in [2, 5] {
      #expect(search.places(speech.scores, threadCount: threads)?.candidates == one.candidates)
    }
  }

  @Test func silenceHasNoPlace() {
    var silence = Speech()
    silence.pause(200)
    #expect(PlaceSearch().places(silence.scores) == nil)
    #expect(PlaceSearch().places(Speech().scores) == nil)
  }

  @Test func stopsWhenTold() throws {
    let speech = try speech("24:35")
    #expect(PlaceSearch().places(speech.scores, isStopped: { true }) == nil)
  }
}
