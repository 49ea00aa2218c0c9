// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Listening

/// What the player tells, and its panels.
extension PlayerTests {
  @Test func whatIsMistypedCanBeMended() {
    var state = Table.state()
    _ = state.press("a")
    _ = state.type("nonsense")
    #expect(state.press("enter") == [.find("nonsense", next: false)])
    _ = reduce(&state, .notFound("no such thing"))
    #expect(state.panel?.field?.text == "nonsense")
    // It is seen whatever else is told.
    _ = reduce(&state, .told(Notice(.warning, "2:5 is missing: no recording of it was found")))
    #expect(view(state).snapshot.contains("no such thing"))
    _ = state.press("backspace")
    #expect(!view(state).snapshot.contains("no such thing"))
    _ = reduce(&state, .found([Table.entry(1, "36")], next: false))
    #expect(state.panel == nil)
  }

  /// What was found before playing began is not driven away by what is told the next moment.
  @Test func whatIsToldFirstStaysForAMoment() {
    var state = Table.state()
    func shown(_ notice: Notice) -> Bool { view(state).snapshot.contains(notice.text) }
    let (first, second) = (
      Notice(.warning, "nothing is filled in"), Notice(.warning, "old colours")
    )
    let (missing, failed) = (Notice(.warning, "2:5 is missing"), Notice(.failure, "no 2:6"))
    _ = reduce(&state, .toldFirst([first, second]))
    for (seconds, notice) in [(0.0, first), (1.9, first), (2.1, second), (3.9, second)] {
      _ = reduce(&state, .tick(.seconds(5 + seconds)))
      _ = reduce(&state, .told(missing))
      #expect(shown(notice), "after \(seconds) s")
    }
    _ = reduce(&state, .tick(.seconds(9.2)))
    #expect(shown(missing))
    _ = reduce(&state, .told(failed))
    #expect(shown(failed))
    // A key goes on at once.
    for told in [missing, nil] {
      _ = reduce(&state, .toldFirst([first, second]))
      if let told { _ = reduce(&state, .told(told)) }
      _ = reduce(&state, .input(.resize(state.size)))
      #expect(shown(first))
      _ = state.press("down")
      #expect(state.notice == told)
      _ = reduce(&state, .tick(.seconds(20)))
      #expect(state.notice == told)
    }
    _ = reduce(&state, .toldFirst([]))
    #expect(state.notice == nil)
  }

  @Test func whyItIsPausedIsOldOnceItPlays() {
    var state = Table.state()
    let entry = state.queue[0]
    for isOfPause in [true, false] {
      _ = reduce(&state, .playing(Table.now(entry, .paused(.playing))))
      _ = reduce(&state, .told(Notice(.warning, "told", isOfPause: isOfPause)))
      _ = reduce(&state, .playing(Table.now(entry)))
      #expect((state.notice == nil) == isOfPause)
    }
  }

  @Test func whatItDoesWhenALostDeviceIsBackIsShown() {
    var state = Table.state()
    var now = Table.now(state.queue[0], .paused(.playing))
    // What space does meanwhile is not to play.
    for (wait, text, space) in [
      (DeviceWait.goesOn, "waiting for the device", "space pause"),
      (.staysPaused, "paused, no device", "space play"),
    ] {
      now.deviceWait = wait
      _ = reduce(&state, .playing(now))
      #expect(view(state).snapshot.contains(text) && view(state).snapshot.contains(space))
    }
  }

  @Test func theHelpSaysAllThatHasRoomInANarrowTerminal() throws {
    var state = Table.state(columns: 60, rows: 16)
    _ = state.press("?")
    let row = try #require(view(state).textRows.first { $0.contains("play or pause") })
    #expect(!row.contains("…"), "\(row)")
  }

  @Test func longPanelsAreReadByPages() {
    var state = Table.state()
    _ = state.press("?", "pagedown")
    let page = state.panel?.cursor?.index
    #expect(page == state.panelList.size.rows)
    _ = state.press("pageup")
    #expect(state.panel?.cursor?.index == 0)
  }

  @Test func otherProgramsSetTheVolumeAndPlayLists() {
    var state = Table.state()
    #expect(
      reduce(&state, .askedVolume(0.25)) == [.setVolume(0.25), .keep(state.settings)])
    _ = reduce(&state, .askedVolume(7))
    #expect(state.settings.volume == 1)
    #expect(reduce(&state, .askedList("morning")) == [.findList("morning")])
    let before = Set(state.queue.map(\.id))
    let entries = [Table.entry(1, "2:255"), Table.entry(2, "112")]
    let effects = reduce(&state, .foundList(entries, named: "morning"))
    #expect(effects.first == .play(state.items, from: nil))
    #expect(state.queue.map(\.title) == entries.map(\.title) && state.list == "morning")
    #expect(before.isDisjoint(with: state.queue.map(\.id)))
    #expect(reduce(&state, .foundList([], named: "empty")).isEmpty && state.list == "morning")
  }

  @Test func whatHasEndedIsShownAtItsEnd() {
    var state = Table.state([Table.entry(1, "112:3-112:4")])
    var now = Table.now(state.queue[0], .idle(.finished))
    now.frame = nil
    _ = reduce(&state, .playing(now))
    #expect(view(state).textRows.contains { $0.contains("finished 0:12.0 / 0:12.0") })
  }

  @Test func aPartOfAnAyahIsShownAsOne() {
    for (excerpt, text) in [
      (AyahExcerpt.words(2...3), "words 2-3"), (.words(4...4), "word 4"),
      (.milliseconds(1000..<3500), "0:01.0-0:03.5"), (.milliseconds(1000..<Int.max), "from 0:01.0"),
    ] {
      var entry = Table.entry(1, "2:255")
      entry.request.excerpt = excerpt
      let rows = view(Table.state([entry])).textRows
      #expect(rows.contains { $0.contains("ayah 1 of 1   \(text)") }, "\(rows)")
      #expect(rows.contains { $0.contains("▶ 2:255 Al-Baqarah  \(text)") }, "\(rows)")
    }
  }

  @Test func aPauseThatNobodySawLeavesNoNotice() {
    var state = Table.state()
    let now = Table.now(state.queue[0])
    _ = reduce(&state, .told(Notice(.warning, "told", isOfPause: true)))
    _ = reduce(&state, .playing(now))
    #expect(state.notice != nil, "it may not have stopped yet")
    state.clock += .seconds(2)
    _ = reduce(&state, .playing(now))
    #expect(state.notice == nil)
  }

  @Test func whatComesLateIsLookedUpAnew() {
    var state = Table.state([Table.entry(1, "112"), Table.entry(2, "113")])
    let arrived = Event.arrived(ayahRange("112:2").first)
    #expect(reduce(&state, arrived).isEmpty)
    _ = reduce(
      &state, .checked(state.queue[0].id, missing: [ayahRange("112:2")], fillable: []))
    #expect(reduce(&state, arrived) == [.check(state.queue[0].item)])
  }
}
