// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  /// Seconds heard of a segment's start or end.
  private static let audition = 0.5

  mutating func performPlaying(_ action: Action, _ effects: inout [Effect]) {
    let segment = selectedSegment
    let half = FrameCount(seconds: Self.audition, at: rate)
    switch action {
    case .playToggle: togglePlaying(&effects)
    case .playLoop: play(.segment(segment.id), segment.span, looping: true, &effects)
    case .playHead:
      audition(segment.span.lowerBound, segment.span.lowerBound + half, &effects)
    case .playTail:
      audition(segment.span.upperBound - half, segment.span.upperBound, &effects)
    case .playAcrossStart:
      if segment.index > 0 { takeInHand(.start) }
      hear(around: segment.span.lowerBound, &effects)
    case .playAcrossEnd:
      if segment.index + 1 < document.records.count { takeInHand(.end) }
      hear(around: segment.span.upperBound, &effects)
    case .playCursor: play(.recording, transport.position..<end, looping: false, &effects)
    case .playSlower, .playFaster:
      setSpeed(transport.speed(stepped: action == .playFaster), &effects)
    case .playNormalSpeed: setSpeed(1, &effects)
    case .playQuieter, .playLouder:
      let volume = settings.volume + (action == .playLouder ? 0.1 : -0.1)
      setVolume((volume * 10).rounded() / 10, &effects)
    case .playGainDown, .playGainUp:
      let gain = transport.gain + (action == .playGainUp ? 3 : -3)
      transport.gain = min(max(gain, Transport.gains.lowerBound), Transport.gains.upperBound)
      effects.append(.play(.setGain(transport.gain)))
    case .playReactionShorter, .playReactionLonger:
      let time = settings.reactionTime + (action == .playReactionLonger ? 20 : -20)
      settings.reactionTime = min(
        max(time, Settings.reactionTimes.lowerBound), Settings.reactionTimes.upperBound)
      notice = Notice(
        .done, "Markers placed during playback go \(settings.reactionTime) ms before the key press")
    case .playLessAround, .playMoreAround:
      let wider = action == .playMoreAround
      settings.around =
        (wider
          ? Settings.arounds.first { $0 > settings.around }
          : Settings.arounds.last { $0 < settings.around }) ?? settings.around
      notice = Notice(
        .done, "\(Clock.decimal(settings.around, places: 1)) s play on either side of an edge")
    default: moveCursor(action, &effects)
    }
  }

  /// Has both sides of an edge heard.
  mutating func hear(around position: FramePosition, _ effects: inout [Effect]) {
    let side = FrameCount(seconds: settings.around, at: rate)
    heardEdge = nil
    audition(position - side, position + side, &effects)
  }

  private mutating func moveCursor(_ action: Action, _ effects: inout [Effect]) {
    let column = FrameCount(viewport.framesPerColumn)
    let jump = FrameCount(seconds: 5, at: rate)
    switch action {
    case .cursorLeft: moveCursor(to: transport.position - column, &effects)
    case .cursorRight: moveCursor(to: transport.position + column, &effects)
    case .cursorBack: moveCursor(to: transport.position - jump, &effects)
    case .cursorForward: moveCursor(to: transport.position + jump, &effects)
    case .cursorSceneNext: go(to: sceneMarks.first(after: transport.position), &effects)
    case .cursorScenePrevious: go(to: sceneMarks.last(before: transport.position), &effects)
    case .cursorMark:
      guard let anchor = selection.anchor else {
        selection.anchor = transport.position
        selection.span = nil
        notice = Notice(.hint, "Go to the other end of the span and press the key again")
        return
      }
      let (low, high) = (min(anchor, transport.position), max(anchor, transport.position))
      selection.anchor = nil
      selection.span = low < high ? low..<high : nil
    default: break
    }
  }

  private mutating func go(to mark: SceneMark?, _ effects: inout [Effect]) {
    guard let mark else { return }
    moveCursor(to: mark.position, &effects)
    let add = keymap.hint(for: .markerAdd, in: .normal).map { "; \($0) adds a marker here" } ?? ""
    notice = Notice(.hint, "\(mark.sentence) at \(Clock.text(mark.position, rate))\(add)")
  }

  /// Takes in the marks of the picture as far as they are known.
  mutating func take(_ marks: [SceneMark], _ fraction: Double) {
    guard sceneMarks.isWanted else { return }
    let before = sceneMarks.fraction
    sceneMarks.marks = marks.filter { $0.position > .zero && $0.position < end }
    sceneMarks.fraction = fraction
    guard fraction >= 1, before < 1, notice == nil else { return }
    if sceneMarks.marks.isEmpty {
      notice = Notice(.done, "The picture has no cuts and no long stillness")
      return
    }
    let next = keymap.hint(for: .cursorSceneNext, in: .normal).map { "; \($0) goes to the next" }
    let count = counted(sceneMarks.marks.count, "mark", "marks")
    notice = Notice(.done, "The picture has \(count)\(next ?? "")")
  }

  /// Is told in answer to the key; of each recording that is opened it would be too much.
  mutating func takeNoSceneMarks(_ reason: String) {
    guard sceneMarks.isWanted else { return }
    sceneMarks = SceneMarks(isWanted: true, fraction: 1, obstacle: reason)
    if notice == Self.sceneSearch { notice = Notice(.hint, reason) }
  }

  static let sceneSearch = Notice(.done, "The picture is searched for cuts and stillness")

  /// Puts the playhead at a place; what plays goes on from there, the recording where that is outside of the segment
  /// or the stretch that was played.
  mutating func moveCursor(to position: FramePosition, _ effects: inout [Effect]) {
    transport.position = min(max(position, .zero), end)
    let isLeft = playedSpan.map { !$0.contains(transport.position) } ?? false
    if transport.isPlaying, isLeft, transport.position < end {
      play(.recording, transport.position..<end, looping: false, &effects)
    } else if transport.isPlaying || transport.wait == .goesOn {
      transport.start = transport.position
      effects.append(.play(.seek(transport.position)))
    } else {
      transport.phase = .stopped
      transport.target = nil
      transport.wait = nil
    }
    viewport.reveal(transport.position)
  }

  /// Has a span played from its start.
  mutating func play(
    _ target: Transport.Target, _ span: Range<FramePosition>, looping: Bool,
    _ effects: inout [Effect]
  ) {
    guard !span.isEmpty else { return }
    transport.target = target
    transport.isLooping = looping
    transport.phase = .playing
    transport.position = span.lowerBound
    transport.start = span.lowerBound
    isFollowing = true
    effects.append(.play(.play(span: span, from: span.lowerBound, looping: looping)))
  }

  private mutating func audition(
    _ first: FramePosition, _ last: FramePosition, _ effects: inout [Effect]
  ) {
    let span = (first..<max(first, last)).clamped(to: .zero..<end)
    play(.span(span), span, looping: false, &effects)
  }

  private mutating func togglePlaying(_ effects: inout [Effect]) {
    switch transport.phase {
    case .playing:
      transport.phase = .paused
      effects.append(.play(.pause))
    case .paused where transport.wait == .goesOn:
      transport.wait = .staysPaused
      effects.append(.play(.pause))
      notice = Self.staysPaused
    case .paused where transport.wait == .staysPaused:
      transport.wait = .goesOn
      effects.append(.play(.resume))
      notice = Self.goesOn
    case .paused where transport.target != nil:
      transport.phase = .playing
      effects.append(.play(.resume))
    case .paused, .stopped:
      if let span = selection.span {
        play(.span(span), span, looping: true, &effects)
      } else {
        let start = transport.position < end ? transport.position : .zero
        play(.recording, start..<end, looping: false, &effects)
      }
    }
  }

  private static let goesOn = Notice(.done, "Playback continues when the sound device is back")
  private static let staysPaused = Notice(
    .done, "Playback stays paused when the sound device is back")

  mutating func setVolume(_ volume: Double, _ effects: inout [Effect]) {
    guard volume.isFinite else { return }
    settings.volume = min(max(volume, 0), 1)
    effects.append(.play(.setVolume(settings.volume)))
  }

  /// Has what plays, or is paused, loop or end after this time, and the segments gone to from now on.
  mutating func setLooping(_ isOn: Bool, _ effects: inout [Effect]) {
    settings.loopsSegments = isOn
    guard transport.phase != .stopped, transport.isLooping != isOn, let span = playedSpan else {
      return
    }
    transport.isLooping = isOn
    effects.append(.play(.retarget(span: span, looping: isOn)))
  }

  /// What is being played; nil where it is nothing, or a segment that is no more.
  var playedSpan: Range<FramePosition>? {
    switch transport.target {
    case .recording: .zero..<end
    case .segment(let id): document.segment(id)?.span
    case .span(let span): span
    case nil: nil
    }
  }

  private mutating func setSpeed(_ speed: Double, _ effects: inout [Effect]) {
    transport.speed = speed
    effects.append(.play(.setSpeed(speed)))
  }

  /// Takes in how playback stands.
  mutating func take(_ report: PlaybackReport) {
    if transport.isPlaying, report.fault == nil, let edge = selectedMarker?.position,
      transport.start < edge, edge < report.position
    {
      heardEdge = edge
    }
    transport.phase = report.phase
    transport.position = min(max(report.position, .zero), end)
    transport.fault = report.fault
    transport.wait = report.wait
    // It comes back with everything that is played; where something else is said or asked, the transport line says that it is
    // still so.
    if let fault = report.fault, toldFaults.insert(fault).inserted || notice == nil && panel == nil,
      let told = transport.faultAndRemedy
    {
      // What was asked of the edge that was to be heard is still to be answered.
      let asked = edgeUnderReview.map { ". " + question(of: $0) } ?? ""
      notice = Notice(.warning, told + asked)
    }
    if report.wait == nil, notice == Self.goesOn || notice == Self.staysPaused { notice = nil }
    transport.limited = report.limited
    if report.phase == .playing, settings.follows, isFollowing, gesture == nil, heldNudge == nil {
      viewport.follow(transport.position)
    }
  }
}
