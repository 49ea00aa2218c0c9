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
    }

    public let files: [File]
    /// One for each file of timings; of one with all surahs any.
    public let timings: [Surah]
    public let alreadyHere: Int
    /// What the server did not have during the last week.
    public let absent: Int
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

    /// Of each file that is fetched, or whose timings are, the first ayah in it: their timings can be checked then.
    public let toCheck: [AyahReference]

    public var isEmpty: Bool { files.isEmpty && timings.isEmpty }

    /// Whether a fetch leaves nothing to wish for.
    public var wantsNothingElse: Bool { absent == 0 && absentTimings == 0 && differing.isEmpty }
  }

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
  }

  /// Locks the source, and mends what an earlier process left.
  /// - Parameters:
  ///   - turns: shared with the fetchers of other sources, which may have the same hosts.
  ///   - timingsProblem: why a file is no published timings of a surah; nil where it is.
  /// - Throws: `LibraryError`: `.held` when another process fetches it, `.unusable` when there is nothing to fetch.
  public init(
    _ source: ReciterSource, in library: Library, _ settings: FetchSettings,
    clock: any FetchClock = SystemFetchClock(), stopFlag: StopFlag,
    turns: HostTurns = HostTurns(),
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
    downloader = Downloader(settings, clock: clock, stopFlag: stopFlag, turns: turns)
    cache = SourceCache(library: library, source: source)
    try cache.mend()
  }

  /// - Parameter renewsTimings: whether to fetch timings that are here once more.
  public func plan(
    _ ranges: [AyahRange], _ settings: FetchSettings, renewsTimings: Bool = false
  ) throws(LibraryError) -> Plan {
    let folder = try AyahFolder(of: source, in: library)
    let ayat = Set(ranges.joined()).sorted()
    let surahs = Set(ayat.map(\.surah)).sorted()
    let wantedFiles = source.isBySurah ? surahs.map(\.firstAyah) : ayat
    let absences = try library.absences(in: source.id)
    var wanted: [Plan.File] = []
    var planned: Set<Int> = []
    var (unmapped, absent, have) = (0, 0, 0)
    var wantedHere: Set<AyahReference> = []
    for ayah in wantedFiles {
      if folder.has(ayah) {
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
        wanted += files(of: ayah, in: folder).filter {
          planned.insert(ayah.surah.number * 1000 + $0.number).inserted
        }
      }
    }
    let ofWanted = Set(wanted.map(\.ayah))
    let expected = wantedFiles.filter { folder.has($0) || ofWanted.contains($0) }
    let withSound = Set(expected.map(\.surah))
    let wantedTimings = timings(
      of: surahs.filter(withSound.contains), isRenewing: renewsTimings)
    let refused = renewsTimings ? [] : try library.timingsAbsences(in: source.id)
    let timings = wantedTimings.filter { !refused.contains(source.timingsAbsenceKey(of: $0)) }
    let isOfEach = source.timingsAddresses?.namesSurah ?? true
    let toCheck = expected.filter { ayah in
      ofWanted.contains(ayah) || (isOfEach ? timings.contains(ayah.surah) : !timings.isEmpty)
    }
    let files = try library.files(of: source.id)
    let sounds = files.reduce(0) { $0 + soundCount(of: $1.ayah) }
    let bytes = files.reduce(0) { $0 + $1.bytes }
    let rate = sounds > 0 ? Double(bytes) / Double(sounds) : Self.usualBytesPerSound
    // An ayah in several files counts once.
    let wantedSounds = Set(wanted.map(\.ayah)).reduce(0) { $0 + soundCount(of: $1) }
    return Plan(
      files: wanted, timings: timings, alreadyHere: have, absent: absent,
      absentTimings: wantedTimings.count - timings.count, unmapped: unmapped,
      differing: files.filter { $0.differs && wantedHere.contains($0.ayah) }.map(\.ayah),
      estimatedBytes: max(0, Int64(Double(wantedSounds) * rate) - begunBytes(of: wanted)),
      leastSeconds: Double(wanted.count + timings.count) * settings.pause, toCheck: toCheck)
  }

  /// The files of an ayah that are not here.
  private func files(of ayah: AyahReference, in folder: AyahFolder) -> [Plan.File] {
    if source.isBySurah { return [Plan.File(ayah: ayah, number: ayah.ayah)] }
    return (source.numbering.numbers(of: ayah).map(Array.init) ?? []).filter {
      !folder.hasFile(of: ayah.surah, number: fetchedNumber($0, of: ayah))
    }.map { Plan.File(ayah: ayah, number: $0) }
  }

  /// Of files that were begun before and go on there.
  private func begunBytes(of files: [Plan.File]) -> Int64 {
    guard let pattern else { return 0 }
    let folder = library.folder.fetched(of: source) + "/"
    return files.reduce(0) { $0 + Downloader.begunBytes(of: folder + name(of: $1, pattern)) }
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

  /// Fetches one after another, timings first; what came whole stays, whatever comes after it.
  /// - Parameters:
  ///   - progress: gets the ayah, how many files are done, the one under way by its share, and the bytes that have come.
  ///   - waiting: gets the ayah, how many files are done, why one has to be tried again, and in how many seconds.
  public func fetch(
    _ plan: Plan, progress: (AyahReference, Double, Int64) -> Void,
    waiting: (AyahReference, Double, FetchError, Double) -> Void = { _, _, _, _ in }
  ) throws -> Outcome {
    var outcome = Outcome()
    for (index, surah) in plan.timings.enumerated() {
      do throws(FetchError) {
        outcome.bytes += try fetchTimings(of: surah) { waiting(surah.firstAyah, 0, $0, $1) }
        outcome.fetchedTimings += 1
      } catch {
        outcome.failures.append(
          Failure(ayah: surah.firstAyah, error: error, isOfTimings: true))
        if case .absent = error.kind {
          try library.noteTimingsAbsence(of: source.timingsAbsenceKey(of: surah), in: source.id)
        }
        if error.endsEverything {
          outcome.untried = plan.timings.count - index - 1 + plan.files.count
          return outcome
        }
      }
    }
    guard let pattern else { return outcome }
    var brokenInARow = 0
    for (index, file) in plan.files.enumerated() {
      let ayah = file.ayah
      let url = pattern.url(of: ayah.surah, number: file.number)
      let name = name(of: file, pattern)
      let destination = library.folder.fetched(of: source) + "/" + name
      do throws(FetchError) {
        let download = try downloader.download(request(url, to: destination)) { bytes, all in
          let share = all.map { Double(bytes) / Double(max($0, 1)) } ?? 0
          progress(ayah, Double(index) + min(share, 1), outcome.bytes + bytes)
        } waiting: { error, seconds in
          waiting(ayah, Double(index), error, seconds)
        } examine: { path in
          WholeFile.problem(of: path, stopFlag: stopFlag)
        }
        outcome.bytes += download.bytes
        outcome.fetched += 1
        brokenInARow = 0
        progress(ayah, Double(index + 1), outcome.bytes)
        do {
          let entry = AyahFolder.File(ayah: ayah, part: part(of: file), name: name)
          if try !cache.enter(entry, url: url, etag: download.etag) {
            outcome.differing.append(ayah)
          }
        } catch {
          throw FetchError(.library("\(error)"), source: source.name, url: url)
        }
      } catch {
        outcome.failures.append(Failure(ayah: ayah, error: error, isOfTimings: false))
        if case .absent(let status) = error.kind {
          try library.noteAbsence(of: ayah, status: status, in: source.id)
        }
        if case .status = error.kind { brokenInARow += 1 } else { brokenInARow = 0 }
        if error.endsEverything || brokenInARow == Self.mostBrokenInARow {
          outcome.untried = plan.files.count - index - 1
          return outcome
        }
      }
    }
    return outcome
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
    return download.bytes
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

extension FetchError {
  /// Whether it would happen to every other file as well.
  fileprivate var endsEverything: Bool {
    switch kind {
    case .badAddress, .insecure, .addressRefused, .unreachable, .untrusted, .busy, .disk, .library,
      .cancelled, .tooSlow:
      true
    // It was asked several times, with pauses.
    case .status(let status): status == 429 || status == 503
    case .forbiddenRedirect, .absent, .tooManyRedirects, .tooLarge, .truncated,
      .inconsistent, .unusable:
      false
    }
  }
}
