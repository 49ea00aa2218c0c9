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

// What is fetched, and what becomes of it.
extension SourceTests {
  @Test func aSurahIsFetchedAndHeardAndNotFetchedAgain() async throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { request, _ in
      request.path == "/112003.mp3" ? .status("404 Not Found") : .ok(content, "ETag: \"a\"\r\n")
    }
    let source = try addServer(server)
    guard case .failed(let reason) = try await clip("112:1") else {
      Issue.record("heard before it was fetched")
      return
    }
    #expect(reason.contains("source fetch"))
    #expect(server.requests.isEmpty)

    do {
      let fetcher = try self.fetcher(source)
      let settings = FetchSettings(userAgent: "tests/1")
      let plan = try fetcher.plan([range("112")], settings)
      #expect(plan.files.count == 4 && plan.alreadyHere == 0 && plan.leastSeconds == 1)
      let outcome = fetcher.fetch(plan) { _, _, _ in }
      #expect(outcome.fetched == 3 && outcome.failures.map(\.error.kind) == [.absent(status: 404)])
      #expect(server.requests.map(\.path) == (1...4).map { "/11200\($0).mp3" })

      let again = try fetcher.plan([range("112")], settings)
      #expect(again.files.isEmpty && again.alreadyHere == 3 && again.absent == 1)
    }
    guard case .found = try await clip("112:1") else {
      Issue.record("not heard after it was fetched")
      return
    }
    #expect(
      try await clip("112:3") == .lacking("Net: the server does not have it (HTTP 404)"))
    #expect(try library.files(of: source.id).map(\.ayah) == ["112:1", "112:2", "112:4"].map(ayah))
    #expect(try source.check(in: library, .content, stopFlag: stopFlag) { _ in true } == [])
    let path = library.folder.fetched(of: source)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        == ["112001.mp3", "112002.mp3", "112004.mp3"])
  }

  @Test func aFetchedFileThatWasCutIsNotHeardAndFetchedAgain() async throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(content) }
    let source = try addServer(server)
    let settings = FetchSettings(userAgent: "")
    do {
      let fetcher = try self.fetcher(source)
      _ = fetcher.fetch(try fetcher.plan([range("112:1-2")], settings)) { _, _, _ in }
    }
    let before = try SourceResolver(library, stopFlag: stopFlag)
    let path = library.folder.fetched(of: source) + "/112002.mp3"
    try Data(content[..<5000]).write(to: URL(filePath: path))
    let query = ResolverQuery(riwayah: .hafs)
    let after = try SourceResolver(library, stopFlag: stopFlag)
    for resolver in [before, after] {
      guard case .failed(let reason) = await resolver.clip(of: ayah("112:2"), query) else {
        Issue.record("a part was taken for the whole")
        continue
      }
      #expect(reason.contains("(5000 of \(content.count) bytes)"), "\(reason)")
      #expect(reason.contains("'source fetch Net 112:2'"), "\(reason)")
    }
    #expect(
      await after.missingAyat(in: try range("112:1-2"), query) == [try range("112:2")])
    #expect(try source.ayat(in: AyahFolder(of: source, in: library)).count == 1)
    let problems = try source.check(in: library, .content, stopFlag: stopFlag) { _ in true }
    #expect(problems.map(\.file) == [path] && problems[0].isDamage)
    do {
      let fetcher = try self.fetcher(source)
      let plan = try fetcher.plan([range("112:1-2")], settings)
      #expect(plan.files.map(\.ayah) == [ayah("112:2")])
      #expect(fetcher.fetch(plan) { _, _, _ in }.fetched == 1)
    }
    for resolver in [before, after] {
      guard case .found = await resolver.clip(of: ayah("112:2"), query) else {
        Issue.record("not heard again")
        continue
      }
    }
  }

  @Test func aFileThatIsNotThatOfTheManifestIsSaidAndHasNoTimings() throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(content) }
    let source = try addServer(server)
    let mine = try addFolder("Mine", files: ["112001.mp3", "112002.mp3"])
    for text in ["112:1", "112:2"] {
      let span = SourceSpan(ayah(text), 0..<500, bytes: Int64(content.count))
      try library.replaceSpans(of: AyahRange(ayah(text)), with: [span], in: mine.id)
    }
    var manifest = try SourceManifest(of: mine, reciter: nil, in: library) { _ in true }
    manifest.files[0].sha256 = String(repeating: "0", count: 64)
    try manifest.enter(source, in: library)
    let fetcher = try self.fetcher(source)
    func plan() throws -> SourceFetcher.Plan {
      try fetcher.plan([range("112:1-2")], FetchSettings(userAgent: ""))
    }
    let outcome = fetcher.fetch(try plan()) { _, _, _ in }
    #expect(outcome.fetched == 2 && outcome.failures.isEmpty)
    #expect(outcome.differing == [ayah("112:1")] && !outcome.hasEverything)
    #expect(try library.spans(of: source.id).keys.map(\.description) == ["112:2"])
    // It is still so the next time.
    let again = try plan()
    #expect(again.isEmpty && again.differing == [ayah("112:1")] && !again.wantsNothingElse)
    // Known without reading the files again.
    let problems = try source.check(in: library, .manifest, stopFlag: stopFlag)
    #expect(
      problems.map(\.ayat) == [try range("112:1")] && problems[0].message.contains("manifest"))
    #expect(try source.check(in: library, .lengths, stopFlag: stopFlag).isEmpty)
  }

  @Test func whatWasBegunIsCountedByItsOwnLength() throws {
    let server = ScriptedServer { _, _ in .status("500 No") }
    let source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    let fetcher = try self.fetcher(source)
    let whole = try fetcher.plan([range("112:1-2")], settings).estimatedBytes
    let one = try fetcher.plan([range("112:2")], settings).estimatedBytes
    let path = library.folder.fetched(of: source) + "/112001.mp3.part"
    try Data(count: 900_000).write(to: URL(filePath: path))
    try Data(#"{"url":"\#(server.url("112001.mp3"))","length":950000}"#.utf8).write(
      to: URL(filePath: path + ".json"))
    let left = try fetcher.plan([range("112:1-2")], settings).estimatedBytes
    #expect(whole > one && abs(left - one - 50_000) <= 1)
  }

  @Test func nothingIsFetchedIntoALibraryThatCannotBeWritten() throws {
    let server = ScriptedServer { _, _ in .ok([1]) }
    let source = try addServer(server)
    let reader = try Library(at: library.folder, access: .readOnly)
    #expect {
      _ = try SourceFetcher(
        source, in: reader, FetchSettings(userAgent: "tests/1"), clock: VirtualClock(),
        stopFlag: stopFlag)
    } throws: { error in
      (error as? LibraryError)?.kind == .readOnly
        && "\(error)".contains("writable for your account")
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aSourceThatIsFetchedIsNotRemoved() throws {
    let source = try addServer(ScriptedServer { _, _ in .status("500 No") })
    let first = try fetcher(source)
    do {
      try library.removeSource(source)
      Issue.record("removed during a fetch")
    } catch {
      #expect(error.kind == .held && error.description.contains("fetching"))
    }
    withExtendedLifetime(first) {}
    #expect(try library.sources().count == 1)
  }

  @Test func aFileThatNobodyHadComeToEnterIsEnteredByTheNextFetch() throws {
    let source = try addServer(ScriptedServer { _, _ in .status("500 No") })
    let path = library.folder.fetched(of: source)
    do { _ = try fetcher(source) }
    // What the end of a process between the file's name and its row leaves.
    try FileManager.default.copyItem(atPath: Self.recitation, toPath: path + "/112001.mp3")
    try Data(#"{"url":"http://127.0.0.1/112001.mp3","etag":"\"a\""}"#.utf8).write(
      to: URL(filePath: path + "/112001.mp3.part.json"))
    #expect(try library.files(of: source.id).isEmpty)
    _ = try fetcher(source)
    let files = try library.files(of: source.id)
    #expect(files.map(\.ayah) == [ayah("112:1")] && files[0].etag == "\"a\"")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["112001.mp3"])
  }

  @Test func twoProcessesNeverFetchOneSource() throws {
    let source = try addServer(ScriptedServer { _, _ in .status("500 No") })
    let first = try fetcher(source)
    do {
      _ = try fetcher(source)
      Issue.record("both fetch it")
    } catch let error as LibraryError {
      #expect(error.kind == .held)
    }
    withExtendedLifetime(first) {}
  }

  @Test func aCheckNamesWhatHasChangedAndWhatIsGone() throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let source = try addServer(ScriptedServer { _, _ in .ok(content) })
    do {
      let fetcher = try self.fetcher(source)
      _ = fetcher.fetch(
        try fetcher.plan([range("112:1-3")], FetchSettings(userAgent: ""))
      ) { _, _, _ in }
    }
    let path = library.folder.fetched(of: source)
    var changed = content
    changed[changed.count / 2] ^= 0xFF
    try Data(changed).write(to: URL(filePath: path + "/112001.mp3"))
    try FileManager.default.removeItem(atPath: path + "/112002.mp3")
    let problems = try source.check(in: library, .content, stopFlag: stopFlag) { _ in true }
    #expect(problems.map(\.ayat?.first) == ["112:1", "112:2"].map(ayah))
    #expect(problems[0].message.contains("changed since it was fetched"))
    #expect(problems[1].message.contains("missing"))
    #expect(problems.map(\.isDamage) == [true, false])
    try Data(content.dropLast()).write(to: URL(filePath: path + "/112003.mp3"))
    // Sizes and names alone, as 'check' looks at them.
    let quick = try source.check(in: library, .lengths, stopFlag: stopFlag) { _ in true }
    #expect(quick.map(\.ayat?.first) == ["112:2", "112:3"].map(ayah))
    #expect(quick.map(\.isDamage) == [false, true])
  }
}
