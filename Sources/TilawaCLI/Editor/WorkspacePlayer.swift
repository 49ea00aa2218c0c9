// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Dispatch
import Editor
import Playback
import TerminalUI

/// Plays spans of the open recording for the editor.
///
/// Commands return at once and are carried out in order on a queue of their own, since opening a device
/// may take as long as a sound server wishes. The device is opened with the first sound.
final class WorkspacePlayer: Sendable {
  private let device: String
  private let resumes: Bool
  private let rate: SampleRate
  private let end: FramePosition
  private let tell: @Sendable (Event) -> Void
  private let queue = DispatchQueue(label: "tilawa.editor.player")
  private let shared: Monitor<Shared>

  /// Before a pause and after it.
  private static let fadeSeconds = 0.01

  private struct Shared {
    var source: MediaSource?
    var session: RenderSession?
    /// Of its device.
    var recovery: OutputRecovery?
    /// Whether it plays once the device that was lost is back.
    var goesOn = false
    var item: RenderItem.ID?
    var span: Range<FramePosition>
    var isLooping = false
    var phase = PlaybackReport.Phase.stopped
    /// Where it goes on, while nothing is heard.
    var position = FramePosition.zero
    var fault: String?
    var speed = 1.0
    var volume = 1.0
    var gain = 0.0
    var limited = LimitedLevel()
    var equaliser = Playback.Equaliser.flat
    /// Commands that are not carried out yet.
    var underWay = 0
    var isClosed = false

    /// Takes the position of what is heard; what was played before may still be heard for a moment.
    mutating func followSession() {
      if phase == .playing, let heard = session?.position, heard.item == item,
        let frame = heard.sourceFrame
      {
        position = frame
      }
    }

    func report(limited: Int = 0) -> PlaybackReport {
      let isLost = phase == .paused && recovery?.isLost ?? false
      return PlaybackReport(
        phase, at: position, fault: fault, wait: isLost ? (goesOn ? .goesOn : .staysPaused) : nil,
        limited: limited)
    }
  }

  /// - Parameters:
  ///   - device: the name of an ALSA device.
  ///   - resumes: whether it goes on by itself once a device that was lost is back.
  ///   - length: of the recording.
  init(
    device: String, resumes: Bool, rate: SampleRate, length: FrameCount,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    self.device = device
    self.resumes = resumes
    self.rate = rate
    end = .zero + length
    self.tell = tell
    shared = Monitor(Shared(span: .zero..<(.zero + length)))
  }

  /// Gives it the recording to play; nil where there is none to be heard.
  func take(_ source: MediaSource?) { shared.update { $0.source = source } }

  func perform(_ command: PlaybackCommand) {
    shared.update { $0.underWay += 1 }
    queue.async { [self] in
      carryOut(command)
      shared.update { $0.underWay -= 1 }
    }
  }

  /// How playback stands; nil while a command is under way, which will change that.
  func report() -> PlaybackReport? {
    shared.update { state in
      guard state.underWay == 0 else { return nil }
      state.followSession()
      let lowered = state.session.map { state.limited.take($0.takeLevel()) } ?? 0
      return state.report(limited: lowered)
    }
  }

  /// The recording that it plays, if there is one, and the frame that is heard; nil where nothing is.
  var heard: (source: MediaSource?, frame: FramePosition?) {
    shared.update { state in
      let isPlaying = state.phase == .playing && state.underWay == 0
      return (state.source, isPlaying ? state.session?.position?.sourceFrame : nil)
    }
  }

  /// Ends playback and lets go of the device.
  func close() {
    queue.async { [self] in
      let session = shared.update { state in
        state.isClosed = true
        defer { (state.session, state.recovery) = (nil, nil) }
        return state.session
      }
      session?.close()
    }
  }
}

// MARK: - On the queue

extension WorkspacePlayer {
  private func carryOut(_ command: PlaybackCommand) {
    guard !shared.update({ $0.isClosed }) else { return }
    switch command {
    case .play, .pause, .resume, .stop: shared.update { $0.goesOn = false }
    case .retarget, .seek, .setSpeed, .setVolume, .setGain, .setEqualiser: break
    }
    switch command {
    case .play(let span, let start, let looping):
      // What is played on to the end of the recording can be taken back to before its start.
      let whole = span.upperBound == end && !looping ? .zero..<end : span
      begin(whole, from: start, looping: looping)
    case .retarget(let span, let looping): retarget(span, looping: looping)
    case .pause:
      shared.update { state in
        state.followSession()
        state.phase = .paused
        state.session?.pause(fadeOut: Self.fade(of: state.session))
      }
    case .resume: resume()
    case .stop:
      shared.update { state in
        state.phase = .stopped
        state.item = nil
        state.session?.stop(fadeOut: Self.fade(of: state.session))
      }
    case .seek(let position): seek(to: position)
    case .setSpeed(let speed):
      shared.update { state in
        state.speed = speed
        state.session?.speed = speed
      }
    case .setVolume(let volume):
      shared.update { state in
        state.volume = volume
        state.session?.volume = volume
      }
    case .setGain(let gain):
      let (isHeard, span, looping) = shared.update { state in
        state.gain = gain
        return (state.phase == .playing, state.span, state.isLooping)
      }
      if isHeard { retarget(span, looping: looping) }
    case .setEqualiser(let sliders):
      let equaliser =
        sliders.isOn
        ? Playback.Equaliser(bands: sliders.bands, preamp: sliders.preamp) : .flat
      shared.update { state in
        state.equaliser = equaliser
        state.session?.equaliser = equaliser
      }
    }
  }

  private static func fade(of session: RenderSession?) -> FrameCount {
    session.map { FrameCount(seconds: fadeSeconds, at: $0.format.rate) } ?? .zero
  }

  private func begin(_ span: Range<FramePosition>, from start: FramePosition, looping: Bool) {
    shared.update { state in
      state.span = span
      state.isLooping = looping
      state.position = start
    }
    guard let session = openSession() else { return }
    play(from: start, in: session)
  }

  /// Puts the span into the schedule in place of what was there, and starts.
  private func play(from start: FramePosition, in session: RenderSession) {
    shared.update { state in
      guard let source = state.source else { return }
      var item = RenderItem(.audio(source, state.span))
      item.repetitions = state.isLooping ? nil : 1
      item.gainDecibels = state.gain
      state.item = item.id
      state.phase = .playing
      state.fault = nil
      session.replace(after: nil, with: [item])
      session.seek(to: item.id, sourceFrame: start)
      session.play()
    }
  }

  private func retarget(_ span: Range<FramePosition>, looping: Bool) {
    let session = shared.update { state -> RenderSession? in
      state.span = span
      state.isLooping = looping
      state.followSession()
      guard state.phase == .playing else {
        // What is scheduled has the old ends; going on schedules it anew.
        state.item = nil
        return nil
      }
      return state.session
    }
    guard let session else { return }
    let here = shared.update { $0.position }
    play(from: span.contains(here) ? here : span.lowerBound, in: session)
  }

  private func resume() {
    let (isScheduled, start) = shared.update { state in
      (state.item != nil && state.session != nil, state.position)
    }
    guard isScheduled else {
      let span = shared.update { $0.span }
      return begin(
        span, from: span.contains(start) ? start : span.lowerBound,
        looping: shared.update { $0.isLooping })
    }
    guard let session = openSession() else { return }
    shared.update { state in
      state.phase = .playing
      state.fault = nil
    }
    session.play(fadeIn: Self.fade(of: session))
  }

  private func seek(to position: FramePosition) {
    shared.update { state in
      let inside = min(max(position, state.span.lowerBound), state.span.upperBound - FrameCount(1))
      state.position = inside
      guard let item = state.item else { return }
      let repetition = state.session?.position?.repetition ?? 0
      state.session?.seek(to: item, repetition: repetition, sourceFrame: inside)
    }
  }

  /// The session to play in, made where there is none, with its device, which is opened again if it was lost; nil
  /// after saying why there is no sound.
  private func openSession() -> RenderSession? {
    let (known, recovery) = shared.update { ($0.session, $0.recovery) }
    if let known, let recovery {
      guard recovery.isLost else { return known }
      do throws(PlaybackError) {
        try recovery.open(.alsa(device), of: known)
        return known
      } catch {
        waitForDevice()
        return nil
      }
    }
    guard let source = shared.update({ $0.source }) else {
      fail("No sound: the audio file is missing; 'relink' connects the moved file")
      return nil
    }
    let session: RenderSession
    do throws(PlaybackError) {
      session = try RenderSession(
        .alsa(device), settings: RenderSettings(format: source.description.format))
    } catch {
      failToOpen()
      return nil
    }
    shared.update { state in
      session.speed = state.speed
      session.volume = state.volume
      session.equaliser = state.equaliser
      state.session = session
      state.recovery = OutputRecovery { [weak self] delay in self?.lookForDevice(after: delay) }
    }
    let events = session.events
    Task.detached { [weak self] in
      for await event in events {
        guard let self else { return }
        self.queue.async { self.handle(event, of: session) }
      }
    }
    return session
  }

  /// Plays as soon as the device that was lost is back, as somebody asks for.
  private func waitForDevice() {
    shared.update { state in
      state.phase = .paused
      state.goesOn = true
      // What was scheduled may be something else.
      state.item = nil
    }
    tellHowItStands()
  }

  private func failToOpen() {
    fail("No sound: cannot open the sound device '\(device)'; 'tilawa-annotate doctor' shows why")
  }

  private func lookForDevice(after delay: Duration) {
    queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.lookForDevice()
    }
  }

  /// Holds a device that was lost and is back; says nothing where it is not.
  private func lookForDevice() {
    let (session, recovery) = shared.update { ($0.session, $0.recovery) }
    guard let session, let recovery, recovery.look(for: .alsa(device), of: session) else { return }
    let (goesOn, waits) = shared.update { state in
      state.fault = nil
      defer { state.goesOn = false }
      return (state.goesOn, state.phase == .paused && !state.goesOn)
    }
    if goesOn { resume() }
    tellHowItStands()
    tell(.told("The sound device is back" + (waits ? "; space resumes" : ""), .done))
  }

  private func fail(_ reason: String) {
    shared.update { state in
      state.phase = .stopped
      state.fault = reason
    }
    tellHowItStands()
  }

  private func handle(_ event: RenderEvent, of session: RenderSession) {
    guard shared.update({ $0.session === session }) else { return }
    switch event {
    case .itemEnded(let item, wasBrokenOff: false):
      let isOver = shared.update { state in
        guard state.item == item, !state.isLooping else { return false }
        state.phase = .stopped
        state.position = state.span.upperBound
        state.item = nil
        return true
      }
      if isOver { tellHowItStands() }
    case .itemCutShort(let item, let problem?):
      guard shared.update({ $0.item == item }) else { return }
      fail("Cannot read the recording here: \(problem)")
    case .deviceLost(_, let position):
      // First, so that nobody is told of the fault before it is known what follows.
      shared.update { $0.recovery }?.lose()
      shared.update { state in
        state.goesOn = state.phase == .playing && resumes
        state.phase = .paused
        state.position = position?.sourceFrame ?? state.position
        state.fault = "No sound: '\(device)' is disconnected"
      }
      tellHowItStands()
    default: break
    }
  }

  private func tellHowItStands() {
    let report = shared.update { $0.report() }
    // A command that was given meanwhile will say how it went itself.
    guard shared.update({ $0.underWay }) <= 1 else { return }
    tell(.playback(report))
  }
}
