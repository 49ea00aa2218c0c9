// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Editor
import Library
import Quran
import TerminalDriver
import TerminalUI

/// The editor at work: takes in what the person does and what comes back from the threads, has the pure
/// editor reduce it, carries out its effects and draws. Belongs to one thread, which it blocks.
final class EditorSession {
  private var state: State
  private let screen: TerminalScreen
  private let inbox: EditorInbox
  private let memory: EditorMemory
  private let opener: WorkspaceOpener
  private let lists: StartLists
  private let capture: CaptureWorkspace
  private let remote: EditorRemote
  private let window: EditorWindow
  private var desk: OpenWorkspace?
  /// Why edits were lost, for people.
  private var losses: [String] = []
  /// Whether the person left to go on listening.
  private(set) var listensOn = false
  /// The recording that was open when the person left.
  private(set) var lastRecording: Recording.ID?
  private var isDone = false
  /// What was typed for a recording while it is being opened; nil once it is there, or will not be.
  private var typedAhead: [InputEvent]?
  private var needsDrawing = true
  /// Whether a frame of the picture waits to be drawn.
  private var hasNewPicture = false
  /// Whether a frame was not taken because the terminal was busy with an older one.
  private var isPictureHeldBack = false
  private let start = ContinuousClock.now
  /// When the state was told the time last.
  private var ticked = Duration.zero
  /// When the playhead was moved last.
  private var playheadMoved = Duration.zero

  /// A moving playhead.
  private static let step = Duration.milliseconds(50)
  /// A picture that is sent piece by piece, or waits for the terminal.
  private static let pictureStep = Duration.milliseconds(20)
  /// How long the first screen waits for the recording, so that what is seen first is whole.
  private static let patience = Duration.milliseconds(400)

  struct Options {
    var device: String
    /// Why nothing can be edited, for people; nil where edits are kept.
    var readOnlyReason: String?
    /// Whether alignments of a recording learn from what is confirmed of it.
    var learns: Bool
    var keymap: Keymap
    var text: QuranText?
    var ordersArabic: Bool
    var usesMouse: Bool
    /// Whether block characters can be drawn.
    var hasBlocks: Bool
    /// Whether other programs may see and control playback.
    var hasRemote: Bool
    /// Whether what an interruption paused goes on by itself.
    var resumes: Bool
  }

  init(_ options: Options, on screen: TerminalScreen, library: Library) {
    self.screen = screen
    inbox = EditorInbox(waker: screen.waker)
    memory = EditorMemory(library)
    opener = WorkspaceOpener(
      library, device: options.device, resumes: options.resumes,
      readOnlyReason: options.readOnlyReason, learns: options.learns, memory: memory, inbox: inbox)
    lists = StartLists(library, inbox: inbox)
    capture = CaptureWorkspace(library, inbox: inbox) { [opener] in opener.open($0) }
    window = EditorWindow(inbox)
    remote = EditorRemote(
      isOff: !options.hasRemote, device: options.device, resumes: options.resumes, inbox: inbox)
    state = State(
      size: screen.size, keymap: options.keymap, settings: memory.settings(), text: options.text,
      usesMouse: options.usesMouse)
    state.hasBlocks = options.hasBlocks
    state.hasManyColors = screen.depth >= .palette
    state.hasColors = screen.depth > .mono
    state.ordersArabic = options.ordersArabic
  }

  /// Works until the person leaves.
  ///
  /// - Parameters:
  ///   - targets: what to open one after the other; none for the start screen.
  ///   - problem: what went wrong before it began.
  /// - Returns: why edits were lost, for people; empty when all were kept.
  func run(
    opening targets: [EditorTarget], telling problem: Notice? = nil
  ) throws(TerminalError) -> [String] {
    state.queue = RecordingQueue(targets.map(\.queueItem))
    if let target = targets.first {
      typedAhead = []
      opener.open(target)
      try waitForFirstScreen()
    }
    if desk == nil { take(.perform(.startLibrary)) }
    if let notice = problem ?? screen.startNotice { take(.told(notice.text, notice.kind)) }
    while !isDone {
      takeMessages()
      takePlayback()
      window.show(state, desk?.player)
      takePicture()
      guard try takeWaitingInput(), !isDone else { continue }
      do throws(TerminalError) {
        if needsDrawing {
          try screen.draw(view(state), isMoving: hasNewPicture)
        } else {
          try screen.sendImages()
        }
      } catch {
        // The terminal has gone; its end is the next event.
        if error != .hungUp { throw error }
      }
      needsDrawing = false
      hasNewPicture = false
      if let event = try screen.nextEvent(timeout: step) {
        handle(event)
      }
      tick()
    }
    return leave()
  }

  /// How long nothing happens at most; nil where nothing moves.
  private var step: Duration? {
    let isPlaying = state.transport.isPlaying
    if screen.hasImagesToSend { return Self.pictureStep }
    if state.pictureWish != nil {
      // What was held back is asked for again; the terminal may be ready by now.
      if isPictureHeldBack { return Self.pictureStep }
      if isPlaying { return RecordingPicture.lookInterval }
    }
    return isPlaying ? Self.step : state.tickInterval
  }

  /// Tells the state the time, if something waits for it: not at each look for a frame.
  private func tick() {
    let now = ContinuousClock.now - start
    guard state.tickInterval != nil, now - ticked >= Self.pictureStep else { return }
    ticked = now
    take(.tick(now))
  }

  /// Takes in how playback stands as often as the playhead moves, and with each frame of the picture.
  private func takePlayback(always: Bool = false) {
    let now = ContinuousClock.now - start
    guard state.transport.isPlaying, always || now - playheadMoved >= Self.step,
      let report = desk?.player.report()
    else { return }
    playheadMoved = now
    take(.playback(report))
  }

  /// What is heard, or the playhead.
  private var heardPosition: FramePosition {
    let playhead = state.transport.position
    return state.transport.isPlaying ? desk?.player.heard.frame ?? playhead : playhead
  }

  /// Takes the frame of the picture for what is heard, or for the cursor, unless the terminal is still busy
  /// with an older one.
  private func takePicture() {
    isPictureHeldBack = !screen.canTakePicture
    guard state.pictureWish != nil, !isPictureHeldBack,
      let desk, let picture = desk.picture.news(at: heardPosition)
    else { return }
    hasNewPicture = true
    take(.picture(picture))
    takePlayback(always: true)
  }

  /// Gives the recording a moment to arrive, so that the first screen shows it.
  private func waitForFirstScreen() throws(TerminalError) {
    while !isFirstScreenReady {
      let left = Self.patience - (ContinuousClock.now - start)
      guard left > .zero, !isDone, state.notice?.kind != .failure else { return }
      if let event = try screen.nextEvent(timeout: left) { handle(event) }
      takeMessages()
    }
  }

  /// Whether there is something to look at. A spectrogram takes its time.
  private var isFirstScreenReady: Bool {
    guard desk != nil else { return false }
    return state.hasWaveform || state.sound.analysis != nil
      || state.settings.canvas == .spectrogram
  }

  /// Takes in keys that have come already, so that a slow terminal is drawn on once for all of them.
  /// - Returns: whether there were none.
  private func takeWaitingInput() throws(TerminalError) -> Bool {
    var isQuiet = true
    while !isDone, let event = try screen.nextEvent(timeout: .zero) {
      handle(event)
      isQuiet = false
    }
    return isQuiet
  }

  private func handle(_ event: TerminalEvent) {
    switch event {
    case .input(let input):
      if waits(input) { typedAhead?.append(input) } else { take(.input(input)) }
    case .pixels(let cell): take(.pixels(cell))
    case .woken: break
    case .stopRequested: isDone = true
    }
  }

  /// Whether something that was typed waits for the recording. Control keys that leave do not.
  private func waits(_ input: InputEvent) -> Bool {
    guard typedAhead != nil else { return false }
    switch input {
    case .resize, .focus: return false
    case .mouse, .paste: return true
    case .key(let key):
      let action = state.keymap.action(for: key, in: .normal)
      return !key.modifiers.contains(.control) || ![.quit, .suspend, .redraw].contains(action)
    }
  }

  private func takeTypedAhead() {
    let inputs = typedAhead ?? []
    typedAhead = nil
    for input in inputs where !isDone { take(.input(input)) }
  }

  private func takeMessages() {
    for message in inbox.take() {
      switch message {
      case .event(let event, let sender):
        if sender == nil || sender == desk?.id { take(event) }
        if case .failed = event, desk == nil { takeTypedAhead() }
      case .opened(let new, let recording):
        putAway(unless: new)
        desk = new
        take(.opened(recording))
        takeTypedAhead()
      case .remote(let command):
        for event in EditorRemote.events(for: command, in: state) { take(event) }
        remote.show(state, desk?.player)
      }
    }
  }

  private func take(_ event: Event) {
    let effects = reduce(&state, event)
    needsDrawing = true
    for effect in effects { carryOut(effect) }
    remote.show(state, desk?.player)
  }
}

// MARK: - Effects

extension EditorSession {
  private func carryOut(_ effect: Effect) {
    switch effect {
    case .store(let request): desk?.keeper?.keep(request)
    case .publish(let includingUnconfirmed):
      desk?.keeper?.publish(includingUnconfirmed: includingUnconfirmed)
    case .load(let request): desk?.sound.load(request)
    case .cancelAnalysis: desk?.sound.cancelAnalysis()
    case .detect(let request): desk?.sound.detect(request)
    case .prepare(let request): desk?.sound.prepare(request)
    case .propose(let request): desk?.sound.propose(request)
    case .cancelDetection: desk?.sound.cancelDetection()
    case .play(let command): desk?.player.perform(command)
    case .showPicture(let wish): desk?.picture.show(wish)
    case .showThumbnails(let wish): desk?.thumbnails?.show(wish)
    case .showListThumbnails(let wish): desk?.thumbnails?.show(wish)
    case .showSceneMarks(let isOn): desk?.motion?.show(isOn)
    case .toggleWindow:
      if let event = window.toggle(unless: desk?.picture.obstacle) { take(event) }
    case .toggleFullScreen: if let event = window.toggleFullScreen() { take(event) }
    case .keep(let settings): memory.keep(settings)
    case .setMouse(let isOn): screen.setMouse(isOn)
    case .listLibrary: lists.listLibrary()
    case .listFolder(let path): lists.listFolder(path)
    case .open(let id): open(Recording.ID(rawValue: id))
    case .readOn:
      rememberPlace()
      if let id = editedRecording { opener.readOn(id) }
    case .importFile(let path): opener.importFile(path)
    case .openFile(let path): opener.open(path, unless: editedRecording, listing: lists)
    case .startCapture: capture.start()
    case .stopCapture(let discarding): capture.stop(discarding: discarding)
    case .redraw:
      screen.redrawAll()
      needsDrawing = true
    case .suspend:
      desk?.player.perform(.pause)
      window.rest()
      screen.suspend()
    case .quit: isDone = true
    case .listen:
      listensOn = true
      isDone = true
    }
  }

  private func open(_ id: Recording.ID) {
    // The one that is open already is behind the start screen.
    if id == editedRecording { return take(.alreadyOpen) }
    opener.open(id)
  }

  private var editedRecording: Recording.ID? { desk?.keeper == nil ? nil : desk?.recording }

  /// Gives the open recording back before another one takes its place.
  private func putAway(unless new: OpenWorkspace) {
    guard let old = desk, old !== new else { return }
    rememberPlace()
    losses += old.close()
  }

  private func rememberPlace() {
    guard let recording = desk?.recording else { return }
    memory.keep(place: state.transport.position, in: recording)
  }

  /// Finishes what is half done and waits until everything is kept.
  private func leave() -> [String] {
    remote.close()
    window.close()
    for effect in reduce(&state, .ending) { carryOut(effect) }
    rememberPlace()
    lastRecording = desk?.recording
    losses += desk?.close() ?? []
    desk = nil
    capture.finish()
    memory.finish()
    return losses
  }
}
