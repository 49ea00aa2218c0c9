// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Carries out what a renderer is told, on its thread.
final class SessionRendererWorker {
  /// A fade that the engine waits for.
  private struct AwaitedFade {
    let id: FadeID
    let empties: Bool
  }

  private let parts: RendererParts
  private var output: RenderOutput
  private(set) var isOpen = true
  private var session: RenderSession?
  private var sessionCount = 0
  private var wanted: AudioFormat?
  private var speed = 1.0
  private var volume = 1.0
  private var equaliser = Equaliser.flat
  private var isRunning = false
  /// Of the session's output.
  private var recovery: OutputRecovery?
  private var fade: AwaitedFade?
  /// Recordings that were opened, for as long as the session lasts.
  private var sources: [MediaKey: MediaSource] = [:]
  private var schedule: [RenderItem.ID: ScheduledItem] = [:]
  private var names: [ScheduledItem.ID: RenderItem.ID] = [:]

  /// How long a fade may be late.
  private static let patience = Duration.seconds(1)

  init(_ parts: RendererParts) {
    self.parts = parts
    output = parts.output
  }

  func carryOut(_ task: RendererTask) {
    switch task {
    case .command(let command): carryOut(command)
    case .switchOutput(let output):
      self.output = output
      if session != nil, !isLost { openOutput() }
    case .setVolume(let volume):
      self.volume = volume
      session?.volume = volume
    case .setEqualiser(let equaliser):
      self.equaliser = equaliser
      session?.equaliser = equaliser
    case .event(let event, let number): if number == sessionCount { handle(event) }
    case .fadeOverdue(let id): if fade?.id == id { finishFade() }
    case .retryOutput(let number): if number == sessionCount { retryOutput() }
    case .close(let done):
      isOpen = false
      closeSession()
      done?.update { $0 = true }
    }
  }

  private func carryOut(_ command: RendererCommand) {
    switch command {
    case .prepare(let format): prepare(format)
    case .append(let items): for item in items { append(item) }
    case .complete: session?.complete()
    case .removeAll(let item):
      // An item that has ended meanwhile has nothing left but what comes after it.
      session?.replace(after: names[item], with: [], isComplete: false)
    case .clear: clear()
    case .run(let fadeIn): run(fadeIn)
    case .pause(let fadeOut, let id): pause(fadeOut, AwaitedFade(id: id, empties: false))
    case .stop(let fadeOut, let id): pause(fadeOut, AwaitedFade(id: id, empties: true))
    case .setSpeed(let speed):
      self.speed = speed
      session?.speed = speed
    }
  }

  // The session.

  private var isLost: Bool { recovery?.isLost ?? false }

  private func prepare(_ format: AudioFormat) {
    fade = nil
    if let session, wanted == format, !isLost {
      session.pause()
      isRunning = false
      clear()
      return parts.tell(.prepared(session.format))
    }
    closeSession()
    do throws(PlaybackError) {
      let session = try RenderSession(output, settings: parts.settings(format))
      sessionCount += 1
      parts.listen(to: session.events, session: sessionCount)
      session.speed = speed
      session.volume = volume
      session.equaliser = equaliser
      self.session = session
      recovery = OutputRecovery { [parts, sessionCount] delay in
        parts.post(.retryOutput(session: sessionCount), after: delay)
      }
      wanted = format
      publish()
      parts.tell(.prepared(session.format))
    } catch {
      parts.tell(.broken(reason: error.description))
    }
  }

  private func closeSession() {
    session?.close()
    session = nil
    wanted = nil
    isRunning = false
    recovery = nil
    fade = nil
    forgetSchedule()
    sources = [:]
    publish()
  }

  private func publish() {
    let (session, schedule) = (session, schedule)
    parts.heard.update {
      $0.session = session
      $0.items = schedule
    }
  }

  // The schedule.

  private func append(_ item: ScheduledItem) {
    guard let session else { return }
    let content: RenderItem.Content
    var gain = 0.0
    switch item.content {
    case .silence(let count): content = .silence(count)
    case .audio(let clip):
      do throws(DecodingError) {
        content = .audio(try source(clip.media), clip.span)
        gain = parts.gain(clip)
      } catch {
        return parts.tell(.failed(item.id, reason: error.explanation))
      }
    }
    var entry = RenderItem(content)
    entry.gainDecibels = gain
    entry.crossfade = item.crossfade
    entry.cues = item.cues
    schedule[entry.id] = item
    names[item.id] = entry.id
    publish()
    session.append([entry], isComplete: false)
  }

  private func source(_ media: MediaKey) throws(DecodingError) -> MediaSource {
    if let source = sources[media] { return source }
    let source = try parts.open(media)
    sources[media] = source
    return source
  }

  private func clear() {
    fade = nil
    session?.replace(after: nil, with: [])
    forgetSchedule()
    publish()
  }

  private func forgetSchedule() {
    schedule = [:]
    names = [:]
  }

  // Transport.

  private func run(_ fadeIn: FrameCount) {
    fade = nil
    guard let session else { return }
    if isLost { openOutput() }
    guard !isLost else { return }
    isRunning = true
    session.play(fadeIn: fadeIn)
  }

  /// Opens the output anew, where the session goes on.
  private func openOutput() {
    guard let session, let recovery else { return }
    do throws(PlaybackError) {
      try recovery.open(output, of: session)
      parts.tell(.prepared(session.format))
    } catch {
      lose(error.description)
    }
  }

  private func lose(_ reason: String) {
    recovery?.lose()
    isRunning = false
    parts.tell(.deviceLost(reason: reason))
    finishFade()
  }

  /// Opens a lost output if it is back, and holds it; says nothing where it is not.
  private func retryOutput() {
    guard let session, let recovery, recovery.look(for: output, of: session) else { return }
    parts.tell(.prepared(session.format))
    parts.tell(.deviceReturned)
  }

  private func pause(_ fadeOut: FrameCount, _ fade: AwaitedFade) {
    guard let session, isRunning else {
      self.fade = fade
      return finishFade()
    }
    self.fade = fade
    isRunning = false
    session.pause(fadeOut: fadeOut)
    let length = Duration.seconds(fadeOut.seconds(at: session.format.rate))
    parts.post(.fadeOverdue(fade.id), after: Self.patience + length)
  }

  private func finishFade() {
    guard let fade else { return }
    if fade.empties { clear() }
    self.fade = nil
    parts.tell(.fadedOut(fade.id))
  }

  // What is heard.

  private func handle(_ event: RenderEvent) {
    switch event {
    case .itemStarted(let name):
      guard let item = schedule[name] else { return }
      parts.tell(.started(item.id))
    case .reached(let name, let cue):
      guard let item = schedule[name] else { return }
      parts.tell(.reached(item.id, cue: cue))
    case .itemEnded(let name, _):
      guard let item = schedule.removeValue(forKey: name) else { return }
      names[item.id] = nil
      publish()
      parts.tell(.ended(item.id))
    case .itemCutShort(let name, let problem):
      // One that merely has less than its header says just ends.
      guard let problem, let item = schedule[name] else { return }
      parts.tell(.failed(item.id, reason: problem.explanation))
    case .paused: finishFade()
    // At its end the session has nothing to fade out.
    case .drained: finishFade()
    case .ranDry: parts.tell(.ranDry)
    case .deviceLost(let fault, _): lose(fault.explanation)
    case .playing, .stopped, .looped, .recovered: break
    }
  }
}

extension OutputFault {
  /// What happened and what to do about it, in one line.
  public var explanation: String {
    switch self {
    case .underrun, .failing: "the sound device failed; check that the sound server is running"
    case .suspended: "the system slept"
    case .disconnected: "the sound device is disconnected; reconnect it"
    case .stalled: "the sound device stopped playing; check that the sound server is running"
    }
  }
}
