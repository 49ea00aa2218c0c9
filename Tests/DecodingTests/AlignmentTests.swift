// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Testing

/// One recitation in several formats: encoder delay and padding must leave no trace.
@Suite struct AlignmentTests {
  @Test(arguments: [
    "mono.mp3", "mono.m4a", "mono-ms.m4a", "mono-apple.m4a", "stereo.mp3", "stereo.m4a",
    "stereo-apple.m4a",
  ])
  func lossyCopyLiesOnItsOriginalFrameByFrame(_ name: String) throws {
    let original = try Recording(
      path: FixtureIndex.path("exact/\(name.hasPrefix("mono") ? "mono" : "stereo")-original.flac"))
    let copy = try Recording(path: FixtureIndex.path("exact/\(name)"))
    #expect(copy.frameCount == 352_837)
    #expect(copy.frameCount == original.frameCount)
    let atZero = difference(original, copy, lag: 0)
    for lag in [-1152, -1024, -529, -2, -1, 1, 2, 529, 1024, 1152] {
      #expect(atZero < difference(original, copy, lag: lag), "lag \(lag)")
    }
  }

  @Test func otherRatesLieOnTheRecitationToo() throws {
    // The same beginning of the recitation at one rate, lossless in one file and lossy in the others.
    let original = try Recording(path: FixtureIndex.path("flac-44k-stereo.flac"), limit: 150_000)
    for name in ["mp3-cbr-lame.mp3", "mp3-tags.mp3", "m4a-aac-faststart.m4a", "ogg-vorbis.ogg"] {
      let copy = try Recording(path: FixtureIndex.path(name), limit: 150_000)
      let atZero = difference(original, copy, lag: 0)
      for lag in [-1105, -576, -1, 1, 576, 1105] {
        #expect(atZero < difference(original, copy, lag: lag), "\(name), lag \(lag)")
      }
    }
  }

  /// Mean square of the difference in the first channel over two seconds, `copy` moved by `lag`.
  private func difference(_ original: Recording, _ copy: Recording, lag: Int) -> Float {
    var sum: Float = 0
    for frame in 40_000..<(40_000 + 88_200) {
      let left = original.samples[frame * original.channels]
      let right = copy.samples[(frame + lag) * copy.channels]
      sum += (left - right) * (left - right)
    }
    return sum / 88_200
  }
}
