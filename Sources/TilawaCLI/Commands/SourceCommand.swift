// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Glibc
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

    func run(_ library: Library) throws {
      let facts = try SourceFacts(library.source(named: name), in: library)
      guard format == .table else { return try format.write([facts.json]) }
      let source = facts.source
      let folder = AyahFolder(of: source, in: library.folder)
      let missing = AyahRange.runs(
        of: AyahRange.wholeQuran.filter { !folder.has($0) })
      let absences = try library.absences(in: source.id)
      var lines = [
        "name     \(source.name)", "reciter  \(facts.reciter?.name ?? "unknown")",
        "riwayah  \(source.riwayah.displayName)", "place    \(facts.place)",
        "files    \(folder.path)", "state    \(facts.state)",
        "here     \(PlainText.count(facts.ayahCount, "ayah", "ayat")), \(PlainText.size(facts.bytes))",
      ]
      if let timings = source.timings { lines.append("timings  \(timings)") }
      let spans = try library.spans(of: source.id).values
      func told(_ spans: [SourceSpan]) -> String {
        let checked = spans.count { $0.bytes != nil }
        return "\(checked) by checked timings, \(spans.count - checked) by trusted"
      }
      if !folder.surahs.isEmpty {
        let ofSurahs = spans.filter { folder.surahs[$0.ayah.surah] != nil }
        lines.append("playable \(ofSurahs.count) ayat of whole surahs: \(told(ofSurahs))")
      }
      let ofFiles = spans.filter { folder.surahs[$0.ayah.surah] == nil }
      if source.timings != nil, !folder.ayahFiles.isEmpty {
        lines.append("words    of \(PlainText.count(ofFiles.count, "file")): \(told(ofFiles))")
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
        let ranges = PlainText.ranges(AyahRange.runs(of: absences.keys.sorted()))
        lines.append("refused  \(ranges), by the server during the last week")
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

  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a source: a folder of files such as 002255.mp3, or a pattern of addresses.")

    @Argument(help: "The name of the source.")
    var name: String

    @OptionGroup
    var placeOptions: SourcePlaceOptions

    @Option(help: "The reciter; added if new. Default: the source's name.")
    var reciter: String?

    @Option(help: "The riwayah. Default: hafs, or the riwayah of --known.")
    var riwayah: Riwayah?

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let offered = try placeOptions.knownSource()
      guard let place = try placeOptions.place(over: nil) else {
        throw Failure(
          code: "usage",
          message: "give --folder DIR, --url PATTERN, or --known ID of 'source known'")
      }
      let riwayah = riwayah ?? offered?.riwayah ?? .hafs
      let timings = try placeOptions.timingsPlace(over: nil)
      let mapping = try placeOptions.ayahMapping()
      try placeOptions.check(place, timings: timings, mapping)
      if placeOptions.trustTimings, timings.map(SourcePattern.isAddress) ?? false {
        throw Failure(
          code: "usage",
          message:
            "--trust-timings needs local timings: run 'source fetch', then 'source edit --trust-timings'"
        )
      }
      let who = reciter ?? offered?.reciter ?? name
      let known = try library.reciters().first {
        $0.name.lowercased() == who.lowercased() && $0.riwayah == riwayah
      }
      // A name that is taken leaves no reciter behind.
      if try library.sources().contains(where: { $0.name.lowercased() == name.lowercased() }) {
        throw Failure(code: "exists", message: "\(name): a source of that name exists already")
      }
      let reciter = try known ?? library.addReciter(who, riwayah: riwayah)
      let source = try library.addSource(
        name, of: reciter.id, riwayah: riwayah, at: place,
        ayahOffset: placeOptions.ayahOffset ?? 0, mapping: mapping, timings: timings,
        allowsPrivate: placeOptions.allowPrivate ?? false,
        allowsInsecure: placeOptions.insecureHttp ?? false)
      let facts = try SourceFacts(source, in: library)
      if placeOptions.trustTimings { try TrustedTimings.enter(source, in: library) }
      switch place {
      case .folder:
        try PlainText.show("\(source.name): \(PlainText.count(facts.ayahCount, "ayah", "ayat"))")
      case .addresses:
        try PlainText.show("\(source.name): \(facts.place)")
        if offered != nil { StandardStreams.say(KnownSource.terms) }
        StandardStreams.say(
          "respect the publisher's terms of use; run 'source fetch' to fetch files")
      }
      if timings != nil, !placeOptions.trustTimings {
        StandardStreams.say(
          source.timingsAddresses == nil
            ? "its timings are used after 'timings check \(source.name)' has compared them with the sound"
            : "'source fetch' fetches its timings too, and compares them with the sound")
      }
      if !riwayah.countsAsHafs {
        StandardStreams.say(
          "this riwayah numbers ayat differently: only surahs with as many ayat as in Hafs, and surahs that --mapping maps, are used"
        )
      }
    }
  }

  struct Edit: LibraryCommand {
    static let configuration = CommandConfiguration(abstract: "Change a source.")

    @Argument(help: "The name.")
    var source: String

    @Option(help: "A new name.")
    var name: String?

    @OptionGroup
    var placeOptions: SourcePlaceOptions

    @Flag(help: "Remove the mapping: file numbers are ayah numbers again.")
    var noMapping = false

    @Option(help: "Another reciter of the library.")
    var reciter: String?

    @Flag(help: "Use the source for playback again.")
    var enable = false

    @Flag(help: "Do not use the source for playback; its files stay.")
    var disable = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      if enable, disable { throw ValidationError("Use --enable or --disable, not both.") }
      if noMapping, placeOptions.mapping != nil {
        throw ValidationError("Use --mapping or --no-mapping, not both.")
      }
    }

    func run(_ library: Library) throws {
      var changed = try library.source(named: source)
      changed.name = name ?? changed.name
      changed.allowsInsecure = placeOptions.insecureHttp ?? changed.allowsInsecure
      changed.allowsPrivate = placeOptions.allowPrivate ?? changed.allowsPrivate
      changed.place = try placeOptions.place(over: changed) ?? changed.place
      changed.ayahOffset = placeOptions.ayahOffset ?? changed.ayahOffset
      changed.timings = try placeOptions.timingsPlace(over: changed)
      changed.mapping = noMapping ? nil : try placeOptions.ayahMapping() ?? changed.mapping
      guard changed.mapping == nil || changed.ayahOffset == 0 else {
        throw Failure(
          code: "usage",
          message:
            "\(changed.name): a mapping replaces the offset; use --ayah-offset 0 with --mapping, or --no-mapping"
        )
      }
      if placeOptions.saysWhere {
        try placeOptions.check(changed.place, timings: changed.timings, changed.mapping)
      }
      changed.isEnabled = enable || (changed.isEnabled && !disable)
      if let reciter {
        let found = try library.reciter(named: reciter)
        changed.reciter = found.id
        changed.riwayah = found.riwayah
      }
      try library.update(changed)
      if placeOptions.trustTimings { try TrustedTimings.enter(changed, in: library) }
      let facts = try SourceFacts(changed, in: library)
      try PlainText.show("\(changed.name): \(facts.place), \(facts.state)")
    }
  }

  struct Remove: LibraryCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a source; its files stay where they are.")

    @Argument(help: "The name.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let facts = try SourceFacts(library.source(named: name), in: library)
      try library.removeSource(facts.source.id)
      StandardStreams.say("\(facts.source.name): removed")
      if case .addresses = facts.source.place, facts.ayahCount > 0 {
        StandardStreams.say(
          "fetched files stay in \(library.folder.fetched(of: facts.source)); add them again with 'source add --folder', or delete them"
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
          message: "\(PlainText.count(problems.count, "file")) of \(source.name) cannot be used")
      }
      StandardStreams.say("\(source.name): all files are intact")
    }
  }
}

/// Where a source is, and what fetching it may do.
struct SourcePlaceOptions: ParsableArguments {
  @Option(
    help: "A folder of files such as 002255.mp3 or 002.mp3, used where it is.",
    completion: .directory)
  var folder: String?

  @Option(
    help:
      "A pattern of addresses: https://example.org/{surah:3}{ayah:3}.mp3. The number sets the count of digits."
  )
  var url: String?

  @Option(help: "A well-known recitation; 'source known' lists them.")
  var known: String?

  @Option(
    help: """
      Published timings, needed if a file holds a whole surah: a file or an address, with {surah} if each surah \
      has its own.
      """,
    completion: .file())
  var timings: String?

  @Flag(help: "Use the timings without checking them.")
  var trustTimings = false

  @Option(
    parsing: .unconditional, help: "Added to an ayah's number to get the source's number.")
  var ayahOffset: Int?

  @Option(
    help: """
      A file with lines such as 2:1-2 = 2:1, for a source that counts ayat differently: ayat on the left, files on \
      the right.
      """,
    completion: .file())
  var mapping: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Allow fetching from your own network or machine.")
  var allowPrivate: Bool?

  @Flag(inversion: .prefixedNo, help: "Allow http:, which is not encrypted.")
  var insecureHttp: Bool?

  mutating func validate() throws {
    if [folder, url, known].count(where: { $0 != nil }) > 1 {
      throw ValidationError("Use one of --folder, --url and --known.")
    }
    if let ayahOffset, abs(ayahOffset) >= 300 {
      throw ValidationError("--ayah-offset must be between -299 and 299.")
    }
    if mapping != nil, ayahOffset ?? 0 != 0 {
      throw ValidationError("Use --ayah-offset or --mapping, not both.")
    }
  }

  var saysWhere: Bool {
    folder != nil || url != nil || known != nil || timings != nil || trustTimings || mapping != nil
  }

  /// What the table of `--mapping` says; nil for none.
  func ayahMapping() throws(Failure) -> AyahMapping? {
    guard let mapping else { return nil }
    guard let bytes = TextFile.bytes(of: mapping, limit: AyahMapping.largestSize) else {
      let code = errno
      throw Failure(
        code: code == ENOENT ? "no_such_file" : code == EFBIG ? "too_large" : "io_error",
        message: "\(mapping): \(String(cString: strerror(code)))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(code: "not_a_mapping", message: "\(mapping): not UTF-8 text")
    }
    do throws(AyahMapping.Problem) {
      return try AyahMapping(parsing: text)
    } catch {
      throw Failure(
        code: "not_a_mapping",
        message: error.line.map { "\(mapping):\($0): \(error.message)" }
          ?? "\(mapping): \(error.message)")
    }
  }

  /// The file or the addresses of timings that were given, else those there were.
  func timingsPlace(over old: ReciterSource?) throws(Failure) -> String? {
    guard let timings else { return old?.timings }
    if SourcePattern.isAddress(timings) {
      let pattern: SourcePattern
      do throws(SourcePattern.Problem) {
        pattern = try SourcePattern(timings: timings)
      } catch {
        throw Failure(code: "usage", message: "\(timings): \(error.description)")
      }
      try checkEncryption(of: pattern, over: old)
      return timings
    }
    let path = UserFolders.absolute(timings)
    _ = try TimingsFile.read(path)
    return path
  }

  /// - Throws: what keeps a place from being a source: nothing to hear, or files of whole surahs without timings or with
  ///   a mapping.
  func check(
    _ place: ReciterSource.Place, timings: String?, _ mapping: AyahMapping?
  ) throws(Failure) {
    let isBySurah: Bool
    switch place {
    case .folder(let path):
      let folder = AyahFolder(path, mapping.map { .mapping($0) } ?? .offset(ayahOffset ?? 0))
      // One that is not there now may come back.
      guard !folder.isReadable || folder.ayahCount > 0 else {
        throw Failure(
          code: "no_audio",
          message:
            "\(path): no sound file in it is named by surah and ayah (002255.mp3) or by surah (002.mp3)"
        )
      }
      isBySurah = folder.isBySurah
    case .addresses(let text): isBySurah = (try? SourcePattern(text))?.isBySurah ?? false
    }
    if isBySurah, timings == nil {
      throw Failure(
        code: "usage",
        message:
          "its files hold whole surahs; add --timings FILE with the times of each ayah")
    }
    if isBySurah, mapping != nil {
      throw Failure(
        code: "usage",
        message:
          "its files hold whole surahs; --mapping is only for files with one ayah each, use --timings"
      )
    }
    if trustTimings, timings == nil {
      throw Failure(code: "usage", message: "--trust-timings needs --timings FILE")
    }
  }

  /// The one that `--known` names.
  func knownSource() throws(Failure) -> KnownSource? {
    guard let known else { return nil }
    guard let found = KnownSource.all.first(where: { $0.id == known.lowercased() }) else {
      throw Failure(
        code: "usage", message: "there is no known source '\(known)'; 'source known' lists all")
    }
    return found
  }

  /// The place that was given; nil for none.
  func place(over old: ReciterSource?) throws(Failure) -> ReciterSource.Place? {
    if let folder {
      let path = UserFolders.absolute(folder)
      guard FileKind(path: path) == .folder else {
        throw Failure(code: "no_such_file", message: "\(folder): no such folder")
      }
      return .folder(path)
    }
    let offered = try knownSource()?.pattern
    guard let url = url ?? offered else { return nil }
    let pattern: SourcePattern
    do throws(SourcePattern.Problem) {
      pattern = try SourcePattern(url)
    } catch {
      throw Failure(code: "usage", message: "\(url): \(error.description)")
    }
    try checkEncryption(of: pattern, over: old)
    return .addresses(url)
  }

  private func checkEncryption(
    of pattern: SourcePattern, over old: ReciterSource?
  ) throws(Failure) {
    guard pattern.isInsecure, !(insecureHttp ?? old?.allowsInsecure ?? false) else { return }
    throw Failure(
      code: "usage",
      message: "\(pattern): http: is not encrypted; use https:, or add --insecure-http")
  }
}

/// A source with what of it is here.
struct SourceFacts {
  let source: ReciterSource
  let reciter: Reciter?
  let ayahCount: Int
  let bytes: Int64
  private let isReadable: Bool

  init(_ source: ReciterSource, in library: Library) throws(LibraryError) {
    self.init(source, try library.reciters(), in: library)
  }

  static func all(in library: Library) throws(LibraryError) -> [SourceFacts] {
    let reciters = try library.reciters()
    return try library.sources().map { SourceFacts($0, reciters, in: library) }
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

  private init(_ source: ReciterSource, _ reciters: [Reciter], in library: Library) {
    self.source = source
    reciter = reciters.first { $0.id == source.reciter }
    let folder = AyahFolder(of: source, in: library.folder)
    ayahCount = folder.ayahCount
    isReadable = folder.isReadable
    bytes = folder.files.reduce(0) { $0 + FileKind.size(of: folder.path + "/" + $1.name) }
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
    var fields: [JSONValue.Member] = [
      .init("schema", .string("tilawa.source-list/1")), .init("name", .string(source.name)),
      .init("reciter", reciter.map { .string($0.name) } ?? .null),
      .init("riwayah", .string(source.riwayah.rawValue)),
    ]
    switch source.place {
    case .folder(let path): fields.append(.init("folder", .string(path)))
    case .addresses(let text): fields.append(.init("url", .string(text)))
    }
    return .object(
      fields + [
        .init("ayah_offset", .integer(source.ayahOffset)),
        .init("mapping", source.mapping.map { .array($0.lines.map { .string($0) }) } ?? .null),
        .init("timings", source.timings.map { .string($0) } ?? .null),
        .init("ayat", .integer(ayahCount)),
        .init("bytes", .integer(Int(bytes))), .init("state", .string(state)),
      ])
  }
}
