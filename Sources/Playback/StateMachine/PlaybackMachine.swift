// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// The states of play and what leads from one to another; it does nothing itself.
///
/// Each event is a method that returns what to do. What a person asks for at a wrong time is refused by
/// nil. What the engine itself reports at an impossible time is an error of its own and traps.
struct PlaybackMachine: Sendable {
  /// What is to be done after an event.
  enum Action: Hashable, Sendable {
    case nothing
    /// Start from the beginning of a request; nothing of what sounded before remains.
    case begin
    /// Break off what sounds and go on from another place.
    case jump
    case pause(fades: Bool)
    case resume
    case stop(fades: Bool)
  }

  private(set) var state = PlaybackState.idle(.fresh)

  // What a person does.

  mutating func play() -> Action? { take(.play) }
  mutating func pause() -> Action? { take(.pause) }
  mutating func resume() -> Action? { take(.resume) }
  mutating func stop() -> Action? { take(.stop) }
  /// To an ayah, the next or the previous one.
  mutating func seek() -> Action? { take(.seek) }

  // What is heard.

  /// An ayah or its basmalah begins.
  mutating func itemReady() -> Action? { take(.itemReady) }
  mutating func itemUnavailable(_ remedy: Event.Remedy) -> Action? {
    take(.itemUnavailable(remedy))
  }
  /// An ayah ends, which is heard again or not.
  mutating func ayahComplete(isRepeated: Bool) -> Action? {
    take(isRepeated ? .ayahCompleteToRepeat : .ayahComplete)
  }
  /// The silence between two ayat ends, if there is any.
  mutating func gapElapsed() -> Action? { take(.gapElapsed) }
  /// The last ayah of the range, or of what followed it, was heard.
  mutating func rangeEnd(isRepeated: Bool) -> Action? {
    take(isRepeated ? .rangeEndToRepeat : .rangeEnd)
  }
  mutating func afterRepeat(continues: Bool) -> Action? {
    take(continues ? .afterRepeatContinue : .afterRepeatStop)
  }

  // What the renderer reports.

  mutating func fadedOut() -> Action? { take(.fadedOut) }
  mutating func deviceLost() -> Action? { take(.deviceLost) }
  mutating func fail(_ failure: PlaybackFailure) -> Action? { take(.fail(failure)) }

  private mutating func take(_ event: Event) -> Action? {
    switch Self.outcome(of: event, in: state) {
    case .moves(let next, let action):
      state = next
      return action
    case .stays: return .nothing
    case .refused: return nil
    case .impossible: preconditionFailure("\(event) while \(state)")
    }
  }
}

// MARK: The table

extension PlaybackMachine {
  enum Event: Hashable, Sendable {
    case play, pause, resume, stop, seek
    case itemReady
    case itemUnavailable(Remedy)
    case ayahComplete, ayahCompleteToRepeat
    case gapElapsed
    case rangeEnd, rangeEndToRepeat
    case afterRepeatStop, afterRepeatContinue
    case fadedOut, deviceLost
    case fail(PlaybackFailure)

    /// What is done about an ayah that cannot be heard.
    enum Remedy: Hashable, Sendable {
      /// Another source of it is tried.
      case otherSource
      /// Silence stands for it.
      case silence
      /// There is nothing else to hear either.
      case none(AyahRange, reason: String?)
    }
  }

  enum Outcome: Hashable, Sendable {
    case moves(PlaybackState, Action)
    /// Legal, and without effect.
    case stays
    /// A person's wish that makes no sense now.
    case refused
    /// Can only be an error of the engine.
    case impossible
  }

  static func outcome(of event: Event, in state: PlaybackState) -> Outcome {
    switch event {
    case .play: .moves(.active(.loading), .begin)
    case .pause: pause(state)
    case .resume: resume(state)
    case .stop: stop(state)
    case .seek: state == .idle(.fresh) ? .refused : .moves(.active(.loading), .jump)
    case .fadedOut: fadedOut(state)
    case .deviceLost: deviceLost(state)
    case .fail(let failure): fail(state, failure)
    case .itemReady, .itemUnavailable, .ayahComplete, .ayahCompleteToRepeat, .gapElapsed, .rangeEnd,
      .rangeEndToRepeat, .afterRepeatStop, .afterRepeatContinue:
      heard(event, state)
    }
  }

  private static func pause(_ state: PlaybackState) -> Outcome {
    switch state {
    case .active(.playing): .moves(.pausing(.playing), .pause(fades: true))
    // Nothing sounds that could be faded.
    case .active(let activity): .moves(.paused(activity), .pause(fades: false))
    case .pausing, .paused: .stays
    case .idle, .stopping, .failed: .refused
    }
  }

  private static func resume(_ state: PlaybackState) -> Outcome {
    switch state {
    case .paused(let activity), .pausing(let activity): .moves(.active(activity), .resume)
    case .active: .stays
    case .idle, .stopping, .failed: .refused
    }
  }

  private static func stop(_ state: PlaybackState) -> Outcome {
    switch state {
    case .active(.playing), .pausing: .moves(.stopping, .stop(fades: true))
    case .active, .paused, .failed: .moves(.idle(.stopped), .stop(fades: false))
    case .idle, .stopping: .stays
    }
  }

  private static func fadedOut(_ state: PlaybackState) -> Outcome {
    switch state {
    case .pausing(let activity): .moves(.paused(activity), .nothing)
    case .stopping: .moves(.idle(.stopped), .nothing)
    case .idle, .active, .paused, .failed: .impossible
    }
  }

  private static func deviceLost(_ state: PlaybackState) -> Outcome {
    switch state {
    case .active(let activity), .pausing(let activity): .moves(.paused(activity), .nothing)
    case .stopping: .moves(.idle(.stopped), .stop(fades: false))
    case .idle, .paused, .failed: .stays
    }
  }

  private static func fail(_ state: PlaybackState, _ failure: PlaybackFailure) -> Outcome {
    switch state {
    case .active, .pausing, .paused, .stopping: .moves(.failed(failure), .stop(fades: false))
    case .idle, .failed: .stays
    }
  }

  /// What is heard takes its course under a fade or a pause as well: reports of it may still come.
  private static func heard(_ event: Event, _ state: PlaybackState) -> Outcome {
    guard let activity = state.activity else { return .impossible }
    let next: PlaybackState.Activity
    switch (activity, event) {
    case (.loading, .itemReady): next = .playing
    case (.loading, .itemUnavailable(.otherSource)): next = .loading
    // While playing: after the basmalah of an ayah that then cannot be heard itself.
    case (.loading, .itemUnavailable(.silence)), (.playing, .itemUnavailable(.silence)):
      next = .awaitingNextAyah
    case (.loading, .itemUnavailable(.none(let range, let reason))),
      (.playing, .itemUnavailable(.none(let range, let reason))):
      return .moves(.failed(.nothingAvailable(range, reason: reason)), .stop(fades: false))
    case (.playing, .ayahCompleteToRepeat): next = .awaitingRepeat
    case (.playing, .ayahComplete): next = .awaitingNextAyah
    case (.awaitingRepeat, .gapElapsed), (.awaitingNextAyah, .gapElapsed): next = .loading
    case (.awaitingNextAyah, .rangeEndToRepeat): next = .awaitingNextAyah
    case (.awaitingNextAyah, .rangeEnd): next = .rangeComplete
    case (.rangeComplete, .afterRepeatContinue): next = .loading
    case (.rangeComplete, .afterRepeatStop):
      return .moves(.idle(.finished), .stop(fades: false))
    default: return .impossible
    }
    switch state {
    case .pausing: return .moves(.pausing(next), .nothing)
    case .paused: return .moves(.paused(next), .nothing)
    case .active, .idle, .stopping, .failed: return .moves(.active(next), .nothing)
    }
  }
}
