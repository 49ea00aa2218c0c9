// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Decoding
import Exchange
import Foundation
import Library
import Listening
import Playback
import Quran
import TerminalDriver
import TerminalUI

/// `hifz`
struct HifzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hifz", abstract: "Learn by heart, and keep it: what to recite today.",
    discussion: """
      'hifz add' divides ayat into units. 'hifz review' has you hear how each one begins that is due, waits while you \
      recite it, plays it, and takes your grade, from which the day follows on which it is due again (FSRS-6). Where \
      two units meet, the last ayah of one and the first of the next are a unit of their own, once both are known.

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
      try ranges.map { text throws(Failure) in
        do throws(QuranError) {
          return try AyahRange(parsing: text)
        } catch {
          throw Failure(code: "usage", message: "\(error)")
        }
      }
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
        all: configuration.value("hifz.reviews").flatMap { Int($0) } ?? usual.all)
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

// MARK: - What is learnt

extension HifzCommand {
  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(abstract: "Add ayat to what is learnt.")

    @OptionGroup
    var ranges: Ranges

    @Option(help: "Ayat of a unit, or page for the pages of the Madinah mushaf.")
    var by = UnitLength.ayat(5)

    @Flag(help: "No units for the places where two units meet.")
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
              "\(unit) overlaps with \(other), which is learnt already; 'hifz remove \(other)' takes it out"
          )
        }
      }
      let count = try library.addHifz(units.map { HifzUnit($0) })
      if !noJoins {
        try library.addHifz(
          RecallUnit.joins(between: Array(Set(known + units))).map { HifzUnit($0, isJoin: true) })
      }
      StandardStreams.say(
        "added \(PlainText.count(count, "unit"))"
          + (count < units.count ? "; the others were there already" : ""))
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
      abstract:
        "Take out the units that lie in ranges; their grades stay for when they are added again.")

    @OptionGroup
    var ranges: Ranges

    @Flag(help: "Forget their grades too.")
    var forget = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let wanted = try ranges.parsed()
      let units = try library.hifzUnits()
      let removed = units.filter { unit in
        !unit.isJoin
          && wanted.contains { $0.first <= unit.range.first && unit.range.last <= $0.last }
      }.map(\.range)
      guard !removed.isEmpty else {
        throw Failure(code: "usage", message: "no unit lies in that; 'hifz list' names them")
      }
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
      abstract: "All units: how well each is known, and when it is due.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let rules = Rules(try Configuration())
      let units = try library.hifzUnits().map { RecallUnit($0, rules.scheduler) }
      let now = Int(Date().timeIntervalSince1970)
      guard format == .table else {
        return try format.write(units.map { json($0, rules.scheduler, at: now) })
      }
      guard !units.isEmpty else {
        return StandardStreams.say("nothing is learnt yet; 'hifz add 78:1-40 --by 5' begins")
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
      let today = try Today(library, rules)
      try PlainText.show("")
      try PlainText.show(
        "\(PlainText.count(today.units.count, "unit")) to recite today: 'hifz review'")
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

  init(_ library: Library, _ rules: HifzCommand.Rules) throws {
    let calendar = Calendar.current
    let start = calendar.startOfDay(for: Date())
    let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start
    let day = Int(start.timeIntervalSince1970)..<Int(end.timeIntervalSince1970)
    let known = try library.hifzUnits()
    var done = (all: 0, new: 0)
    for unit in known {
      let today = unit.reviews.count { day.contains(Int($0.at.timeIntervalSince1970)) }
      done.all += today > 0 ? 1 : 0
      done.new += today > 0 && today == unit.reviews.count ? 1 : 0
    }
    units = known.map { RecallUnit($0, rules.scheduler) }.due(in: day, rules.limits, done: done)
  }
}

// MARK: - Grades

/// `good`, or `3`.
struct GradeArgument: ExpressibleByArgument, Hashable {
  let grade: RecallGrade

  init?(argument: String) {
    let number = Int(argument).flatMap(RecallGrade.init)
    guard let grade = number ?? RecallGrade(named: argument.lowercased()) else { return nil }
    self.grade = grade
  }

  static var allValueStrings: [String] { RecallGrade.allCases.map(\.name) }
}

extension HifzCommand {
  struct Grade: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Grade a unit that was recited elsewhere: again, hard, good or easy.")

    @Argument(help: "The unit, such as 78:1-5.")
    var unit: String

    @Argument(help: "again, hard, good or easy, or 1 to 4.")
    var grade: GradeArgument

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let range: AyahRange
      do throws(QuranError) {
        range = try AyahRange(parsing: unit)
      } catch {
        throw Failure(code: "usage", message: "\(error)")
      }
      guard let known = try library.hifzUnits().first(where: { $0.range == range }) else {
        throw Failure(
          code: "usage", message: "\(unit) is no unit; 'hifz list' names them, 'hifz add' adds some"
        )
      }
      let now = Date()
      try library.addHifzReviews([HifzReview(range, at: now, grade: grade.grade.rawValue)])
      let rules = Rules(try Configuration())
      var recalled = RecallUnit(known, rules.scheduler)
      let time = Int(now.timeIntervalSince1970)
      recalled.take(grade.grade, at: time, rules.scheduler)
      StandardStreams.say(
        "\(recalled.name) is due in \(waitText((recalled.memory?.due ?? time) - time))")
    }
  }

  /// A line of an exported log.
  private struct ExportedReview: Codable {
    static let schema = "tilawa.hifz/1"

    var schema = ExportedReview.schema
    var id: String
    var at: Int64
    var first: String
    var last: String
    var grade: Int

    init(_ review: HifzReview) {
      id = review.id
      at = Int64(review.at.timeIntervalSince1970)
      first = review.range.first.description
      last = review.range.last.description
      grade = review.grade
    }

    /// Nil where it makes no sense.
    var review: HifzReview? {
      guard schema == Self.schema, UUID(uuidString: id) != nil, at > 0, at < 1 << 40,
        RecallGrade(rawValue: grade) != nil, let first = AyahReference(first),
        let last = AyahReference(last), let range = AyahRange(first: first, last: last)
      else { return nil }
      return HifzReview(
        id: id.lowercased(), range, at: Date(timeIntervalSince1970: Double(at)), grade: grade)
    }
  }

  struct Export: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write all grades as JSON Lines, for another machine.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let lines = try library.hifzReviews().compactMap { KeptListening.text(ExportedReview($0)) }
      let output = try OutputFile(path: file, isReplacing: force)
      try output.write(lines.map { $0 + "\n" }.joined())
      try output.finish()
      StandardStreams.say("wrote \(PlainText.count(lines.count, "grade"))")
    }
  }

  struct Import: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Merge the grades that another machine exported.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      guard let text = TextFile.read(UserFolders.absolute(file)) else {
        throw Failure(code: "no_such_file", message: "\(file): cannot be read")
      }
      var reviews: [HifzReview] = []
      for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
        guard let review = KeptListening.read(String(line), as: ExportedReview.self)?.review else {
          throw Failure(
            code: "bad_data",
            message: "\(file), line \(index + 1): not a line of exported grades; nothing was merged"
          )
        }
        reviews.append(review)
      }
      let count = try library.addHifzReviews(reviews)
      StandardStreams.say(
        "merged \(PlainText.count(count, "grade")); \(reviews.count - count) were there already")
    }
  }
}

// MARK: - Reciting

extension HifzCommand {
  struct Review: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Recite what is due today, hear it, and grade how it went.",
      discussion: """
        enter plays what was to be recited, 1 to 4 grade it, s shows the words, c plays the beginning again, u \
        takes the last grade back. How much is asked in a day is a setting: hifz.new and hifz.reviews.
        """)

    @Argument(help: "Only the units in these ranges, due or not.")
    var ranges: [String] = []

    @OptionGroup
    var voice: VoiceOptions

    @Option(help: "Speed, 0.25 to 3; the pitch stays the same.")
    var speed = 1.0

    @Option(help: "The ALSA device; doctor lists them. Default: the setting, else default.")
    var device: String?

    @OptionGroup(title: "Screen")
    var screenOptions: ScreenOptions

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      guard (0.25...3).contains(speed) else { throw ValidationError("--speed is 0.25 to 3.") }
    }

    func run() async throws {
      let command = self
      try await runReporting {
        let library = try command.libraryOptions.existing()
        let configuration = try Configuration()
        let rules = Rules(configuration)
        let units = try command.units(in: library, rules)
        guard !units.isEmpty else {
          return StandardStreams.say(
            try library.hifzUnits().isEmpty
              ? "nothing is learnt yet; 'hifz add 78:1-40 --by 5' begins"
              : "nothing is due today; 'hifz list' says when what is")
        }
        guard ScreenOptions.hasTerminal else {
          throw Failure(
            code: "usage",
            message:
              "'hifz review' needs a terminal; 'hifz list' says what is due, 'hifz grade' takes a grade"
          )
        }
        let template = try command.voice.request(in: library, configuration)
        try command.recite(units, template, rules, in: library, configuration)
      }
    }

    private func units(in library: Library, _ rules: Rules) throws -> [RecallUnit] {
      guard !ranges.isEmpty else { return try Today(library, rules).units }
      let wanted = try Ranges.parse(ranges).parsed()
      return try library.hifzUnits().filter { unit in
        wanted.contains { $0.first <= unit.range.first && unit.range.last <= $0.last }
      }.map { RecallUnit($0, rules.scheduler) }
    }

    private func recite(
      _ units: [RecallUnit], _ template: PlaybackRequest, _ rules: Rules, in library: Library,
      _ configuration: Configuration
    ) throws {
      var output = OutputOptions()
      output.device = device
      let sound = try PublishedSound(library)
      let log = PlaybackLog()
      defer { log.close() }
      let renderer = SessionRenderer(output: .alsa(try output.deviceName())) {
        (media) throws(DecodingError) in try sound.open(media)
      }
      defer { renderer.close() }
      let engine = PlaybackEngine(
        renderer: renderer, resolver: sound, settings: PlaybackSettings(), log: { log.add($0) })
      let reciters = try library.reciters().map {
        ReciterRow(ReciterID(rawValue: $0.id.rawValue), name: $0.name, riwayah: $0.riwayah)
      }
      let recorder = ListeningRecorder(
        library, log: log, arguments: [], reciters: reciters, keepsPlace: false)
      let text = try screenOptions.quranText(configuration)
      do throws(TerminalError) {
        let screen = try TerminalScreen(options: screenOptions.terminal(configuration))
        defer { screen.close() }
        var state = RecallState(
          size: screen.size, units: units, template: template, scheduler: rules.scheduler,
          cueMilliseconds: rules.cueMilliseconds, speed: speed, keymap: configuration.keymap())
        state.text = text
        state.ordersArabic = screenOptions.ordersArabic(configuration)
        try RecallSession(state, engine, library, recorder, on: screen).run()
      } catch {
        throw Failure(code: "unavailable", message: error.description)
      }
    }
  }
}
