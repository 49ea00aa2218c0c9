// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Glibc
import Library
import Quran
import ReciterSources

extension SourceCommand {
  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a source: a folder of files such as 002255.mp3, or a pattern of addresses.")

    @Argument(help: "The name of the source.")
    var name: String

    @OptionGroup
    var placeOptions: SourcePlaceOptions

    @Option(
      help: "The reciter; added if new. Default: the reciter of --known, or the source's name.")
    var reciter: String?

    @Option(help: "The riwayah. Default: hafs, or the riwayah of --known.")
    var riwayah: Riwayah?

    @Flag(help: "Do not use the source for playback yet; 'source edit --enable' does.")
    var disable = false

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
      let trustsTimings = placeOptions.trustTimings ?? false
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
        trustsTimings: trustsTimings, isEnabled: !disable,
        allowsPrivate: placeOptions.allowPrivate ?? false,
        allowsInsecure: placeOptions.insecureHttp ?? false)
      let facts = try SourceFacts(source, in: library)
      if trustsTimings { try TrustedTimings.enter(source, in: library) }
      let state = disable ? ", disabled" : ""
      switch place {
      case .folder:
        let count = PlainText.count(facts.ayahCount, "ayah", "ayat")
        try PlainText.show("\(source.name): \(count)\(state)")
      case .addresses:
        try PlainText.show("\(source.name): \(facts.place)\(state)")
        if offered != nil, self.reciter == nil {
          StandardStreams.say("the reciter is \(reciter.name); use this name with 'play --reciter'")
        }
        if offered != nil { StandardStreams.say(KnownSource.terms) }
        StandardStreams.say(
          "respect the publisher's terms of use; run 'source fetch' to fetch files")
      }
      if timings != nil, !trustsTimings {
        StandardStreams.say(Self.timingsAdvice(source))
      }
      if !riwayah.countsAsHafs {
        StandardStreams.say(
          "this riwayah numbers ayat differently: only surahs with as many ayat as in Hafs, and surahs that --mapping maps, are used"
        )
      }
    }

    /// When the timings of a new source count.
    private static func timingsAdvice(_ source: ReciterSource) -> String {
      if source.timingsAddresses != nil {
        return "'source fetch' fetches its timings too, and compares them with the sound"
      }
      let comparing =
        switch source.place {
        case .folder: "timings check \(source.name.commandWord)"
        case .addresses: "source fetch"
        }
      return "its timings are used after '\(comparing)' has compared them with the sound"
    }
  }

  struct Edit: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change a source.")

    @Argument(help: "The name.")
    var source: String

    @Option(help: "A new name.")
    var name: String?

    @OptionGroup
    var placeOptions: SourcePlaceOptions

    @Flag(help: "Remove the mapping: file numbers are ayah numbers again.")
    var noMapping = false

    @Flag(help: "Remove the timings; files with whole surahs need some.")
    var noTimings = false

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
      if noTimings, placeOptions.timings != nil || placeOptions.trustTimings ?? false {
        throw ValidationError("--no-timings goes with neither --timings nor --trust-timings.")
      }
    }

    func run(_ library: Library) throws {
      var changed = try library.source(named: source)
      changed.name = name ?? changed.name
      changed.allowsInsecure = placeOptions.insecureHttp ?? changed.allowsInsecure
      changed.allowsPrivate = placeOptions.allowPrivate ?? changed.allowsPrivate
      changed.ayahOffset = placeOptions.ayahOffset ?? changed.ayahOffset
      let (place, timings) = (changed.place, changed.timings)
      changed.place = try placeOptions.place(over: changed) ?? place
      changed.timings = noTimings ? nil : try placeOptions.timingsPlace(over: changed)
      // Whoever trusts timings does not trust others for that.
      changed.trustsTimings =
        placeOptions.trustTimings ?? (changed.trustsTimings && changed.timings == timings)
      changed.mapping = noMapping ? nil : try placeOptions.ayahMapping() ?? changed.mapping
      guard changed.mapping == nil || changed.ayahOffset == 0 else {
        throw Failure(
          code: "usage",
          message:
            "\(changed.name): a mapping replaces the offset; use --ayah-offset 0 with --mapping, or --no-mapping"
        )
      }
      if placeOptions.saysWhere || noTimings {
        // That of a manifest has timings, and no file of them.
        let hasOthers = timings == nil && !noTimings && changed.hasManifest(in: library)
        try placeOptions.check(
          changed.place, timings: changed.timings, hasOthers: hasOthers, changed.mapping)
      }
      changed.isEnabled = enable || (changed.isEnabled && !disable)
      if let reciter {
        let found = try library.reciter(named: reciter)
        changed.reciter = found.id
        changed.riwayah = found.riwayah
      }
      let before = try library.files(of: changed.id)
      try library.update(changed)
      let fetched = try library.files(of: changed.id)
      if placeOptions.trustTimings ?? false { try TrustedTimings.enter(changed, in: library) }
      let facts = try SourceFacts(changed, in: library)
      try PlainText.show("\(changed.name): \(facts.place), \(facts.state)")
      if case .addresses = changed.place, changed.place != place, facts.ayahCount > 0 {
        StandardStreams.say(
          "files fetched from the former address stay in use; 'source fetch \(changed.name.commandWord) --renew' with ayat or --all fetches them from the new one"
        )
      }
      if changed.place != place { try tellOfUnused(changed, in: library) }
      tellOfRenamed(changed, before, fetched)
    }

    /// Says what became of fetched files whose numbers mean other ayat now.
    private func tellOfRenamed(
      _ source: ReciterSource, _ before: [SourceFile], _ fetched: [SourceFile]
    ) {
      let names = Dictionary(
        before.map { ($0.url, $0.name) }, uniquingKeysWith: { first, _ in first })
      let renamed = fetched.count { file in names[file.url].map { $0 != file.name } ?? false }
      if renamed > 0 {
        StandardStreams.say(
          "\(PlainText.count(renamed, "fetched file")) renamed, as the numbers now mean other ayat")
      }
      let setAside = before.count - fetched.count
      if setAside > 0 {
        StandardStreams.say(
          "\(PlainText.count(setAside, "fetched file")) renamed to *.old1, as the names would now mean other ayat;"
            + " 'source fetch \(source.name.commandWord)' with ayat or --all fetches what is missing"
        )
      }
    }

    /// Says that fetched files stay unused which hold whole surahs where the new addresses have ayat, or the reverse.
    private func tellOfUnused(_ source: ReciterSource, in library: Library) throws {
      guard case .addresses = source.place else { return }
      let unused = try library.files(of: source.id).filter {
        SourceFile.isOfSurah($0.name) != source.isBySurah
      }
      guard !unused.isEmpty else { return }
      let what = source.isBySurah ? "an ayah each" : "whole surahs"
      StandardStreams.say(
        "\(PlainText.count(unused.count, "file")) with \(what), fetched earlier,"
          + " \(unused.count == 1 ? "is" : "are") not used with this address;"
          + " \(unused.count == 1 ? "it stays" : "they stay") in \(library.folder.fetched(of: source))"
      )
    }
  }

  struct Remove: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a source; its files stay where they are.")

    @Argument(help: "The name.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let facts = try SourceFacts(library.source(named: name), in: library)
      try library.removeSource(facts.source)
      StandardStreams.say("\(facts.source.name): removed")
      if case .addresses = facts.source.place, facts.ayahCount > 0 {
        StandardStreams.say(
          "fetched files stay in \(library.folder.fetched(of: facts.source)); add them again with 'source add --folder', or delete them"
        )
      }
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

  @Flag(
    inversion: .prefixedNo,
    help: "Use the timings without a check, also those of files that are fetched later.")
  var trustTimings: Bool?

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
    folder != nil || url != nil || known != nil || timings != nil || trustTimings != nil
      || mapping != nil
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
    guard !timings.isEmpty else {
      throw Failure(
        code: "usage",
        message: "--timings: empty; name a file or an address, or use --no-timings of 'source edit'"
      )
    }
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
  /// - Parameter hasOthers: whether there are timings that are in no file of the user's.
  func check(
    _ place: ReciterSource.Place, timings: String?, hasOthers: Bool = false,
    _ mapping: AyahMapping?
  ) throws(Failure) {
    let isBySurah: Bool
    switch place {
    case .folder(let path):
      let folder = AyahFolder(path, mapping.map { .mapping($0) } ?? .offset(ayahOffset ?? 0))
      // One that is not there now may come back.
      guard !folder.isReadable || AyahRange.wholeQuran.contains(where: folder.has) else {
        throw Failure(
          code: "no_audio",
          message:
            "\(path): no sound file in it is named by surah and ayah (002255.mp3) or by surah (002.mp3)"
        )
      }
      isBySurah = folder.isBySurah
    case .addresses(let text): isBySurah = (try? SourcePattern(text))?.isBySurah ?? false
    }
    if isBySurah, timings == nil, !hasOthers {
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
    if trustTimings ?? false, timings == nil {
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
