// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Listening

@Suite struct PlayerTests {
  @Test func everyActionIsDescribedOnceAndItsKeysWork() {
    #expect(Set(Action.table.map(\.action)) == Set(Action.allCases))
    #expect(Action.table.count == Action.allCases.count)
    #expect(Keymap.usual.problems.isEmpty)
    for row in Action.table {
      for name in row.keys {
        let key = KeyEvent(named: name)!
        for context in row.contexts where key.typed == nil || !context.takesText {
          #expect(Keymap.usual.action(for: key, in: context) == row.action, "\(name) in \(context)")
        }
      }
    }
  }

  @Test func keysAskForWhatTheySay() {
    var state = Table.state()
    #expect(state.press("space") == [.togglePause])
    #expect(state.press("right", "left") == [.next, .previous])
    #expect(state.press("shift-right", "shift-left") == [.move(5), .move(-5)])
    #expect(state.press("alt-right", "<") == [.move(15), .move(-15)])
    #expect(state.press("pagedown", "pageup") == [.nextItem, .previousItem])
    #expect(state.press("q") == [.quit])
  }

  @Test func speedVolumeAndGainChangeAtOnceAndAreKept() {
    var state = Table.state()
    #expect(state.press("]").first == .setSpeed(1.05))
    #expect(state.press("\\").first == .setSpeed(1))
    #expect(state.press("{").first == .setVolume(0.9))
    let effects = state.press(")")
    #expect(state.settings.gain == 3)
    guard case .setEqualiser(let equaliser) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(equaliser.levelDecibels == 3)
    #expect(effects.last == .keep(state.settings))
    for _ in 0..<60 { _ = state.press("[") }
    #expect(state.settings.speed == 0.25)
    for _ in 0..<80 { _ = state.press("]", ")", "}") }
    #expect(state.settings.speed == 3)
    #expect(state.settings.gain == 15 && state.settings.volume == 1)
    // The preamp adds to it as it shows.
    _ = state.press("E")
    for _ in 0..<20 { _ = state.press("right") }
    #expect(state.settings.equaliser.levelDecibels == 30)
  }

  @Test func goesToATypedAyahAndPutsItIntoTheQueueWhereItIsNot() {
    var state = Table.state()
    _ = state.press("/")
    #expect(state.type("78:3").isEmpty)
    #expect(state.press("enter") == [.seek(AyahReference("78:3")!)])
    _ = state.press("/")
    _ = state.type("12")
    #expect(state.press("enter") == [.seek(AyahReference("67:12")!)])
    _ = state.press("/")
    _ = state.type("٥")
    #expect(state.press("enter") == [.seek(AyahReference("67:5")!)])
    for number in ["31", "255"] {
      _ = state.press("/")
      _ = state.type(number)
      #expect(view(state).snapshot.contains("surah 67 has 30 ayat; 67:\(number) does not exist"))
      #expect(state.press("enter").isEmpty)
      _ = state.press("esc")
    }
    _ = state.press("/")
    _ = state.type("3:190")
    #expect(
      view(state).snapshot.contains("3:190 Ali 'Imran: enter adds it and the rest of its surah"))
    let effects = state.press("enter")
    let added = state.queue[1]
    #expect(added.request.range == ayahRange("3:190-200"))
    #expect(
      effects == [.setItems(state.items), .check(added.item), .go(added.id)], "\(effects)")
    #expect(state.queue.map(\.title).last == "2:255 Al-Baqarah")
    _ = state.press("/")
    _ = state.type("3:201")
    #expect(state.press("enter").isEmpty && state.context == .jump)
  }

  @Test func aJumpToAnAyahThatNobodyHasSaysThatItIsSilence() {
    func notice(missing: [AyahRange]) -> String? {
      var state = Table.state()
      _ = state.press("/")
      _ = state.type("3:190")
      _ = state.press("enter")
      _ = reduce(&state, .checked(state.queue[1].id, missing: missing, fillable: []))
      return state.notice?.text
    }
    let known = notice(missing: [])
    #expect(known == "Added: 3:190-200 Ali 'Imran")
    #expect(notice(missing: [ayahRange("3:192-200")]) == known)
    #expect(
      notice(missing: [ayahRange("3:190-200")])
        == "3:190-200 is silence: nobody has a published recording of it in Hafs an Asim")
  }

  @Test func anAyahThatIsNotInTheQueueIsPlayedAfterTheEnd() {
    var state = Table.state([Table.entry(1, "67")])
    _ = reduce(
      &state, .playing(Table.now(state.queue[0], ayah: AyahReference("67:30")!, .idle(.finished))))
    _ = state.press("/")
    _ = state.type("112:2")
    let start = PlaybackStart(item: PlaybackItem.ID(2), ayah: AyahReference("112:2")!)
    #expect(state.press("enter").contains(.play(state.items, from: start)))
  }

  @Test func whatStoppedIsPlayedAgainFromWhereItWas() {
    var state = Table.state()
    let entry = state.queue[0]
    let ayah = AyahReference("67:4")!
    _ = reduce(&state, .playing(Table.now(entry, ayah: ayah, .idle(.stopped))))
    #expect(
      state.press("space") == [.play(state.items, from: PlaybackStart(item: entry.id, ayah: ayah))])
    _ = reduce(&state, .playing(Table.now(entry, ayah: ayah, .idle(.finished))))
    #expect(state.press("space") == [.play(state.items, from: nil)])
  }

  // MARK: Reciters

  @Test func whoWillBeHeardIsShownInThePlaceOfWhoWas() {
    var state = Table.state()
    func shows(_ name: String) -> Bool { view(state).snapshot.contains(name) }
    #expect(shows("Al-Minshawi"))
    var effects: [Effect] = []
    state.choose(Table.reciters[2], &effects)
    // What the engine tells last is of the clip that fades out.
    let old = state.queue[0]
    for last in [PlaybackState.stopping, .idle(.stopped)] {
      _ = reduce(&state, .playing(Table.now(old, seconds: 3.3, last)))
      #expect(!shows("Al-Minshawi") && shows("Abdul Basit") && shows("Warsh"))
    }
    // Another reciter of the same riwayah is heard from the next sound on.
    state = Table.state()
    state.choose(Table.reciters[1], &effects)
    _ = reduce(&state, .playing(Table.now(old, seconds: 3.3)))
    #expect(shows("Al-Minshawi"))
    _ = reduce(&state, .playing(Table.now(old, seconds: 3.3, .paused(.playing))))
    #expect(!shows("Al-Minshawi") && shows("Al-Husary"))
  }

  @Test func anotherReciterIsHeardFromTheSameAyah() {
    var state = Table.state()
    _ = state.press("r", "down", "down")
    let effects = state.press("enter")
    #expect(effects.contains(.again))
    #expect(state.queue.allSatisfy { $0.request.reciters == .inOrder([ReciterID(rawValue: 4)]) })
  }

  @Test func aReciterIsChosenForRecordingsAndForWhatIsAddedToo() {
    var night = Table.entry(1, "67", source: "Night 3")
    night.request.only = MediaKey(rawValue: "night")
    night = QueueEntry(night.id, title: "Night 3", source: "Night 3", night.request)
    var state = Table.state([night])
    _ = state.press("r", "down", "down", "enter", "R", "right", "esc")
    let husary = ReciterChoice.inOrder([ReciterID(rawValue: 4)])
    #expect(state.queue[0].request.only == nil && state.queue[0].request.reciters == husary)
    _ = reduce(&state, .found([Table.entry(1, "112")], next: false))
    #expect(state.queue[1].request.reciters == husary)
    #expect(state.queue[1].request.ayahRepeat == .times(2))
    // A recording that is added is heard as it is, and with anybody so is the first again.
    _ = reduce(&state, .found([night], next: false))
    #expect(state.queue[2].request.only == night.request.only)
    _ = state.press("r", "up", "up", "enter")
    #expect(state.queue.map(\.request.only) == [night.request.only, nil, night.request.only])
    #expect(state.queue.allSatisfy { $0.request.reciters == .anybody })
  }

  @Test func whatIsAddedIsInTheRiwayahThatWasChosen() {
    var state = Table.state()
    _ = state.press("r", "down", "down", "down", "enter")
    _ = reduce(&state, .found([Table.entry(1, "112")], next: true))
    #expect(state.queue.count == 4 && state.queue.allSatisfy { $0.request.riwayah == .warsh })
  }

  @Test func theSpeedIsThatOfTheEngineWhoeverHasSetIt() {
    var state = Table.state()
    var now = Table.now(state.queue[0])
    now.speed = 1.5
    #expect(reduce(&state, .playing(now)).last == .keep(state.settings))
    #expect(state.press("]").first == .setSpeed(1.55))
  }

  @Test func anotherRiwayahStopsWhatPlays() {
    var state = Table.state()
    _ = state.press("r", "down", "down", "down")
    let effects = state.press("enter")
    #expect(effects.contains(.changeRiwayah(.warsh)))
    #expect(!effects.contains { if case .setItems = $0 { true } else { false } })
    #expect(state.queue.allSatisfy { $0.request.riwayah == .warsh })
    #expect(state.now?.clip == nil)
  }

  @Test func aRecitersPlaceIsKeptAtOnceByKeyAndMouse() {
    var state = Table.state()
    _ = state.press("r", "down", "down")
    let moved = state.press("K")
    #expect(moved.first == .moveReciter(ReciterID(rawValue: 4), toPlace: 0))
    #expect(state.reciters.map(\.id?.rawValue) == [4, 3, 5])
    // The cursor goes with it; what is missing is looked up by the new order.
    #expect(state.panel?.cursor?.index == 1)
    #expect(moved.dropFirst().map { $0 } == state.items.map { .check($0) })
    // There is nobody before the first, and after the last.
    #expect(state.press("alt-up").isEmpty)
    _ = state.press("down", "down")
    #expect(state.press("J").isEmpty)
    _ = state.press("up", "up", "up")
    #expect(state.press("K").isEmpty && state.press("J").isEmpty && state.press("e").isEmpty)
    // The arrow before a name.
    let list = state.panelList
    let effects = state.click(column: list.origin.column + 3, row: list.origin.row + 1)
    #expect(effects.first == .moveReciter(ReciterID(rawValue: 4), toPlace: 1))
    #expect(state.panel != nil)
  }

  @Test func aRecitersSourcesAreSwitchedOnAndOffByKeyAndMouse() {
    var state = Table.state()
    _ = state.press("r", "down")
    #expect(state.press("e").first == .useSources(of: Table.reciter, false))
    #expect(state.reciters[0].usesSources == false)
    let list = state.panelList
    let effects = state.click(column: list.origin.column + 6, row: list.origin.row + 2)
    #expect(effects.first == .useSources(of: ReciterID(rawValue: 4), true))
    // One without sources says so.
    _ = state.press("down")
    #expect(state.press("e").isEmpty && state.notice?.kind == .hint)
    // A click on the name chooses.
    let chosen = state.click(column: list.origin.column + 12, row: list.origin.row + 2)
    #expect(
      state.panel == nil && chosen.contains { if case .setItems = $0 { true } else { false } })
  }

  // MARK: Panels

  @Test func theHelpIsNamedWhereItsKeyOpensIt() {
    var state = Table.state()
    _ = state.press("Z")
    #expect(state.notice?.text == "Z does nothing here; ? shows all keys")
    _ = state.press("E", "?")
    #expect(state.notice?.text == "? does nothing here")
  }

  @Test func crossfadeAndItsCurveGoToEveryItem() {
    var state = Table.state()
    #expect(state.press("F", "right").first == .setItems(state.items))
    #expect(state.queue.allSatisfy { $0.request.crossfadeMilliseconds == 50 })
    _ = state.press("down")
    var curves: Set<FadeCurve> = []
    for _ in FadeCurve.allCases {
      _ = state.press("right")
      curves.insert(state.queue[0].request.crossfadeCurve)
    }
    #expect(curves == Set(FadeCurve.allCases))
    _ = state.press("down")
    #expect(
      state.press("right").first == .setFades(inMilliseconds: 10, outMilliseconds: 150))
  }

  @Test func repetitionsAndGapsChangeForEveryItemWhileItPlays() {
    var state = Table.state()
    _ = state.press("R")
    #expect(state.press("right") == [.setRepeats(ayah: .times(2), range: .once)])
    for _ in 0..<40 { _ = state.press("right") }
    #expect(state.queue.allSatisfy { $0.request.ayahRepeat == .endless })
    #expect(state.press("left") == [.setRepeats(ayah: .times(100), range: .once)])
    for _ in 0..<40 { _ = state.press("left") }
    #expect(state.press("left").isEmpty && state.queue[0].request.ayahRepeat == .once)

    #expect(state.press("down", "right") == [.setRepeats(ayah: .once, range: .times(2))])
    #expect(state.press("down", "right") == [.setPractice(.stepping)])
    #expect(state.press("right", "right").last == .setPractice(.plain))
    #expect(state.press("down", "right") == [.setGap(milliseconds: 250, factor: 0)])
    #expect(state.press("down", "right", "right").last == .setGap(milliseconds: 250, factor: 1))
    #expect(state.queue.allSatisfy { RepeatSettings($0.request).gap == "1.0x+250ms" })
    #expect(state.press("esc", "space") == [.togglePause])
  }

  @Test func aCountBetweenTwoStepsGoesToTheNearestOne() {
    #expect(RepeatCount.times(12).stepped(by: 1) == .times(15))
    #expect(RepeatCount.times(12).stepped(by: -1) == .times(10))
    #expect(RepeatCount.times(500).stepped(by: 1) == .endless)
    #expect(RepeatCount.times(500).stepped(by: -1) == .times(100))
    #expect(RepeatCount.endless.stepped(by: 1) == .endless)
  }

  @Test func repetitionsThatAnotherProgramAskedForAreKeptAndThoseOfTheNextItemAreNot() {
    var other = Table.entry(2, "juz 30")
    other.request.ayahRepeat = .times(5)
    var state = Table.state([Table.entry(1, "67"), other])
    // The next item begins as it was asked for: nothing has changed.
    #expect(reduce(&state, .asked(other.item)).isEmpty)
    #expect(state.queue[0].request.ayahRepeat == .once)
    var asked = state.queue[0].item
    asked.request.ayahRepeat = .endless
    #expect(reduce(&state, .asked(asked)).isEmpty)
    #expect(state.queue.allSatisfy { $0.request.ayahRepeat == .endless })
  }

  @Test func theEqualiserIsHeardAtEveryStep() {
    var state = Table.state()
    _ = state.press("E", "down", "right")
    #expect(state.settings.hasEqualiser)
    #expect(abs(state.settings.equaliser.decibels(ofBand: 0) - 1) < 1e-9)
    _ = state.press("e")
    #expect(state.settings.equaliser == .flat)
  }

  @Test func whatIsMissingCanBeTakenFromOthers() throws {
    var state = Table.state()
    let range = try AyahRange(parsing: "67:5-67:6")
    _ = reduce(&state, .checked(state.queue[0].id, missing: [range], fillable: [range]))
    _ = state.press("C")
    #expect(state.missingRows.count == 1)
    let effects = state.press("enter")
    #expect(state.queue[0].request.fillsFromOthers)
    #expect(effects.contains(.setItems(state.items)))
  }

  @Test func theSleepTimerTakesTheSoundDownAndPauses() {
    var state = Table.state()
    _ = reduce(&state, .tick(.seconds(100)))
    _ = state.press("t", "down", "down", "enter")
    #expect(state.sleep == .at(.seconds(400)))
    #expect(reduce(&state, .tick(.seconds(389))).isEmpty)
    #expect(reduce(&state, .tick(.seconds(395))) == [.setVolume(0.5)])
    #expect(reduce(&state, .tick(.seconds(401))) == [.pause])
    #expect(state.sleep == .off)
    let paused = Table.now(state.queue[0], .paused(.playing))
    #expect(reduce(&state, .playing(paused)) == [.setVolume(1)])
  }

  @Test func aTimerThatIsTakenBackBringsTheSoundBack() {
    var state = Table.state()
    _ = state.press("t", "down", "down", "enter")
    _ = reduce(&state, .tick(.seconds(296)))
    #expect(state.press("t", "enter") == [.setVolume(1)])
    #expect(reduce(&state, .tick(.seconds(400))).isEmpty)
  }

  @Test func sleepsAtTheEndOfTheAyah() {
    var state = Table.state()
    #expect(state.press("t", "down", "enter") == [.setPausesAfterAyah(true)])
    _ = reduce(&state, .playing(Table.now(state.queue[0], .paused(.awaitingNextAyah))))
    #expect(state.sleep == .off)
    // After the last ayah nothing is left to pause.
    _ = state.press("t", "down", "enter")
    _ = reduce(&state, .playing(Table.now(state.queue[0], .idle(.finished))))
    #expect(state.sleep == .off)
  }

  @Test func thePaletteFindsAndPerforms() {
    var state = Table.state()
    _ = state.press(":")
    _ = state.type("slower")
    #expect(state.press("enter").first == .setSpeed(0.95))
    #expect(state.context == .normal)
  }

  @Test func aClickInTheWaveformGoesThere() {
    var state = Table.state()
    let waveform = state.layout.waveform
    let middle = Point(
      column: waveform.origin.column + waveform.size.columns / 2, row: waveform.origin.row)
    let effects = reduce(&state, .input(.mouse(MouseEvent(.press(.left), at: middle))))
    guard case .move(let seconds) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(abs(seconds - (6 - 3.2)) < 0.2)
  }

  /// Whatever comes, nothing traps, and the queue holds no name twice.
  @Test func anythingCanBePressedAtAnyTime() {
    for seed in 0..<20 {
      var random = SplitMix64(state: UInt64(seed))
      var state = Table.state(columns: 60 + seed * 7, rows: 16 + seed)
      state.text = Table.text
      let rows = Action.table
      for _ in 0..<150 {
        switch Int.random(in: 0...9, using: &random) {
        case 0:
          _ = state.type(["2:255", "67", "x", "é", "9"].randomElement(using: &random)!)
        case 1:
          let point = Point(
            column: Int.random(in: -1...200, using: &random),
            row: Int.random(in: -1...60, using: &random))
          let action: MouseEvent.Action =
            [.press(.left), .drag(.left), .wheel(.down), .wheel(.up)].randomElement(using: &random)!
          _ = reduce(&state, .input(.mouse(MouseEvent(action, at: point))))
        case 2:
          let size = Size(
            columns: Int.random(in: 0...220, using: &random),
            rows: Int.random(in: 0...60, using: &random))
          _ = reduce(&state, .input(.resize(size)))
        case 3:
          if let entry = state.queue.randomElement(using: &random) {
            let states: [PlaybackState] = [
              .active(.playing), .paused(.playing), .idle(.finished), .active(.loading),
            ]
            _ = reduce(
              &state, .playing(Table.now(entry, states.randomElement(using: &random)!)))
          }
        case 4: _ = reduce(&state, .tick(.seconds(Int.random(in: 0...9000, using: &random))))
        default:
          if let key = rows.randomElement(using: &random)!.keys.randomElement(using: &random) {
            _ = state.press(key)
          }
        }
        #expect(Set(state.queue.map(\.id)).count == state.queue.count)
        #expect(!state.queue.isEmpty)
        _ = view(state)
      }
    }
  }
}

@Suite struct PlayerPageTests {
  /// With RECORD_SNAPSHOTS in the environment the page is brought up to date.
  @Test func theTableOfKeysIsThePlayersOwn() throws {
    try expectKeys(Keymap.usual.markdown, in: "player.md")
  }
}

/// Expects a page of the documentation to have a table of keys; with `RECORD_SNAPSHOTS` it is written there.
func expectKeys(_ markdown: String, in name: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Documentation/\(name)").standardized
  var page = try String(contentsOf: file, encoding: .utf8)
  let begin = try #require(page.range(of: "<!-- keys:begin -->\n"))
  let end = try #require(page.range(of: "<!-- keys:end -->"))
  let table = "\n" + markdown + "\n"
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    page.replaceSubrange(begin.upperBound..<end.lowerBound, with: table)
    try page.write(to: file, atomically: true, encoding: .utf8)
  } else {
    #expect(page[begin.upperBound..<end.lowerBound] == table)
  }
}
