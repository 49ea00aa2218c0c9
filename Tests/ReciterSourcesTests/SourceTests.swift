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

@Suite("Sources: heard from folders, fetched, and kept")
struct SourceTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let stopFlag = StopFlag()
  private static let recitation = FixtureFolder.path("mp3-cbr-lame.mp3")

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
  }

  private func ayah(_ text: String) -> AyahReference { AyahReference(text)! }
  private func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  @discardableResult
  private func addFolder(
    _ name: String, riwayah: Riwayah = .hafs, files: [String], offset: Int = 0,
    mapping: String? = nil
  ) throws -> ReciterSource {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    for file in files { try folder.copy(of: "mp3-cbr-lame.mp3", as: "\(name)/\(file)") }
    let reciter = try library.addReciter(name, riwayah: riwayah)
    return try library.addSource(
      name, of: reciter.id, riwayah: riwayah, at: .folder(folder.path(name)), ayahOffset: offset,
      mapping: mapping.map { try AyahMapping(parsing: $0) })
  }

  private func addServer(
    _ server: ScriptedServer, mapping: String? = nil
  ) throws -> ReciterSource {
    let reciter = try library.addReciter("Net")
    return try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      mapping: mapping.map { try AyahMapping(parsing: $0) }, allowsPrivate: true,
      allowsInsecure: true)
  }

  private func clip(
    _ text: String, _ query: ResolverQuery = ResolverQuery(riwayah: .hafs)
  ) async throws -> Resolution<AyahClip> {
    try await SourceResolver(library, stopFlag: stopFlag).clip(of: ayah(text), query)
  }

  private func fetcher(_ source: ReciterSource) throws -> SourceFetcher {
    try SourceFetcher(
      source, in: library, FetchSettings(userAgent: "tests/1"), clock: VirtualClock(),
      stopFlag: stopFlag)
  }

  // MARK: Folders

  @Test func whatIsNamedAsAFileAndIsNoneIsNotHereAndSaidWithItsReason() async throws {
    let source = try addFolder("Odd", files: ["112001.mp3", "112005.mp3", "999001.mp3"])
    try folder.write([], to: "Odd/112002.mp3")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Odd/112003.mp3"), withDestinationPath: folder.path("gone.mp3"))
    try FileManager.default.createDirectory(
      atPath: folder.path("Odd/112004.mp3"), withIntermediateDirectories: true)
    let here = try AyahFolder(of: source, in: library)
    #expect(source.ayat(in: here) == [ayah("112:1")])
    #expect(Set(source.strays(in: here)) == ["112005.mp3", "999001.mp3"])
    for (text, word) in [("112:2", "empty"), ("112:3", "broken link"), ("112:4", "folder")] {
      guard case .failed(let reason) = try await clip(text) else {
        Issue.record("\(text): no reason")
        continue
      }
      #expect(reason.contains("Odd") && reason.contains(word), "\(reason)")
    }
    let problems = try source.check(in: library, .lengths, stopFlag: stopFlag)
    #expect(problems.compactMap(\.ayat?.first) == ["112:2", "112:3", "112:4"].map { ayah($0) })
    // As soon as it is replaced, it is heard.
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    try FileManager.default.removeItem(atPath: folder.path("Odd/112002.mp3"))
    try folder.copy(of: "mp3-cbr-lame.mp3", as: "Odd/112002.mp3")
    guard case .found = await resolver.clip(of: ayah("112:2"), .init(riwayah: .hafs)) else {
      Issue.record("not heard")
      return
    }
  }

  @Test func aFileOfAFolderThatHoldsNoSoundIsFoundWithoutPlayingIt() throws {
    try addFolder("Web", files: ["112001.mp3"])
    try folder.write(Array("<!DOCTYPE html><html></html>".utf8), to: "Web/112002.mp3")
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    #expect(
      resolver.unplayableAyat(in: try range("112:1-2"), .init(riwayah: .hafs)) == [ayah("112:2")])
  }

  @Test func anAyahOfAnUnknownCountingIsNotCountedAsHere() throws {
    let source = try addFolder("Nafi", riwayah: .warsh, files: ["002002.mp3", "112001.mp3"])
    let here = try AyahFolder(of: source, in: library)
    #expect(source.ayat(in: here) == [ayah("112:1")])
    #expect(source.surahsNumberedOtherwise(in: here).map(\.number) == [2])
  }

  @Test func commandsNameASourceAsAShellReadsIt() async throws {
    var source = try addFolder("My $ource", files: ["112001.mp3"])
    source.isEnabled = false
    try library.update(source)
    guard case .failed(let reason) = try await clip("112:1") else {
      Issue.record("heard")
      return
    }
    #expect(reason.contains(#"'source edit "My \$ource" --enable'"#))
    #expect("مشاري-2.mp3".commandWord == "مشاري-2.mp3" && "".commandWord == "\"\"")
  }

  @Test func aFolderIsAReciterAtOnce() async throws {
    try addFolder(
      "Husary", files: ["112001.mp3", "112002.MP3", "112003.txt", "1120021.mp3", "002287.mp3"])
    guard case .found(let clip) = try await clip("112:2") else {
      Issue.record("not found")
      return
    }
    let media = try MediaSource(path: Self.recitation)
    #expect(
      clip.audio.span == FramePosition.zero..<(FramePosition.zero + media.description.frameCount!))
    #expect(clip.audio.format == media.description.format)
    #expect(clip.riwayah == .hafs && clip.origin == .download)
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    #expect(
      await resolver.missingAyat(in: try range("112"), ResolverQuery(riwayah: .hafs))
        == [try range("112:3-4")])
    #expect(try resolver.open(clip.audio.media) != nil)
    #expect(resolver.title(of: clip.audio.media) == "Husary")
    #expect(try resolver.open(MediaKey(rawValue: UUID().uuidString)) == nil)
  }

  @Test func anOffsetMovesTheNumbersOfTheFiles() async throws {
    try addFolder("Moved", files: ["112002.mp3"], offset: 1)
    guard case .found = try await clip("112:1") else {
      Issue.record("not found")
      return
    }
  }

  @Test func riwayatAreNeverMixed() async throws {
    try addFolder("Warsh", riwayah: .warsh, files: ["001001.mp3", "110001.mp3", "112001.mp3"])
    #expect(try await clip("112:1") == .missing)
    guard case .found = try await clip("110:1", ResolverQuery(riwayah: .warsh)) else {
      Issue.record("a surah with as many ayat was not found")
      return
    }
    // Al-Fatiha has seven ayat in both counts, and other ones.
    guard case .lacking(let reason) = try await clip("1:1", ResolverQuery(riwayah: .warsh)) else {
      Issue.record("another ayah was taken for it")
      return
    }
    #expect(reason.contains("differently"))
  }

  @Test func whatCannotBeHeardSaysWhy() async throws {
    var source = try addFolder("Husary", files: ["112001.mp3"])
    try folder.write(Array("<html><body>Not found</body></html>".utf8), to: "Husary/112002.mp3")
    func reason(_ text: String) async throws -> String {
      switch try await clip(text) {
      case .found, .missing: return ""
      case .lacking(let reason), .failed(let reason): return reason
      }
    }
    #expect(try await reason("112:2").contains("HTML"))
    #expect(try await reason("112:3") == "Husary has no file for it")
    source.isEnabled = false
    try library.update(source)
    #expect(try await reason("112:1").contains("disabled"))
    // What it does not have, enabling does not bring.
    #expect(try await reason("112:3") == "Husary has no file for it")
    source.isEnabled = true
    try library.update(source)
    try FileManager.default.removeItem(atPath: folder.path("Husary"))
    #expect(try await reason("112:1").contains("folder is missing"))
  }

  // MARK: Words

  @Test func publishedWordsThatCountAreHeardWithTheAyah() async throws {
    let source = try addFolder("Words", files: ["112.mp3", "113001.mp3"])
    let words = [SourceSpan.Word(1, 20..<200), .init(2, 210..<400), .init(1, 400..<500)]
    try library.replaceSpans(
      of: Surah(112)!.ayat, with: [SourceSpan(ayah("112:2"), 300..<900, bytes: nil, words: words)],
      in: source.id)
    try library.replaceSpans(
      of: Surah(113)!.ayat, with: [SourceSpan(ayah("113:1"), 0..<500, bytes: nil, words: words)],
      in: source.id)
    for text in ["112:2", "113:1"] {
      guard case .found(let clip) = try await clip(text) else {
        Issue.record("\(text) was not found")
        continue
      }
      #expect(clip.words?.words == words.map(\.milliseconds), "\(text)")
      #expect(clip.words?.numbers == [1, 2, 1], "\(text)")
    }
    // Of another file than was checked they do not count; the ayah is whole all the same.
    try library.replaceSpans(
      of: Surah(113)!.ayat, with: [SourceSpan(ayah("113:1"), 0..<500, bytes: 5, words: words)],
      in: source.id)
    guard case .found(let changed) = try await clip("113:1") else {
      Issue.record("not found")
      return
    }
    #expect(changed.words == nil)
  }

  // MARK: Mappings

  @Test func anAyahInSeveralFilesIsHeardFromAllOfThemInOrder() async throws {
    try addFolder(
      "Split", files: ["112001.mp3", "112002.mp3"], mapping: "112:1 = 112:1-2\n112:2+ = 112:3+")
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    guard case .found(let clip) = await resolver.clip(of: ayah("112:1"), .init(riwayah: .hafs))
    else {
      Issue.record("not found")
      return
    }
    let one = try MediaSource(path: Self.recitation)
    let length = one.description.frameCount!
    #expect(clip.audio.span == .zero..<(.zero + length + length) && clip.together == nil)
    let both = try #require(try resolver.open(clip.audio.media))
    #expect(resolver.title(of: clip.audio.media) == "Split")
    #expect(both.description.frameCount == length + length)

    // The second begins where the first ends, sought or read on to.
    let (decoder, alone) = (try both.makeDecoder(), try one.makeDecoder())
    let (buffer, expected) = (
      PCMBuffer(channels: both.description.format.channels, frameCapacity: 1000),
      PCMBuffer(channels: both.description.format.channels, frameCapacity: 1000)
    )
    try alone.seek(to: FramePosition(5))
    #expect(try alone.read(into: expected) > 0)
    try decoder.seek(to: .zero + length + FrameCount(5))
    #expect(try decoder.read(into: buffer) > 0)
    #expect(Array(buffer.filled.prefix(200)) == Array(expected.filled.prefix(200)))
    try decoder.seek(to: .zero)
    var frames = FrameCount.zero
    while case let count = try decoder.read(into: buffer), count > 0 {
      frames = frames + FrameCount(Int64(count))
    }
    #expect(frames == length + length && decoder.position == .zero + frames)
    #expect(
      await resolver.missingAyat(in: try range("112"), .init(riwayah: .hafs))
        == [try range("112:2-4")])
  }

  @Test func ayatInOneFileAreTheSameSound() async throws {
    try addFolder(
      "Joined", files: ["112001.mp3", "112002.mp3"],
      mapping: "112:1 = none\n112:2-3 = 112:1\n112:4 = 112:2")
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    var clips: [AyahClip] = []
    for text in ["112:2", "112:3"] {
      guard case .found(let clip) = await resolver.clip(of: ayah(text), .init(riwayah: .hafs))
      else {
        Issue.record("\(text) was not found")
        return
      }
      clips.append(clip)
    }
    #expect(clips[0].audio == clips[1].audio)
    #expect(try clips.allSatisfy { try $0.together == range("112:2-3") })
    #expect(
      try await clip("112:1") == .lacking("Joined does not have it, according to its mapping"))
    let source = try library.source(named: "Joined")
    #expect(try source.ayat(in: AyahFolder(of: source, in: library)).count == 3)
  }

  @Test func aMappingOpensASurahOfAnotherCount() async throws {
    try addFolder(
      "Warsh", riwayah: .warsh, files: ["001001.mp3", "001006.mp3", "001007.mp3"],
      mapping: "1:1 = none\n1:2-6 = 1:1-5\n1:7 = 1:6-7")
    for (text, isHeard) in [("1:1", false), ("1:2", true), ("1:3", false), ("1:7", true)] {
      let found = try await clip(text, ResolverQuery(riwayah: .warsh))
      if case .found = found { #expect(isHeard, "\(text)") } else { #expect(!isHeard, "\(text)") }
    }
  }

  @Test func whatIsMappedIsFetchedOnceAndKeptUnderTheNumbersOfTheSource() async throws {
    let content = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(content) }
    let source = try addServer(
      server, mapping: "112:1-2 = 112:1\n112:3 = 112:2-3\n112:4 = none")
    do {
      let fetcher = try self.fetcher(source)
      let settings = FetchSettings(userAgent: "tests/1")
      let plan = try fetcher.plan([range("112")], settings)
      #expect(plan.files.map(\.number) == [1, 2, 3] && plan.unmapped == 1)
      #expect(fetcher.fetch(plan) { _, _, _ in }.fetched == 3)
      #expect(server.requests.map(\.path) == (1...3).map { "/11200\($0).mp3" })
      #expect(try fetcher.plan([range("112:1-3")], settings).isEmpty)
    }
    #expect(
      try library.files(of: source.id).map { "\($0.ayah) \($0.name)" } == [
        "112:1 112001.mp3", "112:3 112002.mp3", "112:3 112003.mp3",
      ])
    #expect(try source.check(in: library, .content, stopFlag: stopFlag) { _ in true } == [])
    guard case .found(let clip) = try await clip("112:2") else {
      Issue.record("not heard")
      return
    }
    #expect(clip.together == (try range("112:1-2")))
    // One of two files that is gone is named, and fetched again.
    let path = library.folder.fetched(of: source)
    try FileManager.default.removeItem(atPath: path + "/112003.mp3")
    let problems = try source.check(in: library, .lengths, stopFlag: stopFlag) { _ in
      true
    }
    #expect(problems.map(\.file) == [path + "/112003.mp3"])
    let again = try fetcher(source).plan([range("112")], FetchSettings(userAgent: ""))
    #expect(again.files.map(\.number) == [3])
  }

  @Test func aMappingIsKeptAndNeverBesideAnOffset() throws {
    var source = try addFolder("Split", files: [], mapping: "112:1 = 112:1")
    #expect(try library.source(named: "Split").mapping?.lines == ["112:1 = 112:1"])
    source.ayahOffset = 1
    #expect(throws: LibraryError.self) { try library.update(source) }
    source.mapping = nil
    try library.update(source)
    #expect(try library.source(named: "Split").mapping == nil)
  }

  // MARK: Fetching

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

  @Test func aFolderOfFetchedFilesThatCannotBeReadIsNotTakenForAnEmptyOne() async throws {
    let source = try addServer(ScriptedServer { _, _ in .ok([1]) })
    func reason() async throws -> String {
      guard case .failed(let reason) = try await clip("112:1") else { return "" }
      return reason
    }
    #expect(try await reason().contains("not here yet"))
    #expect(try source.check(in: library, .lengths, stopFlag: stopFlag).isEmpty)
    // What cannot be opened as a folder, for whatever reason.
    let path = library.folder.fetched(of: source)
    try FileManager.default.createDirectory(
      atPath: folder.path("library/Sources"), withIntermediateDirectories: false)
    try Data([1]).write(to: URL(filePath: path))
    #expect(try await reason().contains("cannot be read; make it a folder"))
    let problems = try source.check(in: library, .lengths, stopFlag: stopFlag)
    #expect(problems.map(\.file) == [path])
  }

  @Test func aFolderWhoseFilesHaveGoneIsNotTakenForOneWithoutThatAyah() async throws {
    let files = folder.path("files")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
    try Data([1]).write(to: URL(filePath: files + "/112001.mp3"))
    let source = try library.addSource("Disk", of: nil, riwayah: .hafs, at: .folder(files))
    #expect(try AyahFolder(of: source, in: library).fault(of: source) == nil)
    // As of a disk that is not mounted.
    try FileManager.default.removeItem(atPath: files + "/112001.mp3")
    guard case .failed(let reason) = try await clip("112:1") else {
      Issue.record("no reason")
      return
    }
    #expect(reason.contains("no file of a recitation; mount or restore it"), "\(reason)")
    let problems = try source.check(in: library, .content, stopFlag: stopFlag)
    #expect(problems.map(\.file) == [files])
    #expect(throws: LibraryError.self) {
      try SourceManifest(of: source, reciter: nil, in: library) { _ in true }
    }
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

  // MARK: Rows

  @Test func namesOfSourcesAreTheirOwn() throws {
    let source = try addFolder("Husary", files: [])
    #expect(throws: LibraryError.self) {
      try library.addSource("HUSARY", of: nil, riwayah: .hafs, at: .folder("/tmp"))
    }
    #expect(try library.source(named: "husary") == source)
    try library.removeSource(source)
    #expect(try library.sources().isEmpty)
  }

  @Test func aReciterWhoGoesLeavesTheSource() throws {
    let source = try addFolder("Husary", files: [])
    try library.removeReciter(source.reciter!)
    #expect(try library.sources().map(\.reciter) == [nil])
  }
}
