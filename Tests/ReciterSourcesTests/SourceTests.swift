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
  let folder: TemporaryFolder
  let library: Library
  let stopFlag = StopFlag()
  static let recitation = FixtureFolder.path("mp3-cbr-lame.mp3")

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
  }

  func ayah(_ text: String) -> AyahReference { AyahReference(text)! }
  func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  @discardableResult
  func addFolder(
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

  func addServer(
    _ server: ScriptedServer, mapping: String? = nil
  ) throws -> ReciterSource {
    let reciter = try library.addReciter("Net")
    return try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs, at: .addresses(server.url("{surah:3}{ayah:3}.mp3")),
      mapping: mapping.map { try AyahMapping(parsing: $0) }, allowsPrivate: true,
      allowsInsecure: true)
  }

  func clip(
    _ text: String, _ query: ResolverQuery = ResolverQuery(riwayah: .hafs)
  ) async throws -> Resolution<AyahClip> {
    try await SourceResolver(library, stopFlag: stopFlag).clip(of: ayah(text), query)
  }

  func fetcher(_ source: ReciterSource) throws -> SourceFetcher {
    try SourceFetcher(
      source, in: library, FetchSettings(userAgent: "tests/1"), clock: VirtualClock(),
      stopFlag: stopFlag)
  }

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

  @Test func whyTheTimingsOfASurahDoNotCountIsSaid() async throws {
    var source = try addFolder("Set", files: ["112.mp3"])
    let timings = try folder.write(Array("one".utf8), to: "set.json")
    source.timings = timings
    try library.update(source)
    let resolver = try SourceResolver(library, stopFlag: stopFlag)
    func reason() async throws -> String {
      guard
        case .failed(let reason) = await resolver.clip(
          of: ayah("112:2"), ResolverQuery(riwayah: .hafs))
      else {
        return ""
      }
      return reason
    }
    func compare(_ remark: String?) throws {
      let bytes = try Int64(Data(contentsOf: URL(filePath: folder.path("Set/112.mp3"))).count)
      let hash = try #require(SourceComparison.hash(ofTimings: timings))
      try library.enter(
        [SourceComparison(file: "112.mp3", bytes: bytes, timings: hash, remark: remark)],
        of: source.id)
    }
    #expect(try await reason().contains("not checked yet; 'timings check Set' checks them"))
    try compare("timings not used: unfit")
    #expect(try await reason().hasPrefix("Set: timings not used: unfit; 'timings check Set'"))
    try folder.write(Array("other".utf8), to: "set.json")
    #expect(try await reason().contains("not checked yet"))
    try compare(nil)
    #expect(try await reason().contains("do not say where 112:2 is"))
  }

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

  /// A folder of the library holds what was fetched, and leads nowhere else.
  @Test func aLinkAmongFetchedFilesIsNotFollowed() async throws {
    let source = try addServer(ScriptedServer { _, _ in .ok([1]) })
    let path = library.folder.fetched(of: source)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try folder.copy(of: "mp3-cbr-lame.mp3", as: "elsewhere.mp3")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/112001.mp3", withDestinationPath: folder.path("elsewhere.mp3"))
    guard case .failed(let reason) = try await clip("112:1") else {
      Issue.record("it is heard")
      return
    }
    #expect(reason.contains("is a link"), "\(reason)")
    let problems = try source.check(in: library, .lengths, stopFlag: stopFlag)
    #expect(problems.map(\.file) == [path + "/112001.mp3"])
    #expect(problems.first?.isDamage == true)
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
