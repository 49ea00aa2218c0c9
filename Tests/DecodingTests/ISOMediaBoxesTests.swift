// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Decoding

@Suite struct ISOMediaBoxesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func boxes(_ bytes: [UInt8]) throws -> ISOMediaBoxes {
    try ISOMediaBoxes(MediaFile(path: folder.write(bytes, to: "boxes.mp4")))
  }

  @Test func readsTimescalesAndDurationToTheFrame() throws {
    let found = try ISOMediaBoxes(MediaFile(path: FixtureIndex.path("exact/mono-ms.m4a")))
    try found.check()
    #expect(found.movieTimescale == 1000)
    #expect(found.audioTracks.count == 1)
    let track = try #require(found.audioTracks.first)
    #expect(track.mediaTimescale == 44100)
    #expect(track.mediaDuration == 353_861)
    #expect(!track.isExternal && !found.isCutOff)
  }

  /// As of a livestream that is being saved.
  @Test func aFileThatEndsInTheTableOfAFragmentIsReadUpToIt() throws {
    let bytes = try MediaFile(path: FixtureIndex.path("m4a-fragmented.m4a"))
    let whole = try bytes.bytes(at: 0, count: Int(bytes.size))
    let fragments = whole.indices.dropLast(4).filter {
      whole[$0..<$0 + 4].elementsEqual("moof".utf8)
    }
    let last = try #require(fragments.last) - 4
    func frames(of count: Int) throws -> Int64 {
      let path = try folder.write(Array(whole.prefix(count)), to: "growing.m4a")
      let source = try MediaSource(path: path)
      return Int64(try Recording(source.makeDecoder()).samples.count)
    }
    let upToIt = try frames(of: last)
    #expect(upToIt > 0)
    for length in [12, 30, 60] {
      #expect(try frames(of: last + length) == upToIt, "\(length) bytes of it")
    }
    let path = try folder.write(Array(whole.prefix(last + 30)), to: "growing.m4a")
    #expect(try MediaSource(path: path).description.warnings == [.cutOff])
  }

  @Test func findsAllTracksOfAVideo() throws {
    let path = FixtureIndex.path("mp4-video-two-tracks.mp4")
    #expect(try ISOMediaBoxes(MediaFile(path: path)).audioTracks.count == 2)
  }

  /// A movie with one track whose tables are `tables`, and a kilobyte of data.
  private func movie(_ tables: [UInt8], fragment: [UInt8] = []) -> [UInt8] {
    let track = box("trak", box("mdia", box("minf", box("stbl", tables))))
    return box("moov", track) + fragment + box("mdat", [UInt8](repeating: 0, count: 1000))
  }

  private func refusesPackets(_ bytes: [UInt8]) throws -> Bool {
    let found = try boxes(bytes)
    do throws(DecodingError) {
      try found.check()
      return false
    } catch {
      #expect(error.kind == .damaged)
      #expect(error.detail?.contains("packets") == true)
      return true
    }
  }

  @Test func tablesOfMorePacketsThanTheFileCanHoldAreRefused() throws {
    func sizes(_ count: UInt32) -> [UInt8] { box("stsz", big(0) + big(2) + big(count)) }
    func times(_ count: UInt32, of duration: UInt32) -> [UInt8] {
      box("stts", big(0) + big(1) + big(count) + big(duration))
    }
    func run(_ count: UInt32) -> [UInt8] {
      box("moof", box("traf", box("trun", big(0) + big(count) + big(0))))
    }
    #expect(try !refusesPackets(movie(sizes(1000) + times(1000, of: 1024))))
    #expect(try refusesPackets(movie(sizes(200_000) + times(200_000, of: 1024))))
    #expect(try refusesPackets(movie(sizes(.max) + times(.max, of: 1024))))
    // Frames of PCM are no packets.
    #expect(try !refusesPackets(movie(sizes(200_000) + times(200_000, of: 1))))
    #expect(try !refusesPackets(movie([], fragment: run(1000))))
    #expect(try refusesPackets(movie([], fragment: run(200_000))))
    #expect(
      try refusesPackets(movie([], fragment: Array((0..<4).map { _ in run(50_000) }.joined()))))
  }

  @Test func missesTheMovie() throws {
    let found = try boxes(box("ftyp", [1, 2, 3, 4]) + box("mdat", [5, 6]))
    let error = #expect(throws: DecodingError.self) { try found.check() }
    #expect(error?.kind == .damaged)
    #expect(error?.explanation.contains("moov") == true)
  }

  @Test(arguments: [0, 1, 2, 4, 7] as [UInt32])
  func impossibleSizeEndsTheWalk(_ size: UInt32) throws {
    let odd = big(size) + Array("moov".utf8)
    #expect(try boxes(odd).audioTracks.isEmpty)
    #expect(try boxes(box("moov", odd)).audioTracks.isEmpty)
    #expect(try boxes(odd + [UInt8](repeating: 0, count: 40)).audioTracks.isEmpty)
  }

  @Test(arguments: [0, 1, 8, 15, 16, 17, 1 << 31, 1 << 62, UInt64(Int64.max), 1 << 63, .max])
  func hostile64BitSizeIsClamped(_ size: UInt64) throws {
    let wide =
      big(1) + Array("moov".utf8) + big(UInt32(size >> 32)) + big(UInt32(truncatingIfNeeded: size))
    #expect(try boxes(wide).audioTracks.isEmpty)
    #expect(try boxes(wide + [0, 0, 0]).audioTracks.isEmpty)
    // A head of 16 bytes in a parent with room for less, followed by more of the file.
    for room in 8...16 {
      let parent = big(UInt32(8 + room)) + Array("moov".utf8)
      #expect(try boxes(parent + wide + [UInt8](repeating: 0, count: 32)).audioTracks.isEmpty)
    }
  }

  @Test func boxThatReachesPastTheEndIsNoticed() throws {
    #expect(try boxes(big(100) + Array("moov".utf8) + [0]).isCutOff)
    #expect(try !boxes(box("moov", [0])).isCutOff)
    #expect(try !boxes(big(0) + Array("mdat".utf8) + [0]).isCutOff)
  }

  @Test func deepNestingAndEndlessListsEnd() throws {
    var nested: [UInt8] = []
    for name in ["stbl", "minf", "mdia", "trak", "moov"] + Array(repeating: "moov", count: 2000) {
      nested = box(name, nested)
    }
    #expect(try boxes(nested).audioTracks.isEmpty)
    let many = Array(repeating: box("trak", []), count: 50_000).flatMap { $0 }
    #expect(try boxes(box("moov", many)).audioTracks.isEmpty)
  }

  @Test func durationsBeyondAllNumbersAreNone() throws {
    func duration(count: UInt32, entries: [(UInt32, UInt32)]) throws -> Int64? {
      let table = entries.flatMap { big($0.0) + big($0.1) }
      let stts = box("stts", big(0) + big(count) + table)
      let handler = box("hdlr", big(0) + big(0) + Array("soun".utf8))
      let media = box("mdia", handler + box("minf", box("stbl", stts)))
      let found = try boxes(box("moov", box("trak", media)))
      #expect(found.audioTracks.count == 1)
      return found.audioTracks.first?.mediaDuration
    }
    #expect(try duration(count: 2, entries: [(10, 1024), (1, 7)]) == 10_247)
    #expect(try duration(count: 0, entries: []) == 0)
    #expect(try duration(count: 2, entries: [(1, 1)]) == nil)
    #expect(try duration(count: .max, entries: [(1, 1)]) == nil)
    #expect(try duration(count: 1, entries: [(.max, .max)]) == nil)
    #expect(try duration(count: 1, entries: [(.max, 1 << 30)]) == Int64(UInt32.max) << 30)
  }

  @Test func soundInAnotherFileIsRefused() throws {
    func movie(flags: UInt8) throws -> ISOMediaBoxes {
      let reference = box("dref", big(0) + big(1) + box("url ", [0, 0, 0, flags]))
      let handler = box("hdlr", big(0) + big(0) + Array("soun".utf8))
      let media = box("mdia", handler + box("minf", box("dinf", reference)))
      return try boxes(box("moov", box("trak", media)))
    }
    try movie(flags: 1).check()
    let external = try movie(flags: 0)
    #expect(throws: DecodingError.self) { try external.check() }
  }

  @Test func damagedHeadersNeverTrap() throws {
    let good = Array(try FixtureIndex.bytes("m4a-aac-faststart.m4a").prefix(4000))
    var random = SplitMix64(state: 17)
    var readable = 0
    for _ in 0..<1000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 2, 8, 16, 127, 128, 255]
          .randomElement(using: &random) ?? 0
      }
      let found = try boxes(bytes)
      #expect(found.audioTracks.count <= 1)
      #expect((0...Int64(UInt32.max)).contains(found.movieTimescale))
      if (try? found.check()) != nil, !found.audioTracks.isEmpty { readable += 1 }
    }
    #expect(readable > 0)
  }

  @Test(arguments: ["7FFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF", "0000FFFFFFFFFFFF", "8000000000000000"])
  func hostileGaplessTagDoesNotOverflow(_ length: String) throws {
    let bytes = try FixtureIndex.bytes("m4a-itunsmpb.m4a")
    let mark = Array(" 00000000 00000840 ".utf8)
    let start = try #require(
      (0..<(bytes.count - 64)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) })
    let field = start + mark.count + 9
    var patched = bytes
    patched.replaceSubrange(field..<(field + 16), with: Array(length.utf8))
    let recording = try Recording(path: folder.write(patched, to: "tag.m4a"), limit: 1_000_000)
    #expect((268_910..<275_000).contains(recording.frameCount))
  }

  @Test(arguments: [Int64.max, Int64.max - 100, -1, .min, 1 << 40])
  func packetOffsetBeyondAllFilesDoesNotOverflow(_ offset: Int64) throws {
    var bytes = try FixtureIndex.bytes("mp4-video-two-tracks.mp4")
    let wide = UInt64(bitPattern: offset)
    let entry = big(UInt32(wide >> 32)) + big(UInt32(truncatingIfNeeded: wide))
    var tables = 0
    for start in 0..<(bytes.count - 20)
    where bytes[start..<(start + 4)].elementsEqual("stco".utf8) {
      let count = bytes[(start + 8)..<(start + 12)].reduce(0) { $0 << 8 | UInt32($1) }
      try #require(count >= 2)
      // The same table with half as many entries of twice the width.
      bytes.replaceSubrange(start..<(start + 4), with: Array("co64".utf8))
      bytes.replaceSubrange((start + 8)..<(start + 12), with: big(count / 2))
      bytes.replaceSubrange((start + 12)..<(start + 20), with: entry)
      tables += 1
    }
    #expect(tables == 3)
    let path = try folder.write(bytes, to: "wide.m4a")
    let outcome = Result { () throws(DecodingError) in
      try Recording(path: path, limit: 1_000_000)
    }
    if case .success(let recording) = outcome { #expect(recording.frameCount < 1_000_000) }
  }
}

/// A box with its size and type before its content.
private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
  big(UInt32(8 + content.count)) + Array(type.utf8) + content
}

private func big(_ number: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
