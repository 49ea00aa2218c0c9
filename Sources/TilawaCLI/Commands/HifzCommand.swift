// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange
import Foundation
import Library
import Listening
import Quran
import TerminalUI

/// `hifz`
struct HifzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hifz", abstract: "Memorise ayat and review them on a schedule.",
    discussion: """
      'hifz add' divides ayat into units. 'hifz review' plays the beginning of each due unit, waits while you recite \
      it, plays the unit, and asks for a grade. The grade decides when the unit is due again (FSRS-6). Once two \
      neighbouring units are known, the last ayah of the first and the first ayah of the second become a unit too.

      EXAMPLES:
        tilawa-annotate hifz add 78:1-40 --by 5
        tilawa-annotate hifz review --reciter Minshawi
        tilawa-annotate hifz list
        tilawa-annotate hifz grade 78:1-5 good
      """,
    subcommands: [
      List.self, Add.self, Review.self, Grade.self, Remove.self, Export.self, Import.self,
    ],
    defaultSubcommand: List.self)

  /// Ayat of one unit, or of several.
  struct Ranges: ParsableArguments {
    @Argument(help: "Ayat: 78:1-40, 67, 'juz 30', 'page 5'.")
    var ranges: [String]

    func parsed() throws(Failure) -> [AyahRange] {
      try ranges.map { text throws(Failure) in try HifzCommand.range(text) }
    }
  }

  /// The units that lie within ranges. Throws where there are none.
  static func units(among known: [HifzUnit], in ranges: [AyahRange]) throws(Failure) -> [HifzUnit] {
    let units = known.filter { unit in
      ranges.contains { $0.first <= unit.range.first && unit.range.last <= $0.last }
    }
    guard !units.isEmpty else {
      throw Failure(
        code: "usage",
        message: "no unit lies within \(PlainText.ranges(ranges)); 'hifz list' shows all units")
    }
    return units
  }

  /// Ayat as people name them, or a unit as 'hifz list' does.
  static func range(_ text: String) throws(Failure) -> AyahRange {
    do throws(QuranError) {
      if let join = RecallUnit.join(named: text) { return join }
      return try AyahRange(parsing: text)
    } catch {
      throw Failure(code: "usage", message: "\(error)")
    }
  }

  /// What the settings say of it.
  struct Rules {
    let scheduler: MemoryScheduler
    let limits: RecallLimits
    let cueMilliseconds: Int

    init(_ configuration: Configuration) {
      scheduler = MemoryScheduler(
        retention: configuration.value("hifz.retention").flatMap(Double.init) ?? 0.9)
      let usual = RecallLimits()
      limits = RecallLimits(
        new: configuration.value("hifz.new").flatMap { Int($0) } ?? usual.new,
        all: configuration.value("hifz.reviews").flatMap { Int($0) } ?? usual.all,
        minutes: configuration.value("hifz.minutes").flatMap { Int($0) })
      let cue = configuration.value("hifz.cue").flatMap(DurationArgument.init)?.seconds ?? 1.5
      cueMilliseconds = max(Int((cue * 1000).rounded()), 100)
    }
  }
}

extension RecallUnit {
  /// One of the library's, with what its grades say.
  init(_ unit: HifzUnit, _ scheduler: MemoryScheduler) {
    let grades = unit.reviews.compactMap { review in
      RecallGrade(rawValue: review.grade).map {
        (grade: $0, at: Int(review.at.timeIntervalSince1970))
      }
    }
    self.init(unit.range, isJoin: unit.isJoin, grades: grades, scheduler)
  }
}

extension HifzCommand {
  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add ayat to memorise.")

    @OptionGroup
    var ranges: Ranges

    @Option(help: "Number of ayat in a unit, or page for the pages of the Madinah mushaf.")
    var by = UnitLength.ayat(5)

    @Flag(help: "Do not add units for the places where two units meet.")
    var noJoins = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let units = try ranges.parsed().flatMap { RecallUnit.divided($0, by: by.ayat) }
      let known = try library.hifzUnits().filter { !$0.isJoin }.map(\.range)
      for unit in units where !known.contains(unit) {
        if let other = known.first(where: { $0.first <= unit.last && unit.first <= $0.last }) {
          throw Failure(
            code: "usage",
            message:
              "\(unit) overlaps with \(other), which was added before; 'hifz remove \(other)' removes it"
          )
        }
      }
      let count = try library.addHifz(units.map { HifzUnit($0) })
      var joins = 0
      if !noJoins {
        // Of others nobody may want any.
        let own = RecallUnit.joins(between: Array(Set(known + units))).filter { join in
          units.contains { $0.last == join.first || $0.first == join.last }
        }
        joins = try library.addHifz(own.map { HifzUnit($0, isJoin: true) })
      }
      StandardStreams.say(
        "added \(PlainText.count(count, "unit"))"
          + (joins > 0 ? " and \(PlainText.count(joins, "place")) where two meet" : "")
          + (count < units.count ? "; the others were added before" : ""))
    }
  }

  enum UnitLength: ExpressibleByArgument {
    case ayat(Int)
    case page

    /// Nil for pages.
    var ayat: Int? { if case .ayat(let count) = self { count } else { nil } }

    init?(argument: String) {
      if argument == "page" {
        self = .page
      } else if let count = Int(argument), (1...286).contains(count) {
        self = .ayat(count)
      } else {
        return nil
      }
    }

    var defaultValueDescription: String { ayat.map(String.init) ?? "page" }
  }

  struct Remove: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract:
        "Remove the units in ranges; their grades are kept in case you add them again.")

    @OptionGroup
    var ranges: Ranges

    @Flag(help: "Delete their grades too.")
    var forget = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let units = try library.hifzUnits()
      let removed = try HifzCommand.units(
        among: units.filter { !$0.isJoin }, in: ranges.parsed()
      ).map(\.range)
      // A join is no more when one of its sides is gone.
      let joins = units.filter { unit in
        unit.isJoin
          && removed.contains { $0.contains(unit.range.first) || $0.contains(unit.range.last) }
      }.map(\.range)
      try library.removeHifz(removed + joins, forgetting: forget)
      StandardStreams.say("removed \(PlainText.count(removed.count, "unit"))")
    }
  }

  struct List: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List all units, how well you know each, and when it is due.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let rules = Rules(try Configuration())
      let known = try library.hifzUnits()
      let units = known.map { RecallUnit($0, rules.scheduler) }
      let now = Int(Date().timeIntervalSince1970)
      guard format == .table else {
        return try format.write(units.map { json($0, rules.scheduler, at: now) })
      }
      guard !units.isEmpty else {
        return StandardStreams.say(
          "there are no units yet; add some, such as 'hifz add 78:1-40 --by 5'")
      }
      var table = TextTable(columns: [
        .init("ayat", isFlexible: true), .init("due"), .init("known", alignment: .right),
        .init("recited", alignment: .right), .init("forgotten", alignment: .right),
      ])
      for unit in units {
        table.rows.append(
          [
            unit.name, due(unit, at: now),
            unit.memory.map { percent(rules.scheduler.chance($0, at: now)) } ?? "",
            "\(unit.reviews)", "\(unit.lapses)",
          ].map { TerminalText($0) })
      }
      try PlainText.show(table)
      let today = Today(of: known, rules)
      try PlainText.show("")
      try PlainText.show(
        "\(PlainText.count(today.units.count, "unit")) to recite today: 'hifz review'"
          + (today.waitingText.map { "; \($0): \(Today.limits)" } ?? ""))
    }

    private func percent(_ chance: Double) -> String { "\(Int((chance * 100).rounded()))%" }

    private func due(_ unit: RecallUnit, at now: Int) -> String {
      guard let memory = unit.memory else { return "new" }
      return memory.due <= now ? "now" : "in " + waitText(memory.due - now)
    }

    private func json(
      _ unit: RecallUnit, _ scheduler: MemoryScheduler, at now: Int
    ) -> JSONValue {
      func number(_ value: Double) -> JSONValue { .number("\((value * 1000).rounded() / 1000)") }
      let memory = unit.memory
      return .object([
        .init("schema", .string("tilawa.hifz-list/1")),
        .init("first", .string(unit.range.first.description)),
        .init("last", .string(unit.range.last.description)),
        .init("join", .bool(unit.isJoin)), .init("reviews", .integer(unit.reviews)),
        .init("lapses", .integer(unit.lapses)),
        .init("due", memory.map { .integer($0.due) } ?? .null),
        .init("stability_days", memory.map { number($0.stability) } ?? .null),
        .init("difficulty", memory.map { number($0.difficulty) } ?? .null),
        .init("chance", memory.map { number(scheduler.chance($0, at: now)) } ?? .null),
      ])
    }
  }
}

/// What is to be recited today.
struct Today {
  let units: [RecallUnit]
  /// Of the minutes that the settings allow; nil where they allow any number.
  let secondsLeft: Int?
  /// What could be recited besides if the settings had no limits: what is due, and what is new.
  let waiting: (due: Int, new: Int)

  /// The settings that limit a day.
  static let limits = "hifz.new, hifz.reviews and hifz.minutes limit a day"

  /// `2 due units and 3 new units wait`; nil where none does.
  var waitingText: String? {
    let due = waiting.due > 0 ? "\(PlainText.count(waiting.due, "due unit"))" : nil
    let new = waiting.new > 0 ? "\(PlainText.count(waiting.new, "new unit"))" : nil
    let parts = [due, new].compactMap { $0 }
    guard !parts.isEmpty else { return nil }
    let isOne = waiting.due + waiting.new == 1
    return parts.joined(separator: " and ") + (isOne ? " waits" : " wait")
  }

  init(of known: [HifzUnit], _ rules: HifzCommand.Rules) {
    let calendar = Calendar.current
    let start = calendar.startOfDay(for: Date())
    let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start
    let day = Int(start.timeIntervalSince1970)..<Int(end.timeIntervalSince1970)
    var done = (all: 0, new: 0)
    var times: [Int] = []
    for unit in known {
      let today = unit.reviews.map { Int($0.at.timeIntervalSince1970) }.filter(day.contains)
      times += today
      done.all += today.isEmpty ? 0 : 1
      done.new += !today.isEmpty && today.count == unit.reviews.count ? 1 : 0
    }
    secondsLeft = rules.limits.secondsLeft(after: times)
    let all = known.map { RecallUnit($0, rules.scheduler) }
    let units = secondsLeft == 0 ? [] : all.due(in: day, rules.limits, done: done)
    self.units = units
    let left = all.waiting(in: day)
    let newCount = units.count { $0.memory == nil }
    waiting = (left.due.count - (units.count - newCount), left.new.count - newCount)
  }
}
