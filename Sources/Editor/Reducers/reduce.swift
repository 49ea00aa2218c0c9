// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// Takes in what has happened, and says what is to be done about it.
///
/// Pure and quick: an edit is in the state when this returns, whatever the store is doing.
public func reduce(_ state: inout State, _ event: Event) -> [Effect] {
  var effects: [Effect] = []
  let settings = state.settings
  let context = state.context
  state.take(event, &effects)
  if context == .normal, state.context.isOfWork { state.forgetBanner() }
  state.settle(&effects)
  if state.settings != settings { effects.append(.keep(state.settings)) }
  return effects
}

extension State {
  fileprivate mutating func take(_ event: Event, _ effects: inout [Effect]) {
    switch event {
    case .input(let input): take(input, &effects)
    case .perform(let action): perform(action, &effects)
    case .setVolume(let volume): setVolume(volume, &effects)
    case .setLooping(let isOn): setLooping(isOn, &effects)
    case .skip(let isForward): skip(isForward: isForward, &effects)
    case .tick(let now): pass(now, &effects)
    case .ending: finishMoving(&effects)
    case .pixels(let cell): pixels = cell

    case .kept, .notKept, .historyRead, .published, .notPublished: takeAnswer(of: event, &effects)

    case .analysed, .analysisFailed, .levels, .pauses, .waveform, .spectrogram, .windowFailed:
      takeSound(event)
    case .detected(let id, let report): takeDetection(id, report, &effects)
    case .detectionFailed(let id, let reason): takeFailedDetection(id, reason)
    case .proposed(let id, let report): takeProposals(id, report)
    case .searching(let id, let fraction): takeSearching(id, fraction)
    case .learnt(let text): notice = Notice(.done, text)
    case .playback(let report): take(report)
    case .picture(let picture): take(picture)

    case .thumbnails(let strip): if thumbnailWish != nil { thumbnails = strip }
    case .listThumbnails(let pictures, let wish):
      if wish == listThumbnailWish { listThumbnails = (pictures, wish) }
    case .noThumbnails(let reason): takeNoThumbnails(reason)
    case .sceneMarks(let marks, let fraction): take(marks, fraction)
    case .noSceneMarks(let reason): takeNoSceneMarks(reason)
    case .moved(let seconds):
      guard isOpen, seconds.isFinite else { return }
      moveCursor(to: transport.position + FrameCount(seconds: seconds, at: rate), &effects)
    case .told(let text, let kind): notice = Notice(kind, text)

    case .opened(let recording):
      queue.arrive()
      open(recording, &effects)
    case .alreadyOpen:
      queue.arrive()
      notice = nil
      if case .start = panel { panel = nil }
    case .followed(let document, let history, let revision):
      follow(document, history, revision, &effects)
    case .grown(let length): takeGrowth(length)
    case .retitled(let card): if isOpen { self.card = card }
    case .publicationSeen(let publication, let revision):
      if isOpen { annotation.takePublication(publication, at: revision) }
    case .libraryListed, .folderListed, .leftListening, .working, .capture: panel?.take(event)
    case .failed(let reason):
      panel?.take(event)
      notice = Notice(.failure, reason)
    }
  }

  private mutating func take(_ input: InputEvent, _ effects: inout [Effect]) {
    switch input {
    case .key(let key): take(key, &effects)
    case .mouse(let mouse): take(mouse, &effects)
    case .paste(let text):
      let state = self
      guard let requests = panel?.update({ $0.paste(text, state) }), context.takesText else {
        notice = Notice(.hint, "There is no text field to paste into")
        return
      }
      carryOut(requests, &effects)
    case .resize(let size):
      self.size = size
      viewport.resize(columns: size.columns)
    case .focus: break
    }
  }

  private mutating func take(_ key: KeyEvent, _ effects: inout [Effect]) {
    // Nobody edits what cannot be seen.
    if !Layout.fits(size) {
      let action = keymap.action(for: key, in: .normal)
      if let action, [.quit, .suspend, .redraw].contains(action) { perform(action, &effects) }
      return
    }
    notice = nil
    if gesture != nil {
      if key.key == .escape {
        if case .span = gesture?.kind { selection.span = nil }
        gesture = Gesture(.spent)
        return
      }
      finishDrag(&effects)
      gesture = nil
    }
    if isSwallowing, takesTyping(key) { return }
    if takeNumber(key, &effects) { return }
    if let action = keymap.action(for: key, in: context) {
      perform(action, &effects)
    } else if panel != nil, !key.isFunction {
      let state = self
      if let requests = panel?.update({ $0.type(key, state) }) { carryOut(requests, &effects) }
    } else {
      let help = panel == nil ? keymap.hint(for: .openHelp, in: .normal) : nil
      let more = help.map { "; \($0) shows all keys" } ?? ""
      notice = Notice(.hint, "\(key.name) does nothing here\(more)")
    }
  }

  /// Whether a key was meant for a panel that could not be opened.
  private mutating func takesTyping(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .enter, .escape: isSwallowing = false
    case .tab, .backspace: break
    default:
      guard let typed = key.typed, typed.isLetter || typed.isNumber || typed.isPunctuation else {
        isSwallowing = false
        return false
      }
    }
    notice = Notice(.hint, obstacleToEditing?.sentence ?? "Try again now")
    return true
  }

  /// Lets time pass: what waits for it is done when it is due.
  private mutating func pass(_ now: Duration, _ effects: inout [Effect]) {
    if let nudge = heldNudge {
      if let since = nudge.since {
        if now - since >= HeldNudge.rest {
          let before = document.marker(nudge.marker)
          finishNudge(&effects)
          if let before { tellMoved(from: before) }
        }
      } else {
        heldNudge?.since = now
      }
    }
    if let nudge = restedNudge {
      if let since = nudge.since {
        if now - since >= RestedNudge.rest { restedNudge = nil }
      } else {
        restedNudge?.since = now
      }
    }
    if let click = latestClick {
      if let since = click.since {
        if now - since >= Click.patience { latestClick = nil }
      } else {
        latestClick?.since = now
      }
    }
    ageBanner(now)
    if let gesture, gesture.isWaiting {
      if let since = gesture.since {
        if now - since >= Gesture.longPress { takeLongPress() }
      } else {
        self.gesture?.since = now
      }
    }
  }

  /// Brings everything that follows from the rest up to date.
  fileprivate mutating func settle(_ effects: inout [Effect]) {
    selection.mend(for: document)
    if case .assignment(let panel) = panel, document.segment(panel.segment) == nil {
      self.panel = nil
    }
    transport.position = min(max(transport.position, .zero), end)
    requestThumbnails(&effects)
    scrollList()
    requestWindows(&effects)
    if isOpen { sound.overviewBars = overviewBars }
    requestPicture(&effects)
    requestListThumbnails(&effects)
    requestSceneMarks(&effects)
  }

  private mutating func scrollList() {
    let rows = layout.listRows
    let listed = self.listed
    let count = listed.count
    if listFollowsSelection {
      let index = listed.row(from: selectedSegment.index)
      let margin = min(1, max(rows - 1, 0) / 2)
      listTop = min(max(listTop, index + margin - rows + 1), index - margin)
    }
    listTop = min(max(listTop, 0), max(count - rows, 0))
  }
}

// MARK: Opening

extension State {
  private mutating func open(_ recording: OpenedRecording, _ effects: inout [Effect]) {
    // One that was looked at before it could be edited stays where it was looked at.
    let isTheSame =
      (isProvisional || recording.isTakenOver)
      && document.length == recording.annotation.document.length
    var waiting: DetectionPanel?
    if isProvisional, case .detection(let panel) = panel { waiting = panel }
    isSwallowing = false
    let place = isTheSame ? transport.position : recording.position
    isProvisional = recording.isProvisional
    card = recording.card
    annotation = recording.annotation
    facts = DocumentFacts(of: document)
    if !isTheSame {
      viewport = Viewport(length: document.length, rate: rate, columns: size.columns)
    }
    selection = Selection()
    let speed = transport.speed
    transport = Transport()
    transport.position = min(max(place, .zero), end)
    alignment = nil
    visited = []
    heardEdge = nil
    isCentred = false
    restedNudge = nil
    latestClick = nil
    numberedPauses = []
    realignments = [:]
    toldFaults = []
    storeFault = nil
    picture = .waiting
    pictureWish = nil
    pictureObstacle = nil
    thumbnails = nil
    thumbnailObstacle = nil
    thumbnailWish = nil
    listThumbnails = nil
    listThumbnailWish = nil
    sceneMarks = SceneMarks()
    growth = .zero
    sound = Sound(rate: rate)
    sound.overview = recording.overview
    sound.pauses = recording.pauses
    panel = nil
    gesture = nil
    heldNudge = nil
    listTop = 0
    filter = .all
    selection.select(document.segment(containing: transport.position))
    notice = keymapNotice
    banner = nil
    if recording.newBoundaries > 0 { announce(recording.newBoundaries) }
    if isProvisional {
      // How far it is says enough.
    } else if case .readOnly(let reason) = annotation.access {
      notice = Notice(.warning, "Read-only: \(reason)")
    } else if recording.isTakenOver {
      notice = Notice(.done, "The other editor has closed; you can edit now")
    } else if notice == nil, !settings.hasSeenHint, waiting == nil {
      settings.hasSeenHint = true
      notice = Notice(.hint, firstHint)
    }
    if isTheSame { transport.speed = speed }
    if let panel = waiting?.reopened(self), isProvisional || obstacleToEditing == nil {
      self.panel = .detection(panel)
      carryOut(panel.search(self), &effects)
    }
    effects.append(.play(.setVolume(settings.volume)))
    effects.append(.play(.setSpeed(transport.speed)))
    effects.append(.play(.setEqualiser(settings.equaliser)))
  }

  /// Says once that the file has grown; by how much stands beside the time.
  private mutating func takeGrowth(_ length: FrameCount) {
    let isNews = growth == .zero && length > .zero
    growth = length
    guard isNews, obstacle(to: .readOn) == nil else { return }
    let key = keymap.hint(for: .readOn, in: .normal).map { "\($0) reads" } ?? "'read on' takes in"
    notice = Notice(.hint, "The file has grown since it was read; \(key) what is new")
  }

  var firstHint: String {
    func key(_ action: Action) -> String { keymap.hint(for: action, in: .normal) ?? ":" }
    return
      "New here? \(key(.playToggle)) plays, \(key(.segmentAssign)) assigns, "
      + "\(key(.segmentCommit)) confirms and continues, \(key(.openHelp)) lists keys"
  }

  /// Shows what somebody else has kept, where they still edit the recording.
  private mutating func follow(
    _ document: AnnotationDocument, _ history: History, _ revision: Int64,
    _ effects: inout [Effect]
  ) {
    guard case .readOnly = annotation.access, document.length == self.document.length else {
      return
    }
    annotation.follow(document, history, revision: revision)
    followDocument(&effects)
  }

  mutating func announce(_ boundaries: Int) {
    banner = "Found \(counted(boundaries, "boundary", "boundaries")). Review and confirm."
  }
}
