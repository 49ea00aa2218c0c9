// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
public import Fetch
import Glibc
public import Library
public import Quran

/// Brings files of a source into the library, to stay. Blocks its thread.
public final class SourceFetcher {
  private let library: Library
  private let source: ReciterSource
  /// Nil for a folder, whose timings alone are fetched.
  private let pattern: SourcePattern?
  private let timingsProblem: @Sendable (_ path: String, Surah) -> String?
  private let lock: SourceLock
  private let cache: SourceCache
  private let downloader: Downloader
  private let stopFlag: StopFlag

  /// What is to be fetched, and what of what was asked for is not.
  public struct Plan: Sendable {
    /// A file with sound.
    public struct File: Hashable, Sendable {
      /// The first in it that is wanted; of a file with a whole surah its first.
      public let ayah: AyahReference
      /// By the numbers of the source.
      public let number: Int
      /// Whether it is here, and another one is to take its place.
      public let isRenewal: Bool
    }

    public let files: [File]
    /// One for each file of timings; of one with all surahs any.
    public let timings: [Surah]
    public let alreadyHere: Int
    /// What is not here, and the server did not have during the last week.
    public let absent: Int
    /// Those of ``alreadyHere`` that the server did not have when they were to be renewed during the last week.
    public let unrenewable: Int
    /// Surahs whose timings the server did not have during the last week; 1 where one file has those of all.
    public let absentTimings: Int
    /// Of this source no number means the same ayah.
    public let unmapped: Int
    /// Those that are here and are not the files of the manifest that the source was imported from, by the first ayah.
    public let differing: [AyahReference]
    /// By the files that are here, else by 128 kb/s.
    public let estimatedBytes: Int64
    /// What politeness alone takes.
    public let leastSeconds: Double
    /// The first ayat of files that are here and whose timings, which are here too, were never compared with them.
    public let uncompared: [AyahReference]
    /// Those that are here and whose timings, which are here too, do not count.
    public let unfit: [FileComparisons.Unfit]
    /// How many of those that are here came from another address than the source has now, where that may have them.
    public let fromElsewhere: Int
    fileprivate let renewsSound: Bool
    /// The first ayat of files that are here and whose timings are to be fetched.
    fileprivate let untimed: [AyahReference]

    public var needsNetwork: Bool { !files.isEmpty || !timings.isEmpty }
    public var isEmpty: Bool { !needsNetwork && uncompared.isEmpty }

    /// Whether a fetch leaves nothing to wish for.
    public var wantsNothingElse: Bool {
      absent == 0 && absentTimings == 0 && differing.isEmpty && !(renewsSound && unrenewable > 0)
    }
  }

  /// Compares the files that begin with an ayah with their timings, where these are here.
  /// - Throws: `LibraryError` where what it finds cannot be kept; `.cancelled` where it was interrupted.
  public typealias Comparison = (AyahReference) throws(LibraryError) -> Void

  public struct Outcome: Sendable {
    public var fetched = 0
    /// Files of timings.
    public var fetchedTimings = 0
    public var bytes: Int64 = 0
    public var failures: [Failure] = []
    /// Files that came whole and are not those of the manifest that the source was imported from.
    public var differing: [AyahReference] = []
    /// Not tried, after a failure that would have met them too.
    public var untried = 0

    public var hasEverything: Bool { failures.isEmpty && untried == 0 && differing.isEmpty }
  }

  /// A file that did not come.
  public struct Failure: Sendable {
    /// The first in it.
    public let ayah: AyahReference
    public let error: FetchError
    public let isOfTimings: Bool
    /// Whether an earlier one is here, and stays in use.
    public let keepsOld: Bool

    /// Source, file, cause and remedy in one line. Not safe to print as it is.
    public var description: String { error.description + remark }

    /// What becomes of the earlier one.
    public var remark: String { keepsOld ? "; what is here stays in use" : "" }
  }

  /// Locks the source, and mends what an earlier process left.
  /// - Parameters:
  ///   - turns: shared with others that ask the same hosts; nil for all that use this library.
  ///   - timingsProblem: why a file is no published timings of a surah; nil where it is.
  /// - Throws: `LibraryError`: `.held` when another process fetches it, `.unusable` when there is nothing to fetch.
  public init(
    _ source: ReciterSource, in library: Library, _ settings: FetchSettings,
    clock: any FetchClock = SystemFetchClock(), stopFlag: StopFlag,
    turns: HostTurns? = nil,
    timingsProblem: @escaping @Sendable (_ path: String, Surah) -> String? = { _, _ in nil }
  ) throws {
    switch source.place {
    case .folder:
      guard source.timingsAddresses != nil else {
        throw LibraryError(
          .unusable, source.name, detail: "the source is a folder; there is nothing to fetch")
      }
      pattern = nil
    case .addresses(let text):
      do throws(SourcePattern.Problem) {
        pattern = try SourcePattern(text)
      } catch {
        throw LibraryError(.unusable, source.name, detail: "\(text): \(error.description)")
      }
    }
    self.timingsProblem = timingsProblem
    self.source = source
    self.library = library
    self.stopFlag = stopFlag
    lock = try library.lock(source)
    downloader = Downloader(
      settings, clock: clock, stopFlag: stopFlag,
      turns: turns ?? HostTurns(sharedIn: library.folder.locks))
    cache = SourceCache(library: library, source: source)
    try cache.mend()
  }

  /// - Parameters:
  ///   - renewsSound: whether to fetch files with sound that are here once more: those from another address, or all
  ///     where none is from another.
  ///   - renewsTimings: the same of timings.
  public func plan(
    _ ranges: [AyahRange], _ settings: FetchSettings, renewsSound: Bool = false,
    renewsTimings: Bool = false
  ) throws(LibraryError) -> Plan {
    let folder = try AyahFolder(of: source, in: library)
    let ayat = Set(ranges.joined()).sorted()
    let fetched = try library.files(of: source)
    let surahs = Set(ayat.map(\.surah)).sorted()
    let wantedFiles = source.isBySurah ? surahs.map(\.firstAyah) : ayat
    let absences = try library.absences(in: source.id)
    var wanted: [Plan.File] = []
    var planned: Set<Int> = []
    var (unmapped, absent, have) = (0, 0, 0)
    var wantedHere: Set<AyahReference> = []
    let asked = Set(ayat)
    let isOutdated = Dictionary(grouping: fetched, by: \.ayah).mapValues {
      !$0.allSatisfy(isFromHere)
    }
    let renewsAll = renewsSound && !wantedFiles.contains { isOutdated[$0] ?? false }
    for ayah in wantedFiles {
      let isRenewed = renewsAll || renewsSound && isOutdated[ayah] ?? false
      if folder.has(ayah), !isRenewed || absences[ayah] != nil {
        have += 1
        wantedHere.insert(ayah)
      } else if !source.hasKnownNumbers(of: ayah.surah)
        || source.numbering.numbers(of: ayah) == nil
      {
        unmapped += 1
      } else if absences[ayah] != nil {
        absent += 1
      } else if pattern != nil {
        // Ayat may share a file.
        wanted += files(of: ayah, in: folder, isRenewed: isRenewed).filter {
          planned.insert(ayah.surah.number * 1000 + $0.number).inserted
        }
      }
    }
    if renewsAll {
      // One that was interrupted has not come to those yet.
      let fetchedAt = Dictionary(
        fetched.map { ($0.ayah, $0.fetchedAt) }, uniquingKeysWith: { min($0, $1) })
      let keyed = wanted.enumerated().map { (fetchedAt[$1.ayah] ?? 0, $0, $1) }
      wanted = keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
    let ofWanted = Set(wanted.map(\.ayah))
    let expected = wantedFiles.filter { folder.has($0) || ofWanted.contains($0) }
    let withSound = Set(expected.map(\.surah))
    let wantedTimings = timings(
      of: surahs.filter(withSound.contains), isRenewing: renewsTimings)
    let refused = renewsTimings ? [] : try library.timingsAbsences(in: source.id)
    let timings = wantedTimings.filter { !refused.contains(source.timingsAbsenceKey(of: $0)) }
    // What comes is compared when it is here.
    let comparisons = try FileComparisons(of: source, in: folder, library, of: asked).leavingOut {
      isOf($0.surah, oneOf: timings) || ofWanted.contains($0)
    }
    let untimed = folder.files.filter { file in
      isOf(file.ayah.surah, oneOf: timings) && !ofWanted.contains(file.ayah)
        && folder.ayat(in: file).contains(where: asked.contains)
    }
    let here = fetched.filter { wantedHere.contains($0.ayah) }
    let unrenewable = wantedHere.filter { absences[$0] != nil }
    let sounds = fetched.reduce(0) { $0 + soundCount(of: $1.ayah) }
    let bytes = fetched.reduce(0) { $0 + $1.bytes }
    let rate = sounds > 0 ? Double(bytes) / Double(sounds) : Self.usualBytesPerSound
    let filesOfAyah = Dictionary(grouping: wanted, by: \.ayah).mapValues(\.count)
    let bytesLeft = wanted.reduce(0) { sum, file in
      let share = Double(soundCount(of: file.ayah)) / Double(filesOfAyah[file.ayah] ?? 1)
      return sum + bytesToCome(of: file, share * rate)
    }
    return Plan(
      files: wanted, timings: timings, alreadyHere: have, absent: absent,
      unrenewable: unrenewable.count,
      absentTimings: wantedTimings.count - timings.count, unmapped: unmapped,
      differing: here.filter(\.differs).map(\.ayah), estimatedBytes: Int64(bytesLeft),
      leastSeconds: Double(wanted.count + timings.count) * settings.pause,
      uncompared: comparisons.uncompared, unfit: comparisons.unfit,
      fromElsewhere: here.count { !isFromHere($0) && !unrenewable.contains($0.ayah) },
      renewsSound: renewsSound, untimed: Set(untimed.map(\.ayah)).sorted())
  }

  /// Whether one of some files of timings has those of a surah.
  private func isOf(_ surah: Surah, oneOf timings: [Surah]) -> Bool {
    source.timingsAddresses?.namesSurah == false ? !timings.isEmpty : timings.contains(surah)
  }

  /// The files of an ayah, without those that a folder has if they are not renewed.
  private func files(
    of ayah: AyahReference, in folder: AyahFolder, isRenewed: Bool
  ) -> [Plan.File] {
    let numbers =
      source.isBySurah ? [ayah.ayah] : source.numbering.numbers(of: ayah).map(Array.init) ?? []
    return numbers.compactMap { number in
      let isHere =
        source.isBySurah
        ? folder.surahs[ayah.surah] != nil
        : folder.hasFile(of: ayah.surah, number: fetchedNumber(number, of: ayah))
      return isHere && !isRenewed ? nil : Plan.File(ayah: ayah, number: number, isRenewal: isHere)
    }
  }

  /// - Parameter estimate: the bytes of all of it.
  private func bytesToCome(of file: Plan.File, _ estimate: Double) -> Double {
    guard let pattern,
      let begun = Downloader.begun(
        library.folder.fetched(of: source) + "/" + name(of: file, pattern))
    else { return estimate }
    return max(0, (begun.length.map(Double.init) ?? estimate) - Double(begun.bytes))
  }

  /// Whether a file came from the address that the source has for it now.
  private func isFromHere(_ file: SourceFile) -> Bool {
    guard let pattern else { return true }
    let numbers =
      source.isBySurah
      ? [file.ayah.ayah] : source.numbering.numbers(of: file.ayah).map(Array.init) ?? []
    return numbers.contains { pattern.url(of: file.ayah.surah, number: $0) == file.url }
  }

  /// The number that a file is kept under.
  private func fetchedNumber(_ number: Int, of ayah: AyahReference) -> Int {
    source.mapping == nil ? ayah.ayah : number
  }

  /// Of which surahs timings are to be fetched, one for each file.
  private func timings(of surahs: [Surah], isRenewing: Bool) -> [Surah] {
    guard let pattern = source.timingsAddresses else { return [] }
    return (pattern.namesSurah ? surahs : Array(surahs.prefix(1))).filter { surah in
      isRenewing || source.timingsFile(of: surah, in: library.folder).map(isFile) != true
    }
  }

  private func isFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// In the file with an ayah.
  private func soundCount(of ayah: AyahReference) -> Int {
    source.isBySurah ? ayah.surah.ayat.length.phoneticUnits : ayah.length.phoneticUnits
  }

  /// Thirty hours at 128 kb/s for the whole Quran.
  private static let usualBytesPerSound =
    30 * 3600 * 16_000 / Double(AyahRange.wholeQuran.length.phoneticUnits)

  /// Fetches one after another, timings first; what came whole stays, whatever comes after it. Each file is compared with
  /// its timings as soon as both are here, and before anything is fetched those that an earlier fetch has left.
  /// - Parameters:
  ///   - progress: gets the ayah, how many files are done, the one under way by its share, and the bytes that have come.
  ///   - waiting: gets the ayah, how many files are done, why one has to be tried again, and in how many seconds.
  ///   - compare: gets the first ayah of each file to compare.
  public func fetch(
    _ plan: Plan, progress: (AyahReference, Double, Int64) -> Void,
    waiting: (AyahReference, Double, FetchError, Double) -> Void = { _, _, _, _ in },
    compare: Comparison = { _ throws(LibraryError) in }
  ) -> Outcome {
    var outcome = Outcome()
    let fileCount = plan.timings.count + plan.files.count
    guard compareAll(plan.uncompared, compare, &outcome) else {
      outcome.untried = fileCount
      return outcome
    }
    for (index, surah) in plan.timings.enumerated() {
      let goesOn = fetchTimings(of: surah, &outcome) { waiting(surah.firstAyah, 0, $0, $1) }
      let untimed = plan.untimed.filter { isOf($0.surah, oneOf: [surah]) }
      guard goesOn, compareAll(untimed, compare, &outcome) else {
        outcome.untried = fileCount - index - 1
        return outcome
      }
    }
    guard let pattern else { return outcome }
    var brokenInARow = 0
    for (index, file) in plan.files.enumerated() {
      let before = outcome.failures.count
      let goesOn = fetchSound(
        file, pattern, &outcome,
        progress: { progress(file.ayah, Double(index) + $0, $1) },
        waiting: { waiting(file.ayah, Double(index), $0, $1) }, compare: compare)
      let isBroken = outcome.failures.dropFirst(before).contains {
        if case .status = $0.error.kind { true } else { false }
      }
      brokenInARow = isBroken ? brokenInARow + 1 : 0
      if !goesOn || brokenInARow == Self.mostBrokenInARow {
        outcome.untried = plan.files.count - index - 1
        return outcome
      }
    }
    return outcome
  }

  /// - Returns: whether to go on with others.
  private func fetchTimings(
    of surah: Surah, _ outcome: inout Outcome, waiting: (FetchError, Double) -> Void
  ) -> Bool {
    let ayah = surah.firstAyah
    do throws(FetchError) {
      outcome.bytes += try fetchTimings(of: surah, waiting: waiting)
      outcome.fetchedTimings += 1
      return true
    } catch {
      let old = source.timingsFile(of: surah, in: library.folder)
      outcome.failures.append(
        Failure(
          ayah: ayah, error: error, isOfTimings: true, keepsOld: old.map(isFile) ?? false))
      guard !error.endsEverything, case .absent = error.kind else { return !error.endsEverything }
      return keep(ayah, &outcome) {
        try library.noteTimingsAbsence(of: source.timingsAbsenceKey(of: surah), in: source.id)
      }
    }
  }

  /// - Returns: whether to go on with others.
  private func fetchSound(
    _ file: Plan.File, _ pattern: SourcePattern, _ outcome: inout Outcome,
    progress: (Double, Int64) -> Void, waiting: (FetchError, Double) -> Void, compare: Comparison
  ) -> Bool {
    let ayah = file.ayah
    let url = pattern.url(of: ayah.surah, number: file.number)
    let name = name(of: file, pattern)
    let destination = library.folder.fetched(of: source) + "/" + name
    let bytesBefore = outcome.bytes
    let download: Downloader.Download
    do throws(FetchError) {
      download = try downloader.download(request(url, to: destination)) { bytes, all in
        let share = all.map { Double(bytes) / Double(max($0, 1)) } ?? 0
        progress(min(share, 1), bytesBefore + bytes)
      } waiting: { error, seconds in
        waiting(error, seconds)
      } examine: { path in
        WholeFile.problem(of: path, stopFlag: stopFlag)
      }
    } catch {
      outcome.failures.append(
        Failure(ayah: ayah, error: error, isOfTimings: false, keepsOld: file.isRenewal))
      guard !error.endsEverything, case .absent(let status) = error.kind else {
        return !error.endsEverything
      }
      return keep(ayah, &outcome) {
        try library.noteAbsence(of: ayah, status: status, in: source.id)
      }
    }
    outcome.bytes += download.received
    let entry = AyahFolder.File(ayah: ayah, part: part(of: file), name: name)
    var differs = false
    let isKept = keep(ayah, &outcome) {
      differs = try !cache.enter(entry, url: url, etag: download.etag)
    }
    guard isKept else { return false }
    if differs { outcome.differing.append(ayah) }
    outcome.fetched += 1
    progress(1, outcome.bytes)
    return source.timings == nil || compareAll([ayah], compare, &outcome)
  }

  /// - Returns: whether all could be compared, and what was found could be kept.
  private func compareAll(
    _ ayat: [AyahReference], _ compare: Comparison, _ outcome: inout Outcome
  ) -> Bool {
    ayat.allSatisfy { ayah in
      keep(ayah, &outcome) {
        if stopFlag.isStopped { throw LibraryError(.cancelled, source.name) }
        try compare(ayah)
      }
    }
  }

  /// Does what ends the fetch when it fails, as it would fail with every other file.
  private func keep(
    _ ayah: AyahReference, _ outcome: inout Outcome, _ body: () throws -> Void
  ) -> Bool {
    do {
      try body()
      return true
    } catch {
      let place = pattern?.url(of: ayah) ?? source.timingsAddresses?.url(of: ayah) ?? ""
      outcome.failures.append(
        Failure(
          ayah: ayah, error: FetchError(.init(error), source: source.name, url: place),
          isOfTimings: false, keepsOld: false))
      return false
    }
  }

  /// A server that answers so many files with a fault of its own, each several times, has it with all.
  private static let mostBrokenInARow = 3

  /// The name that a file is kept under.
  private func name(of file: Plan.File, _ pattern: SourcePattern) -> String {
    let surah = file.ayah.surah
    let stem =
      source.isBySurah
      ? AyahFolder.stem(of: surah)
      : AyahFolder.stem(of: surah, number: fetchedNumber(file.number, of: file.ayah))
    return stem + "." + Self.ending(of: pattern)
  }

  /// Which of the files of its ayah it is, from 1 on.
  private func part(of file: Plan.File) -> Int {
    let first = source.isBySurah ? nil : source.numbering.numbers(of: file.ayah)?.lowerBound
    return first.map { file.number - $0 + 1 } ?? 1
  }

  private func request(_ url: String, to destination: String) -> FetchRequest {
    var request = FetchRequest(source: source.name, url: url, to: destination)
    request.allowsPrivate = source.allowsPrivate
    request.allowsInsecure = source.allowsInsecure
    return request
  }

  /// - Returns: the bytes that came.
  private func fetchTimings(
    of surah: Surah, waiting: (FetchError, Double) -> Void
  ) throws(FetchError) -> Int64 {
    guard let pattern = source.timingsAddresses,
      let destination = source.timingsFile(of: surah, in: library.folder)
    else { return 0 }
    let url = pattern.url(of: surah.firstAyah)
    let download = try downloader.download(request(url, to: destination), waiting: waiting) {
      path in timingsProblem(path, surah)
    }
    // They are entered nowhere: what they say counts once it was checked.
    Downloader.forgetRecord(of: destination)
    return download.received
  }

  /// Of the file's name, as the pattern has it; mp3 where it is no audio format's.
  private static func ending(of pattern: SourcePattern) -> String {
    let name = pattern.description.split(separator: "/").last ?? ""
    let ending = name.prefix { $0 != "?" && $0 != "#" }.split(separator: ".").last ?? ""
    return AyahFolder.endings.contains(ending.lowercased()) ? ending.lowercased() : "mp3"
  }
}

extension ReciterSource {
  /// The surah that the absence of timings is remembered by.
  func timingsAbsenceKey(of surah: Surah) -> Surah {
    timingsAddresses?.namesSurah == false ? AyahReference.first.surah : surah
  }

  /// What is here and is not what the manifest says, a line each. Not safe to print as it is.
  public func differences(of ayat: [AyahReference]) -> [String] {
    ayat.map {
      "\(name): the file of \(isBySurah ? $0.surah.description : "\($0)") is not the one of the manifest (size or SHA-256); it stays, the manifest's timings of it are not used; listen to it, or ask who exported the manifest"
    }
  }
}

extension FetchError.Kind {
  /// What has kept the library from keeping what came.
  init(_ error: any Error) {
    guard let error = error as? LibraryError else {
      self = .library(cause: "\(error)", remedy: nil)
      return
    }
    self =
      error.kind == .cancelled
      ? .cancelled : .library(cause: error.cause, remedy: error.remedy)
  }
}

extension FetchError {
  /// Whether it would happen to every other file as well.
  var endsEverything: Bool {
    switch kind {
    case .badAddress, .insecure, .addressRefused, .unreachable, .untrusted, .badAuthorities, .busy,
      .disk, .library, .cancelled, .tooSlow:
      true
    // It was asked several times, with pauses.
    case .status(let status): status == 429 || status == 503
    case .forbiddenRedirect, .absent, .tooManyRedirects, .tooLarge, .truncated, .hostInUse,
      .inconsistent, .unusable:
      false
    }
  }
}
