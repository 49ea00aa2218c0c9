// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Benchmark

/// From hops to pauses and boundaries.
func addDetectionBenchmarks() {
  let night = syntheticEnvelope(minutes: 90)
  Benchmark("Detection, adaptive, 90 minutes") { benchmark in
    for _ in benchmark.scaledIterations {
      blackHole(try PauseDetector().detect(in: night).boundaries.count)
    }
  }
  Benchmark("Detection, fixed, 90 minutes") { benchmark in
    for _ in benchmark.scaledIterations {
      blackHole(try SilenceDetector().detect(in: night).boundaries.count)
    }
  }
}

/// Phrases of 2 to 8 seconds with pauses of 0.2 to 1 second between them, the same in every run.
private func syntheticEnvelope(minutes: Int) -> Envelope {
  let rate = SampleRate(hertz: 44_100)!
  let count = minutes * 60 * HopGrid.hopsPerSecond
  var random = SplitMix64(state: 2)
  var hops: [Hop] = []
  hops.reserveCapacity(count)
  while hops.count < count {
    let phrase = 200 + Int(random.next() % 600)
    let pause = 20 + Int(random.next() % 80)
    for hop in 0..<(phrase + pause) {
      let level: Float = hop < phrase ? 0.01 * (1.2 + random.nextFloat()) : 1e-6
      let peak = Int16(min(3 * level.squareRoot(), 1) * 32_767)
      hops.append(
        Hop(
          meanSquare: level, minimum: -peak, maximum: peak, fine: 0xCCCC_CCCC,
          bands: UInt32(truncatingIfNeeded: random.next()) & 0x0F0F_0F0F | 0x6060_6060))
    }
  }
  return Envelope(
    rate: rate, length: FrameCount(Int64(count) * 441), hops: Array(hops.prefix(count)))
}
