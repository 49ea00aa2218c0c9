// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TestSupport
import Testing

@testable import Playback

/// A queue of items: what is heard of it against each item heard alone, and the ways through it.
@Suite struct ItemsTests {
  private let night = MediaKey(rawValue: "night")
  /// 112:1-4, 113:1-5 and 114:1-6 one after another in one recording, 10 frames each.
  private let clips = range("112:1-114:6").enumerated().map { index, ayah in
    clip("\(ayah)", "night", Int64(index * 10)..<Int64(index * 10 + 10))
  }

  private func item(_ number: Int, _ text: String) -> PlaybackItem {
    var request = PlaybackRequest(range(text))
    request.insertsBasmalah = false
    return PlaybackItem(PlaybackItem.ID(number), request)
  }

  private func span(_ text: String) -> Heard {
    let range = range(text)
    let first = Int64(range.first.absoluteIndex - ayah("112:1").absoluteIndex) * 10
    return .audio(night, first..<first + Int64(range.count) * 10)
  }

  private func alone(_ item: PlaybackItem) -> [Heard] {
    var performance = Performance(clips)
    performance.play(item.request)
    performance.hearToTheEnd()
    return performance.renderer.heard
  }

  @Test(arguments: RangePractice.allCases)
  func anyHearingCanBeBegunWith(_ practice: RangePractice) {
    var item = item(3, "112:1-112:4")
    item.request.practice = practice
    item.request.ayahRepeat = .times(2)
    item.request.rangeRepeat = .times(2)
    item.request.afterRepeat = .continueAyat(2)
    let itinerary = Itinerary(item.request)
    var occurrence: AyahOccurrence? = itinerary.first
    while let here = occurrence {
      var start = PlaybackStart(item: item.id, ayah: here.ayah)
      (start.repetition, start.pass, start.stage) = (here.repetition, here.pass, here.stage)
      #expect(itinerary.occurrence(at: start) == here)
      occurrence = itinerary.following(here)?.occurrence
    }
  }

  @Test func itemsAreHeardOneAfterAnotherAsEachIsAlone() {
    var random = SplitMix64(state: 17)
    for _ in 0..<200 {
      var items: [PlaybackItem] = []
      for number in 0..<Int.random(in: 1...5, using: &random) {
        let first = Int.random(in: 0..<15, using: &random)
        let last = Int.random(in: first..<15, using: &random)
        let start = ayah("112:1").absoluteIndex
        var request = PlaybackRequest(
          AyahRange(
            first: AyahReference(absoluteIndex: start + first)!,
            last: AyahReference(absoluteIndex: start + last)!)!)
        request.insertsBasmalah = false
        request.ayahRepeat = .times(Int.random(in: 1...2, using: &random))
        request.rangeRepeat = .times(Int.random(in: 1...2, using: &random))
        request.gapMilliseconds = Bool.random(using: &random) ? 3 : 0
        items.append(PlaybackItem(PlaybackItem.ID(number), request))
      }
      var expected: [Heard] = []
      for (index, item) in items.enumerated() {
        expected += alone(item)
        if index + 1 < items.count, item.request.gapMilliseconds > 0 {
          expected.append(.silence(Int64(item.request.gapMilliseconds)))
        }
      }
      var performance = Performance(clips)
      performance.act { $0.play(items, from: nil) }
      performance.hearToTheEnd()
      #expect(performance.renderer.heard == Heard.joined(expected))
      #expect(performance.state == .idle(.finished))
    }
  }

  @Test func inAGapTheNextHearingIsTheOneToGoOnWith() throws {
    var first = item(1, "112:1-112:2")
    first.request.ayahRepeat = .times(2)
    first.request.gapMilliseconds = 6
    let items = [first, item(2, "114:1")]
    var performance = Performance(clips)
    performance.act { $0.play(items, from: nil) }
    var told: [PlaybackStart?] = []
    for _ in 0..<4 {
      performance.hear(5)
      #expect(performance.conductor.position(performance.renderer.position).next == nil)
      performance.hear(8)
      told.append(performance.conductor.position(performance.renderer.position).next)
      performance.hear(3)
    }
    let due = [("112:1", 2), ("112:2", 1), ("112:2", 2)].map { text, repetition in
      var start = PlaybackStart(item: first.id, ayah: ayah(text))
      start.repetition = repetition
      return start
    }
    var last = PlaybackStart(item: PlaybackItem.ID(2), ayah: ayah("114:1"))
    last.hasBasmalah = true
    #expect(told == due + [last])
    // A stop in a gap forgets the schedule, not what was heard.
    performance.act { $0.play(items, from: nil) }
    performance.hear(13)
    performance.act { _ = $0.stop() }
    #expect(performance.conductor.position(nil).next == due[0])
    let start = try #require(performance.conductor.position(nil).next)
    performance = Performance(clips)
    performance.act { $0.play(items, from: start) }
    performance.hear(1)
    #expect(performance.conductor.status.place?.occurrence.repetition == 2)
  }

  /// Another speed, other gaps and another queue, each in the gap that lies between two items.
  @Test func aGapBetweenItemsIsHeardOnceWhateverChangesInIt() {
    var first = item(1, "112:1-112:2")
    first.request.gapMilliseconds = 6
    first.request.gapFactor = 0.5
    var second = item(2, "114:1-114:2")
    second.request.gapMilliseconds = 6
    second.request.gapFactor = 0.5
    second.request.insertsBasmalah = false
    for change in 0..<3 {
      var performance = Performance(clips)
      performance.act { $0.play([first, second], from: nil) }
      performance.hear(10 + 11 + 10 + 5)
      performance.act { conductor in
        switch change {
        case 0: _ = conductor.setSpeed(1.0)
        case 1: _ = conductor.setGap(milliseconds: 6, factor: 0.25)
        default: conductor.setItems([first, second, self.item(3, "113:1")])
        }
      }
      performance.hearToTheEnd()
      let gap: Int64 = change == 1 ? 9 : 11
      var due = [
        span("112:1"), .silence(11), span("112:2"), .silence(11), span("114:1"), .silence(gap),
        span("114:2"),
      ]
      if change == 2 { due += [.silence(11), span("113:1")] }
      #expect(performance.renderer.heard == Heard.joined(due), "\(change)")
    }
  }

  @Test func whatFollowsInTheRecordingIsContinuousFromItemToItem() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "112:1-112:4"), item(2, "113:1-113:5")], from: nil) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [span("112:1-113:5")])
  }

  @Test func itemsCanBeReorderedWhileTheFirstIsHeard() {
    var performance = Performance(clips)
    let (first, second, third) = (
      item(1, "112:1-112:4"), item(2, "113:1-113:5"), item(3, "114:1-114:6")
    )
    performance.act { $0.play([first, second, third], from: nil) }
    performance.hear(35)
    performance.act { $0.setItems([first, third, second]) }
    performance.hearToTheEnd()
    #expect(
      performance.renderer.heard
        == Heard.joined([span("112:1-112:4"), span("114:1-114:6"), span("113:1-113:5")]))
  }

  @Test func aRepetitionThatIsHeardGoesOnWhenTheQueueChanges() {
    var first = item(1, "112:1-112:3")
    first.request.practice = .stepping
    var performance = Performance(clips)
    performance.act { $0.play([first], from: nil) }
    // The second ayah for the second time.
    performance.hear(25)
    performance.act { $0.setItems([first, item(2, "114:1")]) }
    performance.hearToTheEnd()
    let heard = ["112:1-112:2", "112:2-112:3", "112:3", "112:3", "114:1"].map(span)
    #expect(performance.renderer.heard == Heard.joined(heard))
  }

  @Test func anotherOrderOfTheAyatBreaksNothingOff() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "112:1-112:4")], from: nil) }
    performance.hear(5)
    performance.act { _ = $0.setPractice(.cumulative) }
    // The first; the first and the second; in the middle of the third round in their order again.
    performance.hear(30)
    performance.act { _ = $0.setPractice(.plain) }
    #expect(performance.conductor.status.place?.occurrence.stage == 1)
    performance.hearToTheEnd()
    let heard = ["112:1", "112:1-112:2", "112:1-112:4"].map(span)
    #expect(performance.renderer.heard == Heard.joined(heard))
    #expect(performance.state == .idle(.finished))
  }

  /// While the fourth ayah is heard, in the gap after it, and in a pause.
  @Test(arguments: [Int64(5), 13, 0])
  func aRangeThatBeginsToGrowGoesOnAfterTheRoundOfTheAyahThatIsHeard(_ frames: Int64) throws {
    var item = item(1, "112:1-113:2")
    item.request.gapMilliseconds = 6
    var performance = Performance(clips)
    performance.act { [item] in $0.play([item], from: nil) }
    if frames == 0 { performance.act { _ = $0.pause() } }
    for _ in 0..<3 { performance.act { _ = $0.next() } }
    if frames > 0 { performance.hear(frames) }
    performance.act { _ = $0.setPractice(.cumulative) }
    #expect(performance.conductor.status.place?.occurrence.stage == 4)
    if frames == 0 { performance.act { _ = $0.resume() } }
    performance.hear(13 - frames)
    let next = try #require(performance.conductor.position(performance.renderer.position).next)
    #expect(next.ayah == ayah("112:1") && next.stage == 5)
    performance.hearToTheEnd()
    func heard(_ rounds: [String]) -> [Heard] {
      Array(rounds.flatMap { range($0) }.map { [span("\($0)")] }.joined(separator: [.silence(6)]))
    }
    let rounds = ["112:1-113:1", "112:1-113:2"]
    #expect(performance.renderer.heard == heard(["112:4"] + rounds))
    // As well as when it is gone on with later.
    item.request.practice = .cumulative
    performance = Performance(clips)
    performance.act { [item] in $0.play([item], from: next) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == heard(rounds))
  }

  @Test func theNextItemTakesThePlaceOfOneThatIsTakenOut() {
    var performance = Performance(clips)
    let (first, second) = (item(1, "112:1-112:4"), item(2, "113:1-113:5"))
    performance.act { $0.play([first, second], from: nil) }
    performance.hear(15)
    performance.act { $0.setItems([second]) }
    #expect(performance.conductor.status.place?.item == second.id)
    performance.hearToTheEnd()
    #expect(performance.renderer.heard.last == span("113:1-113:5"))
  }

  @Test func nextAndPreviousGoOverTheEdgesOfItems() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "113:1-113:5"), item(2, "112:1-112:4")], from: nil) }
    performance.hear(45)
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("113:5"))
    #expect(performance.act { $0.next() })
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("112:1"))
    performance.hear(3)
    #expect(performance.act { $0.previous() })
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("113:5"))
    #expect(performance.act { $0.nextItem() })
    #expect(!performance.act { $0.nextItem() })
    #expect(performance.act { $0.previousItem() })
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("113:1"))
    #expect(performance.act { $0.seek(to: ayah("112:3")) })
    #expect(performance.conductor.status.place?.item == PlaybackItem.ID(2))
    #expect(!performance.act { $0.seek(to: ayah("114:1")) })
  }

  @Test func beginsWhereAnotherTimeEnded() {
    var request = item(2, "113:1-113:5").request
    request.ayahRepeat = .times(3)
    let items = [item(1, "112:1-112:4"), PlaybackItem(PlaybackItem.ID(2), request)]
    var start = PlaybackStart(item: PlaybackItem.ID(2), ayah: ayah("113:5"))
    start.repetition = 2
    start.frame = FramePosition(84)
    start.media = night
    var performance = Performance(clips)
    performance.act { $0.play(items, from: start) }
    performance.hear(1)
    let place = performance.conductor.status.place
    #expect(place?.occurrence.repetition == 2)
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(night, 84..<90), .audio(night, 80..<90)])
    // A frame of another recording says nothing.
    start.media = MediaKey(rawValue: "another")
    performance = Performance(clips)
    performance.act { $0.play(items, from: start) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.audio(night, 80..<90), .audio(night, 80..<90)])
  }

  @Test func aBasmalahThatWasLeftIsGoneOnWith() {
    let first = clip("1:1", "fatihah", 0..<8)
    let catalogue = CatalogueResolver([
      first, clip("112:4", "night", 30..<40), clip("113:1", "night", 40..<50),
    ])
    let items = [
      PlaybackItem(PlaybackItem.ID(1), PlaybackRequest(range("112:4-113:1")))
    ]
    var start = PlaybackStart(item: items[0].id, ayah: ayah("113:1"))
    start.hasBasmalah = true
    let own = Heard.audio(night, 40..<50)
    for (frame, media, expected) in [
      (5, first.audio.media, [Heard.audio(first.audio.media, 5..<8), own]),
      (nil, nil, [.audio(first.audio.media, 0..<8), own]),
      // Of another recording, and outside of it.
      (5, night, [.audio(first.audio.media, 0..<8), own]),
      (44, first.audio.media, [.audio(first.audio.media, 0..<8), own]),
    ] as [(Int64?, MediaKey?, [Heard])] {
      start.frame = frame.map { FramePosition($0) }
      start.media = media
      var performance = Performance(catalogue)
      performance.act { $0.play(items, from: start) }
      performance.hear(1)
      #expect(performance.conductor.status.place?.isBasmalah == true)
      performance.hearToTheEnd()
      #expect(performance.renderer.heard == expected)
    }
    // Without one, a frame of it says nothing of the ayah.
    var silent = items
    silent[0].request.insertsBasmalah = false
    (start.frame, start.media) = (FramePosition(44), night)
    var performance = Performance(catalogue)
    performance.act { $0.play(silent, from: start) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [own])
  }

  @Test func aStartThatIsInNoItemIsTheFirst() {
    var performance = Performance(clips)
    let start = PlaybackStart(item: PlaybackItem.ID(1), ayah: ayah("2:255"))
    performance.act { $0.play([item(1, "112:1-112:4")], from: start) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [span("112:1-112:4")])
  }

  @Test func movesWithinTheAyahThatIsHeard() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "112:1-112:4")], from: nil) }
    performance.hear(15)
    let position = performance.renderer.position
    #expect(performance.act { $0.move(by: 0.003, from: position) })
    performance.hear(1)
    #expect(performance.renderer.position?.sourceFrame == FramePosition(19))
    let later = performance.renderer.position
    #expect(performance.act { $0.move(by: -60, from: later) })
    performance.hear(1)
    #expect(performance.renderer.position?.sourceFrame == FramePosition(11))
    // Beyond the end, the next ayah follows by itself.
    let last = performance.renderer.position
    #expect(performance.act { $0.move(by: 60, from: last) })
    performance.hear(2)
    #expect(performance.conductor.status.place?.occurrence.ayah == ayah("112:3"))
  }

  @Test func aPauseStaysOneWhenSomebodyMoves() {
    var settings = PlaybackSettings()
    settings.fadeOutMilliseconds = 0
    var performance = Performance(clips, settings)
    performance.act { $0.play([item(1, "112:1-112:4")], from: nil) }
    performance.hear(15)
    #expect(performance.act { $0.pause() })
    performance.hear(1)
    let position = performance.renderer.position
    #expect(performance.act { $0.move(by: -0.002, from: position) })
    #expect(!performance.renderer.isRunning)
    if case .paused = performance.state {} else { Issue.record("\(performance.state)") }
    #expect(performance.act { $0.resume() })
    performance.hearToTheEnd()
    #expect(performance.renderer.heard.last == .audio(night, 13..<40))
  }

  @Test func pausesAtTheEndOfTheAyahAndGoesOnWithoutALoss() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "112:1-112:4"), item(2, "113:1-113:5")], from: nil) }
    performance.hear(13)
    performance.act { $0.setPausesAfterAyah(true) }
    performance.hear(100)
    #expect(performance.renderer.heard == [.audio(night, 0..<20)])
    if case .paused = performance.state {} else { Issue.record("\(performance.state)") }
    #expect(performance.act { $0.resume() })
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [span("112:1-113:5")])
    #expect(performance.state == .idle(.finished))
  }

  @Test func aPauseThatTheEndCameBeforeIsForgotten() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "112:1-112:2")], from: nil) }
    performance.hear(13)
    performance.act { $0.setPausesAfterAyah(true) }
    performance.hearToTheEnd()
    #expect(performance.state == .idle(.finished))
    #expect(performance.act { $0.seek(to: ayah("112:1")) })
    performance.hearToTheEnd()
    #expect(performance.state == .idle(.finished))
  }

  @Test func anItemThatNobodyHasIsPassedOver() {
    var performance = Performance(clips)
    performance.act { $0.play([item(1, "2:1-2:2"), item(2, "112:1-112:4")], from: nil) }
    performance.hearToTheEnd()
    #expect(performance.renderer.heard == [.silence(1000), span("112:1-112:4")])
    #expect(performance.notices.count == 2)
  }

  /// What ought to be heard of a queue, by a plain list: which item, and how many frames of it were heard.
  private struct PlainQueue {
    var items: [PlaybackItem]
    var current: PlaybackItem.ID
    var frames = 0
    /// Since the last jump.
    var heard: [Heard] = []

    var index: Int { items.firstIndex { $0.id == current }! }

    /// The first frame of each hearing of an item, each of which is 10 frames long.
    private func hearings(of item: PlaybackItem) -> [Int] {
      let request = item.request
      let pass = request.range.flatMap { ayah in
        [Int](
          repeating: (ayah.absoluteIndex - AyahReference("112:1")!.absoluteIndex) * 10,
          count: request.ayahRepeat.times!)
      }
      return (0..<request.rangeRepeat.times!).flatMap { _ in pass }
    }

    /// - Returns: false once there is nothing left.
    mutating func hear(_ count: Int) -> Bool {
      var left = count
      while left > 0 {
        let hearings = hearings(of: items[index])
        guard frames < hearings.count * 10 else {
          guard index + 1 < items.count else { return false }
          jump(to: items[index + 1].id)
          continue
        }
        let step = min(left, 10 - frames % 10)
        let start = Int64(hearings[frames / 10] + frames % 10)
        heard.append(.audio(MediaKey(rawValue: "night"), start..<start + Int64(step)))
        frames += step
        left -= step
      }
      return true
    }

    mutating func jump(to item: PlaybackItem.ID) { (current, frames) = (item, 0) }
  }

  @Test func aQueueThatIsChangedAndGoneThroughIsHeardAsAPlainListIs() {
    for seed in 0..<400 {
      var random = SplitMix64(state: UInt64(seed))
      var number = 0
      func newItem() -> PlaybackItem {
        number += 1
        let start = AyahReference("112:1")!.absoluteIndex + Int.random(in: 0..<12, using: &random)
        let end = start + Int.random(in: 0..<3, using: &random)
        var item = item(number, "112:1")
        item.request.range = AyahRange(
          first: AyahReference(absoluteIndex: start)!, last: AyahReference(absoluteIndex: end)!)!
        item.request.ayahRepeat = .times(Int.random(in: 1...2, using: &random))
        item.request.rangeRepeat = .times(Int.random(in: 1...2, using: &random))
        return item
      }
      var model = PlainQueue(items: [newItem(), newItem(), newItem()], current: PlaybackItem.ID(1))
      var performance = Performance(clips)
      performance.act { [items = model.items] in $0.play(items, from: nil) }
      /// Goes elsewhere; all that was heard by then has to be right.
      func jump(to item: PlaybackItem.ID, _ act: (inout PlaybackConductor) -> Bool) {
        performance.change { $0.send(.clear) }
        let heard = performance.renderer.takeHeard()
        #expect(heard == Heard.joined(model.heard), "seed \(seed)")
        model.heard = []
        model.jump(to: item)
        let isDone = performance.act(act)
        #expect(isDone, "seed \(seed)")
      }
      for _ in 0..<30 {
        // Never to the very end of an ayah, where it is heard no more and the next is not heard yet.
        var count = Int.random(in: 1...35, using: &random)
        if (model.frames + count) % 10 == 0 { count += 1 }
        performance.hear(Int64(count))
        guard model.hear(count) else { break }
        let index = model.index
        switch Int.random(in: 0..<7, using: &random) {
        case 0: model.items.shuffle(using: &random)
        case 1:
          model.items.insert(newItem(), at: Int.random(in: 0...model.items.count, using: &random))
        case 2:
          let left = Int.random(in: 0..<model.items.count, using: &random)
          if left != index { model.items.remove(at: left) }
        case 3:
          guard model.items.count > 1 else { continue }
          // The next takes its place; after the last the one before.
          let place = index + 1 < model.items.count ? index + 1 : index - 1
          let next = model.items[place].id
          model.items.remove(at: index)
          jump(to: next) { [items = model.items] in
            $0.setItems(items)
            return true
          }
        case 4:
          guard index + 1 < model.items.count else {
            #expect(!performance.act { $0.nextItem() })
            continue
          }
          jump(to: model.items[index + 1].id) { $0.nextItem() }
        case 5: jump(to: model.items[max(index - 1, 0)].id) { $0.previousItem() }
        default:
          let item = model.items.randomElement(using: &random)!.id
          jump(to: item) { $0.go(to: item) }
        }
        performance.act { [items = model.items] in $0.setItems(items) }
      }
      while model.hear(10) {}
      performance.hearToTheEnd()
      #expect(performance.renderer.heard == Heard.joined(model.heard), "seed \(seed)")
      #expect(performance.state == .idle(.finished), "seed \(seed)")
    }
  }

  /// Whatever is done, what is heard is of an ayah that the status names, and nothing traps.
  @Test func randomStepsThroughAQueueNeverGoAstray() {
    for seed in 0..<60 {
      var random = SplitMix64(state: UInt64(seed))
      var performance = Performance(clips)
      var items = [item(1, "112:1-112:4"), item(2, "114:1-114:6"), item(3, "113:2-113:4")]
      performance.act { $0.play(items, from: nil) }
      for _ in 0..<60 {
        switch Int.random(in: 0...9, using: &random) {
        case 0: performance.act { _ = $0.next() }
        case 1: performance.act { _ = $0.previous() }
        case 2: performance.act { _ = $0.nextItem() }
        case 3:
          items.shuffle(using: &random)
          let now = items
          performance.act { $0.setItems(now) }
        case 4:
          let position = performance.renderer.position
          performance.act { _ = $0.move(by: 0.004, from: position) }
        case 5: performance.act { _ = $0.togglePause() }
        case 6:
          let pauses = Bool.random(using: &random)
          performance.act { $0.setPausesAfterAyah(pauses) }
        default: performance.hear(Int64.random(in: 1...23, using: &random))
        }
        guard let heard = performance.renderer.position, let frame = heard.sourceFrame,
          performance.renderer.isRunning
        else { continue }
        let position = performance.conductor.position(heard)
        let index = Int(min(frame.frames, 149) / 10)
        #expect(position.status.place?.occurrence.ayah == clips[index].ayah, "seed \(seed)")
      }
    }
  }
}
