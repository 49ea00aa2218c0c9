// SPDX-License-Identifier: GPL-3.0-or-later

import Benchmark

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .cpuTotal, .peakMemoryResident], warmupIterations: 1,
    maxDuration: .seconds(5), maxIterations: 50)
  addEnvelopeBenchmarks()
  addAcousticBenchmarks()
  addDecodingBenchmarks()
  addDetectionBenchmarks()
  addEditorBenchmarks()
  addFrameBenchmarks()
}
