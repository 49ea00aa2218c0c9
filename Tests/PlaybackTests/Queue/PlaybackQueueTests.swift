// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import Testing

@testable import Playback

@Suite struct PlaybackQueueTests {
  /// All steps of a finite request, as short text.
  private func steps(_ request: PlaybackRequest, _ catalogue: CatalogueResolver) -> [String] {
    var queue = PlaybackQueue(Itinerary(request))
    var steps: [String] = []
    while steps.count < 100 {
      switch queue.next(at: rate) {
      case .need(let need): queue.provide(catalogue.answer(need, request, []), to: need)
      case .step(let step): steps.append(text(step))
      case .end: return steps
      }
    }
    return steps
  }

  private func text(_ step: PlaybackStep) -> String {
    let join =
      switch step.join {
      case .cut: ""
      case .continuous: "~"
      case .crossfade(let count): "x\(count.frames) "
      }
    switch step.content {
    case .gap(let count): return "gap \(count.frames)"
    case .missing(let occurrence, _, let count): return "missing \(occurrence.ayah) \(count.frames)"
    case .basmalah(let clip, let occurrence):
      return join + "basmalah of \(occurrence.ayah.surah.number) from \(clip.audio.media.rawValue)"
    case .breath(let passages):
      return join + passages.map { "\($0.occurrence.ayah)" }.joined(separator: "+")
    }
  }

  /// The end of 8, 9 and the beginning of 10, each surah in a recording of its own.
  private let surahs = CatalogueResolver([
    clip("1:1", "fatihah", 0..<5), clip("8:75", "eight", 0..<9), clip("9:1", "nine", 0..<9),
    clip("9:129", "nine", 50..<60), clip("10:1", "ten", 0..<9), clip("10:2", "ten", 9..<19),
  ])

  @Test func basmalahPrecedesASurahThatPlayGoesOnInto() {
    let request = PlaybackRequest(range("9:129-10:2"))
    #expect(steps(request, surahs) == ["9:129", "basmalah of 10 from fatihah", "10:1", "~10:2"])
  }

  @Test func noBasmalahBeforeTheNinthSurahOrTheFirstAyahOfARequest() {
    #expect(steps(PlaybackRequest(range("8:75-9:1")), surahs) == ["8:75", "9:1"])
    #expect(steps(PlaybackRequest(range("10:1-10:2")), surahs) == ["10:1", "~10:2"])
  }

  @Test func basmalahIsHeardOnceBeforeARepeatedAyahAndAfterTheGap() {
    var request = PlaybackRequest(range("9:129-10:1"))
    request.ayahRepeat = .times(2)
    request.gapMilliseconds = 7
    #expect(
      steps(request, surahs) == [
        "9:129", "gap 7", "9:129", "gap 7", "basmalah of 10 from fatihah", "10:1", "gap 7",
        "10:1",
      ])
  }

  @Test func basmalahCanBeTurnedOff() {
    var request = PlaybackRequest(range("9:129-10:1"))
    request.insertsBasmalah = false
    #expect(steps(request, surahs) == ["9:129", "10:1"])
  }

  @Test func noSecondBasmalahWhereTheSourceBeginsWithIt() {
    var catalogue = CatalogueResolver([clip("9:129", "nine", 50..<60)])
    var first = clip("10:1", "ten", 0..<9)
    first.beginsWithBasmalah = true
    catalogue.add(CatalogueEntry(first))
    #expect(steps(PlaybackRequest(range("9:129-10:1")), catalogue) == ["9:129", "10:1"])
  }

  @Test func basmalahIsOfTheSameReciterOrNone() {
    let catalogue = CatalogueResolver([
      clip("1:1", "another", 0..<5, reciter: 2), clip("9:129", "nine", 0..<9),
      clip("10:1", "ten", 0..<9),
    ])
    #expect(steps(PlaybackRequest(range("9:129-10:1")), catalogue) == ["9:129", "10:1"])
  }

  @Test func basmalahAndAyahThatFollowInTheRecordingAreContinuous() {
    let catalogue = CatalogueResolver([
      clip("1:1", "night", 10..<15), clip("9:129", "night", 0..<10), clip("10:1", "night", 15..<20),
    ])
    var request = PlaybackRequest(range("9:129-10:1"))
    request.crossfadeMilliseconds = 3
    #expect(steps(request, catalogue) == ["9:129", "~basmalah of 10 from night", "~10:1"])
  }

  /// 2:286 and 3:1 in one breath, 3:2 after it, and 2:285 before.
  private let pair = CatalogueResolver([
    clip("1:1", "fatihah", 0..<5),
    clip("2:285", "night", 0..<10), clip("2:286", "night", 10..<20, sharesBreath: true),
    clip("3:1", "night", 20..<30, sharesBreath: true), clip("3:2", "night", 30..<40),
  ])

  @Test func aPairInOneBreathPlaysThroughWithoutABasmalah() {
    #expect(steps(PlaybackRequest(range("2:285-3:2")), pair) == ["2:285", "~2:286+3:1", "~3:2"])
  }

  /// 2:1 and 2:2 in one file, nobody knows where in it, and 2:3 in another.
  private var joined: CatalogueResolver {
    var catalogue = CatalogueResolver([clip("2:3", "second", 0..<10)])
    for text in ["2:1", "2:2"] {
      var whole = clip(text, "first", 0..<20)
      whole.together = range("2:1-2:2")
      catalogue.add(CatalogueEntry(whole))
    }
    return catalogue
  }

  @Test func ayatInOneSoundAreHeardOnce() {
    #expect(steps(PlaybackRequest(range("2:1-2:3")), joined) == ["2:1", "2:3"])
    #expect(steps(PlaybackRequest(range("2:2-2:3")), joined) == ["2:2", "2:3"])
    #expect(steps(PlaybackRequest(range("2:1-2:2")), joined) == ["2:1"])
  }

  @Test func ayatInOneSoundAreRepeatedAsOne() {
    var request = PlaybackRequest(range("2:1-2:3"))
    request.ayahRepeat = .times(2)
    request.gapMilliseconds = 7
    #expect(
      steps(request, joined) == [
        "2:1", "gap 7", "2:1", "gap 7", "2:3", "gap 7", "2:3",
      ])
    request = PlaybackRequest(range("2:1-2:2"))
    request.rangeRepeat = .times(2)
    #expect(steps(request, joined) == ["2:1", "2:1"])
  }

  @Test func aPairIsCutWhereOnlyOneSideIsWanted() {
    #expect(steps(PlaybackRequest(range("3:1-3:2")), pair) == ["3:1", "~3:2"])
    #expect(steps(PlaybackRequest(range("2:285-2:286")), pair) == ["2:285", "~2:286"])
  }

  @Test func aGapOrARepetitionCutsABreath() {
    var request = PlaybackRequest(range("2:286-3:1"))
    request.gapMilliseconds = 4
    #expect(steps(request, pair) == ["2:286", "gap 4", "basmalah of 3 from fatihah", "3:1"])
    request.gapMilliseconds = 0
    request.ayahRepeat = .times(2)
    #expect(steps(request, pair) == ["2:286", "2:286+3:1", "3:1"])
  }

  @Test func aBreathReachesOverTheEndOfTheRangeIntoWhatFollows() {
    var request = PlaybackRequest(range("2:286"))
    request.afterRepeat = .continueAyat(2)
    #expect(steps(request, pair) == ["2:286+3:1", "~3:2"])
  }

  @Test func aNewPassCutsABreath() {
    var request = PlaybackRequest(range("2:286-3:1"))
    request.rangeRepeat = .times(2)
    #expect(steps(request, pair) == ["2:286+3:1", "2:286+3:1"])
  }

  @Test func neighboursOfAnotherRecordingAreNotOfTheBreath() {
    let catalogue = CatalogueResolver([
      clip("2:1", "a", 0..<10, sharesBreath: true), clip("2:2", "b", 10..<20, sharesBreath: true),
      clip("2:3", "b", 20..<30, sharesBreath: true), clip("2:4", "b", 31..<40, sharesBreath: true),
    ])
    #expect(steps(PlaybackRequest(range("2:1-2:4")), catalogue) == ["2:1", "2:2+2:3", "2:4"])
  }

  @Test func crossfadesJoinOnlyWhatIsNotContinuous() {
    let catalogue = CatalogueResolver([
      clip("2:1", "a", 0..<10), clip("2:2", "a", 10..<20), clip("2:3", "b", 0..<10),
      clip("2:5", "b", 10..<20),
    ])
    var request = PlaybackRequest(range("2:1-2:5"))
    request.crossfadeMilliseconds = 2
    #expect(
      steps(request, catalogue) == ["2:1", "~2:2", "x2 2:3", "missing 2:4 500", "2:5"])
    request.gapMilliseconds = 1
    #expect(!steps(request, catalogue).contains { $0.hasPrefix("x") })
  }

  @Test func repetitionsCrossfadeIntoThemselves() {
    var request = PlaybackRequest(range("10:1"))
    request.ayahRepeat = .times(2)
    request.crossfadeMilliseconds = 2
    #expect(steps(request, surahs) == ["10:1", "x2 10:1"])
  }

  @Test func planningFromAStepAnewGivesTheSameStepsAgain() {
    var request = PlaybackRequest(range("8:75-10:2"))
    request.gapMilliseconds = 3
    request.ayahRepeat = .times(2)
    func collect(_ queue: inout PlaybackQueue, _ count: Int) -> [PlaybackStep] {
      var steps: [PlaybackStep] = []
      while steps.count < count {
        switch queue.next(at: rate) {
        case .need(let need): queue.provide(surahs.answer(need, request, []), to: need)
        case .step(let step): steps.append(step)
        case .end: return steps
        }
      }
      return steps
    }
    var queue = PlaybackQueue(Itinerary(request))
    let all = collect(&queue, 300)
    for index in all.indices {
      queue.replan(from: all[index].origin)
      #expect(collect(&queue, 5) == Array(all[index...].prefix(5)))
      queue.replan(from: all[index].following)
      #expect(collect(&queue, 5) == Array(all[(index + 1)...].prefix(5)))
    }
  }
}
