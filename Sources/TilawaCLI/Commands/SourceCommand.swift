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
      Only 'source fetch', 'play --fetch' and 'missing --fetch' use the network. Fetched files are kept.

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
      commandName: "list",
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
        try options.openExisting().map { try SourceFacts.warnOfSize(in: $0, isListed: true) }
      }
    }
  }

  struct Known: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "known",
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
      commandName: "check",
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
        in: library, .content, stopFlag: Interrupt.flag
      ) { share in
        display.update(label: "checking \(source.name)", fraction: share)
        return !Interrupt.flag.isStopped
      }
      display.finish()
      if let problem = problems.first, problem.ayat == nil {
        throw Failure(
          code: "damaged", message: "\(source.name): \(problem.file): \(problem.message)")
      }
      for name in try source.strays(in: AyahFolder(of: source, in: library)) {
        StandardStreams.say("\(source.name): \(name): not used, as no ayah has this number")
      }
      for problem in problems {
        try PlainText.show(problem.line)
      }
      guard problems.isEmpty else {
        throw Failure(
          code: "damaged",
          message: "\(source.name): "
            + (problems.count == 1
              ? "1 file is missing, damaged, or not what it should be"
              : "\(problems.count) files are missing, damaged, or not what they should be")
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
  /// Where ayat lie in the files of whole surahs that are here.
  let playable: [AyahReference: SourceSpan]
  let bytes: Int64
  private let isUnavailable: Bool
  /// Why not one ayah can be played; nil where one can be.
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
  /// - Parameter isListed: whether the sizes have just been listed.
  static func warnOfSize(in library: Library, isListed: Bool = false) throws {
    guard let setting = try Configuration().value("sources.warn_size"),
      let limit = Double(setting)
    else { return }
    let fetched = try all(in: library).filter {
      if case .addresses = $0.source.place { true } else { false }
    }
    let bytes = fetched.reduce(0) { $0 + $1.bytes }
    if Double(bytes) > limit * 1e9 {
      StandardStreams.say(
        "fetched files take \(PlainText.size(bytes)), more than the \(setting) GB of the setting sources.warn_size"
          + (isListed ? "" : "; 'source list' shows the sizes")
      )
    }
  }

  private init(
    _ source: ReciterSource, _ reciters: [Reciter], in library: Library
  ) throws(LibraryError) {
    self.source = source
    reciter = reciters.first { $0.id == source.reciter }
    let folder = try AyahFolder(of: source, in: library)
    let ayat = source.ayat(in: folder)
    ayahCount = ayat.count
    let spans = folder.surahs.isEmpty ? [:] : try library.spans(of: source.id)
    playable = Self.playable(spans, in: folder)
    playableCount = ayat.count { [playable] ayah in
      folder.files(of: ayah) != nil || playable[ayah] != nil
    }
    let fault = folder.fault(of: source)
    isUnavailable = fault != nil
    if let fault {
      reasonNotPlayed = fault
    } else if ayahCount == 0 {
      reasonNotPlayed = Self.reasonWithoutAyat(source, folder)
    } else if playableCount == 0 {
      reasonNotPlayed = try Self.reasonNotPlayed(source, folder, library, hasSpans: !spans.isEmpty)
    } else {
      reasonNotPlayed = nil
    }
    bytes = folder.files.reduce(0) { $0 + FileKind.size(of: folder.path + "/" + $1.name) }
  }

  /// Spans in files of whole surahs, without those that were checked with another file.
  private static func playable(
    _ spans: [AyahReference: SourceSpan], in folder: AyahFolder
  ) -> [AyahReference: SourceSpan] {
    let bytes = folder.surahs.mapValues { FileKind.size(of: folder.path + "/" + $0) }
    return spans.filter { ayah, span in
      bytes[ayah.surah].map { span.bytes == nil || span.bytes == $0 } ?? false
    }
  }

  /// Why a source whose folder is as it should be has not one ayah here.
  private static func reasonWithoutAyat(_ source: ReciterSource, _ folder: AyahFolder) -> String {
    let name = source.name.commandWord
    if !source.surahsNumberedOtherwise(in: folder).isEmpty {
      return
        "this riwayah numbers the ayat of its files differently ('source edit \(name) --mapping' adds a mapping)"
    }
    return switch source.place {
    case .addresses: "nothing fetched yet"
    case .folder: "no file holds an ayah ('source show \(name)' tells more)"
    }
  }

  /// - Parameter hasSpans: whether timings were checked with other files, or of other surahs.
  private static func reasonNotPlayed(
    _ source: ReciterSource, _ folder: AyahFolder, _ library: Library, hasSpans: Bool
  ) throws(LibraryError) -> String {
    let more = "('source show \(source.name.commandWord)' tells more)"
    guard source.timings != nil else {
      let isForeign = try library.files(of: source.id).contains { $0.differs }
      return hasSpans || isForeign
        ? "the files are not those of the manifest \(more)"
        : "no timings ('source edit \(source.name.commandWord) --timings' adds them)"
    }
    let comparisons = try FileComparisons(of: source, in: folder, library)
    if !comparisons.unfit.isEmpty { return "no timings that fit \(more)" }
    if !comparisons.uncompared.isEmpty {
      return "timings not compared yet ('timings check \(source.name.commandWord)' compares them)"
    }
    let untimed = try source.untimed(in: folder, library)
    return !untimed.isEmpty && untimed.allSatisfy(\.isRefused)
      ? "the server refused the timings \(more)" : "no timings here yet \(more)"
  }

  var place: String {
    switch source.place {
    case .folder(let path): path
    case .addresses(let text): text
    }
  }

  var state: String {
    if !source.isEnabled { return "disabled" }
    return isUnavailable ? "unavailable" : "enabled"
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
