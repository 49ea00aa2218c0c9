// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import Testing

@testable import Playback

@Suite struct ConductorTests {
  /// 112:1-4 one after another in one recording, 10 frames each, and 1:1 elsewhere.
  private let ikhlas = [
    clip("1:1", "fatihah", 0..<5), clip("112:1", "night", 0..<10), clip("112:2", "night", 10..<20),
    clip("112:3", "night", 20..<30), clip("112:4", "night", 30..<40),
  ]

  @Test func playsARangeToItsEnd() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    #expect(performance.state == .active(.loading))
    performance.hear(1)
    #expect(performance.state == .active(.playing))
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<30)])
    #expect(performance.state == .idle(.finished))
  }

  @Test func theRendererIsToldWhereNothingFollows() {
    func commands(
      _ lookahead: Int, ayahLength length: Int64 = 3000,
      then change: (inout PlaybackConductor) -> Void = { _ in }
    ) -> [RendererCommand] {
      var settings = PlaybackSettings()
      settings.lookaheadMilliseconds = lookahead
      let ayat = (1...4).map {
        clip("112:\($0)", "night", Int64($0) * length..<(Int64($0) + 1) * length)
      }
      var performance = Performance(ayat, settings)
      performance.play(PlaybackRequest(range("112:1-112:4")))
      performance.hear(1)
      performance.act(change)
      return performance.renderer.commands
    }
    let all = commands(60_000)
    #expect(all.last == .complete && all.count { $0 == .complete } == 1)
    // Two ayat are there, and the others come while they are heard.
    #expect(!commands(5000).contains(.complete))
    // What ends with this ayah, or is too short for anything to be heard that could bring more.
    #expect(commands(5000) { $0.setPausesAfterAyah(true) }.last == .complete)
    #expect(commands(0, ayahLength: 900).last == .complete)
  }

  @Test func goesThroughEveryStateOfARepeatedRange() {
    var performance = Performance(ikhlas)
    var request = PlaybackRequest(range("112:1-112:2"))
    request.ayahRepeat = .times(2)
    request.rangeRepeat = .times(2)
    request.gapMilliseconds = 3
    request.afterRepeat = .continueAyat(1)
    performance.play(request)
    performance.hearToTheEnd()
    // Loading takes no time here, and rangeEnd follows the end of the last ayah at once.
    let pass: [PlaybackState.Activity] = [
      .playing, .awaitingRepeat, .playing, .awaitingNextAyah, .playing, .awaitingRepeat, .playing,
    ]
    let expected = pass + [.awaitingNextAyah] + pass + [.rangeComplete, .playing]
    #expect(performance.states.compactMap(\.activity).filter { $0 != .loading } == expected)
    #expect(performance.state == .idle(.finished))
  }

  @Test func gapOfHalfASecondIsExactAtEveryRate() throws {
    for hertz in [8000, 22_050, 44_100, 48_000, 96_000] {
      let rate = try #require(SampleRate(hertz: hertz))
      var request = PlaybackRequest(range("112:1-112:2"))
      request.gapMilliseconds = 500
      var queue = PlaybackQueue(Itinerary(request))
      queue.provide(.ayah(.found(ikhlas[1])), to: .ayah(ayah("112:1")))
      _ = queue.next(at: rate)
      guard case .step(let step) = queue.next(at: rate) else {
        Issue.record("no step")
        return
      }
      #expect(step.content == .gap(FrameCount(Int64(hertz) / 2)))
    }
  }

  @Test func aGapMayBeAsLongAsTheAyahAtItsSpeed() {
    let uneven = [clip("112:1", "night", 0..<10), clip("112:2", "night", 10..<40)]
    func heard(_ factor: Double, _ milliseconds: Int, speed: Double = 1) -> [Heard] {
      var performance = Performance(uneven)
      var request = PlaybackRequest(range("112:1-112:2"))
      request.ayahRepeat = .times(2)
      request.gapFactor = factor
      request.gapMilliseconds = milliseconds
      performance.play(request)
      if speed != 1 { performance.act { _ = $0.setSpeed(speed) } }
      performance.hearToTheEnd()
      return performance.renderer.heard
    }
    let night = MediaKey(rawValue: "night")
    func expected(_ gaps: Int64...) -> [Heard] {
      [
        .audio(night, 0..<10), .silence(gaps[0]), .audio(night, 0..<10), .silence(gaps[0]),
        .audio(night, 10..<40), .silence(gaps[1]), .audio(night, 10..<40),
      ]
    }
    #expect(heard(1, 0) == expected(10, 30))
    #expect(heard(0.5, 7) == expected(12, 22))
    #expect(heard(1, 0, speed: 2) == expected(5, 15))
  }

  @Test func otherRepeatsHoldFromTheAyahThatIsHeardOn() {
    let night = MediaKey(rawValue: "night")
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:2")))
    performance.hear(4)
    #expect(performance.act { $0.setRepeats(ayah: .times(3), range: nil) })
    #expect(performance.conductor.status.place?.repetitions == .times(3))
    performance.hearToTheEnd()
    let first = [Heard](repeating: .audio(night, 0..<10), count: 3)
    #expect(
      performance.renderer.heard
        == Heard.joined(first + [Heard](repeating: .audio(night, 10..<20), count: 3)))
    // Less than what was heard already: the ayah is left at its end.
    performance = Performance(ikhlas)
    var request = PlaybackRequest(range("112:1-112:2"))
    request.ayahRepeat = .endless
    performance.play(request)
    performance.hear(34)
    performance.act { _ = $0.setRepeats(ayah: .once, range: nil) }
    performance.hearToTheEnd()
    #expect(
      performance.renderer.heard
        == [Heard](repeating: .audio(night, 0..<10), count: 3) + [.audio(night, 0..<20)])
    #expect(performance.state == .idle(.finished))
    #expect(performance.conductor.status.state == .idle(.finished))
    var nothing = PlaybackConductor()
    #expect(
      !nothing.setRepeats(ayah: .once, range: nil) && !nothing.setGap(milliseconds: 1, factor: 0))
  }

  @Test func aPartOfAnAyahIsHeardByTimeOrByWords() {
    func heard(_ excerpt: AyahExcerpt, _ words: WordTimings?) -> (Performance) {
      var long = clip("2:282", "night", 100..<1100)
      long.words = words
      var performance = Performance([long])
      var request = PlaybackRequest(range("2:282"))
      request.excerpt = excerpt
      performance.play(request)
      performance.hearToTheEnd()
      return performance
    }
    let night = MediaKey(rawValue: "night")
    let words = WordTimings([0..<100, 150..<300, 300..<500, 600..<900])
    #expect(heard(.milliseconds(50..<250), nil).renderer.heard == [.audio(night, 150..<350)])
    #expect(heard(.milliseconds(900..<9000), nil).renderer.heard == [.audio(night, 1000..<1100)])
    #expect(heard(.opening(milliseconds: 200), nil).renderer.heard == [.audio(night, 100..<300)])
    let late = WordTimings([300..<500, 600..<900])
    #expect(heard(.opening(milliseconds: 200), late).renderer.heard == [.audio(night, 400..<600)])
    #expect(heard(.words(2...3), words).renderer.heard == [.audio(night, 250..<700)])
    #expect(heard(.words(4...4), words).renderer.heard == [.audio(night, 700..<1100)])
    for (excerpt, words) in [
      (AyahExcerpt.words(1...2), nil), (.words(9...10), words), (.milliseconds(2000..<3000), nil),
    ] {
      let performance = heard(excerpt, words)
      #expect(performance.renderer.heard == [.silence(500)])
      guard case .missing(_, .some) = performance.notices.first else {
        Issue.record("\(performance.notices)")
        continue
      }
    }
  }

  @Test func whatIsInterruptedGoesOnByItselfOnlyWhereTheSettingsSaySo() {
    for resumes in [false, true] {
      var settings = PlaybackSettings()
      settings.fadeOutMilliseconds = 0
      settings.resumesAfterInterruption = resumes
      let after = PlaybackState.Activity.playing
      var performance = Performance(ikhlas, settings)
      performance.play(PlaybackRequest(range("112:1-112:4")))
      performance.hear(3)
      for interruption in PlaybackInterruption.allCases {
        #expect(performance.act { $0.interrupt(interruption) })
        #expect(performance.state == .paused(after))
        #expect(!performance.act { $0.interrupt(interruption) })
        #expect(performance.act { $0.endInterruption() } == resumes)
        #expect(performance.state == (resumes ? .active(after) : .paused(after)))
        performance.act { _ = $0.resume() }
      }
      performance.change { $0.loseDevice() }
      performance.change { $0.tell(.deviceReturned) }
      #expect(performance.state == (resumes ? .active(after) : .paused(after)))
      performance.act { _ = $0.resume() }
      // What a person has paused, no end of an interruption starts.
      performance.act { _ = $0.pause() }
      performance.change { $0.tell(.deviceReturned) }
      #expect(!performance.act { $0.interrupt(.sleep) })
      #expect(!performance.act { $0.endInterruption() })
      #expect(performance.state == .paused(after))
    }
  }

  @Test func spaceDecidesWhetherItGoesOnWhenALostDeviceIsBack() {
    for resumes in [false, true] {
      var settings = PlaybackSettings()
      settings.resumesAfterInterruption = resumes
      for times in 0..<4 {
        var performance = Performance(ikhlas, settings)
        performance.play(PlaybackRequest(range("112:1-112:4")))
        performance.hear(3)
        performance.change { $0.loseDevice() }
        var goesOn = resumes
        #expect(performance.conductor.status.deviceWait == (goesOn ? .goesOn : .staysPaused))
        for _ in 0..<times {
          performance.act { _ = $0.togglePause() }
          goesOn.toggle()
          // It is tried at once, in vain.
          if goesOn { performance.change { $0.loseDevice() } }
          #expect(performance.state == .paused(.playing))
          #expect(performance.conductor.status.deviceWait == (goesOn ? .goesOn : .staysPaused))
        }
        let losses = performance.notices.filter { if case .deviceLost = $0 { true } else { false } }
        #expect(
          losses.first == .deviceLost(reason: "unplugged", resumes ? .goesOn : .staysPaused))
        performance.change { $0.tell(.deviceReturned) }
        #expect(performance.state == (goesOn ? .active(.playing) : .paused(.playing)))
        #expect(performance.notices.contains(.deviceReturned) == !goesOn)
        #expect(performance.conductor.status.deviceWait == nil)
      }
    }
  }

  @Test func missingAyahGivesHalfASecondOfSilenceAndANotice() {
    var performance = Performance([ikhlas[1], ikhlas[3]])
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hearToTheEnd()
    let night = MediaKey(rawValue: "night")
    #expect(
      performance.renderer.heard == [.audio(night, 0..<10), .silence(500), .audio(night, 20..<30)])
    #expect(performance.notices == [.missing(ayah("112:2"), reason: nil)])
  }

  @Test func anAyahThatComesBackBeforeItsTurnIsHeard() {
    let night = MediaKey(rawValue: "night")
    for comesBack in [0, 9, 10] {
      var performance = Performance([ikhlas[1], ikhlas[3]])
      performance.play(PlaybackRequest(range("112:1-112:3")))
      performance.hear(Int64(comesBack))
      // Its silence has long been scheduled.
      performance.catalogue = CatalogueResolver(ikhlas)
      performance.hearToTheEnd()
      let sound = performance.renderer.heard.filter {
        if case .silence = $0 { false } else { true }
      }
      #expect(sound == [.audio(night, 0..<10), .audio(night, 10..<30)])
      #expect(performance.notices == [], "came back after \(comesBack) frames")
    }
  }

  @Test func aSecondLookThatComesTooLateChangesNothing() {
    var performance = Performance([ikhlas[1], ikhlas[3]])
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.answersAtOnce = false
    performance.hear(11)
    #expect(performance.notices == [] && performance.searches.count == 1)
    performance.hear(500)
    #expect(performance.notices == [.missing(ayah("112:2"), reason: nil)])
    performance.catalogue = CatalogueResolver(ikhlas)
    performance.answerSearch()
    performance.hearToTheEnd()
    #expect(performance.renderer.heard.last == .audio(MediaKey(rawValue: "night"), 20..<30))
    #expect(performance.notices.count == 1 && performance.state == .idle(.finished))
  }

  @Test func aMissingAyahIsNotRepeated() {
    var performance = Performance([ikhlas[1], ikhlas[3]])
    var request = PlaybackRequest(range("112:1-112:3"))
    request.ayahRepeat = .times(3)
    performance.play(request)
    performance.hearToTheEnd()
    #expect(performance.renderer.heard.filter { $0 == .silence(500) }.count == 1)
  }

  @Test func failsWhenNothingAtAllCanBeHeard() {
    var performance = Performance([clip("1:1", "a", 0..<5)])
    performance.play(PlaybackRequest(range("112:1-112:3")))
    let failure = PlaybackFailure.nothingAvailable(range("112:1-112:3"), reason: nil)
    #expect(performance.state == .failed(failure))
    #expect(performance.notices == [.failed(failure)])
    #expect(performance.act { $0.seek(to: ayah("112:2")) })
    #expect(performance.state == .failed(failure))
  }

  @Test func saysWhyNothingAtAllCanBeHeard() {
    var performance = Performance([AyahClip]())
    performance.answersAtOnce = false
    func answer(_ resolution: Resolution<AyahClip>) {
      performance.answerSearch(with: .ayah(resolution))
    }
    performance.play(PlaybackRequest(range("112:1-112:3")))
    answer(.missing)
    answer(.failed("its disk is not mounted"))
    answer(.lacking("the server does not have it"))
    #expect(
      performance.state
        == .failed(
          .nothingAvailable(range("112:1-112:3"), reason: "112:2: its disk is not mounted")))
    // Another attempt knows nothing of the first.
    performance.play(PlaybackRequest(range("112:1-112:1")))
    answer(.lacking("the source is disabled"))
    let failure = PlaybackFailure.nothingAvailable(
      range("112:1-112:1"), reason: "112:1: the source is disabled")
    #expect(performance.state == .failed(failure))
    #expect(
      failure.description == "nothing of 112:1 can be played; 112:1: the source is disabled")
  }

  @Test func anEndlessRangeEndsWhenItsRecordingsAreGone() {
    var performance = Performance(ikhlas)
    var request = PlaybackRequest(range("112:1-112:2"))
    request.rangeRepeat = .endless
    performance.renderer.broken = [MediaKey(rawValue: "night")]
    performance.play(request)
    performance.hearToTheEnd()
    #expect(
      performance.state == .failed(.nothingAvailable(range("112:1-112:2"), reason: nil)))
  }

  @Test func theNextItemIsScheduledBeforeTheFirstIsHeard() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:4")))
    #expect(performance.renderer.schedule.count >= 2)
  }

  @Test func pauseFadesAndResumeGoesOnWhereItWas() {
    var settings = PlaybackSettings()
    settings.fadeOutMilliseconds = 10
    var performance = Performance(ikhlas, settings)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(5)
    #expect(performance.act { $0.pause() })
    #expect(performance.state == .pausing(.playing))
    // The fade is heard over the join of two ayat.
    performance.hear(7)
    #expect(performance.state == .pausing(.playing))
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("112:2"))
    performance.hear(100)
    #expect(performance.state == .paused(.playing))
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<15)])
    #expect(performance.act { $0.resume() })
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<30)])
  }

  @Test func pauseDuringAGapGoesOnInTheGap() {
    var performance = Performance(ikhlas)
    var request = PlaybackRequest(range("112:1-112:2"))
    request.gapMilliseconds = 20
    performance.play(request)
    performance.hear(15)
    #expect(performance.state == .active(.awaitingNextAyah))
    #expect(performance.act { $0.pause() })
    #expect(performance.state == .paused(.awaitingNextAyah))
    performance.hear(100)
    #expect(performance.act { $0.resume() })
    performance.hearToTheEnd()
    let night = MediaKey(rawValue: "night")
    #expect(
      performance.renderer.heard == [.audio(night, 0..<10), .silence(20), .audio(night, 10..<20)])
  }

  @Test func pauseBeforeAnythingIsFoundKeepsSilent() {
    var performance = Performance(ikhlas)
    performance.answersAtOnce = false
    performance.play(PlaybackRequest(range("112:1-112:2")))
    #expect(performance.act { $0.pause() })
    performance.answersAtOnce = true
    performance.answerSearch()
    performance.hear(10)
    #expect(performance.renderer.heard.isEmpty)
    #expect(performance.state == .paused(.loading))
    performance.act { $0.resume() }
    performance.hear(10)
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<10)])
  }

  @Test func lossOfTheDevicePausesAndNothingIsLost() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(14)
    performance.change { $0.loseDevice() }
    #expect(performance.state == .paused(.playing))
    #expect(performance.notices == [.deviceLost(reason: "unplugged", .staysPaused)])
    performance.act { $0.resume() }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<30)])
  }

  @Test func aNewPlayReplacesTheOld() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(14)
    performance.change { _ = $0.takeHeard() }
    performance.play(PlaybackRequest(range("112:4")))
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 30..<40)])
  }

  @Test func changingTheRiwayahStopsPlayForGood() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(5)
    performance.act { $0.setRiwayah(.hafs) }
    #expect(performance.state == .active(.playing))
    performance.act { $0.setRiwayah(.warsh) }
    #expect(performance.state == .stopping)
    performance.change { $0.endFade() }
    #expect(performance.state == .idle(.stopped))
    #expect(performance.notices == [.riwayahChanged(to: .warsh)])
    #expect(!performance.act { $0.seek(to: ayah("112:2")) })
  }

  @Test func neverTakesAnotherRiwayah() {
    var performance = Performance(
      [clip("112:1", "night", 0..<10), clip("112:2", "warsh", 0..<10, riwayah: .warsh)])
    performance.play(PlaybackRequest(range("112:1-112:2")))
    performance.hearToTheEnd()
    #expect(performance.notices == [.missing(ayah("112:2"), reason: nil)])
  }

  @Test func anUnreadableRecordingIsReplacedBeforeItsTurn() {
    var performance = Performance(
      [ikhlas[1], clip("112:2", "a broken one", 0..<10), ikhlas[2], ikhlas[3]])
    performance.renderer.broken = [MediaKey(rawValue: "a broken one")]
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 0..<30)])
    #expect(
      performance.notices == [
        .unreadable(
          MediaKey(rawValue: "a broken one"), ayah("112:2"), reason: "broken")
      ])
  }

  @Test func aRecordingThatBreaksOffIsLeftForTheNextAyah() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:2")))
    performance.hear(4)
    let item = performance.renderer.schedule[0].id
    performance.change { $0.tell(.failed(item, reason: "damaged")) }
    #expect(performance.notices.count == 1)
    #expect(performance.state == .active(.playing))
    performance.hearToTheEnd()
    #expect(performance.state == .idle(.finished))
  }

  @Test func nextAndPreviousLeaveRepetitions() {
    var performance = Performance(ikhlas)
    var request = PlaybackRequest(range("112:1-112:3"))
    request.ayahRepeat = .endless
    performance.play(request)
    performance.hear(25)
    #expect(performance.conductor.status.place?.occurrence.repetition == 3)
    #expect(performance.act { $0.next() })
    performance.hear(1)
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("112:2"))
    #expect(performance.act { $0.previous() })
    #expect(performance.act { $0.previous() })
    performance.hear(1)
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("112:1"))
    #expect(performance.act { $0.seek(to: ayah("112:3")) })
    #expect(!performance.act { $0.next() })
    #expect(!performance.act { $0.seek(to: ayah("112:4")) })
    performance.hear(1)
    #expect(performance.conductor.status.place?.ayahNumber == 3)
  }

  @Test func stepsLeaveAPauseAsItIs() {
    let steps: [(String, @Sendable (inout PlaybackConductor) -> Bool, String)] = [
      ("next", { $0.next() }, "112:3"), ("previous", { $0.previous() }, "112:1"),
      ("again", { $0.again() }, "112:2"),
    ]
    var settings = PlaybackSettings()
    settings.fadeOutMilliseconds = 0
    for (name, step, target) in steps {
      var performance = Performance(ikhlas, settings)
      performance.play(PlaybackRequest(range("112:1-112:4")))
      performance.hear(14)
      #expect(performance.act { $0.pause() })
      performance.hear(400)
      let before = performance.renderer.heard
      let isDone = performance.act(step)
      #expect(isDone, "\(name)")
      performance.hear(400)
      #expect(performance.state == .paused(.loading), "\(name)")
      #expect(performance.renderer.heard == before, "\(name)")
      // What would be heard is known, and is heard from its start.
      #expect(performance.conductor.status.place?.occurrence.ayah == ayah(target))
      #expect(performance.conductor.status.clip?.ayah == ayah(target))
      #expect(performance.act { $0.resume() })
      performance.hear(1)
      #expect(performance.conductor.status.place?.occurrence.ayah == ayah(target))
      #expect(performance.state == .active(.playing))
    }
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:4")))
    performance.hear(14)
    #expect(performance.act { $0.pause() })
    #expect(performance.act { $0.seek(to: ayah("112:4")) })
    performance.hear(1)
    #expect(performance.state == .active(.playing))
  }

  @Test func seeksAreRefusedBeforeAnythingWasPlayed() {
    var performance = Performance(ikhlas)
    #expect(!performance.act { $0.seek(to: ayah("112:3")) })
    #expect(!performance.act { $0.next() })
    #expect(!performance.act { $0.pause() })
    #expect(!performance.act { $0.resume() })
    #expect(performance.state == .idle(.fresh))
  }

  @Test func seekAfterTheEndPlaysAgain() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hearToTheEnd()
    performance.change { _ = $0.takeHeard() }
    #expect(performance.act { $0.seek(to: ayah("112:3")) })
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 20..<30)])
  }

  @Test func anAnswerThatCameTooLateIsLeftAlone() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1")))
    performance.answersAtOnce = false
    performance.play(PlaybackRequest(range("112:3-112:4")))
    performance.play(PlaybackRequest(range("112:2")))
    performance.answersAtOnce = true
    performance.answerSearch()
    performance.answerSearch()
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 10..<20)])
  }

  @Test func aStaleFadeIsNotTakenForTheNewOne() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(5)
    performance.act { $0.pause() }
    guard case .pause(_, let old)? = performance.renderer.commands.last else {
      Issue.record("no fade")
      return
    }
    performance.act { $0.resume() }
    performance.act { $0.pause() }
    performance.change { $0.tell(.fadedOut(old)) }
    #expect(performance.state == .pausing(.playing))
  }

  @Test func aBrokenRendererFailsAndIsTriedAnew() {
    var performance = Performance(ikhlas)
    performance.play(PlaybackRequest(range("112:1-112:3")))
    performance.hear(5)
    performance.change { $0.tell(.broken(reason: "no device")) }
    #expect(performance.state == .failed(.renderer("no device")))
    #expect(performance.act { $0.seek(to: ayah("112:2")) })
    performance.change { _ = $0.takeHeard() }
    performance.hear(3)
    #expect(performance.renderer.heard == [.audio(MediaKey(rawValue: "night"), 10..<13)])
  }

  @Test func positionFollowsTheWordsAtTheRecordingsOwnTime() {
    var second = ikhlas[2]
    second.words = WordTimings([2..<4, 4..<9])
    var performance = Performance([ikhlas[1], second])
    performance.play(PlaybackRequest(range("112:1-112:2")))
    performance.act { _ = $0.setSpeed(0.5) }
    performance.hear(11)
    func word() -> Int? {
      performance.conductor.position(performance.renderer.position).word
    }
    #expect(word() == nil)
    performance.hear(1)
    #expect(word() == 0)
    performance.hear(2)
    #expect(word() == 1)
    let position = performance.conductor.position(performance.renderer.position)
    #expect(position.offset == FrameCount(4))
    #expect(position.sourceFrame == FramePosition(14))
  }
}
