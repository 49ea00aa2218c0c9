// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Foundation
import TestSupport
import Testing

@testable import Video

@Suite struct CoverPictureTests {
  private static let picture = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A, 1, 2, 3]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func covered(by picture: [UInt8]) throws -> [UInt8] {
    FLACFile.covered(
      try Data(contentsOf: URL(filePath: FixtureFolder.path("flac-44k-stereo.flac"))), by: picture)
  }

  private func cover(of bytes: [UInt8]) throws -> CoverPicture? {
    CoverPicture(try MediaFile(path: try folder.write(bytes, to: "sound.flac")))
  }

  @Test func isWhatTheFileCarries() throws {
    let cover = try cover(of: try covered(by: Self.picture))
    #expect(cover?.kind == .png && cover?.bytes == Self.picture)
    #expect(CoverPicture(try MediaFile(path: FixtureFolder.path("flac-44k-stereo.flac"))) == nil)
  }

  @Test func whatIsNoPictureIsNotShown() throws {
    #expect(try cover(of: try covered(by: Array("<script>".utf8))) == nil)
    #expect(try cover(of: try covered(by: [])) == nil)
    #expect(CoverPicture.Kind([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(CoverPicture.Kind(Array("RIFFxxxxWEBPVP8 ".utf8)) == .webp)
    #expect(CoverPicture.Kind(Array("RIFFxxxxWAVE".utf8)) == nil)
  }

  @Test func noDamageInItBringsAnythingDown() throws {
    let bytes = Array(try covered(by: Self.picture).prefix(4096))
    var random = SplitMix64(state: 7)
    var shown = 0
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: 4..<140, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let found = try cover(of: damaged) {
        #expect(CoverPicture.Kind(found.bytes) == found.kind && found.bytes.count <= damaged.count)
        shown += 1
      }
    }
    // Some damage leaves the picture, some does not.
    #expect((1..<300).contains(shown))
  }
}
