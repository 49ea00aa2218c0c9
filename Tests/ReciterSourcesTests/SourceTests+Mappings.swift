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

// Sources that count ayat otherwise.
extension SourceTests {
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
}
