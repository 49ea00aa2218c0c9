// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Playback
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Listening

@Suite struct MemorySchedulerTests {
  private struct Case: Decodable {
    let retention: Double
    let reviews: [Review]

    struct Review: Decodable {
      let wait: Int
      let grade: Int
      let phase: String
      let step: Int
      let stability: Double
      let difficulty: Double
      let due: Int

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        wait = try values.decode(Int.self)
        grade = try values.decode(Int.self)
        phase = try values.decode(String.self)
        step = try values.decode(Int.self)
        stability = try values.decode(Double.self)
        difficulty = try values.decode(Double.self)
        due = try values.decode(Int.self)
      }
    }
  }

  /// `Scripts/make-fsrs-cases.py` writes them.
  @Test func makesOfGradesWhatThePublishedSchedulerDoes() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "fsrs-cases.json")
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    #expect(cases.count == 60)
    for (number, known) in cases.enumerated() {
      let scheduler = MemoryScheduler(retention: known.retention)
      var memory: Memory?
      var time = 1_767_254_400
      for review in known.reviews {
        time += review.wait
        let new = scheduler.memory(
          after: try #require(RecallGrade(rawValue: review.grade)), at: time, memory)
        memory = new
        let phase: Memory.Phase =
          switch review.phase {
          case "learning": .learning(step: review.step)
          case "relearning": .relearning(step: review.step)
          default: .known
          }
        #expect(new.phase == phase, "case \(number)")
        #expect(abs(new.stability - review.stability) < 1e-6 * max(1, review.stability))
        #expect(abs(new.difficulty - review.difficulty) < 1e-6)
        #expect(new.due - time == review.due, "case \(number)")
      }
    }
  }

  @Test func theChanceFallsFromCertainToTheRetentionOnTheDayItIsDue() throws {
    let scheduler = MemoryScheduler(retention: 0.85)
    let memory = scheduler.memory(after: .easy, at: 0, nil)
    #expect(scheduler.chance(memory, at: 0) == 1)
    let chances = (0...40).map { scheduler.chance(memory, at: $0 * 86_400) }
    #expect(zip(chances, chances.dropFirst()).allSatisfy { $0 > $1 })
    #expect(abs(scheduler.chance(memory, at: memory.due) - 0.85) < 0.01)
    // Nobody wants to know half of it, or all for certain.
    #expect(MemoryScheduler(retention: 0).retention == 0.7)
    #expect(MemoryScheduler(retention: .infinity).retention == 0.97)
  }
}

@Suite struct RecallUnitTests {
  @Test func unitsCoverTheirRangeAndNeverCrossSurahs() {
    for (text, length) in [("78:1-40", 5), ("77:48-79:3", 7), ("108-114", 1), ("2:280-286", 286)] {
      let range = ayahRange(text)
      let units = RecallUnit.divided(range, by: length)
      #expect(units.flatMap { Array($0) } == Array(range))
      #expect(units.allSatisfy { $0.first.surah == $0.last.surah && $0.count <= length })
    }
    let pages = RecallUnit.divided(ayahRange("67"), by: nil)
    #expect(pages.flatMap { Array($0) } == Array(ayahRange("67")))
    #expect(pages.allSatisfy { $0.first.page == $0.last.page } && pages.count == 3)
  }

  @Test func joinsAreWhereUnitsMeetWithinASurah() {
    let units = RecallUnit.divided(ayahRange("112-113"), by: 2)
    #expect(
      RecallUnit.joins(between: units.reversed()) == [
        ayahRange("112:2-3"), ayahRange("113:2-3"), ayahRange("113:4-5"),
      ])
    #expect(RecallUnit.joins(between: [ayahRange("2:1-5"), ayahRange("2:7-9")]).isEmpty)
  }

  private static func unit(_ text: String, isJoin: Bool = false, due: Int? = nil) -> RecallUnit {
    var unit = RecallUnit(ayahRange(text), isJoin: isJoin)
    unit.memory = due.map {
      Memory(phase: .known, stability: 3, difficulty: 5, due: $0, last: $0 - 86_400)
    }
    return unit
  }

  @Test func theLongestOverdueComeFirstThenNewOnesUpToTheLimits() {
    let units = [
      Self.unit("78:1-5", due: 900), Self.unit("78:6-10", due: 300), Self.unit("78:11-15"),
      Self.unit("78:16-20"), Self.unit("78:21-25", due: 5000),
      Self.unit("78:5-6", isJoin: true), Self.unit("78:10-11", isJoin: true),
    ]
    func due(_ limits: RecallLimits, all: Int = 0, new: Int = 0) -> [String] {
      units.due(in: 0..<1000, limits, done: (all, new)).map { $0.name }
    }
    // A join is asked for once both its sides are known.
    #expect(due(RecallLimits(new: 2)) == ["78:6-10", "78:1-5", "78:5 | 78:6", "78:11-15"])
    #expect(due(RecallLimits(new: 2), new: 1) == ["78:6-10", "78:1-5", "78:5 | 78:6"])
    #expect(due(RecallLimits(new: 2, all: 3), all: 1) == ["78:6-10", "78:1-5"])
    #expect(due(RecallLimits(), all: 99).isEmpty)
  }

  @Test func theMinutesOfADayAreThoseBetweenTheGradesOfASitting() {
    let limits = RecallLimits(minutes: 10)
    #expect(RecallLimits().secondsLeft(after: [1, 2]) == nil)
    #expect(limits.secondsLeft(after: []) == 600)
    // Two sittings of a minute and of two.
    #expect(limits.secondsLeft(after: [90_120, 60, 0, 90_000]) == 600 - 60 - 120)
    #expect(limits.secondsLeft(after: Array(stride(from: 0, through: 1800, by: 300))) == 0)
  }

  @Test func lapsesAreOnlyOfWhatWasKnown() {
    let scheduler = MemoryScheduler()
    let unit = RecallUnit(
      ayahRange("112"), isJoin: false,
      grades: [(.again, 0), (.easy, 60), (.again, 900_000), (.again, 901_000), (.good, 902_000)],
      scheduler)
    #expect(unit.reviews == 5 && unit.lapses == 1 && unit.memory?.phase == .known)
    #expect(scheduler.memory(after: [(.good, 0), (.good, 600)]) != nil)
  }
}

@Suite struct RecallTests {
  private static func state(_ columns: Int = 80, _ rows: Int = 24) -> RecallState {
    var join = RecallUnit(ayahRange("67:5-6"), isJoin: true)
    join.take(.easy, at: 0, MemoryScheduler())
    var state = RecallState(
      size: Size(columns: columns, rows: rows),
      units: [RecallUnit(ayahRange("67:1-5"), isJoin: false), join],
      template: PlaybackRequest(AyahRange(.first)), scheduler: MemoryScheduler(),
      cueMilliseconds: 1500)
    state.text = Table.text
    return state
  }

  private static func cue(_ text: String, whole: Bool = false) -> RecallEffect {
    var request = PlaybackRequest(ayahRange(text))
    if !whole { request.excerpt = .opening(milliseconds: 1500) }
    return .play(request)
  }

  private static func now(_ text: String, _ state: PlaybackState) -> NowPlaying {
    Table.now(Table.entry(0, text), state)
  }

  @Test func everyActionIsDescribedOnceAndItsKeysWork() throws {
    #expect(Set(RecallAction.table.map(\.action)) == Set(RecallAction.allCases))
    #expect(RecallAction.table.count == RecallAction.allCases.count)
    #expect(RecallKeymap.usual.problems.isEmpty)
    for row in RecallAction.table {
      for name in row.keys {
        let key = try #require(KeyEvent(named: name))
        #expect(RecallKeymap.usual.action(for: key, in: .recall) == row.action)
      }
    }
  }

  @Test func theCueIsHeardThenThePersonRecitesThenAllIsHeard() {
    var state = Self.state()
    #expect(reduce(&state, .begin(at: 1000)) == [Self.cue("67:1")])
    #expect(state.step == .cue)
    _ = reduce(&state, .playing(Self.now("67:1", .active(.playing))))
    #expect(state.step == .cue)
    _ = reduce(&state, .playing(Self.now("67:1", .idle(.finished))))
    #expect(state.step == .reciting)
    #expect(state.press("enter") == [.play(PlaybackRequest(ayahRange("67:1-5")))])
    #expect(state.step == .listening)
    #expect(state.press("c") == [Self.cue("67:1")])
  }

  @Test(arguments: [(80, 24), (200, 50), (60, 16)])
  func theMouseDoesWhatStandsUnderIt(columns: Int, rows: Int) {
    var state = Self.state(columns, rows)
    _ = reduce(&state, .begin(at: 1000))
    func click(_ column: Int, _ row: Int) -> [RecallEffect] {
      let place = Point(column: column, row: row)
      _ = reduce(&state, .input(.mouse(MouseEvent(.drag(.left), at: place)), at: 1000))
      return reduce(&state, .input(.mouse(MouseEvent(.press(.left), at: place)), at: 1000))
    }
    func place(of text: String) -> (Int, Int)? {
      for (row, line) in view(state).textRows.enumerated() {
        if let range = line.range(of: text) {
          return (line.distance(from: line.startIndex, to: range.lowerBound), row)
        }
      }
      return nil
    }
    guard let listen = place(of: "enter listen"), let quit = place(of: "q quit"),
      let good = place(of: "good"), let again = place(of: "1 again"), let easy = place(of: "easy")
    else { return #expect(Bool(false), "\(view(state).textRows)") }
    #expect(click(listen.0, listen.1) == [.play(PlaybackRequest(ayahRange("67:1-5")))])
    #expect(click(quit.0, quit.1) == [.quit])
    #expect(click(0, 0).isEmpty && click(columns - 1, good.1).isEmpty)
    // Each tells when the unit would come again.
    let grades = view(state).textRows[again.1...easy.1].joined()
    for name in RecallGrade.allCases.map(\.name) {
      #expect(grades.contains(try! Regex("\(name) [0-9]+ (min|h|d|months)")), "\(grades)")
    }
    #expect(
      click(good.0, good.1)
        == [.keep(ayahRange("67:1-5"), .good, at: 1000), Self.cue("67:5", whole: true)])
  }

  @Test(arguments: [(80, 24, 1), (60, 16, 2)])
  func allKeysAreShownPageByPage(columns: Int, rows: Int, pages: Int) {
    var state = Self.state(columns, rows)
    _ = reduce(&state, .begin(at: 1000))
    let summaries = RecallAction.allCases.map { String($0.summary.prefix(30)) }
    var shown: [String] = []
    for page in 1...pages {
      _ = state.press(page == 1 ? "?" : "x", at: 1001)
      let text = view(state).snapshot
      #expect(text.contains(" more: any key") == (page < pages))
      // A narrow terminal cuts the longest.
      shown += summaries.filter { text.contains($0) }
    }
    #expect(shown.sorted() == summaries.sorted())
    _ = state.press("x", at: 1002)
    #expect(state.help == nil)
  }

  @Test func gradesGoToTheDiskAndOnToTheNextAndComeBackWhenForgotten() {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    // A join is led into by all of the ayah before.
    #expect(
      state.press("1", at: 1000)
        == [.keep(ayahRange("67:1-5"), .again, at: 1000), Self.cue("67:5", whole: true)])
    #expect(state.units.map(\.name) == ["67:5 | 67:6", "67:1-5"])
    #expect(
      state.press("3", at: 86_400 * 9).first == .keep(ayahRange("67:5-6"), .good, at: 777_600))
    #expect(state.units.map(\.name) == ["67:1-5"])
    _ = state.press("4", at: 777_700)
    #expect(state.step == .done && state.units.isEmpty)
    #expect(state.count(of: .again) == 1 && state.count(of: .easy) == 1)
  }

  @Test func aGradeIsTakenBackOnceItIsOnTheDisk() {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    #expect(state.press("u").isEmpty)
    _ = state.press("1")
    #expect(state.press("u").isEmpty && state.notice?.text.contains("Still") ?? false)
    _ = reduce(&state, .kept(ayahRange("67:1-5"), id: "a"))
    // It was given until it is gone from there.
    #expect(state.press("u") == [.forget(id: "a")] && state.graded.count == 1)
    #expect(reduce(&state, .forgotten(id: "a")) == [Self.cue("67:1")])
    #expect(state.units == Self.state().units && state.graded.isEmpty)
    #expect(state.notice?.text.hasPrefix("Grade undone: ") == true)
  }

  @Test func noUnitIsBegunOnceTheTimeIsOver() {
    let limited = Self.state()
    var state = RecallState(
      size: limited.size, units: limited.units, template: limited.template,
      scheduler: limited.scheduler, cueMilliseconds: 1500, secondsLeft: 60)
    _ = reduce(&state, .begin(at: 1000))
    let unit = state.units[0].range
    // What was begun is recited to its end.
    #expect(state.press("4", at: 1070).last == .stop)
    #expect(state.step == .done && state.units.isEmpty)
    #expect(view(state).snapshot.contains("The time for today is over. 1 unit is left."))
    // A grade that is taken back brings everything back.
    _ = reduce(&state, .kept(unit, id: "a"))
    _ = state.press("u", at: 1080)
    _ = reduce(&state, .forgotten(id: "a"))
    #expect(state.units.map(\.range) == limited.units.map(\.range) && state.step == .cue)
  }

  @Test func aGradeThatCouldNotBeKeptWasNotGiven() {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    _ = state.press("1")
    _ = reduce(&state, .notKept(ayahRange("67:1-5"), reason: "the disk is full"))
    #expect(state.units == Self.state().units && state.graded.isEmpty)
    #expect(state.notice?.text.contains("the disk is full") ?? false)
  }

  @Test func whatCannotBeHeardCanBeRecited() {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    _ = reduce(&state, .told(Notice(.failure, "no recording of it")))
    #expect(state.step == .reciting)
    _ = state.press("n")
    #expect(state.units.map(\.name) == ["67:5 | 67:6", "67:1-5"] && state.step == .cue)
  }

  @Test func aPauseIsSeen() {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    func rows() -> [String] {
      let surface = view(state)
      return (0..<state.size.rows).map { surface.row($0).map(\.text).joined() }
    }
    _ = reduce(&state, .playing(Self.now("67:1", .active(.playing))))
    #expect(rows().contains { $0.contains("▶ listen") } && rows()[23].contains("space pause"))
    _ = reduce(&state, .playing(Self.now("67:1", .paused(.playing))))
    #expect(rows().contains { $0.contains("‖ listen") } && rows()[23].contains("space play"))
    // Why it is paused is said until it goes on.
    _ = reduce(&state, .told(Notice(.warning, "the headphones were unplugged", isOfPause: true)))
    var paused = Self.now("67:1", .paused(.playing))
    for wait in [DeviceWait.staysPaused, .goesOn] {
      paused.deviceWait = wait
      _ = reduce(&state, .playing(paused))
      #expect(rows().contains { $0.contains("‖ \(wait.text)") } && state.notice != nil)
    }
    _ = reduce(&state, .playing(Self.now("67:1", .active(.playing))))
    #expect(state.notice == nil)
  }

  @Test func screens() throws {
    var state = Self.state()
    _ = reduce(&state, .begin(at: 1000))
    try expectSnapshot(view(state), "recall-cue")
    _ = state.press("s")
    _ = reduce(&state, .playing(Self.now("67:1", .idle(.finished))))
    try expectSnapshot(view(state), "recall-reciting")
    _ = state.press("enter")
    _ = reduce(&state, .playing(Self.now("67:1", .active(.playing))))
    try expectSnapshot(view(state), "recall-listening")
    _ = state.press("4", "4")
    try expectSnapshot(view(state), "recall-done")
  }

  /// Whatever comes, nothing traps, and no unit is there twice.
  @Test func anythingCanBePressedAtAnyTime() {
    for seed in 0..<20 {
      var random = SplitMix64(state: UInt64(seed))
      var state = Self.state(Int.random(in: 0...120, using: &random), 8 + seed)
      _ = reduce(&state, .begin(at: 0))
      var waiting: [AyahRange] = []
      for time in 0..<300 {
        let key = RecallAction.table.randomElement(using: &random)!.keys[0]
        for effect in state.press(key, at: time * 100) {
          if case .keep(let range, _, _) = effect { waiting.append(range) }
          if case .forget(let id) = effect, Bool.random(using: &random) {
            _ = reduce(&state, .forgotten(id: id))
          }
        }
        if let range = waiting.first, Bool.random(using: &random) {
          waiting.removeFirst()
          let isKept = Bool.random(using: &random)
          _ = reduce(
            &state, isKept ? .kept(range, id: "\(time)") : .notKept(range, reason: "full"))
        }
        #expect(Set(state.units.map(\.id)).count == state.units.count)
        _ = view(state)
      }
    }
  }

  @Test func theTableOfKeysIsItsOwn() throws {
    try expectKeys(RecallKeymap.usual.markdown, in: "hifz.md")
  }
}

extension RecallState {
  mutating func press(_ keys: String..., at time: Int = 1000) -> [RecallEffect] {
    keys.flatMap { name in
      reduce(&self, .input(.key(KeyEvent(named: name)!), at: time))
    }
  }
}
