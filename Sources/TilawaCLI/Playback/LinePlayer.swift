// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Glibc
import Listening
import Playback
import Quran
import ReciterSources
import TerminalUI

/// Plays a request with an engine and obeys the keys until it is over. Belongs to one thread, which it
/// blocks.
final class LinePlayer {
  private let engine: PlaybackEngine
  private let statuses: EventInbox<PlaybackStatus>
  private let notices: EventInbox<PlaybackNotice>
  private let title: (MediaKey) -> String
  private let line = TransportLine()
  private let keyboard: KeyInput?
  private let progress: ProgressDisplay?
  private let file: String?
  private let known: [AyahRange]
  private let recorder: ListeningRecorder?
  private let ahead: FetchAhead?
  private var sound: Sound?
  private let leaving: StopFlag?
  private var limited = LimitedLevel()
  private var queue: [QueueEntry] = []
  private var lastNumber = 0
  /// Changes whenever the queue does.
  private var revision = 0
  /// The item that was heard when the queue was last looked at.
  private var heardItem: PlaybackItem.ID?
  /// When play ends by itself.
  private var end: ContinuousClock.Instant?
  private var hasRunDry = false
  private var isStopping = false
  private var isDone = false

  private static let pollMilliseconds: Int32 = 40

  /// How what is heard sounds.
  struct Sound {
    let renderer: SessionRenderer
    var settings: Settings

    mutating func changeGain(up: Bool) {
      settings.changeGain(up: up)
      renderer.setEqualiser(settings.equaliser)
    }
  }

  /// - Parameters:
  ///   - file: what it is played into, if it is no device that a person hears and steers.
  ///   - known: what was said to be missing.
  ///   - recorder: keeps what is heard; nil for a file.
  ///   - ahead: fetches what is heard; nil where nothing is fetched.
  ///   - sound: nil for a file, which has the recordings' own.
  ///   - leaving: set where another program asks to leave.
  ///   - title: what a recording is called.
  init(
    _ engine: PlaybackEngine, file: String?, known: [AyahRange], recorder: ListeningRecorder?,
    ahead: FetchAhead? = nil, sound: Sound? = nil, leaving: StopFlag? = nil,
    title: @escaping (MediaKey) -> String
  ) {
    self.engine = engine
    self.known = known
    self.recorder = recorder
    self.ahead = ahead
    self.sound = sound
    self.leaving = leaving
    if let sound {
      sound.renderer.setVolume(sound.settings.volume)
      sound.renderer.setEqualiser(sound.settings.equaliser)
    }
    self.file = file
    progress = file == nil ? nil : ProgressDisplay()
    self.title = title
    statuses = EventInbox(waiting { await engine.statuses() })
    notices = EventInbox(waiting { await engine.notices() })
    keyboard = file == nil ? KeyInput() : nil
  }

  /// Returns when everything has been heard, or the person has had enough.
  ///
  /// - Parameter length: how long to play at most.
  func run(
    _ queue: [QueueEntry], from place: PlaybackStart? = nil, speed: Double,
    for length: Duration? = nil
  ) throws(Failure) {
    self.queue = queue
    lastNumber = queue.map(\.id.number).max() ?? 0
    let engine = engine
    defer {
      clear()
      keyboard?.close()
      recorder?.finish(
        NowPlaying(engine.moment.position, title: ""), queue: self.queue, revision: revision)
    }
    end = length.map { ContinuousClock.now + $0 }
    waiting {
      await engine.setSpeed(speed)
      await engine.play(queue.map(\.item), from: place)
    }
    while !isDone {
      if Interrupt.flag.isStopped {
        throw Failure(code: Failure.interrupted, message: "interrupted")
      }
      for notice in notices.take() { try handle(notice) }
      for status in statuses.take() { try handle(status.state) }
      guard !isDone else { break }
      if file == nil { keepRounds() }
      recorder?.look(
        NowPlaying(engine.moment.position, title: ""), queue: self.queue, revision: revision)
      let isOver = end.map { ContinuousClock.now >= $0 } ?? false
      if !isStopping, isOver || leaving?.isStopped ?? false {
        isStopping = true
        if !waiting({ await engine.stop() }) { isDone = true }
      }
      if let file, let progress {
        progress.update(label: file, fraction: fraction)
      } else {
        show()
      }
      if let keyboard {
        for key in keyboard.keys(waiting: Self.pollMilliseconds) { obey(key, keyboard) }
        if keyboard.hasEnded { isDone = true }
      } else {
        usleep(UInt32(Self.pollMilliseconds) * 1000)
      }
    }
    for notice in notices.take() { try handle(notice) }
  }

  /// Has the next round of what is shuffled follow in time. A file has all of them from the start.
  private func keepRounds() {
    let engine = engine
    guard let item = engine.moment.item, item != heardItem else { return }
    heardItem = item
    guard queue.keepRounds(around: item, lastNumber: &lastNumber) else { return }
    revision += 1
    let items = queue.map(\.item)
    waiting { await engine.setItems(items) }
  }

  private func handle(_ state: PlaybackState) throws(Failure) {
    switch state {
    case .idle(.finished), .idle(.stopped): isDone = true
    case .failed(let failure):
      if case .nothingAvailable = failure { recorder?.miss(queue) }
      guard case .renderer(let reason) = failure else {
        let missing = queue.flatMap { $0.missing ?? [] }
        throw Failure(
          code: "no_such_recording",
          message: missing.isEmpty
            ? failure.description : "nothing of \(PlainText.ranges(missing)) can be played")
      }
      throw Failure(
        code: "unavailable",
        message: "\(reason); --device chooses another device; --output FILE.wav needs no device")
    case .idle(.fresh), .active, .pausing, .paused, .stopping: break
    }
  }

  private func handle(_ notice: PlaybackNotice) throws(Failure) {
    switch notice {
    case .ranDry:
      if !hasRunDry { say(notice.description) }
      hasRunDry = true
    case .unreadable(let media, let ayah, let reason):
      if let ayah { recorder?.miss(ayah) }
      let place = ayah.map { " for \($0)" } ?? ""
      say("\(title(media)) cannot be played\(place): \(reason)")
    case .deviceLost(let reason, let wait):
      guard keyboard != nil else {
        throw Failure(code: "unavailable", message: notice.description)
      }
      say("\(reason); \(wait.advice)")
    case .missing(let ayah, let reason):
      recorder?.miss(ayah)
      // What was told before a file is begun is not told again of each ayah.
      if reason == nil, file != nil, known.contains(where: { $0.contains(ayah) }) { return }
      say(notice.description)
    case .deviceReturned: say("\(notice.description); press space to resume")
    case .interrupted, .riwayahChanged, .deviceNotAwaited: say(notice.description)
    // The state says so too.
    case .failed: break
    }
  }

  private func obey(_ key: KeyEvent, _ keyboard: KeyInput) {
    let engine = engine
    switch (key.key, key.modifiers) {
    case (.character("q"), []), (.escape, []), (.character("d"), .control):
      // A second time does not wait for the fade.
      if isStopping || !waiting({ await engine.stop() }) { isDone = true }
      isStopping = true
    case (.character(" "), []):
      waiting { _ = await engine.togglePause() }
    case (.left, []): waiting { _ = await engine.previous() }
    case (.right, []): waiting { _ = await engine.next() }
    case (.character("["), []), (.character("]"), []):
      let isFaster = key.typed == "]"
      waiting {
        let speed = await engine.status.speed
        await engine.setSpeed(TransportLine.speed(after: speed, faster: isFaster))
      }
    case (.character("("), []), (.character(")"), []): sound?.changeGain(up: key.typed == ")")
    case (.character("z"), .control):
      waiting { _ = await engine.interrupt(.suspension) }
      line.clear()
      keyboard.suspend()
      waiting { _ = await engine.endInterruption() }
    default: break
    }
  }

  /// How much of the queue has been heard, repetitions counted, however long each ayah is.
  private var fraction: Double {
    let engine = engine
    let position = engine.moment.position
    guard let place = position.status.place,
      let index = queue.firstIndex(where: { $0.id == place.item })
    else { return 0 }
    var (before, all) = (0, 0)
    for (number, entry) in queue.enumerated() {
      let itinerary = Itinerary(entry.request)
      guard let count = itinerary.occurrenceCount else { return 0 }
      all += count
      if number < index { before += count }
      if number == index { before += itinerary.occurrences(before: place.occurrence) ?? 0 }
    }
    var part = 0.0
    if !place.isBasmalah, let offset = position.offset,
      let length = position.status.clip?.audio.span.length
    {
      part = min(1, Double(offset.frames) / Double(length.frames))
    }
    return (Double(before) + part) / Double(all)
  }

  private func say(_ text: String) {
    if let progress { progress.say(text) } else { line.say(text) }
  }

  private func clear() {
    progress?.finish()
    line.clear()
  }

  private func show() {
    guard keyboard != nil else { return }
    let engine = engine
    let position = engine.moment.position
    let status = position.status
    guard let place = status.place else { return }
    var ayah = status.clip?.together?.numericDescription ?? "\(place.occurrence.ayah)"
    if place.isBasmalah { ayah += " (basmalah)" }
    if status.clip?.isConfirmed == false { ayah += " (unconfirmed)" }
    if let offset = position.offset, let clip = status.clip {
      let rate = clip.audio.format.rate
      ayah +=
        "  \(TransportLine.time(offset.seconds(at: rate)))"
        + " of \(TransportLine.time(clip.audio.span.length.seconds(at: rate)))"
    }
    line.show(
      [
        status.deviceWait?.text ?? text(status.state), ayah,
        "\(place.ayahNumber) of \(place.ayahCount)",
        count("time", place.occurrence.repetition, place.repetitions),
        count("pass", place.occurrence.pass, place.passes), TransportLine.speed(status.speed),
      ] + soundParts, name: status.clip.map { title($0.audio.media) } ?? "")
  }

  /// Gain, equaliser and limiter, as far as they change the sound.
  private var soundParts: [String] {
    guard let sound else { return [] }
    let lowered = sound.renderer.takeLevel().map { limited.take($0) } ?? 0
    return TransportLine.sound(sound.settings, limitedBy: lowered)
  }

  private func text(_ state: PlaybackState) -> String {
    switch state {
    case .active(.loading): ahead?.status.map { "fetching \($0)" } ?? "\(state)"
    case .active(.awaitingRepeat), .active(.awaitingNextAyah), .active(.rangeComplete): "gap"
    case .pausing, .paused: "paused"
    case .idle, .active, .stopping, .failed: "\(state)"
    }
  }

  private func count(_ name: String, _ number: Int, _ all: RepeatCount) -> String {
    if all.times == 1 { return "" }
    return "\(name) \(number)" + (all.times.map { " of \($0)" } ?? "")
  }
}
