// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Library
import Playback
import Quran
import ReciterSources
import TerminalUI

/// `source`
struct SourceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "source",
    abstract:
      "Manage published recitations, by ayah or by surah: folders, and addresses to fetch from.",
    discussion: """
      'play' prefers your own recordings, then folders, then fetched files. \
      Only 'source fetch' and 'play --fetch' use the network. Fetched files are kept.

      EXAMPLES:
        tilawa-annotate source add Husary --folder ~/quran/husary
        tilawa-annotate source add Minshawi --url 'https://example.org/minshawi/{surah:3}{ayah:3}.mp3'
        tilawa-annotate source add Ayyoub --known ayyoub
        tilawa-annotate source add Banna --url 'https://example.org/banna/{surah:3}.mp3' --timings banna.json
        tilawa-annotate source fetch Minshawi juz 30
      """,
    subcommands: [
      List.self, Show.self, Known.self, Add.self, Edit.self, Remove.self, Fetch.self, Check.self,
      Export.self,
      Import.self,
    ], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List sources in playback order.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run() async throws {
      let (options, format) = (libraryOptions, format)
      try await runReporting {
        let sources =
          try options.openExisting().map { library in
            try SourceFacts.all(in: library)
          } ?? []
        guard format == .table else { return try format.write(sources.map(\.json)) }
        if sources.isEmpty {
          return StandardStreams.say("there are no sources yet; 'source add NAME' adds one")
        }
        var table = TextTable(columns: [
          .init("name", isFlexible: true), .init("reciter", isFlexible: true), .init("riwayah"),
          .init("ayat", alignment: .right), .init("size", alignment: .right), .init("state"),
          .init("place", isFlexible: true),
        ])
        table.rows = sources.map { facts in
          [
            facts.source.name, facts.reciter?.name ?? "", facts.source.riwayah.rawValue,
            "\(facts.ayahCount)", PlainText.size(facts.bytes), facts.state, facts.place,
          ].map { TerminalText($0) }
        }
        try PlainText.show(table)
        try options.openExisting().map { try SourceFacts.warnOfSize(in: $0) }
      }
    }
  }

  struct Show: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a source: where it is, and which ayat of it are here or missing.")

    @Argument(help: "The name.")
    var name: String

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    /// Lines.
    private static let mostReasons = 5

    func run(_ library: Library) throws {
      let facts = try SourceFacts(library.source(named: name), in: library)
      let source = facts.source
      let folder = try AyahFolder(of: source, in: library)
      let missing = AyahRange.runs(
        of: AyahRange.wholeQuran.filter { !folder.has($0) })
      let absences = try library.absences(in: source.id)
      let refused = AyahRange.runs(of: absences.keys.sorted())
      let comparisons = try FileComparisons(of: source, in: folder, library)
      let uncompared = AyahRange.runs(
        of: folder.files.filter { comparisons.uncompared.contains($0.ayah) }
          .flatMap { Array(folder.ayat(in: $0)) }.sorted())
      guard format == .table else {
        func list(_ ranges: [AyahRange]) -> JSONValue {
          .array(ranges.map { .string("\($0)") })
        }
        let members: [JSONValue.Member] = [
          .init("schema", .string("tilawa.source-show/1")), .init("files", .string(folder.path)),
          .init("playable", .integer(facts.playableCount)), .init("missing", list(missing)),
          .init("refused", list(refused)), .init("uncompared", list(uncompared)),
          .init(
            "unfit",
            .array(
              comparisons.unfit.map {
                .object([
                  .init("ayat", .string("\($0.ayat)")), .init("reason", .string($0.remark)),
                ])
              })),
        ]
        return try format.write([.object(members + facts.members)])
      }
      var lines = [
        "name     \(source.name)", "reciter  \(facts.reciter?.name ?? "unknown")",
        "riwayah  \(source.riwayah.displayName)", "place    \(facts.place)",
        "files    \(folder.path)", "state    \(facts.state)",
        "here     \(PlainText.count(facts.ayahCount, "ayah", "ayat")), \(PlainText.size(facts.bytes))",
      ]
      if let timings = source.timings {
        lines.append("timings  \(timings)\(source.trustsTimings ? ", trusted" : "")")
      }
      let allowed =
        (source.allowsPrivate ? ["the own network"] : [])
        + (source.allowsInsecure ? ["http:, not encrypted"] : [])
      if !allowed.isEmpty { lines.append("allowed  \(allowed.joined(separator: ", "))") }
      let spans = try library.spans(of: source.id).values
      func told(_ spans: [SourceSpan]) -> String {
        let checked = spans.count { $0.bytes != nil }
        return "\(checked) by checked timings, \(spans.count - checked) by trusted"
      }
      if !folder.surahs.isEmpty {
        let ofSurahs = spans.filter { folder.surahs[$0.ayah.surah] != nil }
        lines.append("playable \(ofSurahs.count) ayat of whole surahs: \(told(ofSurahs))")
        lines.append("words    of \(ofSurahs.count(where: \.hasWords)) ayat of whole surahs")
      }
      let ofFiles = spans.filter { folder.surahs[$0.ayah.surah] == nil }
      if source.timings != nil, !folder.ayahFiles.isEmpty {
        lines.append("words    of \(PlainText.count(ofFiles.count, "file")): \(told(ofFiles))")
      }
      let untimed = folder.surahs.keys.sorted().compactMap {
        source.reasonWithoutTimings(of: $0, in: library)
      }
      for (index, line) in untimed.prefix(Self.mostReasons).enumerated() {
        lines.append((index == 0 ? "untimed  " : "         ") + line)
      }
      if untimed.count > Self.mostReasons {
        lines.append("         and \(untimed.count - Self.mostReasons) more surahs")
      }
      for (index, line) in source.lines(of: comparisons.unfit).enumerated() {
        lines.append((index == 0 ? "unfit    " : "         ") + line)
      }
      if !uncompared.isEmpty {
        lines.append(
          "waiting  \(PlainText.ranges(uncompared)), not compared with the timings yet;"
            + " 'timings check \(source.name)' does it")
      }
      if source.ayahOffset != 0 { lines.append("offset   \(source.ayahOffset)") }
      for (index, line) in (source.mapping?.lines ?? []).enumerated() {
        lines.append((index == 0 ? "mapping  " : "         ") + line)
      }
      if !missing.isEmpty, missing.count <= 40 {
        lines.append("missing  \(PlainText.ranges(missing))")
      } else if !missing.isEmpty {
        lines.append(
          "missing  \(missing.reduce(0) { $0 + $1.count }) ayat in \(missing.count) places")
      }
      if !absences.isEmpty {
        lines.append("refused  \(PlainText.ranges(refused)), by the server during the last week")
      }
      for line in lines { try PlainText.show(line) }
    }
  }

  struct Known: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List well-known recitations for 'source add --known'; fetches nothing.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    func run() async throws {
      let format = format
      try await runReporting {
        guard format == .table else {
          return try format.write(
            KnownSource.all.map { known in
              .object([
                .init("id", .string(known.id)), .init("reciter", .string(known.reciter)),
                .init("riwayah", .string(known.riwayah.rawValue)),
                .init("pattern", .string(known.pattern)),
                .init("terms", .string(KnownSource.terms)),
              ])
            })
        }
        var table = TextTable(columns: [
          .init("id"), .init("reciter", isFlexible: true), .init("riwayah"),
          .init("addresses", isFlexible: true),
        ])
        table.rows = KnownSource.all.map { known in
          [known.id, known.reciter, known.riwayah.rawValue, known.pattern].map { TerminalText($0) }
        }
        try PlainText.show(table)
        StandardStreams.say(
          "\(KnownSource.terms); recitations by surah need --timings; addresses may have changed since this version"
        )
      }
    }
  }

  struct Check: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read every file of a source, and compare fetched files with their checksums.",
      discussion: "Exit code: 65 if a file is damaged or missing.")

    @Argument(help: "The name.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let source = try library.source(named: name)
      let display = ProgressDisplay()
      let problems = try source.check(
        in: library, isThorough: true, stopFlag: Interrupt.flag
      ) { share in
        display.update(label: "checking \(source.name)", fraction: share)
        return !Interrupt.flag.isStopped
      }
      display.finish()
      for problem in problems {
        let subject = problem.ayah.map { "\($0): " } ?? ""
        try PlainText.show("\(subject)\(problem.file): \(problem.message)")
      }
      guard problems.isEmpty else {
        throw Failure(
          code: "damaged",
          message: "\(source.name): "
            + (problems.count == 1
              ? "1 file is damaged, or not what it should be"
              : "\(problems.count) files are damaged, or not what they should be")
        )
      }
      StandardStreams.say("\(source.name): all files are intact")
    }
  }
}

/// A source with what of it is here.
struct SourceFacts {
  let source: ReciterSource
  let reciter: Reciter?
  let ayahCount: Int
  /// Without those whose place in the file of their surah nobody knows.
  let playableCount: Int
  let bytes: Int64
  private let isReadable: Bool
  /// Why not one ayah can be played though files are here; nil where one can be.
  let reasonNotPlayed: String?

  init(_ source: ReciterSource, in library: Library) throws(LibraryError) {
    try self.init(source, try library.reciters(), in: library)
  }

  static func all(in library: Library) throws(LibraryError) -> [SourceFacts] {
    let reciters = try library.reciters()
    var all: [SourceFacts] = []
    for source in try library.sources() {
      all.append(try SourceFacts(source, reciters, in: library))
    }
    return all
  }

  /// Says it when what was fetched has become larger than the setting allows; nothing is deleted for that.
  static func warnOfSize(in library: Library) throws {
    guard let limit = try Configuration().value("sources.warn_size").flatMap(Double.init) else {
      return
    }
    let fetched = try all(in: library).filter {
      if case .addresses = $0.source.place { true } else { false }
    }
    let bytes = fetched.reduce(0) { $0 + $1.bytes }
    if Double(bytes) > limit * 1e9 {
      StandardStreams.say(
        "fetched files take \(PlainText.size(bytes)), more than the \(limit) GB of the setting sources.warn_size; 'source list' shows the sizes"
      )
    }
  }

  private init(
    _ source: ReciterSource, _ reciters: [Reciter], in library: Library
  ) throws(LibraryError) {
    self.source = source
    reciter = reciters.first { $0.id == source.reciter }
    let folder = try AyahFolder(of: source, in: library)
    ayahCount = folder.ayahCount
    let spans = folder.surahs.isEmpty ? [:] : try library.spans(of: source.id)
    playableCount =
      ayahCount
      - folder.surahs.keys.reduce(0) { sum, surah in
        sum + surah.ayat.count { folder.files(of: $0) == nil && spans[$0] == nil }
      }
    reasonNotPlayed =
      ayahCount > 0 && playableCount == 0
      ? try Self.reasonNotPlayed(source, folder, library) : nil
    isReadable = folder.isReadable
    bytes = folder.files.reduce(0) { $0 + FileKind.size(of: folder.path + "/" + $1.name) }
  }

  private static func reasonNotPlayed(
    _ source: ReciterSource, _ folder: AyahFolder, _ library: Library
  ) throws(LibraryError) -> String {
    guard source.timings != nil else {
      return "no timings ('source edit \(source.name) --timings' adds them)"
    }
    let comparisons = try FileComparisons(of: source, in: folder, library)
    if !comparisons.unfit.isEmpty {
      return "no timings that fit ('source show \(source.name)' tells more)"
    }
    return comparisons.uncompared.isEmpty
      ? "no timings here yet ('source show \(source.name)' tells more)"
      : "timings not compared yet ('timings check \(source.name)' compares them)"
  }

  var place: String {
    switch source.place {
    case .folder(let path): path
    case .addresses(let text): text
    }
  }

  var state: String {
    if !source.isEnabled { return "disabled" }
    if case .folder = source.place, !isReadable { return "unavailable" }
    return "enabled"
  }

  var json: JSONValue {
    .object([.init("schema", .string("tilawa.source-list/1"))] + members)
  }

  var members: [JSONValue.Member] {
    var fields: [JSONValue.Member] = [
      .init("name", .string(source.name)),
      .init("reciter", reciter.map { .string($0.name) } ?? .null),
      .init("riwayah", .string(source.riwayah.rawValue)),
    ]
    switch source.place {
    case .folder(let path): fields.append(.init("folder", .string(path)))
    case .addresses(let text): fields.append(.init("url", .string(text)))
    }
    return fields + [
      .init("ayah_offset", .integer(source.ayahOffset)),
      .init("mapping", source.mapping.map { .array($0.lines.map { .string($0) }) } ?? .null),
      .init("timings", source.timings.map { .string($0) } ?? .null),
      .init("trusts_timings", .bool(source.trustsTimings)),
      .init("allows_private", .bool(source.allowsPrivate)),
      .init("allows_insecure_http", .bool(source.allowsInsecure)),
      .init("ayat", .integer(ayahCount)),
      .init("bytes", .integer(Int(bytes))), .init("state", .string(state)),
    ]
  }
}
