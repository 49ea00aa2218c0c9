// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  /// Whether an action does something now; what the footer and the palette offer.
  public func isAvailable(_ action: Action) -> Bool { obstacle(to: action) == nil }

  /// Whether an action has its place among the buttons. Where the playhead is just now does not count while it moves:
  /// the buttons beside it would come and go under the mouse.
  func isOffered(_ action: Action) -> Bool {
    guard let obstacle = obstacle(to: action) else { return true }
    return transport.isPlaying
      && [Self.noRoomAtPlayhead, Self.playheadOutsideSegment].contains(obstacle)
  }

  static let noRoomAtPlayhead = "There is no room for a marker at the playhead"
  static let playheadOutsideSegment = "The playhead is not inside the segment"

  /// Why an action cannot be done now, for people; nil when it can.
  func obstacle(to action: Action) -> String? {
    guard action.contexts.contains(context) else {
      return "\(action.rawValue) is not available in this panel"
    }
    switch action {
    case .panelCancel:
      if context == .start, !isOpen { return "Open a recording, or quit" }
      return panel == nil ? obstacleToLettingGo : nil
    case .quit, .suspend, .redraw, .openPalette, .openHelp, .openStart, .toggleMouse,
      .toggleClicks, .toggleAsking:
      return nil
    default: break
    }
    if panel != nil { return obstacleInPanel(to: action) }
    guard isOpen else { return "No recording is open" }
    return obstacleToView(action) ?? obstacleToPlaying(action) ?? obstacleToEdit(action)
  }

  private var obstacleToLettingGo: String? {
    let holdsNothing =
      selection.span == nil && selection.anchor == nil && heldNudge == nil && filter == .all
    return holdsNothing && !transport.isPlaying && banner == nil
      ? "There is nothing to cancel" : nil
  }

  private func obstacleInPanel(to action: Action) -> String? {
    switch action {
    case .playToggle, .playLoop: return obstacleToPlaying(action)
    default: return panel?.obstacle(to: action, self)
    }
  }

  private func obstacleToView(_ action: Action) -> String? {
    let count = document.records.count
    let here = selectedSegment.index
    switch action {
    case .segmentNext, .segmentLast:
      if listed.next(after: here) != nil { return nil }
      return filter == .all ? "This is the last segment" : listEnd("End")
    case .segmentPrevious, .segmentFirst:
      if listed.previous(before: here) != nil { return nil }
      return filter == .all ? "This is the first segment" : listEnd("Start")
    case .reviewLeastSure, .reviewConfirmNext:
      return document.hasOpenEdges ? nil : obstacleToReview
    case .reviewNextOpen:
      return facts.progress.confirmed == count ? "Every segment is confirmed" : nil
    case .reviewNextFlag:
      return document.records.contains { $0.content.isMarked }
        ? nil : "No segment has a flag or note"
    case .segmentSpan, .openCompletion, .zoomSegment:
      return document.length > .zero ? nil : "The recording is empty"
    case .zoomAll: return viewport.showsAll ? "The whole recording is in view" : nil
    case .zoomOut: return viewport.showsAll ? "The whole recording is in view" : nil
    case .zoomIn:
      var closer = viewport
      closer.zoom(by: 2, at: transport.position)
      return closer == viewport ? "Already at the closest zoom" : nil
    case .viewLeft: return viewport.start > .zero ? nil : "The view is at the start"
    case .viewRight: return viewport.span.upperBound < end ? nil : "The view is at the end"
    case .markerEdge:
      return count > 1 && selectedSegment.index > 0 && selectedSegment.index + 1 < count
        ? nil : "The segment has only one marker"
    case .openNext: return queue.obstacle(toStepBy: 1)
    case .openPrevious: return queue.obstacle(toStepBy: -1)
    case .viewPicture, .viewAspect: return pictureObstacle
    case .viewThumbnails: return thumbnailObstacle
    case .readOn:
      return growth > .zero ? nil : "Nothing has been added to the file since it was read"
    case .cancelAnalysis: return sound.analysis == nil ? "No analysis is running" : nil
    case .openRemarks:
      return judgement.isEmpty && selectedSegment.content.note.isEmpty && transport.fault == nil
        ? "There are no remarks" : nil
    case .openHistory:
      return annotation.canUndo || annotation.canRedo ? nil : "Nothing has been edited"
    default: return nil
    }
  }

  var obstacleToReview: String {
    if isProvisional { return "Boundaries are suggested when the analysis is complete" }
    if document.markers.isEmpty { return "There is no boundary yet" }
    let ways = [
      (Action.openConfirmation, "confirms several segments"),
      (.reviewNextOpen, "goes to the next unconfirmed one"),
    ].compactMap { action, does -> String? in
      guard isAvailable(action), let key = keymap.hint(for: action, in: .normal) else { return nil }
      return "\(key) \(does)"
    }
    let left = document.segments.count { !$0.isConfirmed && $0.assignment != nil }
    let done =
      left == 0
      ? "Every edge is decided"
      : "No suggested boundary is left; \(counted(left, "segment")) not confirmed yet"
    return ([done] + (ways.isEmpty ? [] : [ways.joined(separator: ", ")]))
      .joined(separator: "; ")
  }

  private func obstacleToPlaying(_ action: Action) -> String? {
    switch action {
    case .playLessAround:
      settings.around <= Settings.arounds.first ?? 0 ? "Already at the minimum" : nil
    case .playMoreAround:
      settings.around >= Settings.arounds.last ?? 0 ? "Already at the maximum" : nil
    case .playSlower:
      transport.speed == transport.speed(stepped: false) ? "Already at the lowest speed" : nil
    case .playFaster:
      transport.speed == transport.speed(stepped: true) ? "Already at the highest speed" : nil
    case .playNormalSpeed: transport.speed == 1 ? "The speed is already normal" : nil
    case .playQuieter: settings.volume <= 0 ? "The volume is already 0" : nil
    case .playLouder: settings.volume >= 1 ? "Already at the highest volume" : nil
    case .playGainDown:
      transport.gain <= Transport.gains.lowerBound ? "Already at the lowest gain" : nil
    case .playGainUp:
      transport.gain >= Transport.gains.upperBound ? "Already at the highest gain" : nil
    case .playReactionShorter:
      settings.reactionTime <= Settings.reactionTimes.lowerBound
        ? "The reaction time is already 0 ms" : nil
    case .playReactionLonger:
      settings.reactionTime >= Settings.reactionTimes.upperBound ? "Already at the longest" : nil
    case .cursorSceneNext, .cursorScenePrevious: obstacleToScenes(action)
    case .cursorLeft, .cursorBack:
      transport.position > .zero ? nil : "The playhead is at the start"
    case .cursorRight, .cursorForward:
      transport.position < end ? nil : "The playhead is at the end"
    case .playCursor:
      !isOpen
        ? "No recording is open" : transport.position < end ? nil : "The playhead is at the end"
    case .playToggle, .playLoop, .playHead, .playTail, .playAcrossStart, .playAcrossEnd:
      !isOpen
        ? "No recording is open"
        : document.length > .zero ? nil : "The recording is empty"
    default: nil
    }
  }

  private func obstacleToScenes(_ action: Action) -> String? {
    guard settings.showsSceneMarks else {
      let key = keymap.hint(for: .viewScenes, in: .normal).map { "; \($0) marks them" } ?? ""
      return "Cuts and stillness of the picture are not marked\(key)"
    }
    if let obstacle = sceneMarks.obstacle { return obstacle }
    let isNext = action == .cursorSceneNext
    let place = transport.position
    if (isNext ? sceneMarks.first(after: place) : sceneMarks.last(before: place)) != nil {
      return nil
    }
    let share = sceneMarks.fraction
    if share < 1, isNext {
      return "No mark further on yet: \(Int(share * 100)) % of the picture is searched"
    }
    return "There is no mark of the picture \(isNext ? "further on" : "before this")"
  }

  private func obstacleToEdit(_ action: Action) -> String? {
    switch action {
    case .segmentCommit, .segmentAssign, .segmentUnused, .segmentUnconfirm, .segmentClear,
      .segmentNote, .segmentFlag, .markerAdd, .markerDelete, .markerConfirm, .markerHere,
      .markerPauseBefore, .markerPauseAfter, .markerPauseNumbered, .openConfirmation,
      .reviewConfirmNext,
      .markerSnap, .markerEarlier1, .markerLater1, .markerEarlier10, .markerLater10,
      .markerEarlier100, .markerLater100, .openFill, .openDetection, .openAlignment, .undo, .redo,
      .save, .readOn:
      // What is to be aligned can be said while the recording is brought in.
      if action == .openAlignment, isProvisional { break }
      if let obstacle = obstacleToEditing { return obstacle }
    default: return nil
    }
    switch action {
    case .segmentUnconfirm:
      return selectedSegment.isConfirmed ? nil : "The segment is not confirmed"
    case .segmentClear:
      return selectedSegment.assignment == nil ? "The segment is not assigned" : nil
    case .openConfirmation:
      return document.records.contains {
        $0.content.attribution != nil && !$0.content.isConfirmed
      } ? nil : "No assigned segment is left to confirm"
    case .markerDelete, .markerConfirm, .markerHere, .markerSnap, .markerPauseBefore,
      .markerPauseAfter, .markerPauseNumbered, .markerEarlier1, .markerLater1,
      .markerEarlier10, .markerLater10, .markerEarlier100, .markerLater100:
      guard let marker = selectedMarker else {
        return "The start and end of the recording have no marker"
      }
      if action == .markerSnap, snapped(marker.position) == marker.position {
        return "No quieter place nearby"
      }
      switch action {
      case .markerPauseBefore where pause(before: marker) == nil:
        return "No pause without a marker found before"
      case .markerPauseAfter where pause(after: marker) == nil:
        return "No pause without a marker found after"
      case .markerPauseNumbered where pausesInView.isEmpty:
        return "No pause without a marker found in view"
      default: break
      }
      if action == .markerHere, transport.position == marker.position {
        return "The marker is already there"
      }
      return nil
    case .markerAdd:
      return addedPosition == nil ? Self.noRoomAtPlayhead : nil
    case .openFill:
      return selectedSegment.isConfirmed
        ? "The segment is confirmed; fill must start at an unconfirmed segment" : nil
    case .openAlignment:
      if isProvisional { return nil }
      if let span = selection.span, gaps(in: alignable(span)).segments == 0 {
        return "The whole span is confirmed"
      }
      return firstUnconfirmed == nil && selection.span == nil && alignmentToRepeat == nil
        ? "All segments from here on are confirmed" : nil
    case .undo:
      if annotation.canUndo { return nil }
      return annotation.hasEarlierHistory
        ? "There is nothing to undo" : "Still reading the earlier edits"
    case .redo: return annotation.canRedo ? nil : "There is nothing to redo"
    default: return nil
    }
  }
}

extension SegmentContent {
  /// Whether a person wanted to come back to it.
  var isMarked: Bool { isFlagged || !note.isEmpty }
}
