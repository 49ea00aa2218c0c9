// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Listening

/// The queue of the player.
extension PlayerTests {
  @Test func whatIsLearntInOrderIsNotShuffledByAyah() {
    var entries = [Table.entry(1, "112"), Table.entry(2, "113")]
    for index in entries.indices { entries[index].request.practice = .cumulative }
    var state = Table.state(entries)
    let before = state.queue
    #expect(reduce(&state, .askedShuffle(true)).isEmpty)
    #expect(state.queue == before && state.seed == nil)
    #expect(state.notice?.text.contains("in order") ?? false)
  }

  @Test func itemsAreChosenMovedAndTakenOut() {
    var state = Table.state()
    _ = state.press("down")
    #expect(state.chosenIndex == 1)
    #expect(state.press("enter") == [.go(state.queue[1].id)])
    _ = state.press("alt-down")
    #expect(state.queue.map(\.id.number) == [1, 3, 2])
    #expect(state.chosenIndex == 2)
    #expect(state.press("x") == [.setItems(state.items)])
    #expect(state.queue.map(\.id.number) == [1, 3])
    _ = state.press("x")
    #expect(state.press("x").isEmpty)
    #expect(state.queue.count == 1)
  }

  @Test func aShuffledListThatIsAddedSaysItsSeed() {
    var state = Table.state([Table.entry(1, "67")])
    _ = reduce(&state, .found([Table.entry(2, "112")], next: false, seed: 7))
    #expect(state.notice?.text.hasSuffix(", shuffled, seed 7") == true)
  }

  @Test func whatIsFoundIsAddedAtTheEndOrNext() {
    var state = Table.state()
    _ = state.press("A")
    _ = state.type("36")
    #expect(state.press("enter") == [.find("36", next: true)])
    _ = reduce(&state, .found([Table.entry(1, "36")], next: true))
    #expect(state.queue.map(\.id.number) == [1, 4, 2, 3])
    _ = reduce(&state, .found([Table.entry(1, "18")], next: false))
    #expect(state.queue.last?.id.number == 5)
    var other = Table.entry(1, "1")
    other.request.riwayah = .warsh
    #expect(reduce(&state, .found([other], next: false)).isEmpty)
    #expect(state.notice?.kind == .failure)
  }

  @Test func shufflingChangesTheOrderAloneAndTheSeedDecidesIt() {
    let queue = (1...8).map { Table.entry($0, "\($0 + 77)", source: "\($0 % 3)") }
    for unit in ShuffleUnit.allCases {
      let first = queue.shuffled(by: unit, seed: 5, firstNumber: 100)
      #expect(first == queue.shuffled(by: unit, seed: 5, firstNumber: 100))
      #expect(first != queue.shuffled(by: unit, seed: 6, firstNumber: 100))
      let ayat = { (entries: [QueueEntry]) in entries.flatMap { Array($0.request.range) }.sorted() }
      #expect(ayat(first) == ayat(queue))
      #expect(Set(first.map(\.id)).count == first.count)
    }
    // A recording's ranges stay together, in their order.
    let byRecording = queue.shuffled(by: .recording, seed: 5, firstNumber: 100)
    var sources: [String] = []
    for entry in byRecording where sources.last != entry.source { sources.append(entry.source) }
    #expect(Set(sources).count == sources.count)
    for source in sources {
      let numbers = byRecording.filter { $0.source == source }.map(\.id.number)
      #expect(numbers == numbers.sorted())
    }
  }

  @Test func shufflingByAyahKeepsWhatIsHeardAndMixesTheRest() {
    var state = Table.state([Table.entry(1, "67"), Table.entry(2, "114")])
    _ = reduce(&state, .playing(Table.now(state.queue[0], ayah: AyahReference("67:4")!)))
    _ = state.press("S", "enter")
    #expect(state.queue[0].id.number == 1)
    #expect(state.queue[0].request.range == ayahRange("67:1-67:4"))
    let rest = state.queue.dropFirst().flatMap { Array($0.request.range) }
    #expect(rest.count == 26 + 6 && Set(rest).count == rest.count)
    #expect(Set(state.queue.map(\.id)).count == state.queue.count)
    #expect(state.seed == 7)
  }

  @Test(arguments: ["enter", "down enter", "down down enter"])
  func theSeedThatIsShownRepeatsTheOrder(_ keys: String) {
    let queue = [("112", "a"), ("93:1-4", "b"), ("67:1-3", "a"), ("108", "c")].enumerated().map {
      Table.entry($0 + 1, $1.0, source: $1.1)
    }
    var state = Table.state(queue)
    _ = reduce(&state, .playing(Table.now(queue[1], ayah: AyahReference("93:2")!)))
    _ = state.press("S", "enter", "S")
    for key in keys.split(separator: " ") { _ = state.press(String(key)) }
    let unit = keys == "enter" ? ShuffleUnit.ayah : keys == "down enter" ? .range : .recording
    let all = queue.shuffled(by: unit, seed: state.seed!, firstNumber: 100)
    func ayat(_ entries: some Sequence<QueueEntry>) -> [AyahReference] {
      entries.flatMap { Array($0.request.range) }
    }
    // What is heard stays; what follows is in the order that the whole queue would have.
    let heard = Set(ayat(state.queue[...state.currentIndex!]))
    let rest = ayat(state.queue[(state.currentIndex! + 1)...])
    #expect(rest == ayat(all).filter { !heard.contains($0) })
    #expect(heard.count + rest.count == 14)
  }

  @Test func anotherShuffleByWholeRangesPutsEachInOrderFirst() {
    for (keys, unit) in [
      (["down", "enter"], ShuffleUnit.range), (["down", "down", "enter"], .recording),
    ] {
      var state = Table.state(
        [Table.entry(1, "112"), Table.entry(2, "93:1-4"), Table.entry(3, "67:1-3")])
      _ = reduce(&state, .playing(Table.now(state.queue[0], ayah: AyahReference("112:1")!)))
      _ = state.press("S", "enter", "S")
      for key in keys { _ = state.press(key) }
      let ranges = state.queue.map(\.request.range)
      #expect(ranges[0] == ayahRange("112"))
      #expect(Set(ranges) == Set(["112", "93:1-4", "67:1-3"].map { ayahRange($0) }), "\(unit)")
    }
  }

  @Test func whatFollowsGoesBackIntoTheOrderItHad() {
    var state = Table.state((1...6).map { Table.entry($0, "\(90 + $0)") })
    let (ids, before) = (state.queue.map(\.id), state.queue.map(\.request.range))
    _ = reduce(&state, .askedShuffle(true))
    #expect(state.seed != nil)
    let seed = state.seed
    // It is so already.
    #expect(reduce(&state, .askedShuffle(true)).isEmpty && state.seed == seed)
    let ayat = state.queue.map(\.request.range.first)
    #expect(ayat != ayat.sorted())
    _ = reduce(&state, .askedShuffle(false))
    #expect(state.seed == nil)
    #expect(state.queue[0].id == ids[0])
    #expect(state.queue.map(\.request.range) == before)
    // By range each stays what it was, and the panel leads back too.
    var other = Table.state((1...6).map { Table.entry($0, "\(90 + $0)") })
    _ = other.press("S", "down", "enter")
    #expect(other.queue.map(\.id) != ids)
    _ = other.press("S", "down", "down", "down", "enter")
    #expect(other.queue.map(\.id) == ids)
  }

  @Test func partsOfAShuffleAreOneAgainInTheOldOrder() {
    var first = Table.entry(1, "113")
    first.request.rangeRepeat = .times(3)
    first.request.afterRepeat = .continueAyat(2)
    let queue = [first, Table.entry(2, "112"), Table.entry(3, "2:255-257")]
    var state = Table.state(queue)
    _ = reduce(&state, .playing(Table.now(state.queue[0], ayah: AyahReference("113:2")!)))
    _ = reduce(&state, .checked(first.id, missing: [ayahRange("113:4")], fillable: []))
    _ = state.press("S", "enter")
    // The next pass of the first is there too.
    #expect(state.queue.count == 11 + 5)
    // What is set and taken out meanwhile stays so.
    _ = state.press("R", "right", "esc")
    let gone = state.queue.first { $0.request.range == ayahRange("2:256") }?.id
    while state.chosenIndex.map({ state.queue[$0].id }) != gone { _ = state.press("down") }
    _ = state.press("x", "S", "down", "down", "down", "enter")
    #expect(
      state.queue.map(\.request.range)
        == ["113:1-5", "112:1-4", "2:255", "2:257", "2:255-257"].map { ayahRange($0) })
    // What is taken out of one pass comes again in the next.
    #expect(state.queue[4].request.firstPass == 2 && state.queue[4].request.lastPass == nil)
    #expect(state.queue[0].id == first.id && state.queue[0].title == first.title)
    #expect(state.queue[0].request.rangeRepeat == .times(3))
    #expect(state.queue[0].request.ayahRepeat == .times(2))
    #expect(state.queue[0].request.afterRepeat == .continueAyat(2))
    #expect(state.queue[0].missing == [ayahRange("113:4")])
    #expect(state.queue[1].title == queue[1].title && state.queue[1].request.afterRepeat == .stop)
  }

  @Test func anEndlessRangeIsShuffledAnewForEachPass() {
    func passes(seed: UInt64) -> [[AyahReference]] {
      var entry = Table.entry(1, "112-114")
      entry.request.rangeRepeat = .endless
      var state = Table.state([entry].shuffled(by: .ayah, seed: seed, firstNumber: 2))
      var heard: [AyahReference] = []
      repeat {
        heard.append(state.now!.ayah)
        #expect(state.now!.occurrence.pass == (heard.count + 14) / 15)
        #expect(state.queue.count <= 45 && state.ayahCount == 15)
        #expect(state.itemNumber! == ((heard.count - 1) % 15 + 1, count: 15))
      } while heard.count < 150 && state.hearNext()
      return stride(from: 0, to: heard.count, by: 15).map { Array(heard[$0..<$0 + 15]) }
    }
    let first = passes(seed: 5)
    #expect(first.count == 10 && Set(first).count == 10)
    for pass in first { #expect(pass.sorted() == Array(ayahRange("112-114"))) }
    #expect(passes(seed: 5) == first && passes(seed: 6) != first)
  }

  @Test func anotherProgramsLoopAndShuffleAreOfTheWholeRange() {
    var state = Table.state([Table.entry(1, "112")])
    var asked = state.queue[0].item
    asked.request.rangeRepeat = .endless
    _ = reduce(&state, .asked(asked))
    _ = state.hearNext()
    let effects = reduce(&state, .askedShuffle(true))
    #expect(
      effects.last { if case .setItems = $0 { true } else { false } } == .setItems(state.items))
    var heard = [AyahReference("112:1")!]
    repeat { heard.append(state.now!.ayah) } while heard.count < 40 && state.hearNext()
    for start in stride(from: 0, to: 40, by: 4) {
      #expect(heard[start..<start + 4].sorted() == Array(ayahRange("112")))
    }
    _ = state.hearNext()
    // Asked for once, it ends after the pass that is heard.
    var once = state.queue[state.currentIndex!].item
    once.request.rangeRepeat = .once
    _ = reduce(&state, .asked(once))
    var left = 0
    while state.hearNext() { left += 1 }
    #expect(left == 3)
  }

  @Test func aShuffleAfterARestoreMixesEachPassForItself() {
    var entry = Table.entry(1, "112")
    entry.request.rangeRepeat = .times(3)
    var state = Table.state([entry])
    _ = state.press("S", "enter")
    for _ in 0..<5 { _ = state.hearNext() }
    _ = state.press("S", "down", "down", "down", "enter")
    _ = state.press("S", "enter")
    var passes: [Int] = []
    var heard: [AyahReference] = []
    while state.hearNext() {
      passes.append(state.now!.occurrence.pass)
      heard.append(state.now!.ayah)
    }
    #expect(passes == [2, 2, 3, 3, 3, 3])
    #expect(heard.suffix(4).sorted() == Array(ayahRange("112")))
  }

  @Test func aLoopSwitchedOffAfterARestoreEndsWithThePass() {
    var state = Table.state([Table.entry(1, "112")])
    func loop(_ count: RepeatCount) {
      var asked = state.queue[state.currentIndex!].item
      asked.request.rangeRepeat = count
      let before = state.items.map(\.id)
      let effects = reduce(&state, .asked(asked))
      #expect(effects.contains(.setItems(state.items)) == (state.items.map(\.id) != before))
    }
    loop(.endless)
    _ = reduce(&state, .askedShuffle(true))
    _ = state.hearNext()
    _ = reduce(&state, .askedShuffle(false))
    let looped = state.upcoming(12).map(\.occurrence.ayah)
    #expect(Array(looped.dropFirst(2).prefix(4)) == Array(ayahRange("112")))
    loop(.once)
    let left = state.upcoming(12).map(\.occurrence.ayah)
    #expect(left == Array(looped.prefix(2)))
    // On again, it is as before.
    loop(.endless)
    #expect(state.upcoming(12).map(\.occurrence.ayah) == looped)
  }

  @Test func theHeaderCountsThePassThatIsHeard() {
    var entry = Table.entry(1, "112-113")
    entry.request.rangeRepeat = .times(3)
    var state = Table.state([entry])
    _ = state.press("S", "enter")
    for _ in 0..<11 { _ = state.hearNext() }
    #expect(state.itemNumber! == (3, count: 9))
    _ = state.press("S", "enter")
    #expect(state.itemNumber! == (3, count: 9))
    _ = state.press("S", "enter")
    #expect(state.itemNumber! == (3, count: 9))
    // What was heard before can still be gone back to.
    #expect(state.queue.firstIndex { $0.id == state.now?.item } == 11)
    for _ in 0..<9 { _ = state.hearNext() }
    #expect(state.itemNumber! == (3, count: 9) && state.now?.occurrence.pass == 3)
    #expect(state.queue.count == 18)
  }

  /// What was heard of a pass before the order was restored and shuffled again is of no later pass.
  @Test(arguments: [(2, 1), (3, 5)])
  func aQueueThatIsRestoredAndShuffledAgainCountsThePassThatIsHeard(passes: Int, steps: Int) {
    var entry = Table.entry(1, "112")
    entry.request.rangeRepeat = .times(passes)
    var state = Table.state([entry])
    _ = state.press("S", "enter")
    for _ in 0..<steps { _ = state.hearNext() }
    _ = reduce(&state, .askedShuffle(false))
    _ = state.press("S", "enter")
    var heard = steps + 1
    while state.hearNext() {
      heard += 1
      #expect(state.itemNumber! == ((heard - 1) % 4 + 1, count: 4), "\(heard)")
    }
    #expect(heard == passes * 4)
  }

  @Test func aRestoredQueueIsCountedAsItIsListed() {
    var entry = Table.entry(1, "112-113")
    entry.request.rangeRepeat = .times(3)
    var state = Table.state([entry], rows: 50)
    _ = state.press("S", "enter")
    for _ in 0..<11 { _ = state.hearNext() }
    _ = state.press("S", "down", "down", "down", "enter")
    #expect(state.itemNumber! == (3, count: state.queue.count))
    let text = screen(state)
    #expect(text.contains("item 3 of \(state.queue.count)"))
    #expect(text.contains("112-113 Al-Ikhlas  pass 3") && !text.contains("×3"))
    // With more passes the row tells which.
    _ = reduce(&state, .asked(asked(.times(5), of: state)))
    #expect(screen(state).contains("passes 4-5"))
    _ = reduce(&state, .asked(asked(.endless, of: state)))
    #expect(screen(state).contains("passes 4-∞"))
  }

  private func asked(_ count: RepeatCount, of state: State) -> PlaybackItem {
    var item = state.queue[state.currentIndex!].item
    item.request.rangeRepeat = count
    return item
  }

  private func screen(_ state: State) -> String { view(state).snapshot }

  /// What is removed from one pass stays in the others, and does not come again in its own.
  @Test(arguments: ["S enter", "S down down down enter", "S down enter", "R down right esc"])
  func aRowThatIsRemovedIsOfItsPassAlone(_ keys: String) {
    for pass in 1...2 {
      var entry = Table.entry(1, "112")
      entry.request.rangeRepeat = .times(3)
      var single = Table.entry(2, "2:255")
      single.request.rangeRepeat = .times(3)
      var state = Table.state([entry, single])
      _ = state.press("S", "enter")
      var heard = [[AyahReference]](repeating: [], count: 6)
      heard[1].append(state.now!.ayah)
      let removed = state.queue.filter {
        $0.request.firstPass == pass && $0.id != state.now?.item
          && ["112:3", "112:4", "2:255"].contains($0.request.range.description)
      }
      for entry in removed {
        state.chosen = entry.id
        _ = state.press("x")
      }
      for key in keys.split(separator: " ") { _ = state.press("\(key)") }
      if keys.hasSuffix("down down down enter") { _ = state.press("S", "enter") }
      while state.hearNext() { heard[state.now!.occurrence.pass].append(state.now!.ayah) }
      let all = (Array(ayahRange("112")) + [AyahReference("2:255")!]).sorted()
      let gone = removed.map(\.request.range.first)
      #expect(gone.count >= 2)
      for other in 1...3 {
        #expect(heard[other].sorted() == all.filter { other != pass || !gone.contains($0) })
      }
    }
  }

  @Test func aPassWhoseRowsAreAllRemovedDoesNotComeAgain() {
    for count in [2, 3] {
      var entry = Table.entry(1, "112")
      entry.request.rangeRepeat = .times(count)
      var state = Table.state([entry].shuffled(by: .ayah, seed: 7, firstNumber: 2))
      for entry in state.queue where entry.request.firstPass == 2 {
        state.chosen = entry.id
        _ = state.press("x")
      }
      var passes = [1]
      while state.hearNext() { passes.append(state.now!.occurrence.pass) }
      #expect(passes == [1, 1, 1, 1] + (count == 3 ? [3, 3, 3, 3] : []))
    }
  }

  /// Whatever the order, each ayah is heard as often as its range is to be, but for what a person removes.
  @Test func noShuffleAddsOrLosesAPass() {
    for seed in 0..<(isThoroughRun ? 5000 : 100) {
      var random = SplitMix64(state: UInt64(seed))
      let texts = ["112", "113:2-4", "114:1-2", "2:255"]
      let queue = texts.enumerated().map { index, text in
        var entry = Table.entry(index + 1, text, source: "\(index / 2)")
        entry.request.rangeRepeat = .times(Int.random(in: 1...4, using: &random))
        return entry
      }
      var state = Table.state(queue)
      var passes: [AyahReference: [Int]] = [:]
      var removed: [AyahReference: Set<Int>] = [:]
      repeat {
        let now = state.now!
        passes[now.ayah, default: []].append(now.occurrence.pass)
        switch Int.random(in: 0..<7, using: &random) {
        case 2 where seed % 2 == 0:
          let rows = state.rest.filter { $0.request.firstPass == $0.request.lastPass }
          guard let row = rows.randomElement(using: &random) else { break }
          // A range of which no row is left is gone.
          guard state.rest.contains(where: { $0.rank == row.rank && $0.id != row.id }) else {
            break
          }
          state.chosen = row.id
          _ = state.press("x")
          for ayah in row.request.range { removed[ayah, default: []].insert(row.request.firstPass) }
        case 0: _ = reduce(&state, .askedShuffle(state.seed == nil))
        case 1 where state.restIsEmpty == nil: _ = state.press("S", "enter")
        default: break
        }
        #expect(Set(state.queue.map(\.id)).count == state.queue.count, "seed \(seed)")
        // A round has each ayah once at most.
        for (mix, round) in Dictionary(grouping: state.queue, by: \.mix) where mix != nil {
          let ayat = round.flatMap { Array($0.request.range) }
          #expect(Set(ayat).count == ayat.count, "seed \(seed)")
        }
      } while state.hearNext()
      for entry in queue {
        let times = entry.request.rangeRepeat.times!
        for ayah in entry.request.range {
          let due = (1...times).filter { !(removed[ayah]?.contains($0) ?? false) }
          #expect(passes[ayah, default: []].sorted() == due, "\(ayah), seed \(seed)")
        }
      }
    }
  }

  /// Against the plain rule: all ranges are heard once each pass, and another pass follows one whose count allows it
  /// once it is over, whatever the count was before and whatever the order is.
  @Test func noChangeOfTheCountAddsOrLosesAPass() {
    for seed in 0..<(isThoroughRun ? 5000 : 120) {
      var random = SplitMix64(state: UInt64(seed))
      let texts = seed % 2 == 0 ? ["112"] : ["112", "113:2-4", "2:255"]
      var state = Table.state(
        texts.enumerated().map { index, text in
          var entry = Table.entry(index + 1, text)
          entry.request.rangeRepeat = .times(1 + seed / 2 % 3)
          return entry
        }.shuffled(by: .ayah, seed: UInt64(seed), firstNumber: 10))
      let ayat = texts.flatMap { Array(ayahRange($0)) }.sorted()
      for pass in 1... {
        var heard: [AyahReference] = []
        for index in ayat.indices {
          if index > 0, !state.hearNext() { break }
          heard.append(state.now!.ayah)
          #expect(state.now!.occurrence.pass == pass, "seed \(seed)")
          _ = state.press("R", "down")
          for _ in 0..<Int.random(in: 0...4, using: &random) {
            // Seldom more than a few passes.
            let goesUp = Int.random(in: 0..<5, using: &random) < 2
            _ = state.press(goesUp ? "right" : "left")
          }
          _ = state.press("esc")
          // Ranges in their own order are not heard pass by pass.
          switch Int.random(in: 0..<9, using: &random) {
          case 0 where texts.count == 1: _ = reduce(&state, .askedShuffle(state.seed == nil))
          case 1 where state.seed != nil && state.restIsEmpty == nil: _ = state.press("S", "enter")
          default: break
          }
        }
        #expect(heard.sorted() == ayat, "pass \(pass), seed \(seed)")
        let goesOn = state.repeats!.range.allows(pass + 1)
        #expect(state.hearNext() == goesOn, "pass \(pass), seed \(seed)")
        guard goesOn, heard.count == ayat.count else { break }
      }
    }
  }

  @Test func thePassAfterTheLastComesInAShuffleOfARestoredOrder() {
    var entry = Table.entry(1, "112")
    entry.request.rangeRepeat = .times(2)
    var state = Table.state([entry])
    _ = state.press("S", "enter")
    for _ in 0..<3 { _ = state.hearNext() }
    _ = state.press("S", "down", "down", "down", "enter")
    _ = state.hearNext()
    #expect(state.now?.occurrence.pass == 2)
    _ = state.press("S", "enter")
    _ = state.press("R", "down", "right", "esc")
    var passes: [Int] = []
    while state.hearNext() { passes.append(state.now!.occurrence.pass) }
    #expect(passes == [2, 2, 2, 3, 3, 3, 3])
  }

  @Test func allRoundsOfAFileAreThereAtOnce() {
    var first = Table.entry(1, "112")
    first.request.rangeRepeat = .times(3)
    let queue = [first, Table.entry(2, "113:1")].shuffled(by: .ayah, seed: 9, firstNumber: 3)
    let all = queue.withAllRounds()
    #expect(all.count == 5 + 4 + 4)
    #expect(Array(all.prefix(5)) == queue)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(all.dropFirst(5).map(\.request.firstPass) == [2, 2, 2, 2, 3, 3, 3, 3])
  }

  @Test func aListIsShuffledAnewByItself() {
    var entry = Table.entry(1, "112")
    entry.request.rangeRepeat = .times(2)
    let list = [entry].shuffled(by: .ayah, seed: 3, firstNumber: 2)
    // The same list twice, as one names it.
    let twice = list.numbered(from: 1) + list.numbered(from: 5)
    #expect(Set(twice.map(\.mix?.number)).count == 2)
    let all = twice.withAllRounds()
    #expect(
      all.map(\.request.firstPass) == [1, 2, 1, 2].flatMap { Array(repeating: $0, count: 4) })
  }

  @Test func aListThatIsShuffledShowsItsSeedAndItsOrderCanBeRestored() {
    func list() -> [QueueEntry] {
      [Table.entry(1, "112")].shuffled(by: .ayah, seed: 7, firstNumber: 2)
    }
    var state = Table.state()
    _ = reduce(&state, .foundList(list(), named: "mixed", seed: 7))
    #expect(state.seed == 7 && view(state).snapshot.contains("seed 7"))
    #expect(state.notice?.text.contains("seed 7") == true)
    // The next shuffle has another seed, and the order that was written comes back.
    _ = state.press("S", "enter")
    #expect(state.seed == 8)
    _ = state.press("S", "down", "down", "down", "enter")
    #expect(state.seed == nil && state.notice?.text.contains("restored") == true)
    state = Table.state()
    _ = reduce(&state, .found(list(), next: false, seed: 7))
    #expect(state.seed == 7 && state.notice?.text.contains("seed 7") == true)
    // Among what is shuffled already, the seed of the whole stays.
    state = Table.state()
    _ = state.press("S", "enter")
    let seed = state.seed
    _ = reduce(&state, .found(list(), next: false, seed: 70))
    #expect(state.seed == seed && state.notice?.text.contains("seed 70") == true)
  }

  @Test func ayatThatAreShuffledAreNotPractisedInOrder() {
    var state = Table.state()
    _ = state.press("S", "enter")
    #expect(state.press("R", "down", "down", "right").isEmpty)
    #expect(state.repeats?.practice == .plain)
    #expect(state.notice?.text == "Stepping and cumulative need ayat in order; S restores it")
    // Nor is a list with ayat in any order added to what is practised.
    state = Table.state()
    #expect(state.press("R", "down", "down", "right", "esc") == [.setPractice(.stepping)])
    let list = [Table.entry(1, "112")].shuffled(by: .ayah, seed: 7, firstNumber: 2)
    let count = state.queue.count
    #expect(reduce(&state, .found(list, next: false, seed: 7)).isEmpty)
    #expect(state.queue.count == count)
    #expect(state.notice?.text == "Stepping and cumulative need ayat in order; R changes that")
  }

  @Test func whatIsLeftOfADividedItemIsShown() {
    var state = Table.state([Table.entry(1, "112:3-112:4")])
    _ = state.press("S", "enter")
    let rows = view(state).textRows
    #expect(rows.contains { $0.contains("▶ 112:3-4 Al-Ikhlas  112:3") }, "\(rows)")
  }

  @Test func upcomingGoesThroughRepetitionsAndIntoTheNextItem() {
    var entry = Table.entry(1, "112:3-112:4")
    entry.request.ayahRepeat = .times(2)
    var state = Table.state([entry, Table.entry(2, "113")])
    _ = reduce(&state, .playing(Table.now(entry)))
    let next = state.upcoming(5).map { "\($0.occurrence.ayah)×\($0.occurrence.repetition)" }
    #expect(next == ["112:3×2", "112:4×1", "112:4×2", "113:1×1", "113:2×1"])
    // Silence is not repeated.
    _ = reduce(&state, .checked(entry.id, missing: [ayahRange("112:4")], fillable: []))
    #expect(state.upcoming(3).map(\.occurrence.repetition) == [2, 1, 1])
  }

  @Test func whatDidNotComeIsLookedUpAnew() {
    var state = Table.state([Table.entry(1, "112"), Table.entry(2, "113")])
    let missed = Event.missed(ayahRange("112:2").first)
    state.queue[0].missing = nil
    #expect(reduce(&state, missed).isEmpty, "nobody has looked yet")
    for entry in state.queue {
      _ = reduce(&state, .checked(entry.id, missing: [], fillable: []))
    }
    #expect(reduce(&state, missed) == [.check(state.queue[0].item)])
    _ = reduce(
      &state, .checked(state.queue[0].id, missing: [ayahRange("112:2")], fillable: []))
    #expect(reduce(&state, missed).isEmpty)
  }

  @Test func whatIsBeingFetchedIsShownWhileNothingIsHeard() {
    let entry = Table.entry(1, "112:1")
    var state = Table.state([entry])
    func shows(_ playback: PlaybackState, hasClip: Bool = false) -> Bool {
      var now = Table.now(entry)
      now.state = playback
      if !hasClip { now.clip = nil }
      _ = reduce(&state, .playing(now))
      return view(state).textRows.contains { $0.contains("fetching Net 112:1") }
    }
    #expect(!shows(.active(.loading)))
    _ = reduce(&state, .fetching("Net 112:1"))
    let failure = PlaybackFailure.nothingAvailable(entry.request.range, reason: nil)
    #expect(shows(.active(.loading)) && shows(.paused(.loading)) && shows(.failed(failure)))
    #expect(!shows(.active(.playing), hasClip: true) && !shows(.paused(.playing), hasClip: true))
    // The silence in place of a missing ayah has its reason.
    #expect(!shows(.active(.awaitingNextAyah)))
  }

  @Test func whatCameAndIsHeardIsMissingNoMore() {
    let entry = Table.entry(1, "112:3-112:4")
    var state = Table.state([entry])
    _ = reduce(&state, .checked(entry.id, missing: [ayahRange("112:3-112:4")], fillable: []))
    var now = Table.now(entry)
    now.clip = nil
    _ = reduce(&state, .playing(now))
    #expect(state.queue[0].missing == [ayahRange("112:3-112:4")])
    now.clip = Table.now(entry).clip
    // The rest may have come with it.
    #expect(reduce(&state, .playing(now)).contains(.check(entry.item)))
    #expect(state.queue[0].missing == [ayahRange("112:4")])
    #expect(!reduce(&state, .playing(now)).contains(.check(entry.item)))
  }
}

extension State {
  /// Goes on to what is heard next; false at the end.
  fileprivate mutating func hearNext() -> Bool {
    guard let (entry, occurrence) = upcoming(1).first else { return false }
    _ = reduce(&self, .playing(NowPlaying(occurrence, of: entry.id, .active(.playing))))
    return true
  }
}
