// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import Testing

@testable import Playback

/// Every state and every event.
private let failure = PlaybackFailure.renderer("gone")
private let whole = AyahRange.wholeQuran

extension PlaybackState {
  static var all: [PlaybackState] {
    Rest.allCases.map(PlaybackState.idle) + Activity.allCases.map(PlaybackState.active)
      + Activity.allCases.map(PlaybackState.pausing) + Activity.allCases.map(PlaybackState.paused)
      + [.stopping, .failed(failure)]
  }
}

extension PlaybackMachine.Event {
  static let users: [PlaybackMachine.Event] = [.play, .pause, .resume, .stop, .seek]
  static let heard: [PlaybackMachine.Event] = [
    .itemReady, .itemUnavailable(.otherSource), .itemUnavailable(.silence),
    .itemUnavailable(.none(whole, reason: "gone")), .ayahCompleteToRepeat, .ayahComplete,
    .gapElapsed,
    .rangeEndToRepeat, .rangeEnd, .afterRepeatContinue, .afterRepeatStop,
  ]
  static let renderer: [PlaybackMachine.Event] = [.fadedOut, .deviceLost, .fail(failure)]
  static let all = users + heard + renderer

  var name: String {
    switch self {
    case .itemUnavailable(.otherSource): "itemUnavailable (other source)"
    case .itemUnavailable(.silence): "itemUnavailable (silence)"
    case .itemUnavailable(.none): "itemUnavailable (none left)"
    case .ayahCompleteToRepeat: "ayahComplete (repeats left)"
    case .ayahComplete: "ayahComplete (none left)"
    case .rangeEndToRepeat: "rangeEnd (repeats left)"
    case .rangeEnd: "rangeEnd (none left)"
    case .afterRepeatContinue: "afterRepeat (continue)"
    case .afterRepeatStop: "afterRepeat (stop)"
    case .fail: "fail"
    default: "\(self)"
    }
  }
}

extension PlaybackMachine {
  /// A machine led to a state by events alone.
  init(in state: PlaybackState) {
    self.init()
    func expect(_ action: Action?) { precondition(action != nil) }
    func lead(_ machine: inout PlaybackMachine, to activity: PlaybackState.Activity) {
      expect(machine.play())
      switch activity {
      case .loading: break
      case .playing: expect(machine.itemReady())
      case .awaitingRepeat:
        lead(&machine, to: .playing)
        expect(machine.ayahComplete(isRepeated: true))
      case .awaitingNextAyah:
        lead(&machine, to: .playing)
        expect(machine.ayahComplete(isRepeated: false))
      case .rangeComplete:
        lead(&machine, to: .awaitingNextAyah)
        expect(machine.rangeEnd(isRepeated: false))
      }
    }
    switch state {
    case .idle(.fresh): break
    case .idle(.stopped):
      expect(stop())
      lead(&self, to: .loading)
      expect(stop())
    case .idle(.finished):
      lead(&self, to: .rangeComplete)
      expect(afterRepeat(continues: false))
    case .active(let activity): lead(&self, to: activity)
    case .pausing(let activity):
      lead(&self, to: .playing)
      expect(pause())
      // The fade outlasts what is heard.
      switch activity {
      case .playing: break
      case .loading:
        expect(ayahComplete(isRepeated: true))
        expect(gapElapsed())
      case .awaitingRepeat: expect(ayahComplete(isRepeated: true))
      case .awaitingNextAyah: expect(ayahComplete(isRepeated: false))
      case .rangeComplete:
        expect(ayahComplete(isRepeated: false))
        expect(rangeEnd(isRepeated: false))
      }
    case .paused(let activity):
      lead(&self, to: activity)
      expect(deviceLost())
    case .stopping:
      lead(&self, to: .playing)
      expect(stop())
    case .failed(let failure):
      lead(&self, to: .playing)
      expect(fail(failure))
    }
  }

  mutating func apply(_ event: Event) -> Action? {
    switch event {
    case .play: play()
    case .pause: pause()
    case .resume: resume()
    case .stop: stop()
    case .seek: seek()
    case .itemReady: itemReady()
    case .itemUnavailable(let remedy): itemUnavailable(remedy)
    case .ayahComplete: ayahComplete(isRepeated: false)
    case .ayahCompleteToRepeat: ayahComplete(isRepeated: true)
    case .gapElapsed: gapElapsed()
    case .rangeEnd: rangeEnd(isRepeated: false)
    case .rangeEndToRepeat: rangeEnd(isRepeated: true)
    case .afterRepeatStop: afterRepeat(continues: false)
    case .afterRepeatContinue: afterRepeat(continues: true)
    case .fadedOut: fadedOut()
    case .deviceLost: deviceLost()
    case .fail(let failure): fail(failure)
    }
  }
}

@Suite struct MachineTests {
  /// What becomes of what is heard, told independently of the machine: from, event, to. All else that
  /// is heard is impossible.
  private static let course: [(PlaybackState.Activity, PlaybackMachine.Event, PlaybackState)] = [
    (.loading, .itemReady, .active(.playing)),
    (.loading, .itemUnavailable(.otherSource), .active(.loading)),
    (.loading, .itemUnavailable(.silence), .active(.awaitingNextAyah)),
    (
      .loading, .itemUnavailable(.none(whole, reason: "gone")),
      .failed(.nothingAvailable(whole, reason: "gone"))
    ),
    (.playing, .itemUnavailable(.silence), .active(.awaitingNextAyah)),
    (
      .playing, .itemUnavailable(.none(whole, reason: "gone")),
      .failed(.nothingAvailable(whole, reason: "gone"))
    ),
    (.playing, .ayahCompleteToRepeat, .active(.awaitingRepeat)),
    (.playing, .ayahComplete, .active(.awaitingNextAyah)),
    (.awaitingRepeat, .gapElapsed, .active(.loading)),
    (.awaitingNextAyah, .gapElapsed, .active(.loading)),
    (.awaitingNextAyah, .rangeEndToRepeat, .active(.awaitingNextAyah)),
    (.awaitingNextAyah, .rangeEnd, .active(.rangeComplete)),
    (.rangeComplete, .afterRepeatContinue, .active(.loading)),
    (.rangeComplete, .afterRepeatStop, .idle(.finished)),
  ]

  /// The state after an event: nil where a person is refused, no entry where it is impossible.
  private func expected(
    _ event: PlaybackMachine.Event, in state: PlaybackState
  ) -> PlaybackState?? {
    func hold(_ next: PlaybackState) -> PlaybackState {
      guard case .active(let activity) = next else { return next }
      switch state {
      case .pausing: return .pausing(activity)
      case .paused: return .paused(activity)
      default: return next
      }
    }
    if PlaybackMachine.Event.heard.contains(event) {
      let found = Self.course.first { $0.0 == state.activity && $0.1 == event }
      return found.map { .some(hold($0.2)) } ?? .none
    }
    switch (event, state) {
    case (.play, _): return .active(.loading)
    case (.seek, .idle(.fresh)): return .some(nil)
    case (.seek, _): return .active(.loading)
    case (.pause, .active(.playing)): return .pausing(.playing)
    case (.pause, .active(let activity)): return .paused(activity)
    case (.pause, .pausing), (.pause, .paused): return state
    case (.resume, .pausing(let activity)), (.resume, .paused(let activity)),
      (.resume, .active(let activity)):
      return .active(activity)
    case (.pause, _), (.resume, _): return .some(nil)
    case (.stop, .active(.playing)), (.stop, .pausing), (.stop, .stopping): return .stopping
    case (.stop, .idle): return state
    case (.stop, _): return .idle(.stopped)
    case (.fadedOut, .pausing(let activity)): return .paused(activity)
    case (.fadedOut, .stopping): return .idle(.stopped)
    case (.fadedOut, _): return .none
    case (.deviceLost, .active(let activity)), (.deviceLost, .pausing(let activity)):
      return .paused(activity)
    case (.deviceLost, .stopping): return .idle(.stopped)
    case (.fail, .idle), (.fail, .failed): return state
    case (.fail, _): return .failed(failure)
    default: return state
    }
  }

  @Test func everyPairOfStateAndEventIsWhatItShouldBe() {
    for state in PlaybackState.all {
      for event in PlaybackMachine.Event.all {
        let outcome = PlaybackMachine.outcome(of: event, in: state)
        switch expected(event, in: state) {
        case .none: #expect(outcome == .impossible, "\(event) while \(state)")
        case .some(nil): #expect(outcome == .refused, "\(event) while \(state)")
        case .some(let next?):
          var machine = PlaybackMachine(in: state)
          #expect(machine.state == state)
          #expect(machine.apply(event) != nil, "\(event) while \(state)")
          #expect(machine.state == next, "\(event) while \(state)")
        }
      }
    }
  }

  @Test func whatIsRefusedChangesNothing() {
    for state in PlaybackState.all {
      for event in PlaybackMachine.Event.all
      where PlaybackMachine.outcome(of: event, in: state) == .refused {
        var machine = PlaybackMachine(in: state)
        #expect(machine.apply(event) == nil)
        #expect(machine.state == state)
      }
    }
  }

  @Test func everyStateCanBeLeftAndEnded() {
    for state in PlaybackState.all {
      var machine = PlaybackMachine(in: state)
      #expect(machine.stop() != nil)
      if machine.state == .stopping { _ = machine.fadedOut() }
      guard case .idle = machine.state else {
        Issue.record("\(state) does not end")
        continue
      }
    }
  }

  /// From the first of such tests on, the library of the tests watches for the end of any process, and takes a core
  /// while another test has yet to wait for one of its own. They run by themselves therefore.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TILAWA_EXITS"] != nil,
      "runs by itself, as in make test-long: TILAWA_EXITS=1 swift test --filter anImpossibleEventTraps"
    ))
  func anImpossibleEventTraps() async {
    await #expect(processExitsWith: .failure) {
      var machine = PlaybackMachine()
      _ = machine.itemReady()
    }
    await #expect(processExitsWith: .failure) {
      var machine = PlaybackMachine(in: .active(.loading))
      _ = machine.ayahComplete(isRepeated: true)
    }
    await #expect(processExitsWith: .failure) {
      var machine = PlaybackMachine(in: .paused(.playing))
      _ = machine.fadedOut()
    }
  }

  // MARK: The documentation

  private static func cell(_ event: PlaybackMachine.Event, _ state: PlaybackState) -> String {
    switch PlaybackMachine.outcome(of: event, in: state) {
    case .moves(let next, .nothing): "\(next)"
    case .moves(let next, let action): "\(next); **\(name(of: action))**"
    case .stays: "-"
    case .refused: "refused"
    case .impossible: "x"
    }
  }

  private static func name(of action: PlaybackMachine.Action) -> String {
    switch action {
    case .nothing: ""
    case .begin: "begin"
    case .jump: "jump"
    case .pause(true): "fade out, hold"
    case .pause(false): "hold"
    case .resume: "run"
    case .stop(true): "fade out, end"
    case .stop(false): "end"
    }
  }

  private static func table(_ title: String, _ states: [PlaybackState]) -> String {
    let head = "| event | " + states.map { "\($0)" }.joined(separator: " | ") + " |\n"
    let rule = "|---|" + states.map { _ in "---|" }.joined() + "\n"
    let rows = PlaybackMachine.Event.all.map { event in
      "| \(event.name) | " + states.map { cell(event, $0) }.joined(separator: " | ") + " |\n"
    }
    return "### \(title)\n\n" + head + rule + rows.joined() + "\n"
  }

  static var tables: String {
    table("Under way", PlaybackState.Activity.allCases.map(PlaybackState.active))
      + table(
        "Fading out before a pause", PlaybackState.Activity.allCases.map(PlaybackState.pausing))
      + table("Paused", PlaybackState.Activity.allCases.map(PlaybackState.paused))
      + table(
        "Otherwise",
        PlaybackState.Rest.allCases.map(PlaybackState.idle) + [.stopping, .failed(failure)])
  }

  @Test func theDocumentedTablesAreThoseOfTheMachine() throws {
    let path = URL(filePath: #filePath).appending(path: "../../../../Documentation")
      .appending(path: "playback-states.md").standardized
    let text = try String(contentsOf: path, encoding: .utf8)
    let marks = ["<!-- tables -->\n\n", "<!-- end of tables -->"]
    let start = try #require(text.range(of: marks[0])?.upperBound)
    let end = try #require(text.range(of: marks[1])?.lowerBound)
    guard text[start..<end] != Self.tables else { return }
    // Written anew where the change was meant, to be looked at before it is committed.
    if ProcessInfo.processInfo.environment["RECORD_TABLES"] != nil {
      let updated = text.replacingCharacters(in: start..<end, with: Self.tables)
      try updated.write(to: path, atomically: true, encoding: .utf8)
    }
    Issue.record("the tables differ; RECORD_TABLES=1 swift test writes them anew")
  }
}
