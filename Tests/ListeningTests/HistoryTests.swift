// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Playback
import Quran
import TestSupport
import Testing

@testable import Listening

@Suite struct HistoryTests {
  private let entry = Table.entry(1, "112")

  /// Plays ayat from their first frame on, with a look every so many frames; the hearings that came of it.
  private func play(
    _ ayat: [String], every step: Int64, until last: Int64 = 12_000
  ) -> [Hearing] {
    var tracker = HearingTracker()
    var hearings: [Hearing] = []
    for (index, name) in ayat.enumerated() {
      let ayah = AyahReference(name)!
      let end = index + 1 == ayat.count ? last : 12_000
      for frame in stride(from: index == 0 ? 0 : step / 3, to: end, by: Int64.Stride(step)) {
        hearings += [
          tracker.look(Table.now(entry, ayah: ayah, seconds: Double(frame) / 1000))
        ].compactMap { $0 }
      }
    }
    return hearings + [tracker.finish()].compactMap { $0 }
  }

  @Test(arguments: [7, 17, 40, 123, 400])
  func whatIsHeardToTheEndCountsWholeHoweverOftenItIsLookedAt(step: Int64) {
    let hearings = play(["112:1", "112:2", "112:3"], every: step, until: 5000)
    #expect(hearings.map(\.clip.ayah.ayah) == [1, 2, 3])
    #expect(hearings[0].frames == FrameCount(12_000))
    #expect(hearings[1].frames == FrameCount(12_000))
    #expect((5000 - step...5000).contains(hearings[2].frames.frames))
  }

  @Test func whatIsJumpedOverIsNotCounted() {
    var tracker = HearingTracker()
    for seconds in [0, 0.2, 0.4, 10.0, 10.2] {
      _ = tracker.look(Table.now(entry, seconds: seconds))
    }
    #expect(tracker.finish()?.frames == FrameCount(600))
  }

  @Test func whatIsSeenIsCountedWhileItIsSeen() {
    var tracker = HearingTracker()
    for (seconds, isWatched) in [
      (0.0, false), (0.2, true), (0.4, true), (0.6, false), (10.0, true),
    ] {
      _ = tracker.look(Table.now(entry, seconds: seconds), isWatched: isWatched)
    }
    let over = tracker.finish()
    #expect(over?.frames == FrameCount(600) && over?.watched == FrameCount(400))
    // To the end of the ayah, when the next one is heard.
    _ = tracker.look(Table.now(entry, seconds: 11.8), isWatched: true)
    let next = tracker.look(Table.now(entry, ayah: AyahReference("112:2")!), isWatched: true)
    #expect(next?.watched == FrameCount(200))
  }

  @Test func aPauseAddsNothing() {
    var tracker = HearingTracker()
    _ = tracker.look(Table.now(entry, seconds: 0.1))
    for _ in 0..<5 {
      var paused = Table.now(entry, seconds: 0.1, .paused(.playing))
      paused.frame = nil
      #expect(tracker.look(paused) == nil)
    }
    _ = tracker.look(Table.now(entry, seconds: 0.3))
    #expect(tracker.finish()?.frames == FrameCount(300))
  }

  /// Looks every fifth of a second from one second of 112:1 to another.
  private func hear(_ tracker: inout HearingTracker, _ seconds: ClosedRange<Double>) {
    for tenth in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 0.2) {
      _ = tracker.look(Table.now(entry, seconds: tenth))
    }
  }

  @Test func piecesOfAnAyahThatFollowEachOtherAddUp() throws {
    var tracker = HearingTracker()
    hear(&tracker, 0...5)
    let parts = try #require(tracker.parts)
    let first = tracker.finish()
    #expect(first?.isWhole == false)
    // Another program takes it up where it was left.
    tracker = HearingTracker(after: parts)
    hear(&tracker, 5...11.8)
    let second = tracker.finish()
    #expect(second?.isWhole == true && second?.frames == FrameCount(6800))
    // What was heard whole begins anew.
    hear(&tracker, 5...11.8)
    #expect(tracker.finish()?.isWhole == false)
    // Of another recording or another ayah nothing is added.
    for other in [HeardParts(MediaKey(rawValue: "other"), parts.parts), nil] {
      tracker = HearingTracker(after: other)
      hear(&tracker, 5...11.8)
      let over = tracker.finish()
      #expect(over?.isWhole == false)
    }
    tracker = HearingTracker(after: parts)
    _ = tracker.look(Table.now(entry, ayah: AyahReference("112:2")!, seconds: 1))
    hear(&tracker, 5...11.8)
    #expect(tracker.finish()?.isWhole == false)
  }

  @Test func aPieceThatIsHeardAgainAndAgainIsNotTheWhole() {
    var tracker = HearingTracker()
    for _ in 0..<9 {
      hear(&tracker, 1...2.4)
      let over = tracker.finish()
      #expect(over?.isWhole == false)
    }
    // Within one hearing neither.
    for _ in 0..<9 { hear(&tracker, 1...2.4) }
    #expect(tracker.finish()?.isWhole == false)
    // And going back within it takes nothing away.
    hear(&tracker, 0...6)
    hear(&tracker, 4...11.8)
    #expect(tracker.finish()?.isWhole == true)
  }

  @Test func aGapEndsTheAyah() {
    var tracker = HearingTracker()
    _ = tracker.look(Table.now(entry, seconds: 11.8))
    var gap = Table.now(entry, seconds: 0, .active(.awaitingNextAyah))
    gap.frame = nil
    #expect(tracker.look(gap)?.frames == FrameCount(200))
    #expect(tracker.finish() == nil)
  }
}

@Suite struct LibraryQueryTests {
  private func candidate(
    _ ayah: String, confirmed: Bool = true, seconds: Double = 10, since: Double? = nil
  ) -> LibraryQuery.Candidate {
    LibraryQuery.Candidate(
      ayah: AyahReference(ayah)!, isConfirmed: confirmed, seconds: seconds, secondsSinceHeard: since
    )
  }

  @Test func allTermsHaveToFit() throws {
    let query = try LibraryQuery(
      parsing:
        #"surah:18 reciter:"Mahmoud Khalil" confirmed:yes not-heard:14d length:<30s length:>2s"#)
    #expect(query.reciter == "Mahmoud Khalil")
    #expect(query.needsLog)
    #expect(query.fits(candidate("18:10")))
    #expect(query.fits(candidate("18:10", since: 15 * 86_400)))
    #expect(!query.fits(candidate("18:10", since: 13 * 86_400)))
    #expect(!query.fits(candidate("19:10")))
    #expect(!query.fits(candidate("18:10", confirmed: false)))
    #expect(!query.fits(candidate("18:10", seconds: 30)))
    #expect(!query.fits(candidate("18:10", seconds: 2)))
    #expect(try LibraryQuery(parsing: "heard:1h").fits(candidate("1:1")) == false)
    #expect(try LibraryQuery(parsing: "juz:30").range?.first == AyahReference("78:1"))
  }

  @Test(arguments: [
    "surah", "colour:red", "length:30s", "confirmed:maybe", "not-heard:soon", "surah:115",
    "surah:1 surah:2", "riwayah:x", "heard:-1d", "reciter:", "length:<1x", "heard:nans",
    "reciter:\"Emad", "surah:1 \"", "", " ",
  ]) func whatMakesNoSenseIsRefused(text: String) {
    #expect(throws: LibraryQuery.Problem.self) { try LibraryQuery(parsing: text) }
  }

  @Test func anythingTypedIsReadOrRefusedQuickly() {
    let pieces =
      LibraryQuery.terms + [
        ":", "\"", " ", "<", ">", "14d", "\u{202E}", "2:255", "é", "\0", "9999999999", "-",
      ]
    var random = SplitMix64(state: 3)
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }.joined()
      if let query = try? LibraryQuery(parsing: text) { _ = query.fits(candidate("2:255")) }
    }
    #expect(throws: LibraryQuery.Problem.tooLong) {
      try LibraryQuery(parsing: String(repeating: "x", count: 1001))
    }
  }
}

@Suite struct SettingsTests {
  @Test func onlyWhatHasChangedIsTakenOver() {
    var (kept, run) = (Settings(), Settings())
    kept.gain = 3
    // As the command line asks for it.
    run.speed = 2
    run.gain = 3
    var changed = run
    changed.volume = 0.9
    kept.take(changesFrom: run, to: changed)
    #expect(kept.speed == 1 && kept.volume == 0.9 && kept.gain == 3)
    run = changed
    changed.speed = 2.05
    kept.take(changesFrom: run, to: changed)
    #expect(kept.speed == 2.05)
  }

  @Test func whatIsOutOfRangeIsAsUsual() throws {
    let text = #"{"speed":99,"volume":-1,"gain":3,"bands":[2],"curve":"square","fadeIn":"x"}"#
    let settings = try JSON.decode(text)
    #expect(settings.speed == 3 && settings.volume == 0 && settings.gain == 3)
    #expect(settings.bands == Settings().bands && settings.crossfadeCurve == .equalPower)
    #expect(settings.fadeInMilliseconds == 5)
    var other = Settings()
    other.crossfadeCurve = .sCurve
    other.bands[2] = 0.25
    other.speed = 1.35
    #expect(try JSON.decode(JSON.encode(other)) == other)
  }
}

@Suite struct StatisticsTests {
  private func heard(
    _ day: String, _ ayah: String, _ reciter: String? = "A", seconds: Double = 10,
    watched: Double = 0, isWhole: Bool = true
  ) -> HeardEntry {
    HeardEntry(
      day: day, ayah: AyahReference(ayah)!, reciter: reciter, seconds: seconds,
      watchedSeconds: watched, isWhole: isWhole)
  }

  @Test func sumsAreByDayReciterAndSurah() {
    let statistics = ListeningStatistics([
      heard("2024-01-02", "112:1", watched: 7),
      heard("2024-01-01", "112:1", nil, seconds: 5, watched: 1),
      heard("2024-01-02", "112:2", seconds: 3, isWhole: false), heard("2024-01-02", "2:5"),
    ])
    #expect(statistics.seconds == 28 && statistics.watchedSeconds == 8)
    #expect(statistics.days.map(\.watchedSeconds) == [1, 7])
    #expect(statistics.days.map(\.key) == ["2024-01-01", "2024-01-02"])
    #expect(statistics.days.map(\.ayat) == [1, 2])
    #expect(statistics.reciters.map(\.key) == ["A", nil])
    #expect(statistics.surahs.map(\.key.number) == [2, 112])
    #expect(statistics.surahs[1].seconds == 18 && statistics.surahs[1].ayat == 2)
    #expect(statistics.surahs[1].differentAyat == 1)
    #expect(statistics.heardAyat == 2 && statistics.completions == 0)
  }

  @Test func theQuranIsCompleteWhenItsLeastHeardAyahIs() {
    let all = AyahReference.all.map { heard("2024-01-01", "\($0)") }
    let twice = ListeningStatistics(all + all + [heard("2024-01-01", "1:1")])
    #expect(twice.completions == 2)
    #expect(ListeningStatistics(Array(all.dropLast())).completions == 0)
    #expect(
      twice.picture(columns: 57, isUnicode: true)
        == [String](repeating: String(repeating: "█", count: 57), count: 2))
  }

  @Test func thePictureDarkensWithWhatWasHeard() {
    let one = ListeningStatistics([heard("2024-01-01", "112:1")])
    let line = one.picture(columns: 114, isUnicode: false)[0]
    #expect(line.count == 114)
    #expect(Array(line)[111] != "." && line.filter { $0 == "." }.count == 113)
    #expect(ListeningStatistics.bars([0, 1, 2], isUnicode: false) == " =%")
  }
}
