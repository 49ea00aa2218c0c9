// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Glibc
import Listening
import MediaControl
import Playback
import TerminalUI

/// Plays one item and obeys the keys, from the first frame to the last. Belongs to one thread, which
/// it blocks.
final class Audition {
  private var sound: Sound
  private var item: RenderItem
  private let session: RenderSession
  private let inbox: EventInbox<RenderEvent>
  private let device: String
  private let resumes: Bool
  /// Before a pause and after it; nothing where every frame is to stay as it is.
  private let fade: FrameCount
  private let line = TransportLine()
  private let keyboard: KeyInput?
  private var settings: Settings
  private var isPaused = false
  /// Whether it is paused without anybody's having asked for it.
  private var isInterrupted = false
  /// What is done once the device that was lost is back; nil while none is lost.
  private var deviceWait: DeviceWait?
  private let recovery: OutputRecovery
  /// When a lost device is looked for next.
  private let nextLook: Monitor<ContinuousClock.Instant?>
  private let guardian: InterruptionGuard
  private let interruptions = EventInbox<InterruptionGuard.Event>()
  private var isDone = false
  /// Said once; on a slow machine it would be said for ever.
  private var hasRunDry = false
  private var limited = LimitedLevel()
  private var overloaded: (since: ContinuousClock.Instant, level: OutputLevel)?

  private static let fadeSeconds = 0.03
  private static let pollMilliseconds: Int32 = 40
  /// Hundredths of a second that a last fade may take, device included.
  private static let patience = 40

  /// - Parameters:
  ///   - device: the name of the ALSA device that `session` plays on.
  ///   - resumes: whether it goes on by itself after an interruption.
  ///   - settings: of which the equaliser and the gain count.
  init(
    _ sound: Sound, _ item: RenderItem, in session: RenderSession, on device: String,
    resumes: Bool, isExact: Bool, settings: Settings
  ) {
    self.settings = settings
    self.resumes = resumes
    self.sound = sound
    self.item = item
    self.session = session
    self.device = device
    inbox = EventInbox(session.events)
    fade = isExact ? .zero : FrameCount(seconds: Self.fadeSeconds, at: session.format.rate)
    keyboard = KeyInput()
    let nextLook = Monitor<ContinuousClock.Instant?>(nil)
    self.nextLook = nextLook
    recovery = OutputRecovery { delay in nextLook.update { $0 = ContinuousClock.now + delay } }
    guardian = InterruptionGuard(device: device) { [interruptions] in interruptions.add($0) }
  }

  /// Returns when everything has been heard, or the person has had enough.
  func run() throws(Failure) {
    session.equaliser = settings.equaliser
    session.append([item])
    session.play()
    defer {
      line.clear()
      keyboard?.close()
      session.close()
      guardian.close()
    }
    while !isDone {
      if Interrupt.flag.isStopped {
        throw Failure(code: Failure.interrupted, message: "interrupted at \(time)")
      }
      for event in inbox.take() { try handle(event) }
      for event in interruptions.take() { try handle(event) }
      lookForDevice()
      guard !isDone else { break }
      show()
      if let keyboard {
        for key in keyboard.keys(waiting: Self.pollMilliseconds) { obey(key, keyboard) }
        if keyboard.hasEnded { isDone = true }
      } else {
        usleep(UInt32(Self.pollMilliseconds) * 1000)
      }
    }
  }

  private func handle(_ event: RenderEvent) throws(Failure) {
    switch event {
    case .drained:
      guardian.letSleep()
      readOn()
    case .itemCutShort(_, let problem):
      if sound.isOpenEnded, problem?.kind == .endsTooEarly { return }
      if let problem { throw Failure(problem) }
      if !sound.isOpenEnded { line.say("the recording is shorter than its header says") }
    case .ranDry:
      if !hasRunDry {
        line.say("playback waited because the recording was read too slowly; no sound was skipped")
      }
      hasRunDry = true
    case .deviceLost(let fault, _):
      let message = "\(device) stopped at \(time): \(fault.explanation)"
      guard keyboard != nil else { throw Failure(code: "unavailable", message: message) }
      recovery.lose()
      let wait = !isPaused && resumes ? DeviceWait.goesOn : .staysPaused
      line.say("\(message); \(wait.advice)")
      deviceWait = wait
      isPaused = true
      guardian.letSleep()
    case .paused: guardian.letSleep()
    case .playing, .stopped, .itemStarted, .looped, .reached, .itemEnded, .recovered: break
    }
  }

  private func handle(_ event: InterruptionGuard.Event) throws(Failure) {
    switch event {
    case .interruption(let interruption):
      guard !isPaused else {
        guardian.letSleep()
        return
      }
      // Without keys nobody could have it go on.
      guard keyboard != nil || resumes else {
        let message = "stopped at \(time): \(interruption)"
        fadeAway()
        throw Failure(code: "unavailable", message: message)
      }
      pause()
      isInterrupted = true
      line.say("\(PlaybackNotice.interrupted(interruption))")
    case .over: endInterruption()
    }
  }

  /// Goes on with what has been written to the file meanwhile, or ends.
  private func readOn() {
    let last = session.position?.sourceFrame.map { $0 + FrameCount(1) }
    let end = sound.isOpenEnded ? last : sound.span.upperBound
    guard item.repetitions == 1, let more = end.flatMap({ sound.continuation(from: $0) }) else {
      isDone = true
      return
    }
    sound = more
    var next = RenderItem(.audio(more.source, more.span))
    next.gainDecibels = item.gainDecibels
    item = next
    session.append([next])
  }

  private func obey(_ key: KeyEvent, _ keyboard: KeyInput) {
    switch (key.key, key.modifiers) {
    case (.character("q"), []), (.escape, []), (.character("d"), .control):
      fadeAway()
      isDone = true
    case (.character(" "), []): toggle()
    case (.left, []): skip(forward: false)
    case (.right, []): skip(forward: true)
    case (.left, .shift), (.character(","), []): skip(forward: false, by: 5)
    case (.right, .shift), (.character("."), []): skip(forward: true, by: 5)
    case (.left, .alt), (.character("<"), []): skip(forward: false, by: 15)
    case (.right, .alt), (.character(">"), []): skip(forward: true, by: 15)
    case (.character("("), []), (.character(")"), []):
      settings.changeGain(up: key.typed == ")")
      session.equaliser = settings.equaliser
    case (.character("e"), []):
      settings.hasEqualiser.toggle()
      session.equaliser = settings.equaliser
    case (.character("["), []), (.character("]"), []):
      session.speed = TransportLine.speed(after: session.speed, faster: key.typed == "]")
    case (.character("z"), .control):
      if !isPaused {
        pause()
        isInterrupted = true
      }
      line.clear()
      keyboard.suspend()
      endInterruption()
    default: break
    }
  }

  /// Ends what is heard without a click, or after a moment as it is.
  private func fadeAway() {
    guard !isPaused else { return }
    session.pause(fadeOut: fade)
    for _ in 0..<Self.patience {
      for case .paused in inbox.take() { return }
      usleep(10_000)
    }
  }

  private func toggle() {
    if deviceWait == .goesOn {
      deviceWait = .staysPaused
      line.say("\(PlaybackNotice.deviceNotAwaited)")
    } else if isPaused {
      resume()
    } else {
      pause()
    }
  }

  private func pause() {
    isPaused = true
    isInterrupted = false
    session.pause(fadeOut: fade)
  }

  private func resume() {
    isInterrupted = false
    if deviceWait != nil {
      do throws(PlaybackError) {
        try recovery.open(.alsa(device), of: session)
      } catch {
        deviceWait = .goesOn
        return line.say("\(error); \(DeviceWait.goesOn.advice)")
      }
      deviceWait = nil
    }
    isPaused = false
    session.play(fadeIn: fade)
  }

  private func endInterruption() {
    if isInterrupted, resumes { resume() }
  }

  /// Holds a device that was lost and is back.
  private func lookForDevice() {
    let isDue = nextLook.update { nextLook in
      guard let time = nextLook, time <= .now else { return false }
      nextLook = nil
      return true
    }
    guard isDue, recovery.look(for: .alsa(device), of: session) else { return }
    let goesOn = deviceWait == .goesOn
    deviceWait = nil
    if goesOn { return resume() }
    line.say("\(PlaybackNotice.deviceReturned); press space to resume")
  }

  /// Goes on earlier or later by so many seconds, or by a tenth of the sound, at least one second and at most ten.
  private func skip(forward: Bool, by seconds: Double? = nil) {
    guard let position = session.position else { return }
    let rate = sound.rate
    let tenth = min(max(sound.span.length.seconds(at: rate) / 10, 1), 10)
    let step = FrameCount(seconds: seconds ?? tenth, at: rate)
    let now = position.sourceFrame ?? sound.span.lowerBound
    guard forward else {
      let target = max(now - step, sound.span.lowerBound)
      return session.seek(to: item.id, repetition: position.repetition, sourceFrame: target)
    }
    if now + step < sound.span.upperBound {
      session.seek(to: item.id, repetition: position.repetition, sourceFrame: now + step)
    } else if item.repetitions.map({ position.repetition + 1 < $0 }) ?? true {
      session.seek(to: item.id, repetition: position.repetition + 1)
    } else {
      isDone = true
    }
  }

  private var time: String {
    TransportLine.time(
      (session.position?.sourceFrame ?? sound.span.lowerBound).seconds(at: sound.rate))
  }

  /// By how much the loudest place of the last second was lowered, or did not fit; nothing where all did.
  private var overload: String {
    let level = session.takeLevel()
    let now = ContinuousClock.now
    let lowered = limited.take(level, at: now)
    if lowered > 0 { return "limited by \(lowered) dB" }
    if level.clippedSamples > 0 {
      let isLouder = level.peak > (overloaded?.level.peak ?? 0)
      overloaded = (now, isLouder ? level : overloaded?.level ?? level)
    } else if let since = overloaded?.since, now - since > .seconds(1) {
      overloaded = nil
    }
    guard let level = overloaded?.level else { return "" }
    return "clips by \((-level.headroomDecibels * 10).rounded() / 10) dB"
  }

  private func show() {
    guard keyboard != nil else { return }
    let position = session.position
    let heard = (position?.sourceFrame ?? sound.span.lowerBound) - sound.span.lowerBound
    let length =
      sound.isOpenEnded
      ? "" : " of \(TransportLine.time(sound.span.length.seconds(at: sound.rate)))"
    var count = ""
    if item.repetitions != 1 {
      count = "time \((position?.repetition ?? 0) + 1)\(item.repetitions.map { " of \($0)" } ?? "")"
    }
    line.show(
      [
        deviceWait?.text ?? (isPaused ? "paused" : "playing"),
        "\(time)  (\(TransportLine.time(heard.seconds(at: sound.rate)))\(length))", count,
        TransportLine.speed(session.speed),
        Settings.gainText(item.gainDecibels + settings.gain) ?? "",
        settings.hasEqualiser ? "eq" : "", overload,
      ], name: sound.name)
  }
}
