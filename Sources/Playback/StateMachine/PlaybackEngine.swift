// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Quran

/// Plays requests: finds each ayah, schedules it on a renderer before it is due, and reports what
/// is playing.
///
/// `PlaybackConductor` decides everything; the actor carries it out. No method waits for sound, and
/// none waits for a listener.
public actor PlaybackEngine {
  /// Statuses and notices that a listener may leave unread before the oldest are dropped.
  public static let unreadStatuses = 64
  public static let unreadNotices = 1024

  private var conductor: PlaybackConductor
  /// As it was after the last decision.
  private let published: Monitor<PlaybackConductor>
  private let renderer: any PlaybackRenderer
  private let resolver: any AyahResolver
  private let log: @Sendable (PlaybackNotice) -> Void
  private var listening: Task<Void, Never>?
  private var searching: Task<Void, Never>?
  private var lookingAgain: Task<Void, Never>?
  private var statusBroadcast = Broadcast<PlaybackStatus>()
  private var noticeBroadcast = Broadcast<PlaybackNotice>()
  private var publishedStatus = PlaybackStatus.fresh
  private var publishedItems: [PlaybackItem] = []

  /// - Parameter log: takes each notice once, in order, whether anybody listens or not. Must return at
  ///   once.
  public init(
    renderer: any PlaybackRenderer, resolver: any AyahResolver,
    settings: PlaybackSettings = PlaybackSettings(),
    log: @escaping @Sendable (PlaybackNotice) -> Void = { _ in }
  ) {
    self.renderer = renderer
    self.resolver = resolver
    self.log = log
    let conductor = PlaybackConductor(settings)
    self.conductor = conductor
    published = Monitor(conductor)
  }

  deinit {
    listening?.cancel()
    searching?.cancel()
    lookingAgain?.cancel()
    statusBroadcast.finish()
    noticeBroadcast.finish()
  }

  // What is asked for. Each returns false where it makes no sense now, and then changes nothing.

  /// The missing ayat of a request; call it before `play`.
  public nonisolated func check(_ request: PlaybackRequest) async -> CoverageCheck {
    await CoverageCheck.of(request, with: resolver)
  }

  /// Plays a request and replaces the current ones.
  public func play(_ request: PlaybackRequest) { play([PlaybackItem(PlaybackItem.ID(0), request)]) }

  /// Plays requests one after another without a gap of its own, in place of whatever is under way.
  ///
  /// - Parameter start: where to begin; nil for the first. A place that is in none of them is ignored.
  public func play(_ items: [PlaybackItem], from start: PlaybackStart? = nil) {
    listen()
    decide { $0.play(items, from: start) }
  }

  /// Replaces the items during playback. The current ayah continues if its item is in the new list
  /// and still has the ayah; else the item now in its place begins. All items must have the same
  /// riwayah.
  public func setItems(_ items: [PlaybackItem]) { decide { $0.setItems(items) } }

  /// Starts an item. False if there is no such item.
  @discardableResult
  public func go(to item: PlaybackItem.ID) -> Bool { decide { $0.go(to: item) } }

  /// Starts at one hearing of an ayah. False if no item has it.
  @discardableResult
  public func go(to start: PlaybackStart) -> Bool { decide { $0.go(to: start) } }

  // Steps from what is heard: what is paused stays paused, at the start of what it has gone to.

  /// Begins the item after the one that is heard. False at the last.
  @discardableResult
  public func nextItem() -> Bool { decide { $0.nextItem() } }

  /// Begins the item before the one that is heard, or the first anew.
  @discardableResult
  public func previousItem() -> Bool { decide { $0.previousItem() } }

  /// Seeks by seconds of the recording, forward or back, within the current ayah.
  @discardableResult
  public func move(by seconds: Double) -> Bool {
    let position = renderer.position()
    return decide { $0.move(by: seconds, from: position) }
  }

  /// Pauses once the ayah that is heard is over, in all its breath; or does not after all.
  public func setPausesAfterAyah(_ pauses: Bool) { decide { $0.setPausesAfterAyah(pauses) } }

  /// Sets the fades at the start and the end of playback.
  public func setFades(inMilliseconds: Int, outMilliseconds: Int) {
    decide {
      $0.settings.fadeInMilliseconds = inMilliseconds
      $0.settings.fadeOutMilliseconds = outMilliseconds
    }
  }

  /// Fades out and stays at the next frame.
  @discardableResult
  public func pause() -> Bool { decide { $0.pause() } }

  @discardableResult
  public func resume() -> Bool { decide { $0.resume() } }

  /// Pauses because of an interruption, not by a person. False if nothing is playing.
  @discardableResult
  public func interrupt(_ interruption: PlaybackInterruption) -> Bool {
    decide { $0.interrupt(interruption) }
  }

  /// Ends an interruption: resumes if the settings say so and nobody has decided otherwise
  /// meanwhile.
  @discardableResult
  public func endInterruption() -> Bool { decide { $0.endInterruption() } }

  /// Resumes if paused or pausing; otherwise pauses.
  @discardableResult
  public func togglePause() -> Bool { decide { $0.togglePause() } }

  /// Fades out and ends; the request can still be gone back to by `seek`.
  @discardableResult
  public func stop() -> Bool { decide { $0.stop() } }

  /// Looks the ayah up anew and begins it again. False where nothing is heard.
  @discardableResult
  public func again() -> Bool { decide { $0.again() } }

  /// Leaves the ayah, whatever repetitions of it remain. False at the end.
  @discardableResult
  public func next() -> Bool { decide { $0.next() } }

  /// Goes back to the ayah before, or to the start of the first.
  @discardableResult
  public func previous() -> Bool { decide { $0.previous() } }

  /// Goes to an ayah of the request. False when it is none of them.
  @discardableResult
  public func seek(to ayah: AyahReference) -> Bool { decide { $0.seek(to: ayah) } }

  /// 1 is the recordings' own; clamped to 0.25...3.
  @discardableResult
  public func setSpeed(_ speed: Double) -> Bool { decide { $0.setSpeed(speed) } }

  /// How often each ayah and the range are heard, from now on; what is nil stays as it is. What sounds
  /// goes on without a break. False before the first request.
  @discardableResult
  public func setRepeats(ayah: RepeatCount? = nil, range: RepeatCount? = nil) -> Bool {
    decide { $0.setRepeats(ayah: ayah, range: range) }
  }

  /// How the ayat of each range return, from now on; what sounds goes on without a break. False before the first
  /// request.
  @discardableResult
  public func setPractice(_ practice: RangePractice) -> Bool {
    decide { $0.setPractice(practice) }
  }

  /// The gaps from now on, but for one that is heard already: milliseconds, and so many times the ayah
  /// before.
  @discardableResult
  public func setGap(milliseconds: Int, factor: Double = 0) -> Bool {
    decide { $0.setGap(milliseconds: milliseconds, factor: factor) }
  }

  /// Riwayat are not mixed: what is played in another one stops.
  public func setRiwayah(_ riwayah: Riwayah) { decide { $0.setRiwayah(riwayah) } }

  // What is told.

  public var status: PlaybackStatus { conductor.status }

  /// The current position.
  public var position: PlaybackPosition { conductor.position(renderer.position()) }

  /// The current moment, without waiting for the engine.
  public nonisolated var moment: PlaybackMoment {
    let conductor = published.update { $0 }
    return PlaybackMoment(
      position: conductor.position(renderer.position()), itinerary: conductor.itinerary,
      item: conductor.heard?.item, turn: conductor.turn, items: conductor.items)
  }

  /// The status now and whenever it or the queue changes; a listener that lags behind by more than
  /// `unreadStatuses` misses the oldest.
  public func statuses() -> AsyncStream<PlaybackStatus> {
    let stream = statusBroadcast.listen(bound: Self.unreadStatuses) { [weak self] number in
      Task { await self?.forgetStatusListener(number) }
    }
    statusBroadcast.greet(conductor.status)
    return stream
  }

  /// What happens from now on; none is lost to a listener that leaves no more than `unreadNotices`
  /// unread.
  public func notices() -> AsyncStream<PlaybackNotice> {
    noticeBroadcast.listen(bound: Self.unreadNotices) { [weak self] number in
      Task { await self?.forgetNoticeListener(number) }
    }
  }

  /// The position at intervals, for as long as somebody asks for the next. Each is taken when it is
  /// asked for, so that a slow listener misses old ones and never gets one late.
  public nonisolated func positions(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncStream<PlaybackPosition> {
    AsyncStream { [weak self] in
      guard (try? await clock.sleep(for: interval)) != nil else { return nil }
      return await self?.position
    }
  }
}

// MARK: Carrying out

extension PlaybackEngine {
  @discardableResult
  private func decide<Answer>(_ decision: (inout PlaybackConductor) -> Answer) -> Answer {
    let answer = decision(&conductor)
    for effect in conductor.takeEffects() {
      switch effect {
      case .send(let command): renderer.send(command)
      case .search(let need, let key):
        searching?.cancel()
        searching = find(need, key)
      case .lookAgain(let need, let key):
        lookingAgain?.cancel()
        lookingAgain = find(need, key)
      case .notify(let notice):
        log(notice)
        noticeBroadcast.send(notice)
      }
    }
    let decided = conductor
    published.update { $0 = decided }
    if conductor.status != publishedStatus || conductor.items != publishedItems {
      publishedStatus = conductor.status
      publishedItems = conductor.items
      statusBroadcast.send(publishedStatus)
    }
    return answer
  }

  private func find(
    _ need: ClipNeed, _ key: PlaybackConductor.ClipSearchKey
  ) -> Task<Void, Never> {
    let search = ClipSearch(request: key.request, unreadable: key.unreadable)
    return Task { [resolver, weak self] in
      let answer = await search.find(need, with: resolver)
      await self?.decide { $0.found(answer, ticket: key.ticket) }
    }
  }

  /// Reads the renderer's events for as long as the engine lives.
  private func listen() {
    guard listening == nil else { return }
    let events = renderer.events
    listening = Task { [weak self] in
      for await event in events {
        guard let self else { return }
        await self.decide { $0.handle(event) }
      }
    }
  }

  private func forgetStatusListener(_ number: Int) { statusBroadcast.forget(number) }
  private func forgetNoticeListener(_ number: Int) { noticeBroadcast.forget(number) }
}
