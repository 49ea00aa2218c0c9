// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Library
import Quran
import TestSupport
import Testing

@testable import ReciterSources

@Suite("Sources: manifests, and what was left half done")
struct SourceManifestTests {
  private let folder: TemporaryFolder
  private let library: Library

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
  }

  private func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

  private func add(_ name: String, _ files: [String]) throws -> ReciterSource {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    for file in files { try folder.copy(of: "mp3-cbr-lame.mp3", as: "\(name)/\(file)") }
    let reciter = try library.addReciter(name)
    return try library.addSource(
      name, of: reciter.id, riwayah: .hafs, at: .folder(folder.path(name)))
  }

  @Test func whatIsExportedIsImportedAndChecked() throws {
    let source = try add("One", ["112001.mp3", "113.mp3"])
    try library.replaceSpans(
      of: Surah(113)!.ayat,
      with: [
        SourceSpan(
          ayah("113:2"), 100..<900, bytes: 5, words: [.init(1, 0..<300), .init(2, 310..<800)]),
        SourceSpan(ayah("113:3"), 900..<1500, bytes: nil),
      ], in: source.id)
    let manifest = try SourceManifest(of: source, reciter: "One", in: library) { _ in true }
    #expect(manifest.files.map(\.ayah) == ["112:1", "113:1"] && manifest.url == nil)
    #expect(
      manifest.timings == [
        .init(
          ayah: "113:2", start: 100, end: 900, bytes: 5, words: [[1, 0, 300], [2, 310, 800]]),
        .init(ayah: "113:3", start: 900, end: 1500, bytes: nil),
      ])
    let read = try SourceManifest(json: manifest.json)
    #expect(read == manifest)

    let other = try add("Two", ["112001.mp3", "113.mp3"])
    try read.enter(other, in: library)
    #expect(
      try library.spans(of: other.id)[ayah("113:2")]
        == library.spans(of: source.id)[ayah("113:2")])
    // It was trusted there, not checked.
    #expect(try library.spans(of: other.id)[ayah("113:3")] == nil)
    let stopFlag = StopFlag()
    #expect(try other.check(in: library, .content, stopFlag: stopFlag) { _ in true } == [])
    try FileManager.default.removeItem(atPath: folder.path("Two/112001.mp3"))
    try folder.copy(of: "flac-44k-stereo.flac", as: "Two/112001.flac")
    let problems = try other.check(in: library, .content, stopFlag: stopFlag) { _ in true }
    #expect(problems.count == 1 && problems[0].message.contains("SHA-256"))
  }

  @Test func aMappingAndTheFilesOfAnAyahTravelWithIt() throws {
    var source = try add("One", ["112001.mp3", "112002.mp3"])
    source.mapping = try AyahMapping(parsing: "112:1 = 112:1-2\n112:2+ = 112:3+")
    try library.update(source)
    let manifest = try SourceManifest(of: source, reciter: nil, in: library) { _ in true }
    #expect(manifest.mapping == ["112:1 = 112:1-2", "112:2+ = 112:3+"])
    #expect(manifest.files.map(\.ayah) == ["112:1", "112:1"])
    #expect(manifest.files.map(\.part) == [nil, 2])
    let read = try SourceManifest(json: manifest.json)
    #expect(try read == manifest && read.ayahMapping == source.mapping)
  }

  @Test(arguments: [
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"hafs","ayah_offset":0,"mapping":["2:1"],"files":[],"timings":[]}"#,
      "mapping: line 1"
    ),
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"hafs","ayah_offset":1,"mapping":["2:1 = 2:1"],"files":[],"timings":[]}"#,
      "both a mapping and an offset"
    ),
    ("{}", "not the manifest"), ("[]", "not the manifest"),
    (#"{"schema":"tilawa.source/2"}"#, "not the manifest"),
    (
      #"{"schema":"a","name":"N","riwayah":"hafs","ayah_offset":0,"files":[],"timings":[]}"#,
      "schema a"
    ),
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"x","ayah_offset":0,"files":[],"timings":[]}"#,
      "riwayah x"
    ),
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"hafs","url":"file:///etc/{surah}","ayah_offset":0,"files":[],"timings":[]}"#,
      "https"
    ),
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"hafs","url":"https://me:word@example.org/{surah}","ayah_offset":0,"files":[],"timings":[]}"#,
      "password"
    ),
    (
      #"{"schema":"tilawa.source/1","name":"N","riwayah":"hafs","ayah_offset":0,"files":[],"timings":[{"ayah":"1:1","start":5,"end":5}]}"#,
      "1:1"
    ),
  ])
  func whatIsNoManifestIsRefused(text: String, part: String) {
    do throws(SourceManifest.Problem) {
      _ = try SourceManifest(json: Data(text.utf8))
      Issue.record("read")
    } catch {
      #expect(error.description.contains(part))
    }
  }

  @Test func aFolderThatLacksFilesOfTheManifestIsNotIntact() throws {
    let source = try add("One", ["112001.mp3", "112002.mp3", "113001.mp3"])
    let manifest = try SourceManifest(of: source, reciter: nil, in: library) { _ in true }
    let other = try add("Two", ["112002.mp3"])
    try manifest.enter(other, in: library)
    let problems = try other.check(in: library, .content, stopFlag: StopFlag()) { _ in true
    }
    #expect(problems.map(\.ayat?.first) == [ayah("112:1"), ayah("113:1")])
    #expect(problems.allSatisfy { $0.message.contains("manifest") && !$0.isDamage })
  }

  @Test func aPasswordOfAnOlderLibraryIsNotExported() throws {
    let source = try library.addSource(
      "Net", of: nil, riwayah: .hafs,
      at: .addresses("https://me:word@example.org/{surah:3}{ayah:3}.mp3"))
    #expect(throws: LibraryError.self) {
      try SourceManifest(of: source, reciter: nil, in: library) { _ in true }
    }
  }

  @Test func aWholeFileWithoutItsRowIsEnteredAtTheNextOpening() throws {
    let reciter = try library.addReciter("Net")
    let source = try library.addSource(
      "Net", of: reciter.id, riwayah: .hafs,
      at: .addresses("https://example.org/{surah}-{ayah}.mp3")
    )
    do { _ = try library.lock(source) }
    let path = library.folder.fetched(of: source)
    try FileManager.default.copyItem(
      atPath: FixtureFolder.path("mp3-cbr-lame.mp3"), toPath: path + "/112001.mp3")
    try Data(#"{"url":"https://example.org/112-1.mp3"}"#.utf8).write(
      to: URL(filePath: path + "/112001.mp3.part.json"))
    try ReciterSource.mendAll(in: library)
    #expect(try library.files(of: source.id).map(\.ayah) == [ayah("112:1")])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["112001.mp3"])
    // Nothing is left to do, nor is it done twice.
    try ReciterSource.mendAll(in: library)
    #expect(try library.files(of: source.id).count == 1)
  }

  /// Another file of the same length is another sound.
  @Test func timingsCountForTheFileThatWasExportedAndNoOther() throws {
    let source = try add("One", ["112.mp3", "113.mp3"])
    let bytes = Int64(try Data(contentsOf: URL(filePath: folder.path("One/112.mp3"))).count)
    for surah in [Surah(112)!, Surah(113)!] {
      let span = SourceSpan(surah.firstAyah, 0..<900, bytes: bytes)
      try library.replaceSpans(of: surah.ayat, with: [span], in: source.id)
    }
    let manifest = try SourceManifest(of: source, reciter: nil, in: library) { _ in true }
    let other = try add("Two", ["112.mp3", "113.mp3"])
    var changed = try Data(contentsOf: URL(filePath: folder.path("Two/113.mp3")))
    changed[changed.count - 1] ^= 1
    try changed.write(to: URL(filePath: folder.path("Two/113.mp3")))
    #expect(try manifest.enter(other, in: library) == 1)
    #expect(try library.spans(of: other.id).keys.map(\.surah.number) == [112])
    #expect(
      other.reasonWithoutTimings(of: Surah(113)!, in: library)?
        .contains("'timings check Two' compares those of the manifest") == true)
    #expect(
      other.manifestSpans(in: library).contains(
        SourceSpan(ayah("113:1"), 0..<900, bytes: nil)))
  }

  @Test(arguments: ["a\nb", "x\u{202E}y", "\u{7F}", String(repeating: "n", count: 300)])
  func namesThatNobodyCanTypeAreRefused(name: String) throws {
    var manifest = try SourceManifest(of: add("One", ["112001.mp3"]), reciter: nil, in: library) {
      _ in true
    }
    manifest.name = name
    #expect(throws: SourceManifest.Problem.self) { try SourceManifest(json: manifest.json) }
    #expect(throws: LibraryError.self) { try library.addReciter(name) }
    #expect(throws: LibraryError.self) {
      try library.addSource(name, of: nil, riwayah: .hafs, at: .folder("/"))
    }
  }
}
