// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Annotation
import Analysis
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Alignment

/// Recordings that hold more than the text, or not all of it.
@Suite struct SurroundingSpeechTests {
  private func ayah(_ number: Int) throws -> AyahReference {
    try AyahReference(checking: 55, ayah: number)
  }

  private func recited(_ numbers: ClosedRange<Int>, into speech: inout Speech) throws {
    for number in numbers {
      speech.say(try ayah(number))
      speech.pause(14)
    }
  }

  /// Words in an order that is nowhere in the Quran.
  private func other(_ ayat: ClosedRange<Int>, into speech: inout Speech) throws {
    for number in ayat {
      speech.say(QuranSounds.words(of: try AyahReference(checking: 2, ayah: number)).reversed())
    }
    speech.pause(20)
  }

  private func align(
    _ speech: Speech, _ first: Int, _ last: Int? = nil
  ) throws -> AyahAlignment {
    try speech.aligner().align(
      AlignmentRequest(first: ayah(first), last: last.map { try ayah($0) }))
  }

  private func ayat(_ alignment: AyahAlignment) -> [AyahReference] {
    alignment.segments.compactMap { $0.assignment.recited?.first }
  }

  @Test(arguments: [nil, 12]) func whatIsSaidBeforeTheTextIsNone(last: Int?) throws {
    var speech = Speech()
    try other(20...20, into: &speech)
    let edge = Speech.position(speech.sounds.count)
    try recited(1...12, into: &speech)
    let alignment = try align(speech, 1, last)
    #expect(alignment.segments.first?.assignment == .unused(.speech))
    #expect(ayat(alignment) == (try (1...12).map { try ayah($0) }))
    let found = try #require(alignment.segments.first?.span.upperBound)
    #expect(abs((found - edge).seconds(at: Speech.rate)) < 0.5)
  }

  @Test(arguments: [nil, 12]) func whatIsSaidAfterTheTextIsNone(last: Int?) throws {
    var speech = Speech()
    speech.pause(10)
    try recited(1...12, into: &speech)
    let edge = Speech.position(speech.sounds.count)
    try other(20...20, into: &speech)
    let alignment = try align(speech, 1, last)
    #expect(alignment.segments.last?.assignment == .unused(.speech))
    #expect(ayat(alignment) == (try (1...12).map { try ayah($0) }))
    let found = try #require(alignment.segments.last?.span.lowerBound)
    #expect(abs((found - edge).seconds(at: Speech.rate)) < 1)
  }

  /// The network may take the beginning of the first word for silence.
  @Test(arguments: [true, false])
  func aFirstSilenceIsSureWhereTheLevelShowsIt(isSilent: Bool) throws {
    var speech = Speech()
    speech.pause(25)
    try recited(1...12, into: &speech)
    var loud = Speech()
    loud.mumble(25)
    try recited(1...12, into: &loud)
    let aligner = try (isSilent ? speech : loud).aligner(soundingLike: speech.scores)
    let alignment = aligner.align(AlignmentRequest(first: try ayah(1), last: try ayah(12)))
    #expect(alignment.segments.first?.assignment == .unused(.silence))
    #expect(alignment.boundaries.first?.confidence == (isSilent ? 1 : 0.8))
  }

  /// What the network takes for silence belongs to the first word, from the end of the pause that the level shows.
  @Test(arguments: [25, 5]) func aSoftBeginningIsNotCutOff(silent: Int) throws {
    var heard = Speech()
    heard.pause(silent + 12)
    try recited(1...12, into: &heard)
    var speech = Speech()
    speech.pause(silent)
    speech.mumble(12)
    try recited(1...12, into: &speech)
    let alignment = try speech.aligner(soundingLike: heard.scores).align(
      AlignmentRequest(first: try ayah(1), last: try ayah(12)))
    let opening = try #require(
      alignment.segments.first { $0.assignment.isRecitation }?.span.lowerBound)
    let expected = silent > 15 ? Speech.position(silent) : .zero
    #expect(abs((opening - expected).seconds(at: Speech.rate)) < 0.2)
  }

  @Test(arguments: [7, 20]) func aSilenceLongerThanAnyPauseIsNoneOfTheAyat(seconds: Int) throws {
    var speech = Speech()
    try recited(1...7, into: &speech)
    speech.say(try ayah(8))
    let end = Speech.position(speech.sounds.count)
    speech.pause(25 * seconds)
    try recited(9...12, into: &speech)
    let alignment = try align(speech, 1, 12)
    #expect(ayat(alignment) == (try (1...12).map { try ayah($0) }))
    let silence = alignment.segments.dropLast().first { $0.assignment == .unused(.silence) }
    #expect((silence == nil) == (seconds == 7))
    if let silence {
      #expect(abs((silence.span.lowerBound - end).seconds(at: Speech.rate)) < 1)
      #expect((silence.span.upperBound - silence.span.lowerBound).seconds(at: Speech.rate) > 18)
    }
  }

  /// Told rightly, though as many other ayat have the same words and much else is said.
  @Test func aShortRecordingWithAnIntroductionIsNoOtherText() throws {
    var speech = Speech()
    try other(20...21, into: &speech)
    try recited(13...15, into: &speech)
    let alignment = try align(speech, 13)
    #expect(alignment.doubt == nil)
    #expect(ayat(alignment) == (try (13...15).map { try ayah($0) }))
  }

  @Test func whatIsSaidBetweenAyatIsNoneOfThem() throws {
    var speech = Speech()
    try recited(1...8, into: &speech)
    let start = Speech.position(speech.sounds.count)
    try other(20...20, into: &speech)
    let end = Speech.position(speech.sounds.count)
    try recited(9...16, into: &speech)
    let alignment = try align(speech, 1, 16)
    #expect(ayat(alignment) == (try (1...16).map { try ayah($0) }))
    let unused = try #require(
      alignment.segments.first { $0.assignment == .unused(.speech) })
    #expect(abs((unused.span.lowerBound - start).seconds(at: Speech.rate)) < 1)
    #expect(abs((unused.span.upperBound - end).seconds(at: Speech.rate)) < 1)
  }

  @Test(arguments: [1, 3, 8]) func aDozenAyatAndMoreMayBeLeftOut(after last: Int) throws {
    var speech = Speech()
    try recited(1...last, into: &speech)
    try recited(46...60, into: &speech)
    let alignment = try align(speech, 1)
    #expect(alignment.doubt == nil)
    #expect(ayat(alignment) == (try (Array(1...last) + Array(46...60)).map { try ayah($0) }))
    let left = alignment.remarks.compactMap { remark -> String? in
      guard case .leftOut(let ayat, seconds: _) = remark else { return nil }
      return ayat.numericDescription
    }
    #expect(left == ["55:\(last + 1)-45"])
  }

  @Test(arguments: [(78, nil), (78, 12), (36, nil)])
  func anotherPassageAfterTheTextIsFollowed(surah: Int, last: Int?) throws {
    let next = try (1...9).map { try AyahReference(checking: surah, ayah: $0) }
    var speech = Speech()
    try recited(1...12, into: &speech)
    let basmalah = RecitedToken.basmalah(try Surah(checking: surah))
    speech.say(basmalah.words())
    speech.pause(14)
    for ayah in next {
      speech.say(ayah)
      speech.pause(14)
    }
    let alignment = try align(speech, 1, last)
    #expect(ayat(alignment) == (try (1...12).map { try ayah($0) }) + next)
    #expect(
      alignment.segments.filter { $0.assignment == basmalah.assignment(part: nil) }.count == 1)
    #expect(alignment.doubt == nil)
    let order = alignment.remarks.compactMap { remark -> String? in
      guard case .outOfOrder(let ayat, after: let before, seconds: _) = remark else { return nil }
      return "\(ayat.numericDescription) after \(before)"
    }
    #expect(order == ["\(surah):1-9 after 55:12"])
  }

  /// It was speech that is none of the text, with nothing said of it.
  @Test(arguments: [2, 4]) func aPassageBeforeTheOneThatWasToldIsFound(count: Int) throws {
    let before = try (13..<13 + count).map { try AyahReference(checking: 36, ayah: $0) }
    var speech = Speech()
    for ayah in before {
      speech.say(ayah)
      speech.pause(14)
    }
    try recited(1...12, into: &speech)
    let alignment = try align(speech, 1)
    #expect(ayat(alignment) == before + (try (1...12).map { try ayah($0) }))
    #expect(alignment.doubt == .beginsWith(before[0], told: try ayah(1)))
  }

  @Test func whatIsConfirmedOfAnotherPassageKeepsBoth() throws {
    var speech = Speech()
    try recited(1...12, into: &speech)
    for number in 1...9 {
      speech.say(try AyahReference(checking: 36, ayah: number))
      speech.pause(14)
    }
    var session = try AlignmentSession(speech.aligner(), AlignmentRequest(first: ayah(1)))
    let first = session.alignment
    let confirmed = try [3, 15].map { index -> AlignmentAnchors.Span in
      let segment = try #require(
        first.segments.first { $0.assignment.recited?.first == ayat(first)[index] })
      return .init(segment.span, segment.assignment)
    }
    let alignment = try session.realign(AlignmentAnchors(spans: confirmed))
    #expect(alignment.segments.map(\.assignment) == first.segments.map(\.assignment))
  }

  @Test(arguments: [(count: 2, everyNth: 3), (3, 4)])
  func ayatThatAreHardToHearAtTheStartAreNotSomethingElse(count: Int, everyNth: Int) throws {
    var speech = Speech()
    try recited(1...12, into: &speech)
    speech.mishear(everyNth: everyNth, in: 0..<speech.ayat[count - 1].frames.upperBound)
    let alignment = try align(speech, 1)
    #expect(ayat(alignment) == (try (1...12).map { try ayah($0) }))
    #expect(alignment.doubt == nil)
  }

  /// "min" of 55:35 merges with "nar" before it and "nar" with it.
  @Test func aWordThatIsHardlyHeardHasATimeToo() throws {
    var speech = Speech()
    try recited(35...36, into: &speech)
    let whole = try align(speech, 35)
    let words = whole.words.filter { $0.ayah.ayah == 35 }
    #expect(words.map(\.number) == Array(1...words.count))
    let short = words[3].span
    speech.remove(short)
    let passed = try align(speech, 35).words.filter { $0.ayah.ayah == 35 }
    #expect(passed.map(\.number) == words.map(\.number))
    #expect(zip(passed, passed.dropFirst()).allSatisfy { $0.span.upperBound <= $1.span.lowerBound })
  }

  @Test func anotherSurahIsNotTheTextWithSpeechAroundIt() throws {
    var speech = Speech()
    try other(20...25, into: &speech)
    try recited(1...1, into: &speech)
    try other(26...30, into: &speech)
    for last in [nil, 12] {
      #expect(try align(speech, 1, last).doubt != nil)
    }
  }

  @Test func anEndThatWasToldFarTooEarlyIsFoundAndSaid() throws {
    var speech = Speech()
    try recited(1...40, into: &speech)
    let alignment = try align(speech, 1, 12)
    #expect(ayat(alignment) == (try (1...40).map { try ayah($0) }))
    #expect(alignment.remarks.contains(.endsWith(try ayah(40), told: try ayah(12))))
  }

  @Test func anEndThatWasToldFarTooEarlyIsFoundBehindOtherSpeechToo() throws {
    var speech = Speech()
    try other(20...20, into: &speech)
    try recited(1...40, into: &speech)
    let alignment = try align(speech, 1, 12)
    #expect(alignment.segments.first?.assignment == .unused(.speech))
    #expect(ayat(alignment) == (try (1...40).map { try ayah($0) }))
    #expect(alignment.remarks.contains(.endsWith(try ayah(40), told: try ayah(12))))
  }

  @Test func ayatAfterLaterOnesAreNotCalledRepeated() throws {
    func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
      try AyahReference(checking: surah, ayah: ayah)
    }
    var speech = Speech()
    for (surah, count) in [(113, 5), (112, 4)] {
      for number in 1...count {
        speech.say(try ayah(surah, number))
        speech.pause(14)
      }
    }
    let alignment = try speech.aligner().align(AlignmentRequest(first: ayah(113, 1)))
    let order = alignment.remarks.compactMap { remark -> AyahRange? in
      guard case .outOfOrder(let ayat, after: let later, seconds: _) = remark else { return nil }
      return later.surah.number == 113 ? ayat : nil
    }
    #expect(order.map(\.numericDescription) == ["112:1-4"])
    #expect(!alignment.remarks.contains { if case .heardAgain = $0 { true } else { false } })
  }

  @Test func eachPortionAfterALaterOneIsSaidByItself() throws {
    let recited = try [("112", 1...4), ("36", 60...62), ("78", 1...3)].flatMap { surah, ayat in
      try ayat.map { try AyahReference(parsing: "\(surah):\($0)") }
    }
    let segments = recited.enumerated().map { index, ayah in
      AyahAlignment.Segment(
        Speech.position(100 * index)..<Speech.position(100 * index + 100),
        .ayah(ayah), confidence: 1)
    }
    let remarks = OrderRemarks.remarks(segments, isPrayer: true, from: .zero, rate: Speech.rate)
    #expect(
      remarks.map { $0.text(.editor) } == [
        "36:60-62 come after 112:4 at 0:16", "78:1-3 come after 112:4 at 0:28",
      ])
  }

  @Test func anAyahThatComesLaterIsNotCalledMissing() throws {
    var speech = Speech()
    for number in [3, 4, 6, 7, 8, 5, 9, 10] {
      speech.say(try AyahReference(checking: 67, ayah: number))
      speech.pause(14)
    }
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: AyahReference(checking: 67, ayah: 3)))
    let remarks = alignment.remarks.map { remark -> String? in
      guard case .outOfOrder(let ayat, after: let later, seconds: _) = remark else { return nil }
      return "\(ayat.numericDescription) after \(later)"
    }
    #expect(remarks == ["67:5 after 67:8"])
  }

  /// It is heard as that of the surah which would have come next, be the other passage far away or near.
  @Test(arguments: [78, 97]) func theBasmalahOfAnotherPassageIsThatOfItsSurah(number: Int) throws {
    var speech = Speech()
    let surah = try Surah(checking: number)
    let basmalah = RecitedToken.basmalah(surah)
    let first = try Surah(checking: 93)
    for ayah in first.ayat {
      speech.say(ayah)
      speech.pause(14)
    }
    speech.say(basmalah.words())
    speech.pause(14)
    for ayah in surah.ayat.prefix(12) {
      speech.say(ayah)
      speech.pause(14)
    }
    let alignment = try speech.aligner().align(AlignmentRequest(first: first.firstAyah))
    let others = alignment.segments.map(\.assignment)
      .filter { $0.recited == nil && $0 != Assignment.unused(.silence) }
    #expect(others == [basmalah.assignment(part: nil)])
  }

  @Test func noiseIsNoText() throws {
    // No sound is likelier than elsewhere, and none clearly likelier than another.
    var random = SplitMix64(state: 5)
    var speech = Speech()
    speech.mumble(600)
    let scores = AcousticScores(
      soundCount: speech.scores.soundCount,
      values: speech.scores.values.map { _ in Int16.random(in: -100...100, using: &random) })
    let aligner = try speech.aligner(soundingLike: scores)
    for first in [try ayah(1), try AyahReference(checking: 30, ayah: 40)] {
      #expect(aligner.align(AlignmentRequest(first: first)).doubt != nil)
    }
    #expect(try #require(PlaceSearch().places(scores)).isHeard == false)
  }

  /// Told as the ayah that it begins with, or as the one before.
  @Test(arguments: [1, 2, 3, 12], [21, 22])
  func aRecordingMayBeginWithinItsFirstAyah(word: Int, told: Int) throws {
    var speech = Speech()
    let long = try AyahReference(checking: 2, ayah: 22)
    speech.say(long, words: word..<QuranSounds.wordCount(of: long))
    speech.pause(12)
    speech.say(try AyahReference(checking: 2, ayah: 23))
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: AyahReference(checking: 2, ayah: told)))
    #expect(alignment.segments.first?.assignment == .ayah(long, part: .end))
    #expect(alignment.words.filter { $0.ayah == long }.first?.number == word + 1)
  }

  /// With an end that was told, and without.
  @Test(arguments: [1, 2, 10], [nil, 23])
  func aRecordingMayBreakOffWithinItsLastAyah(missing: Int, told: Int?) throws {
    var speech = Speech()
    let (first, last) = try (
      AyahReference(checking: 2, ayah: 22), AyahReference(checking: 2, ayah: 23)
    )
    speech.say(first)
    speech.pause(12)
    let count = QuranSounds.wordCount(of: last) - missing
    speech.say(last, words: 0..<count)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: first, last: told.map { try AyahReference(checking: 2, ayah: $0) }))
    #expect(
      alignment.segments.last { $0.assignment.isRecitation }?.assignment
        == .ayah(last, part: .beginning))
    #expect(alignment.words.last { $0.ayah == last }?.number == count)
  }

  /// Beside a search that hears all of it: what is none of the text, and ayat that are left out or said again, anywhere.
  @Test func whatDoesNotFitIsHeardAsIfAllWereHeardAnew() throws {
    var random = SplitMix64(state: 55)
    var fewer = 0
    for number in 0..<6 {
      var speech = Speech()
      var next = 1
      var events = 0
      while next <= 70 {
        speech.say(try ayah(next))
        speech.pause(14)
        next += 1
        guard next.isMultiple(of: 26), events < 2 else { continue }
        events += 1
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          let first = Int.random(in: 20...200, using: &random)
          try other(first...first, into: &speech)
        case 1: next += Int.random(in: 1...14, using: &random)
        default: next -= Int.random(in: 1...3, using: &random)
        }
      }
      speech.mishear(everyNth: 20)
      let aligner = try speech.aligner()
      let section = aligner.section(aligner.wholeSpan, first: try ayah(1), last: nil)
      let straight = try #require(aligner.builder(in: section, .none))
      let wider = try #require(
        aligner.grammar(of: section, .none, detours: .init(otherSpeech: ChainPrices().otherSpeech)))
      let searched = aligner.searched(section)
      let whole = try #require(wider.path(searched))
      guard let found = straight.path(wideningTo: wider, searched) else {
        continue
      }
      fewer += 1
      #expect(wider.chain.heard(along: found) == wider.chain.heard(along: whole), "\(number)")
    }
    #expect(fewer > 3)
  }
}
