// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Library
import Listening
import MediaControl
import Playback
import Quran
import ReciterSources
import TerminalDriver
import TerminalUI

/// The player at work: takes in what the person does and what is heard, has the pure player reduce it, carries
/// out its effects and draws. Belongs to one thread, which it blocks.
final class PlayerSession {
  private var state: State
  private let screen: TerminalScreen
  private let engine: PlaybackEngine
  private let renderer: SessionRenderer
  private var limited = LimitedLevel()
  private let library: Library
  private let sound: PublishedSound
  private let recorder: ListeningRecorder
  private let memory: PlayerMemory
  private let remote: EngineRemote?
  private let leaving: StopFlag
  private let find: @Sendable (String) throws -> QueueFinder.Found
  private let inbox: PlayerInbox
  private let notices: EventInbox<PlaybackNotice>
  private let waveforms: AyahWaveforms
  private let picture: HeardPicture
  private let window: PictureWindow
  private var titles: [MediaKey: String] = [:]
  /// As they were at the last look.
  private var asked: PlaybackItem?
  private var isDone = false
  private var redrawing = State.Redrawing.all
  /// What was drawn last, and the one before it where that differs in the place alone: it is drawn on in turn,
  /// for the terminal's encoder keeps the last, and to copy it would take as long as to draw.
  private var drawn: (last: Surface, spare: Surface?)?
  /// Whether a frame of the picture waits to be drawn.
  private var hasNewPicture = false
  /// Whether a frame was not taken because the terminal was busy with an older one.
  private var isPictureHeldBack = false
  /// The frame that was heard last, of which recording.
  private var heard: (media: MediaKey, frame: FramePosition)?
  private let start = ContinuousClock.now
  /// When the next look is due.
  private var nextLook = ContinuousClock.now

  /// A 60th of a second while something moves, and a look at a player that rests.
  private static let moving = Duration.microseconds(16_667)
  private static let resting = Duration.milliseconds(100)
  /// How long a fade is waited for at the end.
  private static let patience = 50
  /// Ayat of an item of which it is asked why they cannot be heard; nobody looks at more.
  private static let mostReasons = 100

  struct Parts {
    let engine: PlaybackEngine
    let renderer: SessionRenderer
    let library: Library
    let sound: PublishedSound
    let recorder: ListeningRecorder
    let memory: PlayerMemory
    /// Nil where no other program sees the player.
    let remote: EngineRemote?
    /// Set where another program asks to leave.
    let leaving: StopFlag
    /// Finds what a person types for the queue.
    let find: @Sendable (String) throws -> QueueFinder.Found
  }

  init(_ state: State, _ parts: Parts, on screen: TerminalScreen) {
    self.state = state
    self.screen = screen
    engine = parts.engine
    renderer = parts.renderer
    library = parts.library
    sound = parts.sound
    recorder = parts.recorder
    memory = parts.memory
    remote = parts.remote
    leaving = parts.leaving
    find = parts.find
    let inbox = PlayerInbox(waker: screen.waker)
    self.inbox = inbox
    waveforms = AyahWaveforms(parts.sound) { inbox.post(.waveform($0)) }
    picture = HeardPicture(parts.sound) { [waker = screen.waker] in waker.wake() }
    let engine = parts.engine
    window = PictureWindow(playing: engine, parts.sound) { inbox.post($0) }
    notices = EventInbox(waiting { await engine.notices() })
    remote?.attach { command in
      switch command {
      case .setVolume(let volume): inbox.post(.askedVolume(volume))
      case .setShuffled(let isShuffled): inbox.post(.askedShuffle(isShuffled))
      case .activate(let list): if let name = list.name { inbox.post(.askedList(name)) }
      default: break
      }
    }
  }

  /// Plays until the person leaves.
  ///
  /// - Parameter notices: what is to be known before it begins.
  func run(
    from place: PlaybackStart?, showsWindow: Bool = false, telling notices: [Notice] = []
  ) throws(TerminalError) {
    let settings = state.settings
    for effect in [
      Effect.setVolume(settings.volume), .setEqualiser(settings.equaliser),
      .setSpeed(settings.speed),
      .setFades(
        inMilliseconds: settings.fadeInMilliseconds, outMilliseconds: settings.fadeOutMilliseconds),
    ] { carryOut(effect) }
    take(.pixels(screen.pixels))
    take(.toldFirst(notices + [screen.startNotice].compactMap(\.self)))
    try awaitFirstPicture(from: place)
    carryOut(.play(state.items, from: place))
    check(state.items)
    if showsWindow { carryOut(.toggleWindow) }
    if state.sleep == .endOfAyah { carryOut(.setPausesAfterAyah(true)) }
    defer { leave() }
    while !isDone, !leaving.isStopped {
      for event in inbox.take() { take(event) }
      for notice in self.notices.take() { tell(notice) }
      look()
      takePicture()
      guard try takeWaitingInput(), !isDone else { continue }
      try draw()
      if let event = try screen.nextEvent(timeout: untilNextLook()) { handle(event) }
    }
  }

  /// How long to wait for the next look, so that looks keep their rate however long drawing takes.
  private func untilNextLook() -> Duration {
    let (now, step) = (ContinuousClock.now, step)
    nextLook = min(max(nextLook + step, now), now + step)
    return nextLook - now
  }

  /// How long nothing happens at most.
  private var step: Duration {
    guard state.isMoving || isPictureHeldBack || screen.hasImagesToSend else {
      return Self.resting
    }
    return state.pictureWish == nil || isPictureHeldBack
      ? Self.moving : RecordingPicture.lookInterval
  }

  private func draw() throws(TerminalError) {
    do throws(TerminalError) {
      if redrawing == .nothing {
        try screen.sendImages()
      } else {
        redraw()
        if let drawn { try screen.draw(drawn.last, isMoving: hasNewPicture) }
      }
    } catch {
      // The terminal has gone; its end is the next event.
      if error != .hungUp { throw error }
    }
    redrawing = .nothing
    hasNewPicture = false
  }

  private func redraw() {
    guard redrawing == .place, let (last, spare) = drawn.take() else {
      drawn = (view(state), nil)
      return
    }
    var surface = spare ?? last
    redrawPlace(of: state, on: &surface)
    drawn = (surface, last)
  }

  /// Takes the frame of the picture for what is heard, unless the terminal is still busy with an older one.
  private func takePicture() {
    isPictureHeldBack = !screen.canTakePicture && state.pictureWish != nil
    guard state.pictureWish != nil, !isPictureHeldBack, let heard,
      let news = picture.news(at: heard.frame)
    else { return }
    hasNewPicture = true
    take(.picture(news))
  }

  /// Gives the picture of what is heard first a moment to arrive, so that it begins with the sound.
  private func awaitFirstPicture(from place: PlaybackStart?) throws(TerminalError) {
    // What is still to be fetched is not waited for.
    guard state.pictureWish != nil, sound.ahead == nil,
      let entry = state.queue.first(where: { $0.id == place?.item }) ?? state.queue.first
    else { return }
    let ayah = place?.ayah ?? Itinerary(entry.request).first.ayah
    let sound = sound
    guard case .found(let clip) = waiting({ await sound.clip(of: ayah, entry.request.query) })
    else { return }
    hear(clip.audio.media, place?.frame(in: clip.audio) ?? clip.audio.span.lowerBound)
    try FirstPicture { [start] in ContinuousClock.now - start }.wait { () throws(TerminalError) in
      takePicture()
      try draw()
      return isDone || state.pictureWish == nil || state.picture.isSettled
    } next: { left throws(TerminalError) in
      if let event = try screen.nextEvent(timeout: left) { handle(event) }
    }
  }

  /// Has the picture follow what is heard.
  private func hear(_ media: MediaKey, _ frame: FramePosition) {
    heard = (media, frame)
    if state.pictureWish != nil { picture.follow(media) }
  }

  /// Takes a look at what is heard; the screen is drawn again where that shows.
  private func look() {
    for ayah in sound.ahead?.takeLost() ?? [] { take(.missed(ayah)) }
    for ayah in sound.ahead?.takeArrived() ?? [] { take(.arrived(ayah)) }
    let before = state.movingLook
    var needed = redrawing
    let moment = engine.moment
    let position = moment.position
    if let id = moment.item, let request = moment.itinerary?.request {
      let item = PlaybackItem(id, request)
      if item != asked {
        take(.asked(item))
        needed = .all
      }
      asked = item
    }
    let fetching = sound.ahead?.status
    if fetching != state.fetching {
      take(.fetching(fetching))
      needed = .all
    }
    if var now = NowPlaying(position, title: title(of: position.status.clip)) {
      // A part of an ayah is not heard as if it were all of it.
      if let clip = now.clip, !now.isBasmalah, asked?.request.excerpt == nil,
        let words = sound.words
      {
        words.load(clip)
        now.hear(words.known(of: clip))
      }
      recorder.look(
        now, queue: state.queue, revision: state.revision, seed: state.seed,
        isWatched: state.seesPicture || window.isShowing)
      take(.playing(now))
      // In silence between ayat the last frame stays.
      if let audio = now.clip?.audio {
        let last = heard?.media == audio.media ? heard?.frame : nil
        hear(audio.media, now.frame ?? last ?? audio.span.lowerBound)
      }
    }
    tellOthers()
    if let level = renderer.takeLevel() { take(.limited(limited.take(level))) }
    take(.tick(ContinuousClock.now - start))
    redrawing = max(needed, state.movingLook.redrawing(from: before))
  }

  private func tellOthers() {
    var player = PlayerSnapshot()
    player.volume = state.settings.volume
    player.isShuffled = state.seed != nil
    player.activePlaylist = state.list.map { MediaPlaylist(id: .init(named: $0), name: $0) }
    remote?.show(player)
  }

  private func title(of clip: AyahClip?) -> String {
    guard let media = clip?.audio.media else { return "" }
    if let title = titles[media] { return title }
    let title = sound.title(of: media)
    titles[media] = title
    return title
  }

  private func takeWaitingInput() throws(TerminalError) -> Bool {
    var isQuiet = true
    while !isDone, let event = try screen.nextEvent(timeout: .zero) {
      handle(event)
      if case .woken = event { continue }
      isQuiet = false
    }
    return isQuiet
  }

  private func handle(_ event: TerminalEvent) {
    switch event {
    case .input(let input): take(.input(input))
    case .pixels(let cell): take(.pixels(cell))
    case .woken: break
    case .stopRequested: isDone = true
    }
  }

  private func take(_ event: Event) {
    let effects = reduce(&state, event)
    redrawing = .all
    for effect in effects { carryOut(effect) }
  }

  private func tell(_ notice: PlaybackNotice) {
    guard var told = Notice(notice) else { return }
    switch notice {
    case .missing(let ayah, _):
      recorder.miss(ayah)
      take(.missed(ayah))
    case .unreadable(let media, let ayah, let reason):
      if let ayah { recorder.miss(ayah) }
      let what = "\(sound.title(of: media)) cannot be played\(ayah.map { " for \($0)" } ?? "")"
      told = Notice(.warning, "\(what): \(reason)")
    // Nothing is lost by it: what stands there is of more interest.
    case .ranDry: if state.notice != nil { return }
    case .failed(.nothingAvailable): recorder.miss(state.queue)
    default: break
    }
    take(.told(told))
  }

  /// Ends it with a fade, and keeps the last of it.
  private func leave() {
    let engine = engine
    let position = engine.moment.position
    let now = NowPlaying(position, title: "") ?? state.now
    recorder.finish(now, queue: state.queue, revision: state.revision, seed: state.seed)
    waveforms.close()
    picture.close()
    window.close()
    if case .active = now?.state, waiting({ await engine.stop() }) {
      for _ in 0..<Self.patience {
        if case .idle = waiting({ await engine.status.state }) { break }
        usleep(10_000)
      }
    }
    memory.finish()
  }
}

// MARK: - Effects

extension PlayerSession {
  private func carryOut(_ effect: Effect) {
    let engine = engine
    switch effect {
    case .togglePause: waiting { _ = await engine.togglePause() }
    case .pause: waiting { _ = await engine.pause() }
    case .next: attempt("End of the queue") { await engine.next() }
    case .previous: attempt("Nothing is playing") { await engine.previous() }
    case .nextItem: attempt("This is the last item") { await engine.nextItem() }
    case .previousItem: attempt("Nothing is playing") { await engine.previousItem() }
    case .go(let item): attempt("Nothing is playing") { await engine.go(to: item) }
    case .seek(let ayah): attempt("\(ayah) is not in the queue") { await engine.seek(to: ayah) }
    case .again: waiting { _ = await engine.again() }
    case .move(let seconds): attempt("No ayah is playing now") { await engine.move(by: seconds) }
    case .setItems(let items): waiting { await engine.setItems(items) }
    case .play(let items, let place): waiting { await engine.play(items, from: place) }
    case .setSpeed(let speed): waiting { _ = await engine.setSpeed(speed) }
    case .setVolume(let volume): renderer.setVolume(volume)
    case .setEqualiser(let equaliser): renderer.setEqualiser(equaliser)
    case .setFades(let fadeIn, let fadeOut):
      waiting { await engine.setFades(inMilliseconds: fadeIn, outMilliseconds: fadeOut) }
    case .setPausesAfterAyah(let pauses):
      waiting { await engine.setPausesAfterAyah(pauses) }
    case .setRepeats(let ayah, let range):
      waiting { _ = await engine.setRepeats(ayah: ayah, range: range) }
    case .setPractice(let practice): waiting { _ = await engine.setPractice(practice) }
    case .setGap(let milliseconds, let factor):
      waiting { _ = await engine.setGap(milliseconds: milliseconds, factor: factor) }
    case .changeRiwayah(let riwayah): waiting { await engine.setRiwayah(riwayah) }
    case .check(let item): check([item])
    case .loadWaveform(let clip): waveforms.load(clip)
    case .showPicture(let wish): picture.show(wish)
    case .find(let text, let next):
      look(for: text) { .found($0.entries, next: next, seed: $0.seed) }
    case .findList(let name):
      look(for: "\"@\(name)\"") { .foundList($0.entries, named: name, seed: $0.seed) }
    case .keep(let settings): memory.keep(settings)
    case .moveReciter(let id, let place):
      change { () throws(LibraryError) in
        try library.move(Reciter.ID(rawValue: id.rawValue), toPlace: place)
      }
    case .useSources(let id, let uses):
      change { () throws(LibraryError) in
        try library.setSourcesEnabled(uses, of: Reciter.ID(rawValue: id.rawValue))
      }
    case .toggleWindow: if let obstacle = window.toggle() { take(.told(obstacle)) }
    case .toggleFullScreen: if let obstacle = window.toggleFullScreen() { take(.told(obstacle)) }
    case .setMouse(let isOn): screen.setMouse(isOn)
    case .redraw:
      screen.redrawAll()
      redrawing = .all
    case .suspend:
      waiting { _ = await engine.interrupt(.suspension) }
      window.settle()
      screen.suspend()
      waiting { _ = await engine.endInterruption() }
    case .quit: isDone = true
    }
  }

  /// Changes reciters or sources of the library, and hears by that from the next ayah on that is looked up.
  private func change(_ body: () throws(LibraryError) -> Void) {
    do throws(LibraryError) {
      try body()
      try sound.reload()
    } catch {
      take(.told(Notice(.failure, "\(error)")))
    }
  }

  /// Asks the engine for something that may make no sense now, which is then said.
  private func attempt(_ obstacle: String, _ body: @escaping @Sendable () async -> Bool) {
    if !waiting(body) { take(.told(Notice(.hint, obstacle))) }
  }

  /// Looks up what of items cannot be heard, one after another.
  private func check(_ items: [PlaybackItem]) {
    let (engine, inbox) = (engine, inbox)
    let sound = sound
    Task.detached {
      for item in items { inbox.post(await PlayerSession.check(item, engine, sound)) }
    }
  }

  private nonisolated static func check(
    _ item: PlaybackItem, _ engine: PlaybackEngine, _ sound: PublishedSound
  ) async -> Event {
    let check = await engine.check(item.request)
    var reasons: [AyahReference: String] = [:]
    for ayah in check.missing.joined().prefix(mostReasons) {
      reasons[ayah] = await sound.reason(against: ayah, item.request.query)
    }
    return .checked(
      item.id, missing: check.missing, fillable: check.fillable, reasons: reasons)
  }

  private func look(for text: String, found: (QueueFinder.Found) -> Event) {
    do {
      take(found(try find(text)))
    } catch let error as Failure {
      take(.notFound(error.message))
    } catch {
      take(.notFound("\(error)"))
    }
  }
}

/// What comes back from the threads, for the player's own.
final class PlayerInbox: Sendable {
  private let unread = Monitor<[Event]>([])
  private let waker: TerminalWaker

  init(waker: TerminalWaker) { self.waker = waker }

  func post(_ event: Event) {
    unread.update { $0.append(event) }
    waker.wake()
  }

  /// Everything that came since this was last asked, in order.
  func take() -> [Event] {
    unread.update { events in
      defer { events.removeAll() }
      return events
    }
  }
}
