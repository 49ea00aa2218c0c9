// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// All that the engine decides: a person's wishes, the renderer's events and the resolver's answers go
/// in, commands, searches and notices come out. A value that does nothing itself.
struct PlaybackConductor: Sendable {
  /// What the engine has to do, in this order.
  enum Effect: Hashable, Sendable {
    case send(RendererCommand)
    /// To be answered by `found` with the ticket. A later search makes it void.
    case search(ClipNeed, ClipSearchKey)
    /// The same, beside a search.
    case lookAgain(ClipNeed, ClipSearchKey)
    case notify(PlaybackNotice)
  }

  /// By what a search is done and by what its answer is known.
  struct ClipSearchKey: Hashable, Sendable {
    let request: PlaybackRequest
    let unreadable: Set<MediaKey>
    let ticket: Int
  }

  /// A step that was scheduled and has not been heard to its end.
  struct Entry {
    let id: ScheduledItem.ID
    let step: PlaybackStep
    /// Of which item of the queue it is, and the order of ayat that it was planned by; repeats may have changed since.
    let item: PlaybackItem.ID
    let itinerary: Itinerary
    /// Where in its ayah or basmalah it begins, if not at its start.
    var start: FramePosition?
    var hasBegun = false
    /// Which passage of a breath is heard.
    var passage = 0
  }

  /// A place within the sound of a hearing, or of the basmalah before it.
  struct Start {
    let item: PlaybackItem.ID
    let occurrence: AyahOccurrence
    let isBasmalah: Bool
    let frame: FramePosition
    var media: MediaKey?
  }

  /// A search under way.
  struct Search {
    let ticket: Int
    let need: ClipNeed
    let item: PlaybackItem
    /// Whether it is for the session's format rather than for the next step.
    let isForFormat: Bool
  }

  var settings: PlaybackSettings
  var machine = PlaybackMachine()
  /// All that is to be heard, in order.
  var items: [PlaybackItem] = []
  /// The item that is heard or about to be, and the order of its ayat.
  var heard: (item: PlaybackItem.ID, itinerary: Itinerary)?
  /// Of the item that is being planned, which may be a later one.
  var queue: PlaybackQueue?
  var plannedItem = PlaybackItem.ID(0)
  /// Where the next sound to be scheduled begins, if not at its start.
  var start: Start?
  /// Whether play pauses once the ayah is over.
  var pausesAfterAyah = false
  /// In the order of the schedule; the first is heard, or will be next.
  var ledger: [Entry] = []
  var search: Search?
  /// Whether the renderer knows that nothing follows yet what it has.
  private(set) var isComplete = false
  /// The search for an ayah that was missing when it was planned, while its silence is heard. Nobody has been told yet
  /// that it is missing.
  var secondLook: Search?
  /// The session's, as the renderer has it; nil while it is being prepared.
  var format: AudioFormat?
  var preparations = 0
  var unreadable: Set<MediaKey> = []
  /// How many ayat were missing since the last that was found.
  private var missingRun = 0
  /// Why the first of them is missing of which that is known, with its name.
  private var missingReason: String?
  private var awaitedFade: FadeID?
  /// Whether it is paused without anybody's having asked for it.
  var isInterrupted = false
  /// What is to be done once a device that was lost is back; nil while none is lost.
  var deviceWait: DeviceWait?
  private var lastNumber = 0
  var place: PlaybackPlace?
  /// Whether the hearing there is over.
  var isPlaceOver = false
  var clip: AyahClip?
  private(set) var speed = 1.0
  var riwayah: Riwayah?
  /// Starts and jumps so far.
  private(set) var turn = 0
  var effects: [Effect] = []

  init(_ settings: PlaybackSettings = PlaybackSettings()) { self.settings = settings }

  var status: PlaybackStatus { status(place, clip) }

  private func status(_ place: PlaybackPlace?, _ clip: AyahClip?) -> PlaybackStatus {
    PlaybackStatus(
      state: machine.state, place: place, clip: clip, speed: speed,
      deviceWait: isPaused ? deviceWait : nil)
  }

  private var isPaused: Bool { if case .paused = machine.state { true } else { false } }

  /// Of the request that is played, or was played last.
  var itinerary: Itinerary? { heard?.itinerary }

  /// What is to be done since this was last called.
  mutating func takeEffects() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }
}

// MARK: What a person does

extension PlaybackConductor {
  /// - Returns: false where it makes no sense now.
  mutating func pause() -> Bool {
    isInterrupted = false
    if deviceWait == .goesOn { deviceWait = .staysPaused }
    return carryOut(machine.pause())
  }

  mutating func resume() -> Bool {
    isInterrupted = false
    defer { planAhead() }
    return carryOut(machine.resume())
  }

  /// Pauses what is heard for a reason that is no person's wish.
  mutating func interrupt(_ interruption: PlaybackInterruption) -> Bool {
    guard case .active = machine.state, pause() else { return false }
    isInterrupted = true
    effects.append(.notify(.interrupted(interruption)))
    return true
  }

  /// What interrupted is over. Play stays paused unless the settings say otherwise, or a person has
  /// decided meanwhile.
  mutating func endInterruption() -> Bool {
    isInterrupted && settings.resumesAfterInterruption ? resume() : false
  }

  mutating func stop() -> Bool { carryOut(machine.stop()) }

  mutating func togglePause() -> Bool {
    switch machine.state {
    case .paused where deviceWait == .goesOn: stayPaused()
    case .pausing, .paused: resume()
    case .idle, .active, .stopping, .failed: pause()
    }
  }

  /// Has it not go on when the device is back.
  private mutating func stayPaused() -> Bool {
    effects.append(.notify(.deviceNotAwaited))
    return pause()
  }

  /// 1 is the recordings' own; clamped to 0.25...3.
  mutating func setSpeed(_ speed: Double) -> Bool {
    guard speed.isFinite else { return false }
    self.speed = min(max(speed, 0.25), 3)
    emit(.setSpeed(self.speed))
    // Gaps that are as long as an ayah were planned for the speed before.
    if machine.state.activity != nil, items.contains(where: { $0.request.gapFactor > 0 }) {
      replanAhead()
      planAhead()
    }
    return true
  }

  /// How often each ayah and the range are heard, from now on; what sounds goes on without a break.
  mutating func setRepeats(ayah: RepeatCount?, range: RepeatCount?) -> Bool {
    amend { request in
      if let ayah { request.ayahRepeat = ayah }
      if let range { request.rangeRepeat = range }
    }
  }

  /// How the ayat of each range return, from the next hearing on.
  mutating func setPractice(_ practice: RangePractice) -> Bool {
    amend { $0.practice = practice }
  }

  /// The gaps after the one that is heard, if one is.
  mutating func setGap(milliseconds: Int, factor: Double) -> Bool {
    guard factor.isFinite else { return false }
    return amend { request in
      request.gapMilliseconds = max(0, milliseconds)
      request.gapFactor = max(0, factor)
    }
  }

  /// Stops what is played in another riwayah and forgets it.
  mutating func setRiwayah(_ riwayah: Riwayah) {
    guard self.riwayah != riwayah else { return }
    self.riwayah = riwayah
    guard queue != nil else { return }
    switch machine.state {
    case .active, .pausing, .paused: effects.append(.notify(.riwayahChanged(to: riwayah)))
    case .idle, .stopping, .failed: break
    }
    carryOut(machine.stop())
    queue = nil
    heard = nil
    items = []
  }
}

// MARK: What is reported

extension PlaybackConductor {
  mutating func handle(_ event: RendererEvent) {
    switch event {
    case .prepared(let format):
      preparations = max(0, preparations - 1)
      if preparations == 0 { self.format = format }
      if case .active = machine.state { deviceWait = nil }
    case .started(let id):
      guard let index = ledger.firstIndex(where: { $0.id == id }) else { return }
      completeEntries(before: index)
      begin()
    case .reached(let id, let cue):
      guard let index = ledger.firstIndex(where: { $0.id == id }) else { return }
      completeEntries(before: index)
      begin()
      while let entry = ledger.first, entry.id == id, entry.passage <= cue, movePassage() {}
    case .ended(let id):
      guard let index = ledger.firstIndex(where: { $0.id == id }) else { return }
      completeEntries(before: index + 1)
    case .failed(let id, let reason): replaceFailed(id, reason)
    case .fadedOut(let id):
      guard id == awaitedFade else { return }
      awaitedFade = nil
      carryOut(machine.fadedOut())
    case .ranDry: effects.append(.notify(.ranDry))
    case .deviceLost(let reason):
      awaitedFade = nil
      // Who asks for sound while there is no device asks for it as soon as there is one.
      let isAskedFor = deviceWait != nil || settings.resumesAfterInterruption
      deviceWait = .staysPaused
      if case .active = machine.state {
        isInterrupted = true
        if isAskedFor { deviceWait = .goesOn }
      }
      effects.append(.notify(.deviceLost(reason: reason, deviceWait ?? .staysPaused)))
      carryOut(machine.deviceLost())
    case .deviceReturned:
      let wait = deviceWait
      deviceWait = nil
      switch wait {
      case .goesOn: _ = resume()
      case .staysPaused: effects.append(.notify(.deviceReturned))
      case nil: break
      }
    case .broken(let reason):
      format = nil
      preparations = 0
      fail(.renderer(reason))
    }
    planAhead()
  }

  /// Takes the answer of a search; one that is void is left alone.
  mutating func found(_ answer: ClipAnswer, ticket: Int) {
    if let look = secondLook, look.ticket == ticket { return takeSecondLook(answer) }
    guard let search, search.ticket == ticket else { return }
    self.search = nil
    if search.item.id == plannedItem { queue?.provide(answer, to: search.need) }
    if search.isForFormat { takeFormat(answer, search) }
    planAhead()
  }

  /// What is heard at a position that the renderer tells.
  func position(_ heard: RendererPosition?) -> PlaybackPosition {
    let silent = PlaybackPosition(
      status: status, sourceFrame: nil, offset: nil, word: nil, next: nextStart)
    guard let heard, let frame = heard.sourceFrame,
      let entry = ledger.first(where: { $0.id == heard.item })
    else { return silent }
    let (occurrence, clip, isBasmalah): (AyahOccurrence, AyahClip, Bool)
    switch entry.step.content {
    case .breath(let passages):
      guard let passage = passages.last(where: { $0.clip.audio.span.lowerBound <= frame }) else {
        return silent
      }
      (occurrence, clip, isBasmalah) = (passage.occurrence, passage.clip, false)
    case .basmalah(let basmalah, let next): (occurrence, clip, isBasmalah) = (next, basmalah, true)
    case .missing, .gap: return silent
    }
    // What is heard may be ahead of the last event.
    let place = PlaybackPlace(
      occurrence, of: entry.item, in: entry.itinerary, isBasmalah: isBasmalah)
    return PlaybackPosition(
      status: status(place, clip), sourceFrame: frame, offset: frame - clip.audio.span.lowerBound,
      word: clip.words?.word(at: frame, of: clip.audio))
  }
}

// MARK: What is heard

extension PlaybackConductor {
  private mutating func completeEntries(before index: Int) {
    // What is heard may end it all, and then the ledger is empty.
    for _ in 0..<index where !ledger.isEmpty {
      begin()
      guard !ledger.isEmpty else { return }
      completeFirst()
    }
  }

  /// Takes note that the first entry is heard.
  private mutating func begin() {
    guard let entry = ledger.first, !entry.hasBegun else { return }
    ledger[0].hasBegun = true
    switch entry.step.content {
    case .gap: break
    case .basmalah(let clip, let occurrence):
      arrive(at: occurrence, of: entry, clip, isBasmalah: true)
      carryOut(machine.itemReady())
    case .breath(let passages):
      endMissingRun()
      arrive(at: passages[0].occurrence, of: entry, passages[0].clip)
      // The basmalah before it is a part of the same ayah's turn.
      if machine.state.activity == .loading { carryOut(machine.itemReady()) }
    case .missing(let occurrence, let reason, _):
      arrive(at: occurrence, of: entry, nil)
      missingRun += 1
      noteMissing(occurrence.ayah, reason)
      if missingRun > items.reduce(0, { $0 + Itinerary($1.request).extent.count }) {
        effects.append(.notify(.missing(occurrence.ayah, reason: reason)))
        failForWantOfAyat()
      } else {
        carryOut(machine.itemUnavailable(.silence))
        lookAgain(for: occurrence, of: entry)
      }
    }
  }

  /// Goes from one ayah of a breath to the next; false at the last.
  private mutating func movePassage() -> Bool {
    guard let entry = ledger.first, case .breath(let passages) = entry.step.content,
      entry.passage + 1 < passages.count
    else { return false }
    // By the plan that put them into one breath, in which there is no gap.
    complete(
      passages[entry.passage].occurrence, of: entry, wasMissing: false, in: entry.itinerary,
      hasGaps: false)
    // What comes next may have ended it all.
    guard !ledger.isEmpty else { return false }
    ledger[0].passage += 1
    let passage = passages[entry.passage + 1]
    arrive(at: passage.occurrence, of: entry, passage.clip)
    carryOut(machine.itemReady())
    return true
  }

  private mutating func completeFirst() {
    while movePassage() {}
    guard let entry = ledger.first else { return }
    if secondLook != nil { tellMissing(entry) }
    ledger.removeFirst()
    switch entry.step.content {
    case .basmalah: break
    case .gap: leaveGap()
    case .breath(let passages):
      completeOccurrence(
        passages[passages.count - 1].occurrence, of: entry, wasMissing: false)
    case .missing(let occurrence, _, _):
      completeOccurrence(occurrence, of: entry, wasMissing: true)
    }
  }

  private mutating func completeOccurrence(
    _ occurrence: AyahOccurrence, of entry: Entry, wasMissing: Bool
  ) {
    // What follows was planned by the item as it is now.
    let item = items.first { $0.id == entry.item }
    let itinerary = item.map { Itinerary($0.request) } ?? entry.itinerary
    complete(
      occurrence, of: entry, wasMissing: wasMissing, in: itinerary,
      hasGaps: itinerary.request.hasGaps)
  }

  private mutating func complete(
    _ occurrence: AyahOccurrence, of entry: Entry, wasMissing: Bool, in itinerary: Itinerary,
    hasGaps: Bool
  ) {
    let following = itinerary.following(occurrence, skipsRepetitions: wasMissing)
    isPlaceOver = true
    if !wasMissing {
      carryOut(machine.ayahComplete(isRepeated: following?.step == .again))
    }
    switch following?.step {
    case .again, .onward, .nextStage: break
    case .nextPass: carryOut(machine.rangeEnd(isRepeated: true))
    case .beyond, nil: carryOut(machine.rangeEnd(isRepeated: false))
    }
    guard following != nil || item(after: entry.item) != nil else {
      pausesAfterAyah = false
      carryOut(machine.afterRepeat(continues: false))
      return
    }
    if !hasGaps { leaveGap() }
    // A breath holds the next ayah too, and is heard to its end.
    if pausesAfterAyah, ledger.isEmpty || ledger[0].id != entry.id {
      pausesAfterAyah = false
      carryOut(machine.pause())
    }
  }

  private mutating func leaveGap() {
    if machine.state.activity == .rangeComplete {
      carryOut(machine.afterRepeat(continues: true))
    } else {
      carryOut(machine.gapElapsed())
    }
  }

  private mutating func arrive(
    at occurrence: AyahOccurrence, of entry: Entry, _ clip: AyahClip?, isBasmalah: Bool = false
  ) {
    heard = (entry.item, entry.itinerary)
    place = PlaybackPlace(
      occurrence, of: entry.item, in: entry.itinerary, isBasmalah: isBasmalah)
    isPlaceOver = false
    self.clip = clip
  }

  /// Finds something else for an item that cannot be read. One that sounds already just ends early.
  private mutating func replaceFailed(_ id: ScheduledItem.ID, _ reason: String) {
    guard let index = ledger.firstIndex(where: { $0.id == id }),
      let media = ledger[index].step.audio?.media
    else { return }
    let ayah: AyahReference? =
      if case .breath(let passages) = ledger[index].step.content {
        passages[0].occurrence.ayah
      } else {
        nil
      }
    unreadable.insert(media)
    effects.append(.notify(.unreadable(media, ayah, reason: reason)))
    guard !ledger[index].hasBegun, let first = ledger.first else { return }
    replanAhead()
    if !first.hasBegun, machine.state.activity == .loading {
      carryOut(machine.itemUnavailable(.otherSource))
    }
  }
}

// MARK: Carrying out

extension PlaybackConductor {
  /// Does what the machine says; false when it refused.
  @discardableResult
  mutating func carryOut(_ action: PlaybackMachine.Action?) -> Bool {
    switch action {
    case nil: return false
    case .nothing: break
    case .begin:
      turn += 1
      clearSchedule()
      lookForFormat()
    case .jump:
      turn += 1
      clearSchedule()
      if format == nil, preparations == 0 {
        lookForFormat()
      } else {
        run()
        planAhead()
      }
    case .pause(let fades):
      let fade = newFade(isAwaited: fades)
      emit(.pause(fadeOut: fades ? fadeOut : fadeIn, fade))
    case .resume:
      awaitedFade = nil
      run()
    case .stop(let fades):
      search = nil
      secondLook = nil
      ledger = []
      let fade = newFade(isAwaited: fades)
      emit(.stop(fadeOut: fades ? fadeOut : fadeIn, fade))
    }
    return true
  }

  mutating func clearSchedule() {
    search = nil
    secondLook = nil
    ledger = []
    endMissingRun()
    awaitedFade = nil
    emit(.clear)
  }

  mutating func run() {
    emit(.run(fadeIn: fadeIn))
  }

  private mutating func fail(_ failure: PlaybackFailure) {
    carryOut(machine.fail(failure))
    effects.append(.notify(.failed(failure)))
  }

  mutating func noteMissing(_ ayah: AyahReference, _ reason: String?) {
    missingReason = missingReason ?? reason.map { "\(ayah): \($0)" }
  }

  private mutating func endMissingRun() { (missingRun, missingReason) = (0, nil) }

  mutating func failForWantOfAyat() {
    guard let extent = (heard?.itinerary ?? queue?.itinerary)?.extent else { return }
    let reason = missingReason
    carryOut(machine.itemUnavailable(.none(extent, reason: reason)))
    effects.append(.notify(.failed(.nothingAvailable(extent, reason: reason))))
  }

  mutating func emit(_ command: RendererCommand) {
    effects.append(.send(command))
    switch command {
    case .complete: isComplete = true
    case .append, .removeAll, .clear, .prepare: isComplete = false
    case .run, .pause, .stop, .setSpeed: break
    }
  }

  mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private mutating func newFade(isAwaited: Bool) -> FadeID {
    let fade = FadeID(newNumber())
    awaitedFade = isAwaited ? fade : nil
    return fade
  }

  private var fadeOut: FrameCount { frames(settings.fadeOutMilliseconds) }

  /// Also where there ought to be nothing to fade out: an ayah may have begun whose report is under way.
  private var fadeIn: FrameCount { frames(settings.fadeInMilliseconds) }

  private func frames(_ milliseconds: Int) -> FrameCount {
    guard let format else { return .zero }
    return FrameCount(seconds: Double(max(0, milliseconds)) / 1000, at: format.rate)
  }
}
