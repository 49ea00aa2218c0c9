// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Exchange
import Glibc
import Library
import Playback
import Quran
import ReciterSources
import Timings
import Workflows

/// `timings`
struct TimingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timings", abstract: "Compare published timings with the sound.",
    subcommands: [Check.self])

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Compare published timings with the sound, and correct them.",
      discussion: """
        Files named by their ayah, such as 002255.mp3, need no timings. For these, the command names files that hold \
        another ayah or also a neighbouring one, are cut at the start or end, are silent, or cannot be decoded. With \
        word timings by ayah, it also names words that are early or late.

        For a recording with timings, it shows how late or early all times are, whether they drift, and which \
        single ayat are wrong: missing, not heard, early, late, another ayah, repeated. Without --timings, it reads \
        NAME.json, timings.json or segments.json beside the recording, or the timings of the source.

        READS: segments of QUL, audio data of quran.com, quran-align, ayat_timing of mp3quran, the timing \
        database of Quran for Android, segments of 'export' and 'auto-detect'.

        Exit code: 0 everything fits, 65 something does not, 1 something could not be checked.

        EXAMPLES:
          tilawa-annotate timings check 036.mp3 --timings segments.json
          tilawa-annotate timings check recitation/ --timings segments.json --format json
          tilawa-annotate timings check Husary --repair
        """)

    @Argument(
      help: "A recording, a folder of them, a recording of the library, or a source.",
      completion: .file())
    var subjects: [String]

    @Option(help: "The file with the timings.", completion: .file())
    var timings: String?

    @Option(
      help: "The surah of the recording. Default: from its name.", transform: SurahArgument.init)
    var surah: SurahArgument?

    @Flag(help: "Write corrected timings beside the timings file, as NAME.repaired.json.")
    var repair = false

    @Flag(help: "Replace an earlier NAME.repaired.json.")
    var force = false

    @Option(help: "table (for people) or json.")
    var format: Format = .table

    @Flag(help: "Do not keep the measurements of the recordings.")
    var noCache = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    enum Format: String, CaseIterable, ExpressibleByArgument { case table, json }

    mutating func validate() throws {
      if subjects.isEmpty { throw ValidationError("Name a recording, a folder or a source.") }
    }

    func run() async throws {
      let command = self
      try await runReporting { try TimingsRun(command).run() }
    }
  }
}

/// A surah on the command line.
struct SurahArgument: Hashable {
  let surah: Surah

  /// - Throws: `ValidationError` that says what is wrong with it.
  init(_ text: String) throws {
    do throws(QuranError) {
      surah = try Surah(parsing: text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// One run of `timings check`. Blocks.
private final class TimingsRun {
  private let command: TimingsCommand.Check
  private let library: Library?
  private let checker: TimingsChecker
  private var failures: [(name: String, failure: Failure)] = []
  /// Files with an ayah each, which are checked by their names.
  private var ayahFiles: [AyahFileSubject] = []

  init(_ command: TimingsCommand.Check) throws {
    self.command = command
    library = try command.libraryOptions.openExisting()
    checker = TimingsChecker(sidecars: command.noCache ? nil : UserFolders.sidecars)
  }

  func run() throws {
    var subjects: [TimingsSubject] = []
    for name in command.subjects {
      let known = ayahFiles.count
      subjects += try self.subjects(name).map { subject in
        var subject = subject
        subject.set = name
        return subject
      }
      for index in ayahFiles.indices.dropFirst(known) { ayahFiles[index].set = name }
    }
    let fileReports = try reportsOfAyahFiles()
    let outcomes = try checker.check(subjects)
    var reports: [TimingsReport] = []
    for (subject, outcome) in zip(subjects, outcomes) {
      switch outcome {
      case .success(let check): reports.append(TimingsReport(subject: subject, check: check))
      case .failure(let failure):
        if failure.code == Failure.interrupted { throw failure }
        failures.append((subject.name, failure))
      }
    }
    let drifts = Dictionary(grouping: reports, by: \.subject.set).compactMapValues {
      TimingsDrift($0.map(\.check))
    }
    // Recordings of a set that were all encoded anew drift alike, which many tell better than one.
    reports = reports.map { report in
      drifts[report.subject.set].map {
        TimingsReport(subject: report.subject, check: report.check.given($0))
      } ?? report
    }
    try show(reports, fileReports, drifts)
    if command.repair {
      try repair(reports)
      try repairWords(fileReports)
    }
    if let library {
      for report in reports {
        let standing = try report.keep(in: library, isRepairing: command.repair)
        tell(standing, of: report.subject.name)
      }
      let standings = try fileReports.map { report in
        (report, try report.keep(in: library, isRepairing: command.repair))
      }
      for (standing, alike) in Dictionary(grouping: standings, by: \.1) {
        let ayat = PlainText.ranges(AyahRange.runs(of: alike.map(\.0.subject.ayat.first)))
        tell(standing, of: "words of \(ayat)")
      }
    }
    tellFailures()
    guard failures.isEmpty else { throw ExitStatus.someFailed }
    if reports.contains(where: { $0.check.verdict != .fits })
      || fileReports.contains(where: { !$0.fits })
    {
      throw ExitStatus.badData
    }
  }

  /// What is alike of many recordings, such as a file of timings that cannot be read, is said once.
  private func tellFailures() {
    var told: Set<String> = []
    for (name, failure) in failures where told.insert(failure.message).inserted {
      let alike = failures.count { $0.failure.message == failure.message }
      let others = alike > 1 ? " and \(alike - 1) more" : ""
      StandardStreams.say("\(name)\(others): \(failure.message)")
    }
  }

  /// Says what is used all the same of what does not fit.
  private func tell(_ standing: SourceTimings.Standing?, of subject: String) {
    switch standing {
    case .checkedBefore:
      StandardStreams.say("\(subject): the timings that were checked earlier stay in use")
    case .trusted: StandardStreams.say("\(subject): used all the same, as you trust the timings")
    case .checked, .unused, nil: break
    }
  }

  private func reportsOfAyahFiles() throws -> [AyahFileReport] {
    guard !ayahFiles.isEmpty else { return [] }
    var reports: [AyahFileReport] = []
    for (subject, outcome) in zip(ayahFiles, try checker.check(ayahFiles)) {
      switch outcome {
      case .success(let check): reports.append(AyahFileReport(subject: subject, check: check))
      case .failure(let failure):
        if failure.code == Failure.interrupted { throw failure }
        failures.append((subject.path, failure))
      }
    }
    for set in Set(reports.map(\.subject.set)) {
      let own = reports.indices.filter { reports[$0].subject.set == set }
      let judged = AyahFileCheck.judgingCuts(in: own.map { reports[$0].check })
      for (index, check) in zip(own, judged) {
        reports[index] = AyahFileReport(subject: reports[index].subject, check: check)
      }
    }
    return reports
  }

  // MARK: What is checked

  private func subjects(_ name: String) throws -> [TimingsSubject] {
    if FileKind(path: name) != .nothing {
      let files = InputFiles([name])
      for (path, message) in files.problems {
        failures.append((path, Failure(code: "not_readable", message: message)))
      }
      return files.inputs.compactMap { input in
        subject(input.path) { () throws(Failure) in
          if let file = try self.ayahFile(input.path) {
            self.ayahFiles.append(file)
            return nil
          }
          guard let timings = self.command.timings ?? TimingsFile.beside(input.path) else {
            throw Failure(
              code: "no_timings",
              message: "\(TimingsFile.faultOfAyahName(input.path).map { "\($0), and " } ?? "")"
                + "no timings beside the recording; use --timings FILE")
          }
          let published = try self.checker.timings(
            timings, of: input.path, surah: self.command.surah?.surah)
          let isOneOfSeveral = files.inputs.count > 1 || self.command.subjects.count > 1
          if isOneOfSeveral, let surah = TimingsFile.surah(named: input.path) {
            try TimingsChecker.check(published, at: timings, mayBeOf: surah)
          }
          return try TimingsSubject(
            input.path, path: input.path, timings: published, at: timings,
            surah: self.command.surah?.surah)
        }
      }
    }
    guard let library else {
      throw Failure(
        code: "no_such_file", message: "\(name): no such file, and no library to search")
    }
    if let source = try library.sources().first(where: { $0.name.lowercased() == name.lowercased() }
    ) {
      return try subjects(source, in: library)
    }
    let recording: Recording
    do throws(Failure) {
      recording = try library.recording(named: name)
    } catch {
      guard error.code == "no_such_recording" else { throw error }
      throw Failure(
        code: "no_such_file",
        message: "\(name): no such file, source or recording;"
          + " 'list' and 'source list' show the library")
    }
    return [
      subject(recording.title) { () throws(Failure) in
        guard let timings = self.command.timings else {
          throw Failure(code: "usage", message: "use --timings FILE")
        }
        let path: String
        do throws(LibraryError) {
          path = try library.file(of: recording)
        } catch {
          throw Failure(error)
        }
        return try TimingsSubject(
          recording.title, path: path, track: recording.media.track,
          timings: try self.checker.timings(
            timings, of: timings, surah: self.command.surah?.surah), at: timings,
          surah: self.command.surah?.surah)
      }
    ].compactMap { $0 }
  }

  /// A file that is checked by its name, and by the words of `--timings` where these are by ayah; nil for others.
  private func ayahFile(_ path: String) throws(Failure) -> AyahFileSubject? {
    guard var file = AyahFileSubject(named: path), command.surah == nil else { return nil }
    guard let timings = command.timings else { return file }
    guard let ayah = file.ayah, try isByAyah(timings) else { return nil }
    file.words = try checker.words(of: ayah, in: timings).map { ($0, timings) }
    return file
  }

  private func isByAyah(_ timings: String) throws(Failure) -> Bool {
    try checker.timings(timings, of: timings, surah: command.surah?.surah).clock == .ayah
  }

  private func subjects(_ source: ReciterSource, in library: Library) throws -> [TimingsSubject] {
    let timings = command.timings.map(UserFolders.absolute)
    let folder = try AyahFolder(of: source, in: library)
    if let fault = folder.faultAndRemedy(of: source) {
      throw Failure(code: "no_such_file", message: "\(source.name): \(folder.path): \(fault)")
    }
    let surahs = folder.surahs.keys.sorted()
    let files = try timings.map(isByAyah) ?? true ? folder.ayahFiles : []
    guard !surahs.isEmpty || !files.isEmpty else {
      throw Failure(
        code: "no_such_file",
        message: timings == nil
          ? "\(source.name): none of its files are here yet"
          : "\(source.name): none of its surah files are here yet")
    }
    for file in files {
      ayahFiles.append(
        try checker.subject(file, of: source, in: folder, library, timings: timings))
    }
    return surahs.compactMap { surah in
      subject("\(source.name) \(surah)") { () throws(Failure) in
        try checker.subject(surah, of: source, in: library, timings: timings)
      }
    }
  }

  private func subject(
    _ name: String, _ make: () throws(Failure) -> TimingsSubject?
  ) -> TimingsSubject? {
    do throws(Failure) {
      return try make()
    } catch {
      failures.append((name, error))
      return nil
    }
  }

  // MARK: What comes of it

  private func show(
    _ reports: [TimingsReport], _ fileReports: [AyahFileReport], _ drifts: [String: TimingsDrift]
  ) throws(Failure) {
    let drifts = drifts.sorted { $0.key < $1.key }
    switch command.format {
    case .table:
      for report in reports { try report.show() }
      for (set, drift) in drifts {
        let told = TimingsReport.drift(
          drift.value * 1e6, error: drift.error * 1e6,
          drift.isSignificant ? .significant : .chance)
        try PlainText.show("\(set): \(told), by \(drift.recordings) recordings together")
      }
      try AyahFileReport.show(fileReports)
    case .json:
      let failed = failures.map { name, failure in
        JSONValue.object([
          .init("file", .string(name)),
          .init(
            "error",
            .object([
              .init("code", .string(failure.code)), .init("message", .string(failure.message)),
            ])),
        ])
      }
      try StandardStreams.writeOutput(
        JSONValue.object([
          .init("schema", .string("tilawa.timings-check/1")),
          .init("files", .array(reports.map(\.json) + fileReports.map(\.json) + failed)),
          .init(
            "sets",
            .array(
              drifts.map { set, drift in
                .object([
                  .init("name", .string(set)), .init("recordings", .integer(drift.recordings)),
                  .init("drift_ppm", .measure(drift.value * 1e6, decimals: 1)),
                  .init("drift_error_ppm", .measure(drift.error * 1e6, decimals: 1)),
                  .init("drift_significant", .bool(drift.isSignificant)),
                ])
              })),
        ]).text + "\n")
    }
  }

  /// Writes what was corrected beside each file of timings; of a file with many surahs those that were checked.
  private func repair(_ reports: [TimingsReport]) throws(Failure) {
    for (path, alike) in Dictionary(grouping: reports, by: \.subject.timingsPath) {
      let good = alike.filter(\.check.isRepairable)
      guard var repaired = good.first?.check.repaired else {
        StandardStreams.say("\(path): nothing could be corrected")
        continue
      }
      repaired.ayat = good.flatMap(\.check.repaired.ayat)
      try write(repaired, beside: path, of: PlainText.count(good.count, "recording"))
    }
  }

  /// The same of words of files with an ayah each.
  private func repairWords(_ reports: [AyahFileReport]) throws(Failure) {
    for (path, alike) in Dictionary(grouping: reports, by: \.subject.words?.path) {
      // Those that could not be compared stay as they are.
      let ayat = alike.compactMap { $0.check.words?.repaired ?? $0.subject.words?.published }
      guard let path, !ayat.isEmpty else { continue }
      guard alike.contains(where: { $0.check.words != nil }) else {
        StandardStreams.say("\(path): nothing could be corrected")
        continue
      }
      try write(
        PublishedTimings(.qulByAyah, clock: .ayah, ayat: ayat), beside: path,
        of: PlainText.count(alike.count, "file"))
    }
  }

  private func write(
    _ timings: PublishedTimings, beside path: String, of subjects: String
  ) throws(Failure) {
    let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    let target = stem + ".repaired.json"
    let file = try OutputFile(path: target, isReplacing: command.force, sparing: [path])
    try file.write(timings.text)
    try file.finish()
    let count = PlainText.count(timings.ayat.count, "ayah", "ayat")
    StandardStreams.say("\(target): \(count) of \(subjects)")
  }
}
