// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Quran
import Testing

@testable import Alignment

@Suite struct PrayerTests {
  private func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
    try AyahReference(checking: surah, ayah: ayah)
  }

  private func recite(_ ayat: ClosedRange<Int>, of surah: Int, in speech: inout Speech) throws {
    for number in ayat {
      speech.say(try ayah(surah, number))
      speech.pause(14)
    }
  }

  private func bow(_ speech: inout Speech, endsWithSalam: Bool) {
    speech.say(.takbir)
    speech.pause(60)
    speech.say(.tasmee)
    speech.pause(40)
    for pause in [80, 40, 80] {
      speech.say(.takbir)
      speech.pause(pause)
    }
    speech.say(.takbir)
    speech.pause(50)
    if endsWithSalam {
      speech.pause(300)
      speech.say(.salam)
      speech.pause(30)
      speech.say(.salam)
      speech.pause(100)
    }
  }

  /// Two rak'ahs of 67:1-4 and 67:5-8.
  private func night(
    ameen: (inout Speech) -> Void = { $0.say(.ameen) }
  ) throws -> Speech {
    var speech = Speech()
    speech.pause(30)
    for rakah in 0..<2 {
      try recite(1...7, of: 1, in: &speech)
      ameen(&speech)
      speech.pause(40)
      try recite(4 * rakah + 1...4 * rakah + 4, of: 67, in: &speech)
      speech.pause(10)
      bow(&speech, endsWithSalam: rakah == 1)
    }
    return speech
  }

  private func expect(
    _ alignment: AyahAlignment, hasAyatOf speech: Speech,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let found = alignment.segments.filter { $0.assignment.isRecitation }
    #expect(
      found.map { $0.assignment } == speech.ayat.map { .ayah($0.ayah) }, sourceLocation: location)
    for (segment, said) in zip(found, speech.ayat) {
      let start = (segment.span.lowerBound - Speech.position(said.frames.lowerBound)).seconds(
        at: Speech.rate)
      #expect(abs(start) <= 0.3, "\(said.ayah)", sourceLocation: location)
    }
  }

  /// Near enough to be followed, within what is recited, in another surah.
  @Test(arguments: [(67, 3), (67, 6), (2, 30), (109, 1)])
  func aNightToldAnotherStartIsDoubted(_ surah: Int, _ number: Int) throws {
    let told = try ayah(surah, number)
    let alignment = try night().aligner().align(
      AlignmentRequest(first: told, prayer: .taraweeh))
    let right = try ayah(67, 1)
    #expect(
      [.beginsWith(right, told: told), .soundsLike(right, told: told)].contains(alignment.doubt))
  }

  @Test func aNightHasAlFatihaPortionsAndCalls() throws {
    let speech = try night()
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.doubt == nil)
    #expect(alignment.fatihas == 2)
    #expect(alignment.last == (try ayah(67, 8)))
    #expect(
      calls(alignment)
        == [.ameen] + Self.rakah + [.ameen] + Self.rakah + [.tashahhud, .salam, .salam])
  }

  @Test func aCongregationSaysAmeenInItsOwnWay() throws {
    let speech = try night { $0.mumble(50) }
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.segments.count { $0.assignment == .unused(.ameen) } == 2)
  }

  @Test(arguments: [3, 5])
  func portionsThatBeginElsewhereThanWasTold(told: Int) throws {
    let speech = try night()
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, told), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(
      alignment.doubt == .beginsWith(try ayah(67, 1), told: try ayah(67, told)))
  }

  /// Told a later ayah whose first words pass for "amin": nothing but the doubt differs from what is found told rightly.
  @Test func aNightToldLateIsHeardFromItsStart() throws {
    let words = QuranSounds.words(of: try ayah(67, 3))
    let aligner = try night { $0.say(Array(words[..<2])) }.aligner()
    let right = aligner.align(AlignmentRequest(first: try ayah(67, 1), prayer: .taraweeh))
    let late = aligner.align(AlignmentRequest(first: try ayah(67, 3), prayer: .taraweeh))
    #expect(late.doubt == .beginsWith(try ayah(67, 1), told: try ayah(67, 3)))
    #expect(late.segments == right.segments)
    #expect(late.words == right.words)
  }

  /// Each portion is of another surah, before or after the one before; far ahead "huwa Allahu ahad" is nearly a takbir.
  @Test(arguments: [
    [(67, 1...8), (36, 20...27), (36, 28...33), (78, 1...14)],
    [(87, 1...19), (88, 1...26), (112, 1...4)], [(87, 1...19), (110, 1...3), (88, 1...9)],
  ])
  func portionsOfOtherSurahsAreFollowed(_ portions: [(surah: Int, ayat: ClosedRange<Int>)]) throws {
    var speech = Speech()
    speech.pause(30)
    for (index, portion) in portions.enumerated() {
      try recite(1...7, of: 1, in: &speech)
      speech.say(.ameen)
      speech.pause(40)
      try recite(portion.ayat, of: portion.surah, in: &speech)
      speech.pause(10)
      bow(&speech, endsWithSalam: index == portions.count - 1)
    }
    var early = speech
    early.hearEarly()
    let alignment = try speech.aligner(soundingLike: early.scores).align(
      AlignmentRequest(first: ayah(portions[0].surah, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.doubt == nil)
    #expect(alignment.fatihas == portions.count)
    #expect(
      zip(alignment.words, alignment.words.dropFirst()).allSatisfy {
        $0.span.upperBound <= $1.span.lowerBound
      })
    let rakahs = portions.flatMap { _ in [.ameen] + Self.rakah }
    #expect(calls(alignment) == rakahs + [.tashahhud, .salam, .salam])
  }

  /// Beyond what is listened for after an end that was told, and within it.
  @Test(arguments: [4, 14]) func portionsThatGoOnBeyondTheEndThatWasTold(told: Int) throws {
    var speech = Speech()
    speech.pause(30)
    for portion in [1...10, 11...20] {
      try recite(1...7, of: 1, in: &speech)
      speech.say(.ameen)
      speech.pause(40)
      try recite(portion, of: 67, in: &speech)
      speech.pause(10)
      bow(&speech, endsWithSalam: portion.upperBound == 20)
    }
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), last: ayah(67, told), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.doubt == .endsWith(try ayah(67, 20), told: try ayah(67, told)))
  }

  private func calls(_ alignment: AyahAlignment) -> [UnusedReason] {
    alignment.segments.compactMap { segment -> UnusedReason? in
      guard case .unused(let reason) = segment.assignment, reason != .silence else { return nil }
      return reason
    }
  }

  private static let rakah: [UnusedReason] = [
    .takbir, .ruku, .tasmee, .takbir, .sujud, .takbir, .takbir, .sujud, .takbir,
  ]

  /// What is said between a portion and al-Fatiha.
  private func callsBetweenStandings(
    _ say: (inout Speech) -> Void
  ) throws -> [UnusedReason] {
    var speech = Speech()
    speech.pause(30)
    for rakah in 0..<2 {
      try recite(1...7, of: 1, in: &speech)
      speech.pause(40)
      try recite(4 * rakah + 1...4 * rakah + 4, of: 67, in: &speech)
      speech.pause(10)
      if rakah == 0 { say(&speech) }
    }
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    return calls(alignment)
  }

  private func say(_ formulas: [(SpokenFormula?, pause: Int)], in speech: inout Speech) {
    for (formula, pause) in formulas {
      if let formula { speech.say(formula) } else { speech.mumble(45) }
      speech.pause(pause)
    }
  }

  @Test func callsThatAreNotUnderstoodHaveTheNamesOfTheirPlaces() throws {
    let heard = try callsBetweenStandings { speech in
      say(
        [
          (.takbir, 150), (nil, 60), (nil, 200), (.takbir, 70), (nil, 200), (.takbir, 100),
        ], in: &speech)
    }
    #expect(heard == Self.rakah)
  }

  @Test func aCallThatIsNotHeardIsPassedOver() throws {
    let heard = try callsBetweenStandings { speech in
      say(
        [(.takbir, 150), (.tasmee, 260), (.takbir, 70), (.takbir, 200), (.takbir, 100)],
        in: &speech)
    }
    #expect(heard == [.takbir, .ruku, .tasmee, .takbir, .takbir, .sujud, .takbir])
  }

  @Test func whoPraisesAloudIsStillRising() throws {
    let heard = try callsBetweenStandings { speech in
      say(
        [
          (.takbir, 150), (.tasmee, 20), (.tahmeed, 60), (.takbir, 200), (.takbir, 70),
          (.takbir, 200), (.takbir, 100),
        ], in: &speech)
    }
    #expect(heard == Self.rakah)
  }

  @Test func speechBetweenPrayersIsNoCall() throws {
    let heard = try callsBetweenStandings { speech in
      bow(&speech, endsWithSalam: true)
      speech.pause(100)
      speech.mumble(400)
      speech.pause(200)
      say([(.takbir, 150)], in: &speech)
    }
    #expect(heard == Self.rakah + [.tashahhud, .salam, .salam, .speech, .takbir])
  }

  private func firstPlace(_ speech: Speech) throws -> PlaceCandidate {
    let report = try #require(try speech.aligner().places(PlaceSearch(), prayer: .taraweeh))
    return try #require(report.candidates.first)
  }

  @Test func whatFollowsAlFatihaIsFoundInTheWholeQuran() throws {
    #expect(try firstPlace(night()).first == ayah(67, 1))
    let place = try firstPlace(night { $0.mumble(50) })
    #expect(place.first == (try ayah(67, 1)))
    #expect(place.probability > 0.9)
  }

  @Test func aRecordingThatBeginsWithinAStandingIsFoundFromThereOn() throws {
    var speech = Speech()
    try recite(11...20, of: 36, in: &speech)
    bow(&speech, endsWithSalam: false)
    try recite(1...7, of: 1, in: &speech)
    speech.pause(30)
    try recite(21...27, of: 36, in: &speech)
    #expect(try firstPlace(speech).first == ayah(36, 11))
  }

  @Test func whereTheFirstPortionIsNotUnderstoodTheNextOneTells() throws {
    var speech = Speech()
    try recite(1...7, of: 1, in: &speech)
    speech.pause(30)
    speech.mumble(1500)
    bow(&speech, endsWithSalam: false)
    try recite(1...7, of: 1, in: &speech)
    speech.pause(30)
    try recite(21...27, of: 36, in: &speech)
    #expect(try firstPlace(speech).first == ayah(36, 21))
  }

  @Test func aRecordingWithoutAlFatihaIsSearchedFromItsStart() throws {
    var speech = Speech()
    try recite(21...27, of: 36, in: &speech)
    #expect(try firstPlace(speech).first == ayah(36, 21))
  }

  @Test func aSupplicationIsNoRecitation() throws {
    var speech = try night()
    try recite(1...7, of: 1, in: &speech)
    speech.pause(30)
    try recite(1...4, of: 112, in: &speech)
    speech.say(.takbir)
    speech.pause(50)
    speech.say(.tasmee)
    speech.pause(40)
    speech.mumble(700)
    speech.pause(30)
    for _ in 0..<3 {
      speech.say(.takbir)
      speech.pause(70)
    }
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.segments.count { $0.assignment == .unused(.qunut) } == 1)
    #expect(alignment.remarks.isEmpty)
  }

  @Test func aProstrationOfRecitationGoesOnWithTheNextAyah() throws {
    var speech = Speech()
    try recite(1...7, of: 1, in: &speech)
    speech.pause(20)
    try recite(14...15, of: 32, in: &speech)
    speech.pause(20)
    speech.say(.takbir)
    speech.pause(100)
    speech.say(.takbir)
    speech.pause(40)
    try recite(16...18, of: 32, in: &speech)
    speech.pause(10)
    speech.say(.takbir)
    speech.pause(60)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(32, 14), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.segments.count { $0.assignment == .unused(.sujud) } == 1)
  }

  /// Told its portion, or al-Fatiha with which it begins.
  @Test(arguments: [67, 1]) func aNightToldAsAPassageIsSaidToBeAPrayer(told: Int) throws {
    let alignment = try night().aligner().align(AlignmentRequest(first: ayah(told, 1)))
    // That al-Fatiha is said again, and what else does not fit, follows from that.
    #expect(alignment.remarks == [.isPrayer(fatihas: 2)])
  }

  @Test func alFatihaSaidAgainIsNoPrayer() throws {
    var speech = Speech()
    for _ in 0..<3 { try recite(1...7, of: 1, in: &speech) }
    let alignment = try speech.aligner().align(AlignmentRequest(first: ayah(1, 1)))
    #expect(!alignment.remarks.contains { if case .isPrayer = $0 { true } else { false } })
  }

  @Test func aPassageToldAsAPrayerIsSaidToHaveNoFatiha() throws {
    var speech = Speech()
    try recite(1...8, of: 67, in: &speech)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    #expect(alignment.remarks.contains(.isNoPrayer))
  }

  @Test func aDrawnSoundThatIsTakenForAnotherIsNoOtherAyah() throws {
    var speech = Speech()
    speech.pause(30)
    try recite(1...7, of: 1, in: &speech)
    speech.pause(40)
    speech.say(try ayah(2, 1))
    speech.draw(.longI, for: 120, takenFor: .longU)
    speech.pause(14)
    try recite(2...5, of: 2, in: &speech)
    speech.pause(60)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(2, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
  }

  /// Silence after a portion of 67:1-4.
  private func afterPortion(
    _ what: (inout Speech) -> Void
  ) throws -> (alignment: AyahAlignment, portion: AyahAlignment.Segment?) {
    var speech = Speech()
    speech.pause(30)
    try recite(1...7, of: 1, in: &speech)
    speech.pause(40)
    try recite(1...4, of: 67, in: &speech)
    what(&speech)
    bow(&speech, endsWithSalam: false)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    let last = try ayah(67, 4)
    return (alignment, alignment.segments.first { $0.assignment == .ayah(last, part: nil) })
  }

  @Test(arguments: [(10, false), (80, true)])
  func onlyLongSilencesAreSegments(frames: Int, isSegment: Bool) throws {
    let (alignment, portion) = try afterPortion { $0.pause(frames) }
    let next = alignment.segments.first { $0.span.lowerBound == portion?.span.upperBound }
    #expect((next?.assignment == .unused(.silence)) == isSegment)
    #expect((next?.assignment == .unused(.takbir)) == !isSegment)
  }

  @Test(arguments: [true, false])
  func aCallIsLessSureThatFollowsTheTextWithoutAPause(isPaused: Bool) throws {
    func night(_ between: (inout Speech) -> Void) throws -> Speech {
      var speech = Speech()
      speech.pause(30)
      try recite(1...7, of: 1, in: &speech)
      speech.pause(40)
      try recite(1...3, of: 67, in: &speech)
      speech.say(try ayah(67, 4))
      between(&speech)
      bow(&speech, endsWithSalam: false)
      return speech
    }
    let heard = try night { $0.pause(14) }
    // A noise, which the network knows for none.
    let loud = try night { $0.mumble(14) }
    let alignment = try (isPaused ? heard : loud).aligner(soundingLike: heard.scores).align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    let takbir = try #require(
      alignment.segments.first { $0.assignment == .unused(.takbir) }?.span.lowerBound)
    let sureness = alignment.boundaries.first { $0.position == takbir }?.confidence
    #expect(sureness == (isPaused ? 0.99 : 0.8))
  }

  @Test func aShortSoundAfterAnAyahIsNoCall() throws {
    let (alignment, portion) = try afterPortion {
      $0.mumble(10)
      $0.pause(60)
    }
    #expect(calls(alignment).prefix(3) == [.takbir, .ruku, .tasmee])
    #expect(portion != nil)
  }

  /// Far from the microphone; the levels show them, the network hears nothing.
  @Test func callsThatAreTooQuietAreNoneOfTheAyat() throws {
    func night(_ call: (inout Speech) -> Void) throws -> Speech {
      var speech = Speech()
      speech.pause(30)
      for rakah in 0..<2 {
        try recite(1...7, of: 1, in: &speech)
        speech.pause(40)
        try recite(4 * rakah + 1...4 * rakah + 4, of: 67, in: &speech)
        speech.pause(15)
        for pause in [130, 100, 120, 80, 120, 80] {
          call(&speech)
          speech.pause(pause)
        }
      }
      return speech
    }
    let heard = try night { $0.pause(45) }
    let alignment = try night { $0.mumble(45) }.aligner(soundingLike: heard.scores).align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: heard)
    for number in [4, 8] {
      let ayah = try ayah(67, number)
      let said = try #require(heard.ayat.first { $0.ayah == ayah }?.frames.upperBound)
      let segment = alignment.segments.first { $0.assignment == .ayah(ayah, part: nil) }
      let end = try #require(segment?.span.upperBound)
      #expect(abs((end - Speech.position(said)).seconds(at: Speech.rate)) < 1, "\(ayah)")
    }
  }

  /// Some of its words may pass for a call.
  @Test func nobodyBowsAfterABasmalah() throws {
    let basmalah = QuranSounds.words(of: .first)
    let heard = try callsBetweenStandings { speech in
      speech.pause(30)
      speech.say(Array(basmalah))
      speech.pause(150)
      say(
        [(.tasmee, 60), (.takbir, 200), (.takbir, 70), (.takbir, 200), (.takbir, 100)], in: &speech)
    }
    #expect(heard == Self.rakah)
  }

  @Test func whatACallPassesForAtTheEndIsNoFatiha() throws {
    var speech = try night()
    speech.say(Array(QuranSounds.words(of: .first)[..<3]))
    speech.pause(100)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
    #expect(alignment.fatihas == 2)
  }

  @Test func aBasmalahThatIsHardToHearIsStillOne() throws {
    var speech = Speech()
    speech.say(.takbir)
    speech.pause(60)
    speech.say(try ayah(1, 1))
    let basmalah = speech.ayat[0].frames
    // Speech that is none of the text costs a little less then.
    speech.mishear(everyNth: 5, in: basmalah.prefix(60))
    speech.pause(14)
    try recite(2...7, of: 1, in: &speech)
    speech.pause(40)
    try recite(1...4, of: 67, in: &speech)
    bow(&speech, endsWithSalam: false)
    let alignment = try speech.aligner().align(
      AlignmentRequest(first: ayah(67, 1), prayer: .taraweeh))
    expect(alignment, hasAyatOf: speech)
  }
}
