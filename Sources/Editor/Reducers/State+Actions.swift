// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  /// Does what an action stands for, or says why it cannot be done now.
  mutating func perform(_ action: Action, _ effects: inout [Effect]) {
    if let obstacle = obstacle(to: action) {
      notice = Notice(.hint, obstacle)
      if isProvisional, panel == nil { isSwallowing = Self.opensForText.contains(action) }
      return
    }
    if action == .panelCancel, heldNudge != nil, panel == nil {
      heldNudge = nil
      notice = Notice(.done, "The marker stays where it was")
      return
    }
    if action.nudge == nil {
      finishNudge(&effects)
      restedNudge = nil
    }
    if isForPanel(action) {
      let state = self
      if let requests = panel?.update({ $0.perform(action, state) }) {
        carryOut(requests, &effects)
      }
      return
    }
    if let milliseconds = action.nudge {
      nudge(by: milliseconds)
      return
    }
    switch action.family {
    case "segment", "review": performOnSegment(action, &effects)
    case "marker": performOnMarker(action, &effects)
    case "cursor", "play": performPlaying(action, &effects)
    case "zoom", "view": performViewing(action)
    case "open": performOpening(action, &effects)
    default: performOnRecording(action, &effects)
    }
  }

  /// Those after which people go on typing.
  private static let opensForText: Set<Action> = [
    .segmentAssign, .segmentNote, .segmentUnused, .openFill,
  ]

  /// Whether the open panel has to do with an action, and not the editor behind it.
  private func isForPanel(_ action: Action) -> Bool {
    guard panel != nil else { return false }
    switch action {
    case .playToggle, .playLoop, .suspend, .redraw, .quit: return false
    case .openHelp: return false
    default: return action.contexts.contains(context)
    }
  }

  private mutating func performOnRecording(_ action: Action, _ effects: inout [Effect]) {
    switch action {
    case .toggleSnap:
      settings.snaps.toggle()
      notice = Notice(
        .done, settings.snaps ? "Markers snap to quiet places" : "Markers do not snap")
    case .toggleLoop:
      settings.loopsSegments.toggle()
      notice = Notice(
        .done, settings.loopsSegments ? "Segments loop when you go to them" : "Segments play once")
    case .toggleClicks:
      settings.clicksSelect.toggle()
      notice = Notice(
        .done,
        settings.clicksSelect
          ? "A click selects, a double click adds a marker or opens an assignment"
          : "A click adds a marker or opens an assignment")
    case .toggleAsking:
      settings.asksBeforeDeleting.toggle()
      notice = Notice(
        .done,
        settings.asksBeforeDeleting
          ? "The editor asks before it deletes a marker"
          : "Markers are deleted without asking; undo brings them back")
    case .toggleMouse:
      usesMouse.toggle()
      effects.append(.setMouse(usesMouse))
      notice = Notice(.done, usesMouse ? "Mouse on" : "Mouse off")
    case .toggleWindow: effects.append(.toggleWindow)
    case .toggleFullScreen: effects.append(.toggleFullScreen)
    case .undo: step(back: true, &effects)
    case .redo: step(back: false, &effects)
    case .save:
      effects.append(.publish(includingUnconfirmed: false))
      notice = Notice(.done, "Publishing...")
      let panel = CompletionPanel(self)
      if !panel.blockers.isEmpty { self.panel = .completion(panel) }
    case .cancelAnalysis:
      sound.analysis = nil
      effects.append(.cancelAnalysis)
      notice = Notice(.done, "Analysis stopped")
    case .readOn:
      finishMoving(&effects)
      effects.append(.readOn)
      notice = Notice(.done, "Reading what was added to the file...")
    case .panelCancel: letGo(&effects)
    case .quit:
      finishMoving(&effects)
      effects.append(.quit)
    case .suspend: effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    default: break
    }
  }

  private mutating func performOpening(_ action: Action, _ effects: inout [Effect]) {
    switch action {
    case .openFill: panel = .fill(FillPanel(self))
    case .openDetection, .openAlignment:
      let panel = DetectionPanel(self, isAligning: action == .openAlignment)
      self.panel = .detection(panel)
      carryOut(panel.search(self), &effects)
    case .openFind: panel = .find(FindPanel())
    case .openHistory: panel = .history(HistoryPanel(self))
    case .openConfirmation: panel = .confirmation(ConfirmationPanel(self))
    case .openCompletion: panel = .completion(CompletionPanel(self))
    case .openEqualiser: panel = .equaliser(EqualiserPanel(settings.equaliser))
    case .openPalette: panel = .palette(PalettePanel())
    case .openRemarks: panel = .remarks(RemarksPanel())
    case .openHelp: panel = .help(HelpPanel(over: panel))
    case .openNext, .openPrevious:
      guard let item = queue.step(by: action == .openNext ? 1 : -1) else { break }
      finishMoving(&effects)
      effects.append(item.opening)
      notice = Notice(.done, "Opening the recording...")
    case .openStart:
      panel = .start(StartPanel())
      effects.append(.listLibrary)
    default: break
    }
  }

  static let listsAll = Notice(.done, "The list shows all segments")

  /// Escape in the editor: lets go of the nearest thing that is held.
  private mutating func letGo(_ effects: inout [Effect]) {
    if selection.span != nil || selection.anchor != nil {
      selection.span = nil
      selection.anchor = nil
    } else if transport.isPlaying {
      transport.phase = .paused
      effects.append(.play(.pause))
    } else if filter != .all {
      filter = .all
      notice = Self.listsAll
    } else {
      banner = nil
    }
  }
}

extension Action {
  /// The part of its name before the dot.
  var family: Substring { rawValue.prefix { $0 != "." } }

  /// By how many milliseconds it moves a marker; nil for other actions.
  var nudge: Int? {
    switch self {
    case .markerEarlier1: -1
    case .markerLater1: 1
    case .markerEarlier10: -10
    case .markerLater10: 10
    case .markerEarlier100: -100
    case .markerLater100: 100
    default: nil
    }
  }
}
