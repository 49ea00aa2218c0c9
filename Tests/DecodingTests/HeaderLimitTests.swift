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
}
