// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Fetch
import Library
import Playback
import Quran
import ReciterSources
import Timings

extension SourceCommand {
  /// `source fetch NAME RANGE`
  struct Fetch: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch",
      abstract: "Fetch ayat of a source into the library, where they stay.",
      discussion: """
        Only this, 'play --fetch' and 'missing --fetch' use the network, with one request at a time. Files that are already here are not \
        fetched again without --renew; interrupted downloads resume. Each file is compared with its timings as soon as \
        both are here, also after an earlier fetch was interrupted. Exit code: 0 everything that the source has is here, 1 something is missing or is not what \
        the manifest of 'source import' says, 130 interrupted. With any other code, the command did not begin to fetch.
        """)

    @Argument(help: "The name.")
    var name: String

    @Argument(help: "What to fetch: 2:1-2:50, 36, juz 30; several are fetched together.")
    var ranges: [String] = []

    @Flag(help: "Fetch the whole Quran.")
    var all = false

    @Flag(
      help:
        "Fetch sound again that came from another address, or all if none did; it takes the place of the old."
    )
    var renew = false

    @Flag(help: "Fetch timings again even if they are already here.")
    var renewTimings = false

    @Flag(help: "Only show what would be fetched.")
    var dryRun = false

    @Flag(help: "Do not use the network: only show what is missing.")
    var offline = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      if all == !ranges.isEmpty { throw ValidationError("Name the ayat to fetch, or use --all.") }
    }

    func run(_ library: Library) throws {
      let source = try library.source(named: name)
      let settings = try FetchSettings(Configuration())
      let fetcher = try SourceFetcher(
        source, in: library, settings, stopFlag: Interrupt.flag,
        timingsProblem: TimingsFile.problem)
      let plan = try fetcher.plan(
        wanted(), settings, renewsSound: renew, renewsTimings: renewTimings)
      try tell(plan, source)
      if dryRun { return }
      for line in source.differences(of: plan.differing) + source.lines(of: plan.unfit) {
        StandardStreams.say(line)
      }
      guard !plan.isEmpty else {
        guard plan.wantsNothingElse else { throw ExitStatus.someFailed }
        return
      }
      if plan.needsNetwork { try FetchSettings.checkOnline(offline, for: source.name) }
      let timings = FetchedTimings(of: source, in: library)
      let outcome = fetcher.fetchWithProgress(plan, of: source, comparing: timings)
      if plan.needsNetwork {
        try outcome.tell(of: source)
      } else {
        outcome.tellFailures(of: source)
      }
      for line in timings.remarks { StandardStreams.say(line) }
      // What cannot be written may not be readable either.
      if outcome.cannotBeKept { throw ExitStatus.someFailed }
      try SourceFacts.warnOfSize(in: library)
      if outcome.isInterrupted { throw ExitStatus.interrupted }
      guard outcome.hasEverything, plan.wantsNothingElse else { throw ExitStatus.someFailed }
    }

    private func wanted() throws(Failure) -> [AyahRange] {
      if all { return [.wholeQuran] }
      var wanted: [AyahRange] = []
      var rest = ranges[...]
      do throws(QuranError) {
        while !rest.isEmpty {
          let (range, count) = try AyahRange.leading(rest)
          wanted.append(range)
          rest = rest.dropFirst(count)
        }
      } catch {
        throw Failure(code: "usage", message: "\(error)")
      }
      return wanted
    }

    private func tell(_ plan: SourceFetcher.Plan, _ source: ReciterSource) throws(Failure) {
      var parts: [String] = []
      if plan.alreadyHere > 0 {
        var remarks: [String] = []
        if plan.fromElsewhere > 0 {
          remarks.append(
            "\(PlainText.count(plan.fromElsewhere, "file")) from another address; --renew fetches them again"
          )
        }
        if plan.unrenewable > 0 {
          remarks.append(
            "the server refused to renew \(PlainText.count(plan.unrenewable, "file")) during the last week, which"
              + " \(plan.unrenewable == 1 ? "stays" : "stay") in use; 'source edit \(source.name.commandWord) --url' changes the address"
          )
        }
        parts.append("\(plan.alreadyHere) already here" + remarks.map { " (\($0))" }.joined())
      }
      if plan.absent > 0 {
        parts.append("\(plan.absent) refused by the server during the last week")
      }
      if plan.absentTimings > 0 {
        parts.append(
          PlainText.count(plan.absentTimings, "file")
            + " of timings refused during the last week (--renew-timings asks again)")
      }
      if !plan.uncompared.isEmpty {
        parts.append("\(plan.uncompared.count) to compare with the timings")
      }
      if plan.unmapped > 0 { parts.append("\(plan.unmapped) numbered differently") }
      let rest = parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
      let timings = PlainText.count(plan.timings.count, "file") + " of timings"
      switch (plan.files.isEmpty, plan.timings.isEmpty) {
      case (true, true): try PlainText.show("\(source.name): nothing to fetch\(rest)")
      case (true, false): try PlainText.show("\(source.name): \(timings) to fetch\(rest)")
      case (false, let isSoundAlone):
        try PlainText.show(
          "\(source.name): \(PlainText.count(plan.files.count, "file"))"
            + (isSoundAlone ? "" : " and \(timings)") + " to fetch, about"
            + " \(PlainText.size(plan.estimatedBytes)), at least \(PlainText.duration(plan.leastSeconds))\(rest)"
        )
      }
    }
  }
}

extension SourceFetcher {
  /// Fetches and compares, and shows how far it has come.
  func fetchWithProgress(
    _ plan: Plan, of source: ReciterSource, comparing timings: FetchedTimings
  ) -> Outcome {
    let display = ProgressDisplay()
    defer { display.finish() }
    func show(_ ayah: AyahReference, _ done: Double, _ text: String, isWaiting: Bool = false) {
      let what = source.isBySurah ? ayah.surah.description : "\(ayah)"
      display.update(
        label: "\(source.name) \(what), \(text)",
        fraction: done / Double(max(plan.files.count, 1)), isWaiting: isWaiting)
    }
    var done = 0.0
    return fetch(plan) { ayah, now, bytes in
      done = now
      show(ayah, done, PlainText.size(bytes))
    } waiting: { ayah, now, error, seconds in
      done = now
      show(ayah, done, error.retry(in: seconds), isWaiting: true)
    } compare: { ayah throws(LibraryError) in
      show(ayah, done, "comparing with its timings", isWaiting: true)
      try timings.compare(ayah)
    }
  }
}

extension SourceFetcher.Outcome {
  fileprivate var isInterrupted: Bool { failures.contains { $0.error.kind == .cancelled } }

  fileprivate var cannotBeKept: Bool {
    failures.contains {
      switch $0.error.kind {
      case .disk, .library: true
      default: false
      }
    }
  }

  /// Says what came and what did not.
  fileprivate func tell(of source: ReciterSource) throws {
    let timings =
      fetchedTimings > 0 ? " and \(PlainText.count(fetchedTimings, "file")) of timings" : ""
    try PlainText.show(
      "\(source.name): \(PlainText.count(fetched, "file"))\(timings), \(PlainText.size(bytes)) fetched"
    )
    tellFailures(of: source)
  }

  /// Says what did not come, and why.
  func tellFailures(of source: ReciterSource) {
    for line in failureLines(of: source) { StandardStreams.say(line) }
    if untried > 0 {
      StandardStreams.say(
        isInterrupted
          ? "\(PlainText.count(untried, "file")) not tried" : PlainText.untried(untried))
    }
    for line in source.differences(of: differing) { StandardStreams.say(line) }
  }
}

extension FetchSettings {
  /// - Throws: a failure where the command line or the settings forbid the network.
  /// - Parameter isOffline: whether the command was given `--offline`.
  static func checkOnline(_ isOffline: Bool = false, for subject: String) throws(Failure) {
    let isSet = try Configuration().value("network.offline") == "true"
    guard isOffline || isSet else { return }
    let remedies =
      (isOffline ? ["remove --offline"] : [])
      + (isSet ? ["run 'settings unset network.offline'"] : [])
    throw Failure(
      code: "unavailable",
      message: "\(subject): nothing is fetched offline; " + remedies.joined(separator: " and "))
  }

  /// What the user has set.
  init(_ configuration: Configuration) {
    self.init(
      userAgent:
        "tilawa-annotate/\(TilawaAnnotate.version)")
    authorities = configuration.value("network.ca_file").map {
      UserFolders.absolute(UserFolders.withHome($0))
    }
    usesProxies = configuration.value("network.proxies") == "true"
  }
}
