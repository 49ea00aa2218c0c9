// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Benchmark

/// From samples to log-mel frames and loudness, and from frames to how well each sound fits.
func addAcousticBenchmarks() {
  let minute = SyntheticSound(seconds: 60)
  Benchmark("Log-mel frames of 90 minutes of stereo at 44.1 kHz") { benchmark in
    for _ in benchmark.scaledIterations {
      var analyzer = LogMelAnalyzer(format: minute.format)
      var frames = LogMelFrames()
      for _ in 0..<90 { minute.forEachBlock(frames: 8192) { analyzer.push($0, into: &frames) } }
      blackHole(frames.count)
    }
  }
  Benchmark("Loudness of 90 minutes of stereo at 44.1 kHz") { benchmark in
    for _ in benchmark.scaledIterations {
      var analyzer = LoudnessAnalyzer(format: minute.format)
      var tenths = analyzer.emptyTenths
      for _ in 0..<90 { minute.forEachBlock(frames: 8192) { analyzer.push($0, into: &tenths) } }
      blackHole(tenths.loudness(wholeTenths: 54_000))
    }
  }
  var random = SplitMix64(state: 3)
  let levels = (0..<90 * 60 * LogMelFrames.framesPerSecond * LogMelFrames.bandCount).map { _ in
    UInt8(100 + random.next() % 100)
  }
  let frames = LogMelFrames(levels: levels)
  guard let weights = try? AcousticWeights(usualWeights()) else { return }
  for threads in [1, 2] {
    Benchmark("Network of 253,000 weights, 90 minutes, \(threads) threads") { benchmark in
      for _ in benchmark.scaledIterations {
        blackHole(AcousticNetwork(weights).scores(of: frames, threadCount: threads).count)
      }
    }
  }
}

/// A file of weights as large as a network of use, as `AcousticWeights` describes it.
private func usualWeights() -> [UInt8] {
  var bytes = Array("TILAWAAW".utf8)
  func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
  var random = SplitMix64(state: 4)
  let layers: [(inputs: Int, outputs: Int, taps: Int, dilation: UInt32)] = [
    (LogMelFrames.bandCount, 192, 5, 1), (192, 192, 3, 1), (192, 192, 3, 2), (192, 39, 1, 1),
  ]
  for number in [1, 0, UInt32(layers.count)] { add(number) }
  for layer in layers {
    for number in [UInt32(layer.inputs), UInt32(layer.outputs), UInt32(layer.taps), layer.dilation]
    {
      add(number)
    }
    for _ in 0..<layer.inputs * layer.outputs * layer.taps {
      bytes.append(UInt8(truncatingIfNeeded: random.next()))
    }
    for _ in 0..<layer.outputs { add(Float(0.002).bitPattern) }
    for _ in 0..<layer.outputs { add(random.nextFloat().bitPattern) }
  }
  for _ in 0..<39 { add(Float(-3.6).bitPattern) }
  return bytes
}
