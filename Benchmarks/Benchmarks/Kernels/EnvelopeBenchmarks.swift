// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Benchmark

/// From samples to hops, without decoding.
func addEnvelopeBenchmarks() {
  let minute = SyntheticSound(seconds: 60)
  Benchmark("Hops of an hour of stereo at 44.1 kHz") { benchmark in
    for _ in benchmark.scaledIterations {
      var analyzer = WaveformAnalyzer(format: minute.format)
      var hops: [Hop] = []
      for _ in 0..<60 {
        minute.forEachBlock(frames: 8192) { analyzer.push($0, into: &hops) }
        blackHole(hops.count)
        hops.removeAll(keepingCapacity: true)
      }
      analyzer.finish(into: &hops)
    }
  }
}

/// Harmonics cut into syllables, and a little noise, the same in every run.
struct SyntheticSound {
  let format = AudioFormat(rate: SampleRate(hertz: 44_100)!, channels: 2)!
  private let samples: [Float]

  init(seconds: Int) {
    var random = SplitMix64(state: 1)
    var samples: [Float] = []
    samples.reserveCapacity(seconds * 88_200)
    for frame in 0..<(seconds * 44_100) {
      // Without the C library's sine: a triangle has harmonics enough.
      let phase = Float(frame % 315) / 315
      let voice = frame % 207_270 < 183_000 ? abs(phase - 0.5) - 0.25 : 0
      for _ in 0..<2 { samples.append(voice + 0.002 * random.nextFloat()) }
    }
    self.samples = samples
  }

  func forEachBlock(frames: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    samples.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: 2 * frames) {
        body(UnsafeBufferPointer(rebasing: all[start..<min(start + 2 * frames, all.count)]))
      }
    }
  }
}

/// Steele, Lea and Flood's generator (OOPSLA 2014).
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Between -1 and 1.
  mutating func nextFloat() -> Float { Float(next() >> 40) / Float(1 << 23) - 1 }
}
