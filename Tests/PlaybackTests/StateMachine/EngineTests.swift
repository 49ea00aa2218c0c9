// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import Synchronization
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(5))) struct EngineTests {
  private let ikhlas = CatalogueResolver([
    clip("112:1", "night", 0..<10), clip("112:2", "night", 10..<20),
    clip("112:4", "night", 30..<40),
  ])

  /// Waits until a status fits; those before it are passed over.
  private func wait(
    _ statuses: inout AsyncStream<PlaybackStatus>.Iterator,
    _ fits: (PlaybackStatus) -> Bool
  ) async {
    while let status = await statuses.next() {
      if fits(status) { return }
    }
    Issue.record("the statuses ended")
  }

  /// Waits until enough is scheduled for what comes next; the engine works on while this yields.
  private func waitForItems(_ renderer: HandRenderer, _ count: Int) async {
    while renderer.scheduledCount < count { await Task.yield() }
  }

  @Test func playsWithNoticesAndALog() async {
    let renderer = HandRenderer()
    let log = Mutex<[PlaybackNotice]>([])
    let engine = PlaybackEngine(renderer: renderer, resolver: ikhlas) { notice in
      log.withLock { $0.append(notice) }
    }
    var statuses = await engine.statuses().makeAsyncIterator()
    var notices = await engine.notices().makeAsyncIterator()
    #expect(await statuses.next() == .fresh)
    await engine.play(PlaybackRequest(range("112:1-112:4")))
    await waitForItems(renderer, 4)
    renderer.change { $0.step(15) }
    await wait(&statuses) { $0.place?.occurrence.ayah == ayah("112:2") }
    let position = await engine.position
    #expect(position.offset == FrameCount(5) && position.sourceFrame == FramePosition(15))
    #expect(position.status.clip?.ayah == ayah("112:2"))
    renderer.change { $0.step(1000) }
    await wait(&statuses) { $0.state == .idle(.finished) }
    #expect(await notices.next() == .missing(ayah("112:3"), reason: nil))
    #expect(log.withLock { $0 } == [.missing(ayah("112:3"), reason: nil)])
  }

  @Test func everyWishIsCarriedOut() async {
    let renderer = HandRenderer()
    // Shorter than what is left to be heard.
    var settings = PlaybackSettings()
    settings.fadeOutMilliseconds = 4
    let engine = PlaybackEngine(renderer: renderer, resolver: ikhlas, settings: settings)
    var statuses = await engine.statuses().makeAsyncIterator()
    #expect(await !engine.pause())
    #expect(await !engine.togglePause())
    #expect(await !engine.setSpeed(.nan))
    #expect(await engine.setSpeed(9))
    #expect(await engine.status.speed == 3)
    await engine.play(PlaybackRequest(range("112:1-112:2")))
    await waitForItems(renderer, 2)
    renderer.change { $0.step(3) }
    await wait(&statuses) { $0.state == .active(.playing) }
    #expect(await engine.pause())
    renderer.change { $0.endFade() }
    await wait(&statuses) { $0.state == .paused(.playing) }
    #expect(await engine.togglePause())
    #expect(await engine.status.state == .active(.playing))
    #expect(await engine.togglePause())
    #expect(await engine.status.state == .pausing(.playing))
    #expect(await engine.togglePause())
    #expect(await engine.status.state == .active(.playing))
    #expect(await engine.pause())
    #expect(await engine.pause(), "a second time changes nothing")
    #expect(await engine.resume())
    #expect(await engine.next())
    await waitForItems(renderer, 1)
    #expect(await engine.previous())
    #expect(await engine.seek(to: ayah("112:2")))
    await waitForItems(renderer, 1)
    renderer.change { $0.step(4) }
    await wait(&statuses) { $0.state == .active(.playing) }
    await engine.setRiwayah(.warsh)
    renderer.change { $0.endFade() }
    await wait(&statuses) { $0.state == .idle(.stopped) }
    #expect(await engine.stop())
  }

  @Test func aQueueThatChangesWithinAnAyahIsTold() async {
    let renderer = HandRenderer()
    let engine = PlaybackEngine(renderer: renderer, resolver: ikhlas)
    var statuses = await engine.statuses().makeAsyncIterator()
    let items = ["112:1", "112:2"].enumerated().map { index, text in
      PlaybackItem(PlaybackItem.ID(index), PlaybackRequest(range(text)))
    }
    await engine.play([items[0]])
    await waitForItems(renderer, 1)
    renderer.change { $0.step(3) }
    await wait(&statuses) { $0.state == .active(.playing) }
    let before = await engine.status
    await engine.setItems(items)
    #expect(await engine.status == before)
    #expect(await statuses.next() == before)
    #expect(engine.moment.items == items)
  }

  @Test func lateListenersHearTheStatusAtOnceAndSlowOnesHoldNobodyUp() async {
    let engine = PlaybackEngine(renderer: HandRenderer(), resolver: ikhlas)
    let slow = await engine.statuses()
    for step in 1...(PlaybackEngine.unreadStatuses * 2) {
      await engine.setSpeed(1 + Double(step) / 100)
    }
    let last = await engine.status
    var late = await engine.statuses().makeAsyncIterator()
    #expect(await late.next() == last)
    var iterator = slow.makeAsyncIterator()
    var count = 0
    while let status = await iterator.next() {
      count += 1
      if status == last { break }
    }
    #expect(count == PlaybackEngine.unreadStatuses)
  }

  @Test func noNoticeIsLostUpToTheBound() async {
    let renderer = HandRenderer()
    let engine = PlaybackEngine(renderer: renderer, resolver: ikhlas)
    let notices = await engine.notices()
    var statuses = await engine.statuses().makeAsyncIterator()
    await engine.play(PlaybackRequest(range("112:1-112:2")))
    for _ in 1..<PlaybackEngine.unreadNotices { renderer.change { $0.tell(.ranDry) } }
    renderer.change { $0.tell(.deviceLost(reason: "unplugged")) }
    await wait(&statuses) { if case .paused = $0.state { true } else { false } }
    var count = 0
    for await notice in notices {
      count += 1
      if notice != .ranDry { break }
    }
    #expect(count == PlaybackEngine.unreadNotices)
  }

  /// Passes over time at once, and counts how often.
  private final class ImpatientClock: Clock {
    typealias Instant = ContinuousClock.Instant
    let sleeps = Mutex(0)
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try Task.checkCancellation()
      sleeps.withLock { $0 += 1 }
    }
  }

  @Test func positionsAreTakenWhenTheyAreAskedFor() async {
    let renderer = HandRenderer()
    let engine = PlaybackEngine(renderer: renderer, resolver: ikhlas)
    let clock = ImpatientClock()
    var positions = engine.positions(every: .milliseconds(50), clock: clock).makeAsyncIterator()
    #expect(await positions.next()?.sourceFrame == nil)
    await engine.play(PlaybackRequest(range("112:1-112:2")))
    await waitForItems(renderer, 1)
    renderer.change { $0.step(3) }
    #expect(await positions.next()?.sourceFrame == FramePosition(3))
    #expect(clock.sleeps.withLock { $0 } == 2)
  }

  @Test func positionsEndWithTheEngine() async {
    var engine: PlaybackEngine? = PlaybackEngine(renderer: HandRenderer(), resolver: ikhlas)
    let stream = engine?.positions(every: .zero, clock: ImpatientClock())
    let statuses = await engine?.statuses()
    await engine?.play(PlaybackRequest(range("112:1")))
    engine = nil
    for await _ in stream! {}
    for await _ in statuses! {}
    #expect(engine == nil)
  }

  @Test func coverageIsCheckedBeforePlay() async {
    let engine = PlaybackEngine(renderer: HandRenderer(), resolver: ikhlas)
    let check = await engine.check(PlaybackRequest(range("112:1-112:4")))
    #expect(check.missing == [range("112:3")])
  }
}
