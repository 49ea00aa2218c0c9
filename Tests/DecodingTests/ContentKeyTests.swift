// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Decoding

@Suite struct ContentKeyTests {
  private let folder: TemporaryFolder
  private let path: String
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    bytes = try FixtureIndex.bytes("mp3-cbr-lame.mp3")
    path = try folder.write(bytes, to: "recording.mp3")
  }

  private func key(_ path: String, track: Int? = nil) throws -> [UInt8] {
    try MediaFile(path: path).contentKey(track: track)
  }

  @Test func staysWhenNothingHappens() throws {
    let first = try key(path)
    #expect(first.count == 16)
    #expect(try key(path) == first)
  }

  @Test func staysWhenTheFileIsRenamed() throws {
    let first = try key(path)
    try #require(rename(path, folder.path("other name")) == 0)
    #expect(try key(folder.path("other name")) == first)
  }

  @Test func staysWhenTheFileIsReadOrItsModeChanged() throws {
    let first = try key(path)
    _ = try Recording(path: path)
    try #require(chmod(path, 0o640) == 0)
    #expect(try key(path) == first)
  }

  @Test func changesWhenTheFileIsWrittenTo() throws {
    let first = try key(path)
    try write([0], at: bytes.count)
    let second = try key(path)
    #expect(second != first)
    try write([bytes[7] ^ 1], at: 7)
    #expect(try key(path) != second)
  }

  @Test func changesWhenTheFileIsCut() throws {
    let first = try key(path)
    try #require(truncate(path, bytes.count - 1) == 0)
    #expect(try key(path) != first)
  }

  @Test func changesWithContentThoughTheTimeIsSetBack() throws {
    let first = try key(path)
    var status = stat()
    try #require(stat(path, &status) == 0)
    try write([bytes[100] ^ 1], at: 100)
    let times = [status.st_atim, status.st_mtim]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    #expect(try MediaFile(path: path).identity.modified == modified(status))
    #expect(try key(path) != first)
  }

  @Test func changesWhenTheTimeOfChangeDoes() throws {
    let first = try key(path)
    let times = [timespec(tv_sec: 1000, tv_nsec: 1), timespec(tv_sec: 1000, tv_nsec: 1)]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    #expect(try MediaFile(path: path).identity.modified == 1_000_000_000_001)
    #expect(try key(path) != first)
  }

  @Test func differsForACopyAndForEachTrack() throws {
    let copy = try folder.write(bytes, to: "copy.mp3")
    #expect(try key(copy) != key(path))
    let keys = try [nil, 1, 2].map { try key(path, track: $0) }
    #expect(Set(keys).count == 3)
  }

  @Test(arguments: [1, 17, 18, 4096, 4097])
  func tinyFilesHaveKeysToo(_ count: Int) throws {
    let path = try folder.write([UInt8](repeating: 1, count: count), to: "tiny")
    #expect(try key(path).count == 16)
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  private func modified(_ status: stat) -> Int64 {
    Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
