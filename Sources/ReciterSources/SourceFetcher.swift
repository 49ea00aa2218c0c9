// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Fetch
public import Library
public import Quran

/// Brings files of a source into the library, to stay. Blocks its thread.
public final class SourceFetcher {
  private let library: Library
  private let source: ReciterSource
  private let pattern: SourcePattern
  private let lock: SourceLock
  private let downloader: Downloader
  private let stopFlag: StopFlag

  /// What is to be fetched, and what of what was asked for is not.
  public struct Plan: Sendable {
    /// One for each file; of a file with a whole surah its first.
    public let ayat: [AyahReference]
    public let alreadyHere: Int
    /// What the server did not have during the last week.
    public let absent: Int
    /// Of this source no number means the same ayah.
    public let unmapped: Int
    /// By the files that are here, else by 128 kb/s.
    public let estimatedBytes: Int64
    /// What politeness alone takes.
    public let leastSeconds: Double
  }

  public struct Outcome: Sendable {
    public var fetched = 0
    public var bytes: Int64 = 0
    public var failures: [(ayah: AyahReference, error: FetchError)] = []
    /// Not tried, after a failure that would have met them too.
    public var untried = 0
  }

  /// Locks the source, and mends what an earlier process left.
  /// - Throws: `LibraryError`: `.held` when another process fetches it, `.unusable` when it is a folder.
  public init(
    _ source: ReciterSource, in library: Library, _ settings: FetchSettings,
    clock: any FetchClock = SystemFetchClock(), stopFlag: StopFlag
  ) throws {
    guard case .addresses(let text) = source.place else {
      throw LibraryError(
        .unusable, source.name, detail: "it is a folder; there is nothing to fetch")
    }
    do throws(SourcePattern.Problem) {
      pattern = try SourcePattern(text)
    } catch {
      throw LibraryError(.unusable, source.name, detail: "\(text): \(error.description)")
    }
    self.source = source
    self.library = library
    self.stopFlag = stopFlag
    lock = try library.lock(source)
    downloader = Downloader(settings, clock: clock, stopFlag: stopFlag)
    try SourceCache(library: library, source: source).mend()
  }

  public func plan(_ range: AyahRange, _ settings: FetchSettings) throws(LibraryError) -> Plan {
    let folder = AyahFolder(of: source, in: library.folder)
    let wantedFiles = pattern.isBySurah ? range.bySurah.map(\.first.surah.firstAyah) : Array(range)
    let absences = try library.absences(in: source.id)
    var (ayat, unmapped, absent, have): ([AyahReference], Int, Int, Int) = ([], 0, 0, 0)
    for ayah in wantedFiles {
      if folder.file(of: ayah) != nil {
        have += 1
      } else if !source.riwayah.numbersLikeHafs(ayah.surah) {
        unmapped += 1
      } else if absences[ayah] != nil {
        absent += 1
      } else {
        ayat.append(ayah)
      }
    }
    let files = try library.files(of: source.id)
    let sounds = files.reduce(0) { $0 + soundCount(of: $1.ayah) }
    let bytes = files.reduce(0) { $0 + $1.bytes }
    let rate = sounds > 0 ? Double(bytes) / Double(sounds) : Self.usualBytesPerSound
    let wanted = ayat.reduce(0) { $0 + soundCount(of: $1) }
    return Plan(
      ayat: ayat, alreadyHere: have, absent: absent, unmapped: unmapped,
      estimatedBytes: Int64(Double(wanted) * rate),
      leastSeconds: Double(ayat.count) * settings.pause)
  }

  /// In the file with an ayah.
  private func soundCount(of ayah: AyahReference) -> Int {
    pattern.isBySurah ? ayah.surah.ayat.length.phoneticUnits : ayah.length.phoneticUnits
  }

  /// Thirty hours at 128 kb/s for the whole Quran.
  private static let usualBytesPerSound =
    30 * 3600 * 16_000 / Double(AyahRange.wholeQuran.length.phoneticUnits)

  /// Fetches one after another; what came whole stays, whatever comes after it.
  /// - Parameter progress: gets the ayah, how many are done and the bytes that have come.
  public func fetch(
    _ plan: Plan, progress: (AyahReference, Int, Int64) -> Void
  ) throws -> Outcome {
    var outcome = Outcome()
    let cache = SourceCache(library: library, source: source)
    for (index, ayah) in plan.ayat.enumerated() {
      let url = pattern.url(of: ayah, offset: source.ayahOffset)
      let stem =
        pattern.isBySurah ? AyahFolder.stem(of: ayah.surah) : AyahFolder.stem(of: ayah)
      let name = stem + "." + ending
      var request = FetchRequest(
        source: source.name, url: url, to: library.folder.fetched(of: source) + "/" + name)
      request.allowsPrivate = source.allowsPrivate
      request.allowsInsecure = source.allowsInsecure
      do throws(FetchError) {
        let download = try downloader.download(request) { bytes, _ in
          progress(ayah, index, outcome.bytes + bytes)
        } examine: {
          WholeFile.problem(of: $0, stopFlag: stopFlag)
        }
        outcome.bytes += download.bytes
        outcome.fetched += 1
        progress(ayah, index + 1, outcome.bytes)
        do {
          try cache.enter(ayah, name, url: url, etag: download.etag)
        } catch {
          throw FetchError(.library("\(error)"), source: source.name, url: url)
        }
      } catch {
        outcome.failures.append((ayah, error))
        if case .absent(let status) = error.kind {
          try library.noteAbsence(of: ayah, status: status, in: source.id)
        }
        if error.endsEverything {
          outcome.untried = plan.ayat.count - index - 1
          return outcome
        }
      }
    }
    return outcome
  }

  /// Of the file's name, as the pattern has it; mp3 where it is no audio format's.
  private var ending: String {
    let name = pattern.description.split(separator: "/").last ?? ""
    let ending = name.prefix { $0 != "?" && $0 != "#" }.split(separator: ".").last ?? ""
    return AyahFolder.endings.contains(ending.lowercased()) ? ending.lowercased() : "mp3"
  }
}

extension FetchError {
  /// Whether it would happen to every other file as well.
  fileprivate var endsEverything: Bool {
    switch kind {
    case .badAddress, .insecure, .addressRefused, .unreachable, .untrusted, .busy, .disk, .library,
      .cancelled, .tooSlow:
      true
    case .forbiddenRedirect, .absent, .status, .tooManyRedirects, .tooLarge, .truncated,
      .inconsistent, .unusable:
      false
    }
  }
}
