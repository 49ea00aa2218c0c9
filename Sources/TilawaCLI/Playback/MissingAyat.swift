// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch
import Library
import Playback
import Quran
import ReciterSources

/// Fetches what a request would play and nobody has here, from the sources of the reciters it asks for.
struct MissingAyat {
  private let library: Library

  init(_ library: Library) { self.library = library }

  /// What cannot be fetched is said, and left for play to deal with.
  /// - Throws: when the network is forbidden, or the person has interrupted it.
  func fetch(for request: PlaybackRequest) throws {
    let query = request.query
    let sources = try sources(for: request)
    let turns = HostTurns(sharedIn: library.folder.locks)
    for source in sources {
      let resolver = try PublishedSound(library)
      let missing = waiting { await resolver.missingAyat(in: Itinerary(request).extent, query) }
      guard !missing.isEmpty else { return }
      do {
        try fetch(missing, from: source, turns)
      } catch let error as LibraryError where error.kind == .held {
        StandardStreams.say(error.description)
      }
    }
  }

  /// Whether anything of a request could be fetched at all.
  func hasSource(for request: PlaybackRequest) throws -> Bool {
    try !sources(for: request).isEmpty
  }

  private func sources(for request: PlaybackRequest) throws -> [ReciterSource] {
    try library.sources().filter { source in
      guard case .addresses = source.place else { return false }
      return source.isEnabled && source.riwayah == request.riwayah && asks(request, for: source)
    }
  }

  /// Begins to fetch while others are heard, what each request is about to play.
  /// - Throws: when the network is forbidden.
  func ahead(of requests: [PlaybackRequest]) throws -> FetchAhead? {
    var wanted: [FetchAhead.Wanted] = []
    for request in requests {
      // Without timings nobody knows where an ayah lies.
      let sources = try sources(for: request).filter { !$0.isBySurah || $0.timings != nil }
      let resolver = try PublishedSound(library)
      let missing = waiting { [query = request.query] in
        await resolver.missingAyat(in: Itinerary(request).extent, query)
      }
      for ayah in missing.joined() where !sources.isEmpty { wanted.append(.init(ayah, sources)) }
    }
    guard let first = wanted.first?.sources.first else { return nil }
    try FetchSettings.checkOnline(for: first.name)
    return FetchAhead(
      wanted, into: library, try FetchSettings(Configuration()), stopFlag: Interrupt.flag,
      timingsProblem: TimingsFile.problem
    ) { [library] source, ayah, flag throws(LibraryError) in
      let timings = FetchedTimings(of: source, in: library, stopsWith: flag)
      try timings.compare(ayah)
      return timings.remarks.first
    }
  }

  private func asks(_ request: PlaybackRequest, for source: ReciterSource) -> Bool {
    switch request.reciters {
    case .anybody: true
    case .inOrder(let order): order.contains { $0?.rawValue == source.reciter?.rawValue }
    }
  }

  private func fetch(
    _ ranges: [AyahRange], from source: ReciterSource, _ turns: HostTurns
  ) throws {
    let settings = try FetchSettings(Configuration())
    let fetcher = try SourceFetcher(
      source, in: library, settings, stopFlag: Interrupt.flag, turns: turns,
      timingsProblem: TimingsFile.problem)
    let plan = try fetcher.plan(ranges, settings)
    guard !plan.isEmpty else { return }
    if plan.needsNetwork { try FetchSettings.checkOnline(for: source.name) }
    let timings = FetchedTimings(of: source, in: library)
    let outcome = fetcher.fetchWithProgress(plan, of: source, comparing: timings)
    outcome.tellFailures(of: source)
    for line in timings.remarks { StandardStreams.say(line) }
    if outcome.failures.last?.error.kind == .cancelled {
      throw Failure(code: Failure.interrupted, message: "interrupted")
    }
  }
}
