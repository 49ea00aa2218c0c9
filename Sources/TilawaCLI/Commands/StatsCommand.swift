// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Foundation
import Library
import Listening
import Quran
import TerminalUI

/// `stats`
struct StatsCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show listening statistics by day, reciter and surah, and the share of the Quran.",
    discussion: """
      The log is in the library and stays on this machine. An ayah counts as heard when nine tenths of it have \
      played. --export and --import copy the log to another machine; nothing is counted twice.

      EXAMPLES:
        tilawa-annotate stats
        tilawa-annotate stats --by surah --days 30
        tilawa-annotate stats --export heard.jsonl
        tilawa-annotate stats --forget
      """)

  enum Grouping: String, CaseIterable, ExpressibleByArgument {
    case day, reciter, surah
  }

  @Option(help: "Only the table by day, reciter or surah.")
  var by: Grouping?

  @Option(help: "Only the last N days, including today.")
  var days: Int?

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @Option(help: "Write the log to a file of JSON Lines.", completion: .file())
  var export: String?

  @Option(
    name: .customLong("import"), help: "Merge a log that another machine exported.",
    completion: .file())
  var source: String?

  @Flag(help: "Delete the log; with --days, only these days.")
  var forget = false

  @Flag(help: "Replace an existing --export file.")
  var force = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if let days, days < 1 { throw ValidationError("--days must be at least 1.") }
    if [export != nil, source != nil, forget].filter({ $0 }).count > 1 {
      throw ValidationError("Use one of --export, --import and --forget.")
    }
    if forget || source != nil || export != nil, by != nil || format != .table {
      throw ValidationError(
        "--by and --format show statistics; --export, --import and --forget take the log as a whole."
      )
    }
    if force, export == nil { throw ValidationError("--force needs --export.") }
  }

  func run(_ library: Library) throws {
    let filter = HeardFilter(times: days.map { Self.last($0) })
    if forget {
      let count = try library.forgetHeard(filter)
      return StandardStreams.say("deleted \(PlainText.count(count, "hearing"))")
    }
    if let source { return try merge(source, into: library) }
    let heard = try library.heard(filter)
    if let export { return try write(heard, to: export) }
    let statistics = ListeningStatistics(
      heard.map { entry in
        HeardEntry(
          day: PlainText.day(entry.at), ayah: entry.ayah, reciter: entry.reciter,
          seconds: entry.seconds, watchedSeconds: entry.watchedSeconds,
          isWhole: entry.isWhole)
      })
    switch format {
    case .table: try show(statistics)
    case .json, .jsonl: try StandardStreams.writeOutput(json(statistics).text + "\n")
    }
  }

  /// From the first moment of the first day to the end of today.
  private static func last(_ days: Int) -> Range<Date> {
    let calendar = Calendar.current
    let today = calendar.startOfDay(for: Date())
    let first = calendar.date(byAdding: .day, value: 1 - days, to: today) ?? today
    let end = calendar.date(byAdding: .day, value: 1, to: today) ?? today
    return first..<max(end, first)
  }
}

// MARK: - Showing

extension StatsCommand {
  private func show(_ statistics: ListeningStatistics) throws(Failure) {
    guard !statistics.days.isEmpty else {
      let time = days.map { $0 == 1 ? "today" : "in the last \($0) days" } ?? "yet"
      return try PlainText.show("nothing has been heard \(time)")
    }
    if by == nil {
      let isUnicode = StandardStreams.isUTF8
      let percent = Int(Double(statistics.heardAyat) / Double(AyahReference.count) * 100)
      try PlainText.show(
        "heard \(PlainText.duration(statistics.seconds)) on \(PlainText.count(statistics.days.count, "day"))"
          + (statistics.watchedSeconds > 0
            ? ", watched \(PlainText.duration(statistics.watchedSeconds)) of it" : "")
      )
      try PlainText.show(
        "\(statistics.heardAyat) of \(AyahReference.count) ayat of the Quran (\(percent)%)"
          + (statistics.completions > 0
            ? ", all of it \(PlainText.count(statistics.completions, "time"))" : ""))
      try PlainText.show("")
      try PlainText.show("surahs 1 to 114, darker where more was heard:")
      for line in statistics.picture(columns: 57, isUnicode: isUnicode) {
        try PlainText.show("  " + line)
      }
      let recent = statistics.days.suffix(30)
      if let first = recent.first, let last = recent.last, recent.count > 1 {
        try PlainText.show("days, \(first.key) to \(last.key):")
        try PlainText.show(
          "  " + ListeningStatistics.bars(recent.map(\.seconds), isUnicode: isUnicode))
      }
      try PlainText.show("")
    }
    for grouping in by.map({ [$0] }) ?? Grouping.allCases {
      if by == nil, grouping != .day { try PlainText.show("") }
      try PlainText.show(table(statistics, by: grouping))
    }
  }

  private func table(_ statistics: ListeningStatistics, by grouping: Grouping) -> TextTable {
    // Who never saw a picture is not told that he did not.
    let hasWatched = statistics.watchedSeconds > 0
    var table = TextTable(
      columns: [
        .init(TerminalText(grouping.rawValue), isFlexible: true), .init("heard", alignment: .right),
      ] + (hasWatched ? [.init("watched", alignment: .right)] : []) + [
        .init("ayat", alignment: .right), .init("different", alignment: .right),
      ])
    func row<Key>(_ title: String, _ row: ListeningStatistics.Row<Key>) -> [TerminalText] {
      let times = [row.seconds] + (hasWatched ? [row.watchedSeconds] : [])
      let cells =
        [title] + times.map { PlainText.duration($0) } + ["\(row.ayat)", "\(row.differentAyat)"]
      return cells.map { TerminalText($0) }
    }
    switch grouping {
    case .day: table.rows = statistics.days.map { row($0.key, $0) }
    case .reciter: table.rows = statistics.reciters.map { row($0.key ?? "unknown", $0) }
    case .surah:
      table.rows = statistics.surahs.map {
        row("\($0.key.number) \($0.key.name)", $0)
      }
    }
    return table
  }

  private func json(_ statistics: ListeningStatistics) -> JSONValue {
    let all: [JSONValue.Member] = [
      .init("schema", .string("tilawa.stats/1")),
      .init("seconds", Self.seconds(statistics.seconds)),
      .init("watched_seconds", Self.seconds(statistics.watchedSeconds)),
      .init("ayat", .integer(statistics.heardAyat)),
      .init("completions", .integer(statistics.completions)),
    ]
    let groupings = by.map { [$0] } ?? [.day, .surah, .reciter]
    return .object(
      all
        + groupings.map { .init("by_\($0.rawValue)", .array(Self.rows(statistics, by: $0))) })
  }

  private static func rows(
    _ statistics: ListeningStatistics, by grouping: Grouping
  ) -> [JSONValue] {
    func row<Key>(_ row: ListeningStatistics.Row<Key>, _ key: JSONValue) -> JSONValue {
      .object([
        .init(grouping.rawValue, key), .init("seconds", seconds(row.seconds)),
        .init("watched_seconds", seconds(row.watchedSeconds)), .init("times", .integer(row.ayat)),
        .init("ayat", .integer(row.differentAyat)),
      ])
    }
    return switch grouping {
    case .day: statistics.days.map { row($0, .string($0.key)) }
    case .surah: statistics.surahs.map { row($0, .integer($0.key.number)) }
    case .reciter: statistics.reciters.map { row($0, $0.key.map { .string($0) } ?? .null) }
    }
  }

  private static func seconds(_ seconds: Double) -> JSONValue {
    .number("\((seconds * 10).rounded() / 10)")
  }
}

// MARK: - Another machine

/// A line of an exported log.
private struct ExportedHearing: ExportedLine {
  static let schema = "tilawa.heard/1"

  var schema = ExportedHearing.schema
  var id: String
  var at: Int64
  var ayah: String
  var riwayah: String
  var reciter: String?
  var media: String
  var frames: Int64
  var length: Int64
  /// Nil in logs of older versions.
  var watched: Int64?
  var rate: Int
  var speed: Double
  /// Nil in logs of older versions.
  var whole: Bool?

  init(_ heard: HeardAyah) {
    id = heard.id
    at = Int64(heard.at.timeIntervalSince1970)
    ayah = "\(heard.ayah)"
    riwayah = heard.riwayah.rawValue
    reciter = heard.reciter
    media = heard.media
    frames = heard.frames.frames
    length = heard.length.frames
    watched = heard.watched.frames
    rate = heard.rate.hertz
    speed = heard.speed
    whole = heard.isWhole
  }

  /// Nil where it makes no sense.
  var heard: HeardAyah? {
    guard schema == Self.schema, UUID(uuidString: id) != nil, let ayah = AyahReference(ayah),
      let riwayah = Riwayah(rawValue: riwayah), let rate = SampleRate(hertz: rate), frames > 0,
      length >= frames, (0...frames).contains(watched ?? 0), speed > 0, speed.isFinite,
      media.utf8.count < 4096,
      reciter.map({ $0.utf8.count < 1024 }) ?? true
    else { return nil }
    return HeardAyah(
      id: id.lowercased(), at: Date(timeIntervalSince1970: Double(at)), ayah: ayah,
      riwayah: riwayah, reciter: reciter, media: media, frames: FrameCount(frames),
      length: FrameCount(length), watched: FrameCount(watched ?? 0), rate: rate, speed: speed,
      isWhole: whole ?? Hearing.isWhole(FrameCount(frames), of: FrameCount(length)))
  }
}

extension StatsCommand {
  private func write(_ heard: [HeardAyah], to path: String) throws(Failure) {
    try ExportedLog.write(heard.map { ExportedHearing($0) }, to: path, isReplacing: force)
  }

  private func merge(_ path: String, into library: Library) throws {
    let heard = try ExportedLog.read(path) { (line: ExportedHearing) in line.heard }
    let new = try library.addHeard(heard)
    StandardStreams.say(
      "merged \(PlainText.count(new, "hearing")), \(heard.count - new) of \(heard.count) were already here"
    )
  }
}
