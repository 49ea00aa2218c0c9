// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange
import Library
import Playback
import Quran
import ReciterSources
import TerminalUI

/// `coverage [RANGE]`
struct CoverageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show which ayat your recordings can play, and which are missing.",
    discussion: """
      Counts complete published ayat of one riwayah, in recordings whose files are available. Ayat that only sources \
      have count as missing; the last line says how many they are.

      EXAMPLES:
        tilawa-annotate coverage
        tilawa-annotate coverage 2:1-2:100
        tilawa-annotate coverage juz 30 --missing
        tilawa-annotate coverage --recording "Night 3"
      """)

  @Argument(
    help:
      "A range: 2:1-2:20, 36, juz 30, page 5. Default: every surah that the library has ayat of."
  )
  var range: [String] = []

  @Option(help: "Only ayat that this recording has published.")
  var recording: String?

  @Option(help: "Only this reciter.")
  var reciter: String?

  @Option(help: "The riwayah; riwayat are never mixed.")
  var riwayah: Riwayah = .hafs

  @Flag(help: "Only missing ayat.")
  var missing = false

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    try await runReporting {
      let asked = try command.askedRange()
      let library = try command.libraryOptions.existing()
      try command.show(library, asked)
    }
  }

  private func askedRange() throws(Failure) -> AyahRange? {
    guard !range.isEmpty else { return nil }
    do throws(QuranError) {
      return try AyahRange(parsing: range.joined(separator: " "))
    } catch {
      throw Failure(code: "usage", message: "\(error)")
    }
  }

  private func show(_ library: Library, _ asked: AyahRange?) throws {
    let coverage: Coverage
    var inSources = 0
    if let recording {
      coverage = try library.coverage(
        of: library.recording(named: recording), in: asked ?? .wholeQuran)
    } else {
      let reciter = try reciter.map { try library.reciter(named: $0) }
      coverage = try library.coverage(
        of: asked ?? .wholeQuran,
        SourceFilter(
          reciter.map { .only($0.id) } ?? .anybody, riwayah: reciter?.riwayah ?? riwayah,
          unavailable: library.unavailableRecordings()))
      inSources = try Self.playableCount(
        coverage.missing, ofSources: library,
        ResolverQuery(
          riwayah: reciter?.riwayah ?? riwayah,
          reciters: reciter.map { .inOrder([ReciterID(rawValue: $0.id.rawValue)]) } ?? .anybody))
    }
    // Without a range, surahs of which there is nothing would bury the rest.
    let begun = Set(coverage.runs.filter(\.isCovered).map(\.range.first.surah))
    let runs = coverage.runs.filter { run in
      (!missing || !run.isCovered)
        && (asked != nil || missing || begun.contains(run.range.first.surah))
    }
    guard format == .table else {
      return try format.write(
        runs.map { run in
          .object([
            .init("schema", .string("tilawa.coverage/1")),
            .init("first", .string(run.range.first.description)),
            .init("last", .string(run.range.last.description)),
            .init("ayat", .integer(run.range.count)),
            .init("covered", .bool(run.isCovered)),
          ])
        })
    }
    var table = TextTable(columns: [
      .init("surah"), .init("ayat"), .init("count", alignment: .right), .init("is"),
    ])
    var shown: Surah?
    for run in runs {
      let surah = run.range.first.surah
      let name = surah == shown ? "" : "\(surah.number) \(surah.name)"
      table.rows.append(
        [
          name, run.range.numericDescription, "\(run.range.count)",
          run.isCovered ? "ok" : "missing",
        ]
        .map { TerminalText($0) })
      shown = surah
    }
    if !runs.isEmpty { try PlainText.show(table) }
    let total = (asked ?? .wholeQuran).count
    StandardStreams.say(
      "\(coverage.coveredCount) of \(total) ayat can be played from your recordings"
        + (inSources > 0 ? ", and \(inSources) of the others from sources" : ""))
  }

  /// How many ayat of some ranges sources can play.
  private static func playableCount(
    _ ranges: [AyahRange], ofSources library: Library, _ query: ResolverQuery
  ) throws(LibraryError) -> Int {
    let sources = try SourceResolver(library, stopFlag: Interrupt.flag)
    return ranges.reduce(0) { sum, range in
      let lacking = waiting { await sources.missingAyat(in: range, query) }
      return sum + range.count - lacking.reduce(0) { $0 + $1.count }
    }
  }
}
