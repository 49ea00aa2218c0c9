// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Benchmark
import Decoding

/// Opening and decoding half a minute, for each backend.
func addDecodingBenchmarks() {
  let fixtures =
    #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Fixtures/"
  for name in [
    "flac-44k-stereo.flac", "mp3-vbr-xing.mp3", "m4a-aac.m4a", "m4a-voice-memo.m4a",
    "ogg-vorbis.ogg", "ogg-opus.opus",
  ] {
    Benchmark("Decode \(name)") { benchmark in
      for _ in benchmark.scaledIterations {
        let decoder = try MediaSource(path: fixtures + name).makeDecoder()
        let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 8192)
        while try decoder.read(into: buffer) > 0 { blackHole(buffer.frameCount) }
      }
    }
  }
}
