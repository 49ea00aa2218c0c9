// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch
import Foundation
import Library
import Playback
import Quran
import ReciterSources
import TestSupport
import Testing

@Suite("Sources: fetched while others are heard")
struct FetchAheadTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let stopFlag = StopFlag()
  private let query = ResolverQuery(riwayah: .hafs)

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
  }

  private func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

  private func source(_ server: ScriptedServer) throws -> ReciterSource {
    let reciter = try library.addReciter("Net")
    return try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      allowsPrivate: true, allowsInsecure: true)
  }

  private func ahead(_ range: String, _ source: ReciterSource) throws -> FetchAhead {
    FetchAhead(
      try AyahRange(parsing: range).map { .init($0, [source]) }, into: library,
      FetchSettings(userAgent: "tests/1"), clock: VirtualClock(), stopFlag: stopFlag)
  }

  private static let recitation: [UInt8] = {
    (try? [UInt8](Data(contentsOf: URL(filePath: FixtureFolder.path("mp3-cbr-lame.mp3"))))) ?? []
  }()

  @Test func whatArrivesIsHeardByAResolverThatWasThereBefore() async throws {
    let server = ScriptedServer { request, _ in
      request.path == "/112002.mp3" ? .status("404 Not Found") : .ok(Self.recitation)
    }
    let source = try source(server)
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    let ahead = try ahead("112", source)
    for number in 1...4 { await ahead.arrival(of: ayah("112:\(number)")) }
    let failures = ahead.end()
    #expect(failures.count == 1 && failures[0].contains("112002"))
    for number in [1, 3, 4] {
      guard case .found = await resolver.clip(of: ayah("112:\(number)"), query) else {
        Issue.record("112:\(number) was not heard")
        continue
      }
    }
    guard case .lacking(let reason) = await resolver.clip(of: ayah("112:2"), query) else {
      Issue.record("112:2 was heard")
      return
    }
    #expect(reason.contains("HTTP 404"))
    #expect(try library.files(of: source.id).count == 3)
  }

  @Test func aSurahIsHeardAsSoonAsItsTimingsHaveBeenChecked() async throws {
    let server = ScriptedServer { _, _ in .ok(Self.recitation) }
    let reciter = try library.addReciter("Net")
    let source = try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}.mp3")),
      timings: server.url("{surah:3}.json"), allowsPrivate: true, allowsInsecure: true)
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    let ahead = FetchAhead(
      try AyahRange(parsing: "112").map { .init($0, [source]) }, into: library,
      FetchSettings(userAgent: "tests/1"), clock: VirtualClock(), stopFlag: stopFlag,
      timingsProblem: { _, _ in nil }
    ) { [library] source, ayah, _ in
      let spans = [SourceSpan(ayah, 0..<300, bytes: Int64(Self.recitation.count))]
      do {
        try library.replaceSpans(of: ayah.surah.ayat, with: spans, in: source.id)
        return nil
      } catch {
        return "\(error)"
      }
    }
    for number in 1...4 { await ahead.arrival(of: ayah("112:\(number)")) }
    #expect(ahead.end().isEmpty)
    #expect(server.requests.map(\.path).sorted() == ["/112.json", "/112.mp3"])
    guard case .found(let clip) = await resolver.clip(of: ayah("112:1"), query) else {
      Issue.record("not heard")
      return
    }
    #expect(clip.audio.span.length.seconds(at: clip.audio.format.rate) == 0.3)
    guard case .failed(let reason) = await resolver.clip(of: ayah("112:2"), query) else {
      Issue.record("an ayah without timings was heard")
      return
    }
    #expect(reason.contains("timings check"))
  }

  @Test func wordsOfAnAyahThatArrivesAreKnownAtOnce() async throws {
    let server = ScriptedServer { _, _ in .ok(Self.recitation) }
    let reciter = try library.addReciter("Net")
    let source = try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      timings: server.url("words.json"), allowsPrivate: true, allowsInsecure: true)
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    let ahead = FetchAhead(
      try AyahRange(parsing: "112:2-3").map { .init($0, [source]) }, into: library,
      FetchSettings(userAgent: "tests/1"), clock: VirtualClock(), stopFlag: stopFlag,
      timingsProblem: { _, _ in nil }
    ) { [library] source, ayah, _ in
      let span = SourceSpan(
        ayah, 0..<300, bytes: Int64(Self.recitation.count), words: [.init(1, 0..<300)])
      do {
        try library.replaceSpans(of: AyahRange(ayah), with: [span], in: source.id)
        return nil
      } catch {
        return "\(error)"
      }
    }
    for number in 2...3 { await ahead.arrival(of: ayah("112:\(number)")) }
    #expect(ahead.end().isEmpty)
    #expect(server.requests.map(\.path) == ["/words.json", "/112002.mp3", "/112003.mp3"])
    for number in 2...3 {
      guard case .found(let clip) = await resolver.clip(of: ayah("112:\(number)"), query) else {
        Issue.record("not heard")
        return
      }
      #expect(clip.words != nil)
    }
  }

  @Test func onlyWhatComesNextIsFetched() async throws {
    let server = ScriptedServer { _, _ in .ok(Self.recitation) }
    let ahead = try ahead("81-114", try source(server))
    await ahead.arrival(of: ayah("81:3"))
    #expect(ahead.expects(ayah("82:1")) && !ahead.hasSettled(ayah("82:1")))
    #expect(!ahead.expects(ayah("81:3")) && ahead.hasSettled(ayah("81:3")))
    // What was left behind is not fetched, nor what is far ahead.
    await ahead.arrival(of: ayah("100:1"))
    #expect(ahead.end().isEmpty)
    let paths = Set(server.requests.map(\.path))
    #expect(paths.contains("/081003.mp3") && paths.contains("/100001.mp3"))
    #expect(paths.allSatisfy { $0 < "/081024.mp3" || "/100001.mp3" <= $0 && $0 < "/102011.mp3" })
  }

  @Test func anAyahThatNobodyExpectsIsNotWaitedFor() async throws {
    let server = ScriptedServer { _, _ in .status("500 Internal Server Error") }
    let ahead = try ahead("112:1", try source(server))
    await ahead.arrival(of: ayah("2:255"))
    await ahead.arrival(of: ayah("112:1"))
    #expect(!ahead.expects(ayah("112:1")) && ahead.end().count == 1)
  }

  @Test func whatIsWaitedForInVainIsLateUntilItComes() async throws {
    let mayAnswer = Monitor(false)
    let server = ScriptedServer { _, _ in
      _ = mayAnswer.wait { $0 ? true : nil }
      return .ok(Self.recitation)
    }
    let ahead = FetchAhead(
      [.init(ayah("112:1"), [try source(server)])], into: library,
      FetchSettings(userAgent: "tests/1"), clock: VirtualClock(), patience: .zero,
      stopFlag: stopFlag)
    #expect(!ahead.isLate(ayah("112:1")) && ahead.failure(of: ayah("112:1")) == nil)
    await ahead.arrival(of: ayah("112:1"))
    #expect(ahead.expects(ayah("112:1")) && ahead.isLate(ayah("112:1")))
    #expect(ahead.failure(of: ayah("112:1"))?.contains("still being fetched") == true)
    #expect(ahead.takeLost() == [ayah("112:1")] && ahead.takeArrived().isEmpty)
    await ahead.arrival(of: ayah("112:1"))
    #expect(ahead.takeLost().isEmpty, "it is said once")
    mayAnswer.update { $0 = true }
    while ahead.expects(ayah("112:1")) { await Task.yield() }
    #expect(!ahead.isLate(ayah("112:1")) && ahead.failure(of: ayah("112:1")) == nil)
    #expect(ahead.takeArrived() == [ayah("112:1")] && ahead.takeLost().isEmpty)
    #expect(ahead.end().isEmpty)
  }

  @Test func whyAnAyahDidNotComeIsKnownAtOnceAndToldOnceForAlikeFiles() async throws {
    let server = ScriptedServer { _, _ in .status("404 Not Found") }
    let ahead = try ahead("112", try source(server))
    for number in 1...4 { await ahead.arrival(of: ayah("112:\(number)")) }
    #expect(ahead.failure(of: ayah("112:1"))?.contains("HTTP 404") == true)
    #expect(ahead.failure(of: ayah("113:1")) == nil)
    #expect(ahead.takeLost() == Array(try AyahRange(parsing: "112")) && ahead.takeLost().isEmpty)
    let lines = ahead.end()
    #expect(lines.count == 2 && lines[0].contains("no files of 112:1-4"), "\(lines)")
  }

  /// What the next file would meet as well is not tried for a minute.
  @Test func aServerThatIsTooBusyIsLeftInPeace() async throws {
    let asked = Monitor(0)
    let server = ScriptedServer { _, _ in
      asked.update { $0 += 1 }
      return .status("429 Too Many Requests")
    }
    let clock = VirtualClock()
    // The last is too far ahead to be fetched before it is asked for.
    let wanted = ["1:1", "1:2", "1:3", "2:255"].map(ayah)
    let source = try source(server)
    let ahead = FetchAhead(
      wanted.map { .init($0, [source]) }, into: library, FetchSettings(userAgent: "tests/1"),
      clock: clock, stopFlag: stopFlag)
    await ahead.arrival(of: wanted[0])
    let once = asked.update { $0 }
    #expect(once > 0)
    for ayah in wanted.dropLast() { await ahead.arrival(of: ayah) }
    #expect(asked.update { $0 } == once && ahead.takeLost() == wanted.dropLast())
    #expect(ahead.failure(of: wanted[2])?.contains("429") == true)
    clock.wait(seconds: 60, until: stopFlag)
    await ahead.arrival(of: wanted[3])
    #expect(asked.update { $0 } == 2 * once)
    #expect(ahead.end().count == 2, "each time it is said once")
  }
}
