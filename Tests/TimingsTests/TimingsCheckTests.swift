// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing
import Timings

@Suite("Published timings: compared with what is heard")
struct TimingsCheckTests {
  /// Forty ayat of 5 to 9 seconds, a pause of 0.4 s before each.
  private static let heard: HeardRecitation = {
    var random = SplitMix64(state: 5)
    var time = 3.0
    let ayat = Surah(78)!.ayat.map { ayah in
      let length = Double.random(in: 5...9, using: &random)
      defer { time += length }
      return HeardRecitation.Ayah(
        ayah, earliest: time - 0.4, start: time, voiceEnd: time + length - 0.4, end: time + length,
        confidence: 0.95)
    }
    return HeardRecitation(ayat: ayat, duration: time + 2)
  }()

  private var heard: HeardRecitation { Self.heard }

  /// What is heard, published by another clock, each start up to a tenth of a second off.
  private func timings(
    shift: Double = 0, drift: Double = 0,
    _ change: (inout [PublishedTimings.Ayah]) -> Void = { _ in }
  ) -> PublishedTimings {
    var random = SplitMix64(state: 7)
    let starts = heard.ayat.map { place in
      let start = place.start + Double.random(in: -0.1...0.1, using: &random)
      return Int(((start * (1 + drift) + shift) * 1000).rounded())
    }
    let last = Int((((heard.ayat.last?.end ?? 0) * (1 + drift) + shift) * 1000).rounded())
    var ayat = zip(heard.ayat, zip(starts, starts.dropFirst() + [last])).map { place, times in
      PublishedTimings.Ayah(
        place.ayah, start: times.0, end: times.1, words: [.init(1...1, times.0..<times.0 + 500)])
    }
    change(&ayat)
    return PublishedTimings(.quranCom, clock: .recording, ayat: ayat)
  }

  private func found(_ check: TimingsCheck) -> [String] {
    check.findings.map { "\($0.ayah) \($0.code)" }
  }

  @Test func whatAgreesFits() {
    let check = TimingsCheck(timings(), heard: heard)
    #expect(check.verdict == .fits && check.findings.isEmpty && !check.isDrifted)
    #expect(check.matched == 40 && abs(check.shift) < 0.05)
  }

  @Test(arguments: [-2.5, 0.4, 3.2, 9, 4000])
  func aShiftIsFoundAndTakenOff(shift: Double) {
    let check = TimingsCheck(timings(shift: shift), heard: heard)
    #expect(check.verdict == .shifted && check.findings.isEmpty && !check.isDrifted)
    #expect(abs(check.shift - shift) < 0.05 && check.shiftError < 0.05)
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
    #expect(check.repaired.ayat[3].words[0].span.count == 500)
  }

  /// Two ayat are over before the file begins by the published clock.
  @Test(arguments: [false, true])
  func whatIsPublishedBeforeTheFileBeginsIsShiftedToo(isCut: Bool) {
    let published = timings(shift: -20) { ayat in
      for index in ayat.indices where isCut {
        let times = (max(ayat[index].start ?? 0, 0), max(ayat[index].end ?? 0, 0))
        (ayat[index].start, ayat[index].end) = (times.0, times.1 > times.0 ? times.1 : nil)
      }
    }
    #expect(published.ayat[2].start.map { $0 < 1000 } ?? false)
    let check = TimingsCheck(published, heard: heard)
    #expect(check.verdict == .shifted && check.findings.isEmpty, "\(found(check))")
    #expect(abs(check.shift + 20) < 0.05)
    let again = TimingsCheck(check.repaired, heard: heard)
    #expect(again.verdict == .fits && again.matched == 40, "\(found(again))")
  }

  @Test(arguments: [-900e-6, 1200e-6, 0.07, -0.2])
  func aDriftIsFoundAndTakenOff(drift: Double) {
    let check = TimingsCheck(timings(shift: 2, drift: drift), heard: heard)
    #expect(check.verdict == .drifted && check.findings.isEmpty)
    #expect(abs(check.drift - drift * 1e6) < 4 * check.driftError)
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
  }

  /// Another recitation is faster or slower too, but not alike in all ayat.
  @Test func whatFollowsAnotherPaceOnlyRoughlyIsOfAnotherRecitation() {
    var random = SplitMix64(state: 3)
    let rough = timings(drift: 0.1) { ayat in
      for index in ayat.indices { ayat[index].start! += Int.random(in: -800...800, using: &random) }
    }
    let check = TimingsCheck(rough, heard: heard)
    #expect(check.findings.map(\.kind) == [.otherRecitation] && !check.isRepairable)
  }

  @Test func movedAyatAreNamedAndPutBack() {
    let moved = timings(shift: 5) { ayat in
      for (index, by) in [(7, 2000), (20, -2000), (33, 900)] {
        ayat[index].start! += by
        ayat[index - 1].end! += by
      }
    }
    let check = TimingsCheck(moved, heard: heard)
    #expect(found(check) == ["78:8 starts_late", "78:21 starts_early", "78:34 starts_late"])
    #expect(check.verdict == .unfit && abs(check.shift - 5) < 0.05)
    #expect(abs((check.findings.first?.seconds ?? 0) - 2) < 0.15)
    let again = TimingsCheck(check.repaired, heard: heard)
    #expect(again.verdict == .fits && again.matched == 40)
  }

  @Test func missingExtraOverlappingAndRepeatedAreNamed() {
    let changed = timings { ayat in
      ayat[10].end = ayat[11].start! + 700
      ayat.removeLast()
      ayat[38].end = 4_000_000
      ayat.insert(.init(AyahReference("79:1")!, start: 1000, end: 1500), at: 0)
    }
    var heard = heard
    var again = heard.ayat[15]
    again.start += 3
    again.earliest += 3
    heard.ayat.insert(again, at: 16)
    let check = TimingsCheck(changed, heard: heard)
    #expect(
      found(check) == [
        "79:1 extra", "78:11 overlaps_next", "78:39 ends_after_recording", "78:16 unmarked_repeat",
        "78:40 missing",
      ])
    #expect(abs(check.findings[1].seconds! - 0.7) < 0.001)
  }

  @Test func anAyahToldForAnotherIsNamedAsWhatIsHeard() {
    let swapped = timings { ayat in
      (ayat[4].ayah, ayat[5].ayah) = (ayat[5].ayah, ayat[4].ayah)
    }
    let check = TimingsCheck(swapped, heard: heard)
    #expect(found(check) == ["78:6 wrong_ayah", "78:5 wrong_ayah"])
    #expect(check.findings[0].kind == .wrongAyah(heard: AyahReference("78:5")!))
  }

  @Test func anAyahThatIsListedTwiceIsExtraOnce() {
    let twice = timings { ayat in
      let start = ayat[4].start!
      ayat.insert(.init(ayat[4].ayah, start: start + 2500, end: ayat[4].end), at: 5)
      ayat[4].end = start + 2500
    }
    let check = TimingsCheck(twice, heard: heard)
    #expect(found(check) == ["78:5 extra"])
    #expect(check.repaired.ayat.map(\.ayah) == heard.ayat.map(\.ayah))
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
  }

  /// Nobody recites in the long pause that takes the place of an ayah, though the ayah before it ends there only.
  @Test func anAyahInWhosePlaceNothingIsHeardIsExtra() {
    var heard = heard
    let silent = heard.ayat.remove(at: 20)
    heard.ayat[19].end = silent.end
    let check = TimingsCheck(timings(), heard: heard)
    #expect(found(check) == ["78:21 extra"])
  }

  @Test func noTimeIsToldBeforeTheRecordingBegins() throws {
    let early = timings { $0[0].start! -= 4500 }
    let finding = try #require(TimingsCheck(early, heard: heard).findings.first)
    #expect(finding.kind == .startsEarly && finding.time == 0)
  }

  @Test func whatIsNotSureIsNotSaid() {
    var heard = heard
    heard.ayat[7].confidence = 0.3
    let moved = timings { $0[7].start! += 2000 }
    #expect(TimingsCheck(moved, heard: heard).findings.allSatisfy { $0.code != "starts_late" })
  }

  @Test func timingsOfSomethingElseAreUnfit() {
    var other = heard
    other.doubt = "it sounds like 2:1"
    let check = TimingsCheck(timings(), heard: other)
    #expect(check.verdict == .unfit && found(check) == ["78:1 other_recitation"])
    let nothing = HeardRecitation(ayat: [], duration: 60)
    #expect(TimingsCheck(timings(), heard: nothing).verdict == .unfit)
    let empty = PublishedTimings(.quranCom, clock: .recording, ayat: [])
    #expect(TimingsCheck(empty, heard: heard).verdict == .unfit)
  }

  /// Who puts edges where the pause begins puts them early by as much as each pause is long, which is no error.
  @Test func whereInThePauseEdgesArePutDoesNotBlurADrift() {
    var random = SplitMix64(state: 11)
    var heard = heard
    var ayat: [PublishedTimings.Ayah] = []
    for index in heard.ayat.indices {
      let pause = Double.random(in: 0.2...1, using: &random)
      heard.ayat[index].earliest = heard.ayat[index].start - pause
      let edge = heard.ayat[index].earliest + Double.random(in: -0.02...0.02, using: &random)
      ayat.append(.init(heard.ayat[index].ayah, start: Int(edge * 1.0006 * 1000)))
    }
    let check = TimingsCheck(
      PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    #expect(check.verdict == .drifted && check.driftError < 40)
    #expect(abs(check.drift - 600) < 4 * check.driftError)
  }

  /// Parts of a minute, published by clocks of their own.
  private func parts(_ count: Int, drift: (_ part: Int) -> Double) -> [TimingsCheck] {
    (0..<count).map { part in
      var random = SplitMix64(state: UInt64(part) + 100)
      let heard = HeardRecitation(ayat: Array(heard.ayat[..<12]), duration: 100)
      var ayat = timings().ayat[..<12].map { $0 }
      for index in ayat.indices {
        let sound = heard.ayat[index].start + Double.random(in: -0.03...0.03, using: &random)
        ayat[index].start = Int((sound * (1 + drift(part)) + Double(part)) * 1000)
        ayat[index].end = nil
      }
      return TimingsCheck(
        PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    }
  }

  /// Of a minute nobody can tell 500 millionths; of twelve times a minute one can.
  @Test func recordingsOfASetTellTheirDriftTogether() throws {
    let parts = parts(12) { _ in 500e-6 }
    #expect(parts.allSatisfy { !$0.isDrifted && $0.driftError > 80 })
    let drift = try #require(TimingsDrift(parts))
    #expect(drift.isSignificant && drift.recordings == 12 && drift.error < 90e-6)
    #expect(abs(drift.value - 500e-6) < 4 * drift.error)
    for (part, check) in parts.enumerated() {
      let again = check.given(drift)
      #expect(again.verdict == .drifted && again.drift == drift.value * 1e6)
      #expect(abs(again.shift - Double(part)) < 0.05)
    }
    #expect(TimingsDrift(Array(parts[..<2])) == nil)
  }

  @Test func aDriftThatChanceCouldHaveMadeIsToldAndNotTakenOff() throws {
    let parts = parts(12) { _ in 0 }
    let drift = try #require(TimingsDrift(parts))
    #expect(!drift.isSignificant && abs(drift.value) < 4 * drift.error)
    let again = parts[3].given(drift)
    #expect(again.verdict == .shifted && again.drift == drift.value * 1e6)
    #expect(again.driftError == drift.error * 1e6 && again.repaired == parts[3].repaired)
  }

  /// The first ayah of the recording, which has no edge, does not count.
  @Test(arguments: [(7, 0.07), (7, -0.07), (8, 0.07), (8, -0.07)])
  func anotherPaceIsToldByFewAyat(count: Int, pace: Double) {
    var heard = HeardRecitation(ayat: Array(heard.ayat[..<count]), duration: 100)
    heard.ayat[0].earliest = 0
    var ayat = timings(drift: pace).ayat[..<count].map { $0 }
    for index in ayat.indices { ayat[index].end = nil }
    let check = TimingsCheck(
      PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    #expect(check.verdict == .drifted && abs(check.drift - pace * 1e6) < 15_000)
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
  }

  /// It is far off the line of the others.
  @Test func anAyahThatWasMovedAmongFewIsNoOtherPace() {
    let heard = HeardRecitation(ayat: Array(heard.ayat[..<6]), duration: 100)
    var ayat = timings().ayat[..<6].map { $0 }
    for index in ayat.indices { ayat[index].end = nil }
    ayat[5].start! += 2000
    let check = TimingsCheck(
      PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    #expect(!check.isDrifted && found(check) == ["78:6 starts_late"])
  }

  /// The error of so few points is known too badly, whatever drift they seem to tell.
  @Test func whyADriftOfManyErrorsDoesNotCountIsKnown() {
    func check(_ count: Int, drift: Double) -> TimingsCheck {
      let heard = HeardRecitation(ayat: Array(heard.ayat[..<count]), duration: 400)
      var ayat = timings().ayat[..<count].map { $0 }
      for index in ayat.indices {
        ayat[index].start = Int((heard.ayat[index].start * (1 + drift) * 1000).rounded())
        ayat[index].end = nil
      }
      return TimingsCheck(
        PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    }
    for (count, drift, standing) in [
      (4, -0.02, TimingsCheck.DriftStanding.tooFewAyat), (12, -0.02, .significant),
      (12, 0, .chance), (40, 280e-6, .tooSmall),
    ] {
      let found = check(count, drift: drift)
      #expect(found.driftStanding == standing, "\(count) ayat, \(drift)")
      #expect(abs(found.drift) > 4 * found.driftError || standing == .chance)
    }
  }

  @Test func oneThatDriftsByItselfIsLeftOutOfItsSet() throws {
    let parts = parts(12) { $0 == 5 ? 0.02 : 500e-6 }
    let drift = try #require(TimingsDrift(parts))
    #expect(drift.recordings == 11 && abs(drift.value - 500e-6) < 4 * drift.error)
    let other = parts[5].given(drift)
    #expect(other.isDrifted && abs(other.drift - 20_000) < 4 * other.driftError)
  }

  /// An ayah that is recited twice, before the middle, and all later ones by as much later than they are published.
  private func repeating(_ index: Int) -> HeardRecitation {
    var recited = heard
    let again = recited.ayat[index]
    let length = again.end - again.start
    func later(_ place: HeardRecitation.Ayah) -> HeardRecitation.Ayah {
      var place = place
      place.earliest += length
      place.start += length
      place.voiceEnd += length
      place.end += length
      return place
    }
    recited.ayat = recited.ayat[...index] + [later(again)] + recited.ayat[(index + 1)...].map(later)
    recited.duration += length
    return recited
  }

  @Test(arguments: [4, 20, 34], [TimingsFormat.qulBySurah, .quranCom])
  func aRepeatIsHeardAfterTheAyahThatIsPublished(index: Int, format: TimingsFormat) {
    let recited = repeating(index)
    var published = timings()
    published.format = format
    let check = TimingsCheck(published, heard: recited)
    let (ayah, next) = (heard.ayat[index].ayah, heard.ayat[index + 1].ayah)
    #expect(found(check) == ["\(next) step", "\(ayah) unmarked_repeat"])
    #expect(check.findings.last?.time == recited.ayat[index + 1].start)
    #expect(TimingsCheck(check.repaired, heard: recited).verdict == .fits)
  }

  /// Objects have one entry for an ayah, which then reaches over its repeat.
  @Test(arguments: [TimingsFormat.qulBySurah, .quranCom])
  func anEntryThatReachesOverARepeatSaysSoWhereItHasToBeOne(format: TimingsFormat) {
    let recited = repeating(20)
    let ayat = heard.ayat.map { place in
      let places = recited.ayat.filter { $0.ayah == place.ayah }
      return PublishedTimings.Ayah(
        place.ayah, start: Int((places[0].start * 1000).rounded()),
        end: Int(((places.last?.end ?? 0) * 1000).rounded()))
    }
    let check = TimingsCheck(
      PublishedTimings(format, clock: .recording, ayat: ayat), heard: recited)
    #expect(found(check) == (format == .qulBySurah ? [] : ["78:21 unmarked_repeat"]))
  }

  /// Where in a pause the publisher puts a start is told by the set: one of few ayat is shifted by as much when the one after
  /// the longest pause was moved.
  @Test func theShiftOfFewAyatDoesNotDependOnWhichOfThemWasMoved() throws {
    func check(_ part: Int, _ count: Int, moved: Int? = nil) -> TimingsCheck {
      var heard = HeardRecitation(ayat: Array(heard.ayat[..<count]), duration: 100)
      var ayat = timings().ayat[..<count].map { $0 }
      for index in ayat.indices {
        let start = heard.ayat[index].start
        let pause = [0.2, 0.5, 0.8, 1.1][(index + part) % 4]
        heard.ayat[index].earliest = start - pause
        let told = start - 0.7 * pause + (index == moved ? 2 : 0)
        ayat[index].start = Int((told * 1000).rounded())
        ayat[index].end = nil
      }
      return TimingsCheck(
        PublishedTimings(.quranCom, clock: .recording, ayat: ayat), heard: heard)
    }
    let drift = try #require(TimingsDrift((0..<6).map { check($0, 12) }))
    let (whole, moved) = (check(0, 5), check(0, 5, moved: 3))
    #expect(abs(whole.shift - moved.shift) > 0.05)
    #expect(abs(whole.given(drift).shift - moved.given(drift).shift) < 0.01)
    #expect(found(moved.given(drift)) == ["78:4 starts_late"])
  }

  /// What is published after something was put into the recording, or cut out of it, from some ayat on.
  private func stepped(_ steps: [(index: Int, milliseconds: Int)], drift: Double = 0)
    -> PublishedTimings
  {
    timings(shift: 0.1, drift: drift) { ayat in
      for step in steps {
        for index in ayat[step.index...].indices {
          ayat[index].start! += step.milliseconds
          ayat[index].end! += step.milliseconds
        }
        ayat[step.index - 1].end! += step.milliseconds
      }
    }
  }

  @Test(arguments: [
    [(12, 1000)], [(10, 2000)], [(3, -4000)], [(37, 700)], [(10, 9000)], [(9, 1000), (25, -1000)],
    [(8, 1500), (20, 2500), (31, -3000)],
  ])
  func whereAllTimesJumpIsNamedAndEachPartMovedByItself(
    steps: [(index: Int, milliseconds: Int)]
  ) throws {
    let check = TimingsCheck(stepped(steps), heard: heard)
    #expect(found(check) == steps.map { "78:\($0.index + 1) step" })
    for (finding, step) in zip(check.findings, steps) {
      #expect(abs(try #require(finding.seconds) - Double(step.milliseconds) / 1000) < 0.1)
      #expect(finding.confidence > 0.95)
    }
    #expect(check.verdict == .unfit && !check.isDrifted && abs(check.shift - 0.1) < 0.1)
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
    for (ayah, place) in zip(check.repaired.ayat, heard.ayat) {
      #expect(abs(Double(ayah.start!) / 1000 - place.start) < 0.2)
      #expect(abs(Double(ayah.end!) / 1000 - place.end) < 0.2)
    }
  }

  @Test(arguments: [1500e-6, -0.02])
  func aDriftBesideAStepIsFoundToo(drift: Double) {
    let check = TimingsCheck(stepped([(15, 1500)], drift: drift), heard: heard)
    #expect(found(check) == ["78:16 step"] && check.isDrifted)
    #expect(abs(check.drift - drift * 1e6) < 4 * check.driftError)
    #expect(TimingsCheck(check.repaired, heard: heard).verdict == .fits)
  }

  @Test func aFewAyatThatWereMovedAreNoStep() {
    let moved = timings { ayat in
      for index in [14, 15] { ayat[index].start! += 1500 }
      for index in [38, 39] { ayat[index].start! -= 1500 }
    }
    #expect(TimingsCheck(moved, heard: heard).findings.allSatisfy { $0.kind != .step })
  }

  @Test(arguments: [(0.001, "seconds where"), (1000, "milliseconds where")])
  func anotherUnitOfTimeIsNamed(rate: Double, words: String) {
    let other = timings { ayat in
      for index in ayat.indices {
        ayat[index].start = Int(Double(ayat[index].start!) * rate)
        ayat[index].end = nil
        ayat[index].words = []
      }
    }
    let check = TimingsCheck(other, heard: heard)
    #expect(found(check) == ["78:1 wrong_unit"] && !check.isRepairable)
    #expect(check.findings[0].summary.contains(words) && check.repaired == other)
  }
}
