// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Fetch
import Foundation
import Library
import Playback
import Quran
import ReciterSources
import TestSupport
import Testing

// Servers that do not have a file, or send something else.
extension SourceTests {
  @Test func timingsThatTheServerDoesNotHaveAreNotAskedForAgain() throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { request, _ in
      request.path.hasSuffix(".json") ? .status("404 Not Found") : .ok(content)
    }
    var source = try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      timings: server.url("words.json"), allowsPrivate: true, allowsInsecure: true)
    func asked(renewsTimings: Bool = false) throws -> (plan: SourceFetcher.Plan, paths: [String]) {
      let fetcher = try self.fetcher(source)
      let plan = try fetcher.plan(
        [range("112:1"), range("113:1")], FetchSettings(userAgent: ""), renewsTimings: renewsTimings
      )
      let before = server.requests.count
      _ = fetcher.fetch(plan) { _, _, _ in }
      return (plan, server.requests.dropFirst(before).map(\.path))
    }
    #expect(try asked().paths == ["/words.json", "/112001.mp3", "/113001.mp3"])
    let second = try asked()
    #expect(second.paths == [] && second.plan.absentTimings == 1 && !second.plan.wantsNothingElse)
    #expect(try asked(renewsTimings: true).paths == ["/words.json"])
    // Another address may have them.
    source.timings = server.url("times.json")
    try library.update(source)
    #expect(try asked().paths == ["/times.json"])
  }

  /// Each is tried several times.
  @Test func whatAServerDoesNotHaveIsAskedForAgainAfterAWeek() throws {
    let now = Monitor(Date(timeIntervalSince1970: 1_767_268_800))
    let library = try Library(
      at: LibraryFolder(path: folder.path("weekly")), now: { now.update { $0 } })
    let server = ScriptedServer { _, _ in .status("404 Not Found") }
    let source = try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses(server.url("{surah:3}.mp3")),
      timings: server.url("{surah:3}.json"), allowsPrivate: true, allowsInsecure: true)
    let settings = FetchSettings(userAgent: "tests/1")
    let fetcher = try SourceFetcher(
      source, in: library, settings, clock: VirtualClock(), stopFlag: stopFlag)
    func files() throws -> (Int, Int) {
      let plan = try fetcher.plan([range("91")], settings)
      return (plan.files.count, plan.timings.count)
    }
    #expect(try files() == (1, 1))
    _ = fetcher.fetch(try fetcher.plan([range("91")], settings)) { _, _, _ in }
    #expect(try files() == (0, 0))
    now.update { $0 += 7 * 86_400 - 1 }
    #expect(try files() == (0, 0))
    now.update { $0 += 2 }
    #expect(try files() == (1, 1))
  }

  @Test(arguments: [("429 Too Many Requests", 1, 6236 - 1), ("500 No", 3, 6236 - 3)])
  func aServerThatRefusesEverythingIsLeftInPeace(
    _ status: String, asked: Int, untried: Int
  ) throws {
    let server = ScriptedServer { _, _ in .status(status) }
    let source = try addServer(server)
    let fetcher = try self.fetcher(source)
    let settings = FetchSettings(userAgent: "tests/1")
    let outcome = fetcher.fetch(try fetcher.plan([.wholeQuran], settings)) { _, _, _ in }
    #expect(outcome.failures.count == asked && outcome.untried == untried)
    #expect(server.requests.count == asked * settings.attempts)
  }

  @Test func aWebPageThatIsNamedMP3IsNotKept() throws {
    let server = ScriptedServer { _, _ in .ok(Array("<html><body>Sorry</body></html>".utf8)) }
    let source = try addServer(server)
    let fetcher = try self.fetcher(source)
    let outcome = fetcher.fetch(
      try fetcher.plan([range("112:1")], FetchSettings(userAgent: ""))
    ) { _, _, _ in }
    #expect(outcome.fetched == 0)
    guard case .unusable(let reason) = outcome.failures.first?.error.kind else {
      Issue.record("\(outcome.failures)")
      return
    }
    #expect(reason.contains("HTML"))
    // What is wrong, and one thing to do.
    #expect(
      outcome.failures.first?.description
        == "Net: \(server.url("112001.mp3")): the file is not usable (\(reason)); check the address in a browser"
    )
    #expect(!reason.contains(";"))
    let path = library.folder.fetched(of: source)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test(arguments: [false, true])
  func aRecitationThatIsCutOffIsNotKept(byTheLengthOfTheAnswer: Bool) throws {
    let content = try [UInt8](
      Data(contentsOf: URL(filePath: FixtureFolder.path("flac-44k-stereo.flac"))))
    // The file has half of what it promises, or the server says that it were half as long as it is.
    let half = content.count / 2
    let server = ScriptedServer { _, _ in
      byTheLengthOfTheAnswer ? .ok(content, length: half) : .ok(Array(content[..<half]))
    }
    let source = try addServer(server)
    let fetcher = try self.fetcher(source)
    let outcome = fetcher.fetch(
      try fetcher.plan([range("112:1")], FetchSettings(userAgent: ""))
    ) { _, _, _ in }
    #expect(outcome.fetched == 0 && outcome.failures.count == 1)
    let path = library.folder.fetched(of: source)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }
}
