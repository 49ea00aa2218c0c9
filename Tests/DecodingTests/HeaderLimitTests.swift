// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TestSupport
import Testing

@testable import Decoding

/// Files whose header goes on and on.
@Suite struct HeaderLimitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aHeaderWithoutEndIsGivenUp() throws {
    let whole = try MediaFile(path: FixtureIndex.path("wav-s16-8k-mono.wav")).head(36)
    let path = try folder.write(whole, to: "endless.wav")
    try #require(truncate(path, 64 << 20) == 0)
    let file = try MediaFile(path: path)
    ByteCursor.$headerLimit.withValue(1 << 20) {
      let error = #expect(throws: DecodingError.self) { try FFmpegContainer(file) }
      #expect(error?.kind == .damaged)
      #expect(error?.detail == "no sound in the first 1 MiB that were read")
      #expect(throws: DecodingError.self) { try MediaSource(file) }
    }
  }

  /// What ends as headers end, with no sound after it.
  @Test func soundThatNeverComesIsGivenUp() throws {
    let info = try MediaFile(path: FixtureIndex.path("flac-44k-stereo.flac")).bytes(
      at: 8, count: 34)
    let flac = Array("fLaC".utf8) + [0x80, 0, 0, 34] + info
    let tag = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]
    for (name, head) in [("endless.flac", flac), ("endless.mp3", tag)] {
      let path = try folder.write(head, to: name)
      try #require(truncate(path, 512 << 20) == 0)
      let file = try MediaFile(path: path)
      ByteCursor.$headerLimit.withValue(1 << 20) {
        let error = #expect(throws: DecodingError.self) {
          if head == flac {
            _ = try SndFileMedia(file, reason: "")
          } else {
            _ = try Mpg123Stream(file)
          }
        }
        #expect(error?.detail == "no sound in the first 1 MiB that were read", "\(name)")
        #expect(throws: DecodingError.self) { try MediaSource(file) }
      }
    }
  }
}
