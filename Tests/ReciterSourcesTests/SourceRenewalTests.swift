// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch
import Foundation
import Glibc
import Library
import Playback
import Quran
import TestSupport
import Testing

@testable import ReciterSources

@Suite("Sources: fetched anew, from another address or in another format")
struct SourceRenewalTests {
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

  private func addServer(_ server: ScriptedServer) throws -> ReciterSource {
    try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      allowsPrivate: true, allowsInsecure: true)
  }

  private func fetcher(_ source: ReciterSource) throws -> SourceFetcher {
    try SourceFetcher(
      source, in: library, FetchSettings(userAgent: "tests/1"), clock: VirtualClock(),
      stopFlag: stopFlag)
  }

  @Test func whatIsRenewedTakesThePlaceOfTheOld() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let other = try [UInt8](Data(contentsOf: URL(filePath: FixtureFolder.path("mp3-vbr-xing.mp3"))))
    let server = ScriptedServer { request, _ in .ok(request.path.contains("new") ? other : sound) }
    var source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    let ayat = [try range("112:1-2")]
    func fetch(renews: Bool = false) throws -> SourceFetcher.Outcome {
      let fetcher = try self.fetcher(source)
      return fetcher.fetch(try fetcher.plan(ayat, settings, renewsSound: renews)) { _, _, _ in }
    }
    #expect(try fetch().fetched == 2)
    source.place = .addresses(server.url("new/{surah:3}{ayah:3}.ogg"))
    try library.update(source)
    do {
      let plan = try fetcher(source).plan(ayat, settings)
      #expect(plan.files.isEmpty && plan.alreadyHere == 2 && plan.fromElsewhere == 2)
    }
    #expect(try fetch().fetched == 0)
    #expect(try fetch(renews: true).fetched == 2)
    #expect(try fetcher(source).plan(ayat, settings).fromElsewhere == 0)
    let files = try library.files(of: source.id)
    #expect(files.map(\.name) == ["112001.ogg", "112002.ogg"])
    #expect(files.allSatisfy { $0.bytes == other.count })
    let path = library.folder.fetched(of: source)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        == ["112001.mp3.old1", "112001.ogg", "112002.mp3.old1", "112002.ogg"])

    // The program ended between the name and its entry.
    source.place = .addresses(server.url("{surah:3}{ayah:3}.ogg"))
    try library.update(source)
    try Data(sound).write(to: URL(filePath: path + "/112001.ogg"))
    try Data(#"{"url":"\#(server.url("112001.ogg"))"}"#.utf8).write(
      to: URL(filePath: path + "/112001.ogg.part.json"))
    let fetcher = try self.fetcher(source)
    #expect(try fetcher.plan(ayat, settings).fromElsewhere == 1)
    #expect(try library.files(of: source.id).first?.bytes == Int64(sound.count))
  }

  @Test func timingsThatWereCheckedWithAnotherSoundDoNotCount() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    // As long, and other content.
    let other = Array(sound.dropLast()) + [sound.last! ^ 1]
    let server = ScriptedServer { request, _ in .ok(request.path.contains("new") ? other : sound) }
    var source = try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses(server.url("{surah:3}.mp3")),
      timings: folder.path("t.json"), allowsPrivate: true, allowsInsecure: true)
    let settings = FetchSettings(userAgent: "tests/1")
    func fetch(renews: Bool = false) throws -> SourceFetcher.Outcome {
      let fetcher = try self.fetcher(source)
      return fetcher.fetch(try fetcher.plan([range("112")], settings, renewsSound: renews)) {
        _, _, _ in
      }
    }
    #expect(try fetch().fetched == 1)
    let spans = [SourceSpan(ayah("112:1"), 0..<500, bytes: Int64(sound.count))]
    try library.replaceSpans(of: range("112"), with: spans, in: source.id)
    #expect(try fetch(renews: true).fetched == 1)
    // The same sound came again.
    #expect(try library.spans(of: source.id).count == 1)
    source.place = .addresses(server.url("new/{surah:3}.mp3"))
    try library.update(source)
    #expect(try fetch(renews: true).fetched == 1)
    #expect(try library.spans(of: source.id).isEmpty)
  }

  @Test func filesOfTheFormerKindAreNotHeard() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(sound) }
    var source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    func fetch() throws -> SourceFetcher.Outcome {
      let fetcher = try self.fetcher(source)
      return fetcher.fetch(try fetcher.plan([range("112")], settings)) { _, _, _ in }
    }
    #expect(try fetch().fetched == 4)
    source.place = .addresses(server.url("{surah:3}.mp3"))
    try library.update(source)
    let before = try AyahFolder(of: source, in: library)
    #expect(!before.has(ayah("112:1")) && before.files.isEmpty)
    #expect(try fetch().fetched == 1)
    #expect(try AyahFolder(of: source, in: library).files.map(\.name) == ["112.mp3"])
    #expect(try self.fetcher(source).plan([range("112")], settings).fromElsewhere == 0)
    #expect(
      try source.check(in: library, .lengths, stopFlag: stopFlag) { _ in true }.isEmpty)
    // Back again they are all there.
    source.place = .addresses(server.url("{surah:3}{ayah:3}.mp3"))
    try library.update(source)
    #expect(try fetch().fetched == 0)
  }

  @Test func anInterruptedRenewalGoesOnWithWhatIsLeft() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let refuses = Monitor(true)
    let server = ScriptedServer { request, _ in
      request.path == "/new/112003.mp3" && refuses.update { $0 } ? .status("404 No") : .ok(sound)
    }
    var source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    func renew() throws -> Int {
      let fetcher = try self.fetcher(source)
      let plan = try fetcher.plan([range("112")], settings, renewsSound: true)
      return fetcher.fetch(plan) { _, _, _ in }.fetched
    }
    #expect(try renew() == 4)
    source.place = .addresses(server.url("new/{surah:3}{ayah:3}.mp3"))
    try library.update(source)
    #expect(try renew() == 3)
    refuses.update { $0 = false }
    try library.update(source)
    #expect(try renew() == 1)
    // Where all are from here, all are asked for.
    #expect(try renew() == 4)
  }

  @Test func whatIsRenewedAgainBeginsWithWhatCameLongestAgo() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(sound) }
    let source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    // As if a renewal of all had been interrupted after two.
    for ayat in ["112:3-4", "112:1-2"] {
      let fetcher = try fetcher(source)
      _ = fetcher.fetch(try fetcher.plan([range(ayat)], settings)) { _, _, _ in }
      // The library knows the second.
      usleep(1_100_000)
    }
    let fetcher = try fetcher(source)
    let plan = try fetcher.plan([range("112")], settings, renewsSound: true)
    #expect(plan.files.map(\.number) == [3, 4, 1, 2])
  }

  @Test func onlyWhatIsHereIsSaidToStay() throws {
    let server = ScriptedServer { _, _ in .status("404 No") }
    for pattern in ["{surah:3}{ayah:3}.mp3", "{surah:3}.mp3"] {
      let source = try library.addSource(
        pattern, of: nil, riwayah: .hafs, at: .addresses(server.url(pattern)),
        timings: folder.path("t.json"), allowsPrivate: true, allowsInsecure: true)
      let fetcher = try fetcher(source)
      let plan = try fetcher.plan(
        [range("112")], FetchSettings(userAgent: "tests/1"), renewsSound: true)
      let outcome = fetcher.fetch(plan) { _, _, _ in }
      #expect(!outcome.failures.isEmpty && outcome.failures.allSatisfy { !$0.keepsOld })
    }
  }

  @Test func whatIsResumedIsCountedOnce() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { request, _ in
      request.offset.map { .rest(of: sound, from: $0, "ETag: \"a\"\r\n") } ?? .ok(sound)
    }
    let source = try addServer(server)
    let fetcher = try fetcher(source)
    let path = library.folder.fetched(of: source) + "/112001.mp3"
    try Data(sound.prefix(500)).write(to: URL(filePath: path + ".part"))
    try Data(
      #"{"url":"\#(server.url("112001.mp3"))","etag":"\"a\"","length":\#(sound.count)}"#.utf8
    ).write(to: URL(filePath: path + ".part.json"))
    let outcome = fetcher.fetch(
      try fetcher.plan([range("112:1-2")], FetchSettings(userAgent: "tests/1"))
    ) { _, _, _ in }
    #expect(outcome.fetched == 2 && outcome.bytes == Int64(2 * sound.count - 500))
  }

  @Test func theRecordOfTimingsThatAKillHasLeftGoes() throws {
    let source = try library.addSource(
      "Net", of: nil, riwayah: .hafs, at: .addresses("https://example.org/{surah:3}.mp3"),
      timings: "https://example.org/{surah}.json")
    _ = try fetcher(source)
    let path = library.folder.fetched(of: source) + "/timings-112.json"
    try Data("{}".utf8).write(to: URL(filePath: path))
    try Data(#"{"url":"https://example.org/112.json"}"#.utf8).write(
      to: URL(filePath: path + ".part.json"))
    _ = try fetcher(source)
    #expect(!FileManager.default.fileExists(atPath: path + ".part.json"))
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func whatCannotBeRenewedStaysInUse() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { request, _ in
      request.path == "/new/112003.mp3" ? .status("404 No") : .ok(sound)
    }
    var source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    func plan(renews: Bool) throws -> SourceFetcher.Plan {
      try fetcher(source).plan([range("112")], settings, renewsSound: renews)
    }
    func fetch(renews: Bool) throws -> SourceFetcher.Outcome {
      let fetcher = try self.fetcher(source)
      let plan = try fetcher.plan([range("112")], settings, renewsSound: renews)
      return fetcher.fetch(plan) { _, _, _ in }
    }
    #expect(try fetch(renews: false).fetched == 4)
    source.place = .addresses(server.url("new/{surah:3}{ayah:3}.mp3"))
    try library.update(source)
    let outcome = try fetch(renews: true)
    #expect(outcome.fetched == 3)
    #expect(outcome.failures.map(\.keepsOld) == [true])
    #expect(
      outcome.failures.first?.description.hasSuffix("; what is here stays in use") == true)
    let asked = server.requests.count
    // It is here, so nothing is missing, and it is not asked for again.
    let usual = try plan(renews: false)
    #expect(usual.alreadyHere == 4 && usual.absent == 0 && usual.unrenewable == 1)
    #expect(usual.fromElsewhere == 0 && usual.wantsNothingElse)
    let renewing = try plan(renews: true)
    #expect(renewing.files.isEmpty && renewing.alreadyHere == 4 && renewing.unrenewable == 1)
    // Who has asked for it does not get it.
    #expect(!renewing.wantsNothingElse)
    #expect(try fetch(renews: true).fetched == 0 && server.requests.count == asked)
    source.place = .addresses(server.url("other/{surah:3}{ayah:3}.mp3"))
    try library.update(source)
    #expect(try plan(renews: true).files.count == 4)
  }

  @Test func ofTwoFormatsTheOneThatCameLastIsHeardAfterAKillToo() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(sound) }
    let source = try addServer(server)
    let settings = FetchSettings(userAgent: "tests/1")
    do {
      let fetcher = try fetcher(source)
      _ = fetcher.fetch(try fetcher.plan([range("112:1")], settings)) { _, _, _ in }
    }
    let path = library.folder.fetched(of: source)
    // The program ended between the name of the new one and the setting aside of the old.
    try Data(sound).write(to: URL(filePath: path + "/112001.ogg"))
    try Data(#"{"url":"\#(server.url("112001.ogg"))"}"#.utf8).write(
      to: URL(filePath: path + "/112001.ogg.part.json"))
    _ = try fetcher(source)
    #expect(try library.files(of: source.id).map(\.name) == ["112001.ogg"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        == ["112001.mp3.old1", "112001.ogg"])
  }

  /// A change of how a source is numbered, and what becomes of 112:2-3, fetched with an offset of 1.
  struct Renumbering: Sendable {
    var offset = 0
    var mapping: String?
    var folder = ""
    let names: [String]
    var aside: [String] = []
    /// What a fetch of 112:2-3 then asks for.
    let paths: [String]
  }

  /// What was fetched is heard for the ayat that it is of by the new numbers, never for others, and is not deleted.
  @Test(arguments: [
    Renumbering(names: ["112003.mp3", "112004.mp3"], paths: ["/112002.mp3"]),
    Renumbering(
      offset: -1, names: ["112004.mp3"], aside: ["112003.mp3.old1"],
      paths: ["/112001.mp3", "/112002.mp3"]),
    Renumbering(
      mapping: "112:1 = none\n112:2+ = 112:1+", names: ["112003.mp3"], aside: ["112003.mp3.old1"],
      paths: ["/112001.mp3", "/112002.mp3"]),
    // By which numbers this address has ayat says nothing of the former.
    Renumbering(
      folder: "new/", names: [], aside: ["112002.mp3.old1", "112003.mp3.old1"],
      paths: ["/new/112002.mp3", "/new/112003.mp3"]),
  ])
  func whatWasFetchedGetsTheNumbersOfAnotherOffset(_ change: Renumbering) async throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(sound) }
    var source = try addServer(server)
    source.ayahOffset = 1
    try library.update(source)
    let settings = FetchSettings(userAgent: "tests/1")
    func fetch() throws -> Int {
      let fetcher = try fetcher(source)
      return fetcher.fetch(try fetcher.plan([range("112:2-3")], settings)) { _, _, _ in }.fetched
    }
    let fetched = ["/112003.mp3", "/112004.mp3"]
    #expect(try fetch() == 2 && server.requests.map(\.path) == fetched)
    source.mapping = try change.mapping.map { try AyahMapping(parsing: $0) }
    source.ayahOffset = change.offset
    source.place = .addresses(server.url(change.folder + "{surah:3}{ayah:3}.mp3"))
    try library.update(source)
    let files = try library.files(of: source.id)
    #expect(files.map(\.name) == change.names)
    #expect(
      files.allSatisfy { file in
        source.numbering.numbers(of: file.ayah).map {
          file.url.hasSuffix("/11200\($0.lowerBound).mp3")
        } ?? false
      })
    let folder = library.folder.fetched(of: source)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == (change.names + change.aside).sorted())
    let missing = try await SourceResolver(library, stopFlag: stopFlag)
      .missingAyat(in: range("112"), .init(riwayah: .hafs))
    #expect(missing.reduce(0) { $0 + $1.count } == 4 - change.names.count)
    #expect(try source.check(in: library, .content, stopFlag: stopFlag) == [])
    #expect(try fetch() == change.paths.count)
    #expect(server.requests.map(\.path) == fetched + change.paths)
    // Nothing changes, and nothing is renamed.
    try library.update(source)
    #expect(try library.files(of: source.id).count == change.names.count + change.paths.count)
  }

  @Test func aChangeThatIsRefusedLeavesWhatWasFetched() throws {
    let sound = try [UInt8](Data(contentsOf: URL(filePath: Self.recitation)))
    let server = ScriptedServer { _, _ in .ok(sound) }
    var source = try addServer(server)
    do {
      let fetcher = try fetcher(source)
      let plan = try fetcher.plan([range("112:1")], FetchSettings(userAgent: "tests/1"))
      _ = fetcher.fetch(plan) { _, _, _ in }
    }
    source.ayahOffset = 1
    source.name = ""
    #expect(throws: LibraryError.self) { try library.update(source) }
    #expect(try library.files(of: source.id).count == 1)
  }
}
