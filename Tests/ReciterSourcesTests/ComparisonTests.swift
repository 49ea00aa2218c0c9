// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch
import Foundation
import Library
import Quran
import TestSupport
import Testing

@testable import ReciterSources

@Suite("Sources: files compared with their timings, one by one")
struct ComparisonTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let source: ReciterSource
  private let server: ScriptedServer
  private let settings = FetchSettings(userAgent: "tests/1")

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
    let sound = try [UInt8](Data(contentsOf: URL(filePath: FixtureFolder.path("mp3-cbr-lame.mp3"))))
    server = ScriptedServer { request, _ in
      request.path.hasSuffix(".mp3") ? .ok(sound) : .ok(Array("timings".utf8))
    }
    let reciter = try library.addReciter("Net")
    source = try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}.mp3")),
      timings: server.url("{surah:3}.json"), allowsPrivate: true, allowsInsecure: true)
  }

  private func fetcher() throws -> SourceFetcher {
    try SourceFetcher(source, in: library, settings, clock: VirtualClock(), stopFlag: StopFlag())
  }

  private func plan(_ fetcher: SourceFetcher) throws -> SourceFetcher.Plan {
    try fetcher.plan([AyahRange(parsing: "91-92")], settings)
  }

  private func first(_ surah: Int) -> AyahReference { Surah(surah)!.firstAyah }

  /// What a comparison leaves of a file.
  private func enter(_ ayah: AyahReference, remark: String? = nil) throws(LibraryError) {
    let folder = library.folder.fetched(of: source)
    let stem = AyahFolder.stem(of: ayah.surah)
    let timings = SourceComparison.hash(ofTimings: "\(folder)/timings-\(stem).json") ?? []
    let bytes = AyahFolder.size(of: "\(folder)/\(stem).mp3") ?? 0
    try library.enter(
      [SourceComparison(file: "\(stem).mp3", bytes: bytes, timings: timings, remark: remark)],
      of: source.id)
  }

  /// Fetches, and enters each comparison.
  private func fetch() throws -> (outcome: SourceFetcher.Outcome, compared: [AyahReference]) {
    let fetcher = try fetcher()
    var compared: [AyahReference] = []
    let outcome = fetcher.fetch(try plan(fetcher)) { _, _, _ in
    } compare: { ayah throws(LibraryError) in
      compared.append(ayah)
      try enter(ayah)
    }
    return (outcome, compared)
  }

  @Test func eachFileIsComparedAsItArrives() throws {
    let fetcher = try fetcher()
    var paths: [AyahReference: String?] = [:]
    let outcome = fetcher.fetch(try plan(fetcher)) { _, _, _ in
    } compare: { ayah throws(LibraryError) in
      paths[ayah] = server.requests.last?.path
      try enter(ayah)
    }
    #expect(outcome.hasEverything)
    #expect(paths == [first(91): "/091.mp3", first(92): "/092.mp3"])
    #expect(try plan(fetcher).isEmpty)
  }

  @Test func whatAnInterruptedFetchHasLeftIsComparedByTheNext() throws {
    do {
      let fetcher = try fetcher()
      let outcome = fetcher.fetch(try plan(fetcher)) { _, _, _ in
      } compare: { _ throws(LibraryError) in
        throw LibraryError(.cancelled, "Net")
      }
      #expect(outcome.failures.map(\.error.kind) == [.cancelled] && outcome.untried == 1)
      let left = try plan(fetcher)
      #expect(left.uncompared == [first(91)] && left.files.map(\.ayah) == [first(92)])
    }
    let (outcome, compared) = try fetch()
    #expect(outcome.hasEverything && compared == [first(91), first(92)])
  }

  @Test func whatWaitsIsComparedWithoutTheNetwork() throws {
    do {
      let fetcher = try fetcher()
      // Nobody compares them.
      _ = fetcher.fetch(try plan(fetcher)) { _, _, _ in }
    }
    let requests = server.requests.count
    let (outcome, compared) = try fetch()
    #expect(outcome.hasEverything && compared == [first(91), first(92)])
    #expect(try fetch().compared.isEmpty)
    #expect(server.requests.count == requests)
  }

  @Test func otherTimingsOrAnotherFileAreComparedAgain() throws {
    #expect(try fetch().compared.count == 2)
    let path = library.folder.fetched(of: source)
    try Data("others".utf8).write(to: URL(filePath: path + "/timings-091.json"))
    #expect(try fetch().compared == [first(91)])
    try FileManager.default.removeItem(atPath: path + "/092.mp3")
    #expect(try fetch().compared == [first(92)])
  }

  @Test func timingsOfAnotherAddressTakeThePlaceOfThoseThatWereFetched() throws {
    #expect(try fetch().compared.count == 2)
    var changed = source
    changed.name = "Another"
    try library.update(changed)
    #expect(try plan(fetcher()).isEmpty)

    for round in 1...2 {
      changed.timings = server.url("other\(round)/{surah:3}.json")
      try library.update(changed)
      let fetcher = try SourceFetcher(
        changed, in: library, settings, clock: VirtualClock(), stopFlag: StopFlag())
      #expect(try plan(fetcher).timings == [Surah(91)!, Surah(92)!])
      #expect(fetcher.fetch(try plan(fetcher)) { _, _, _ in }.hasEverything)
      #expect(server.requests.last?.path == "/other\(round)/092.json")
    }
    let path = library.folder.fetched(of: source)
    // Nothing is deleted.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.contains(".old") }
        .sorted() == [1, 2].flatMap { n in [1, 2].map { "timings-09\(n).json.old\($0)" } })
  }

  @Test func timingsStayAsTheyAreWhileTheirSourceIsFetched() throws {
    #expect(try fetch().compared.count == 2)
    let holder = try fetcher()
    var changed = source
    changed.timings = server.url("other/{surah:3}.json")
    #expect {
      try library.update(changed)
    } throws: {
      ($0 as? LibraryError)?.kind == .held
    }
    #expect(try library.source(named: "Net").timings == source.timings)
    #expect(try plan(holder).isEmpty)
  }

  @Test func whatDoesNotFitIsToldAsLongAsItIsSo() throws {
    _ = try fetch()
    try enter(first(91), remark: "3 s late")
    #expect(try plan(fetcher()).unfit == [.init(Surah(91)!.ayat, "3 s late")])
    let folder = try AyahFolder(of: source, in: library)
    #expect(try FileComparisons(of: source, in: folder, library).unfit.count == 1)
    // Another file may fit.
    let fetcher = try fetcher()
    let again = try fetcher.plan([AyahRange(parsing: "91")], settings, renewsSound: true)
    #expect(again.unfit.isEmpty && again.uncompared.isEmpty && again.files.count == 1)
    #expect(fetcher.fetch(again) { _, _, _ in }.hasEverything)
    #expect(try plan(fetcher).unfit.isEmpty && plan(fetcher).uncompared == [first(91)])
  }

  @Test func whatWasComparedStaysSoWhileItIsTrusted() throws {
    #expect(try fetch().compared.count == 2)
    try enter(first(91), remark: "3 s late")
    var changed = source
    changed.trustsTimings = true
    try library.update(changed)
    #expect(try plan(fetcher()).unfit.isEmpty && plan(fetcher()).uncompared.isEmpty)
    // What was found wrong then is not known any more.
    changed.trustsTimings = false
    try library.update(changed)
    #expect(try fetch().compared == [first(91), first(92)])
  }

  @Test func whatCannotBeKeptEndsTheFetchAndSaysSoOnce() throws {
    let fetcher = try fetcher()
    let outcome = fetcher.fetch(try plan(fetcher)) { _, _, _ in
    } compare: { _ throws(LibraryError) in
      throw LibraryError(.full, "library.sqlite", detail: "code 13")
    }
    #expect(outcome.fetched == 1 && outcome.untried == 1)
    #expect(
      outcome.failures.map(\.error.description) == [
        "Net: \(server.url("091.mp3")): library.sqlite: the disk is full (code 13); free some disk space and try again"
      ])
  }

  @Test func whatWaitsIsComparedWhileOthersAreHeard() async throws {
    do {
      let fetcher = try fetcher()
      _ = fetcher.fetch(try plan(fetcher)) { _, _, _ in }
    }
    let requests = server.requests.count
    let compared = Monitor<[AyahReference]>([])
    let ahead = FetchAhead(
      try AyahRange(parsing: "91").map { .init($0, [source]) }, into: library, settings,
      clock: VirtualClock(), stopFlag: StopFlag(), timingsProblem: { _, _ in nil }
    ) { [self] _, ayah, _ throws(LibraryError) in
      compared.update { $0.append(ayah) }
      try enter(ayah)
      return nil
    }
    for ayah in try AyahRange(parsing: "91") { await ahead.arrival(of: ayah) }
    #expect(ahead.end().isEmpty)
    #expect(compared.update { $0 } == [first(91)])
    #expect(server.requests.count == requests)
  }
}
