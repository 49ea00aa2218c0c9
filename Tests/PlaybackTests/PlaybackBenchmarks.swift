// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Figures, not tests: they print, and run only with `TILAWA_BENCH=1`. The seeks need a long recording,
/// named by `TILAWA_BENCH_FILE`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["TILAWA_BENCH"] == "1"))
struct PlaybackBenchmarks {
  private static let file = ProcessInfo.processInfo.environment["TILAWA_BENCH_FILE"]

  /// Seconds of processor time of this thread.
  private func processorTime(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  @Test func chainWithoutStretch() throws {
    let source = try MediaSource(path: FixtureFolder.path("flac-44k-stereo.flac"))
    for (name, bands) in [("flat", []), ("equaliser", [0.7, 0.6, 0.4, 0.55, 0.3, 0.8])] {
      let stage = try Stage(format(44_100, 2), period: 882)
      stage.session.equaliser = Equaliser(bands: bands)
      var loop = item(source, 0..<1_300_000)
      loop.repetitions = nil
      stage.session.append([loop])
      stage.session.play()
      let seconds = processorTime { stage.output.advance(44_100 * 120) }
      print("chain, \(name), decoding of FLAC included: \(Int(120 / seconds)) x real time")
    }
  }

  @Test func stretchAtHalfSpeed() throws {
    for channels in [1, 2] {
      let stage = StretchStage(format: format(44_100, channels))
      var buffer = [Float](repeating: 0, count: 1024 * channels)
      var random = SplitMix64(state: 1)
      let noise = (0..<(8192 * channels)).map { _ in Float.random(in: -0.5...0.5, using: &random) }
      var worst = 0.0
      var made = 0
      let seconds = processorTime {
        while made < 44_100 * 20 {
          var count = 0
          let block = processorTime {
            count = buffer.withUnsafeMutableBufferPointer {
              stage.render(into: $0.baseAddress!, capacity: 1024, speed: 0.5) { target, count in
                for index in 0..<(count * channels) { target[index] = noise[index] }
                return MixedRun(count: count, isSilence: false)
              }.count
            }
          }
          made += count
          worst = max(worst, block)
        }
      }
      print(
        "R3 at 0.5x, \(channels) channels: \(20 / seconds) x real time of output, worst block",
        "\(worst * 1000) ms")
    }
  }

  @Test(arguments: [1.0, 0.5]) func seeks(_ speed: Double) throws {
    guard let path = Self.file else { return }
    var source = try MediaSource(path: path)
    // The index is what a sidecar would bring.
    let decoder = try source.makeDecoder()
    try decoder.seek(to: FramePosition(44_100 * 60))
    source = try MediaSource(path: path, seekIndex: source.seekIndex)
    let length = Int(source.description.frameCount?.frames ?? 0)
    let stage = try Stage(source.description.format, exact: false, period: 882)
    let only = item(source, 0..<length)
    stage.session.speed = speed
    stage.session.append([only])
    stage.session.play()
    stage.output.advance(44_100)
    var random = SplitMix64(state: 5)
    var times: [Double] = []
    for _ in 0..<500 {
      stage.output.advance(Int.random(in: 1...5000, using: &random))
      let target = FramePosition(Int64.random(in: 0..<Int64(length - 100_000), using: &random))
      let seconds = processorTime {
        stage.session.seek(to: only.id, sourceFrame: target)
        stage.output.cycle()
        let faded = stage.output.queuedFrames
        while stage.output.queuedFrames <= faded {
          _ = stage.output.feed()
          stage.output.cycle()
        }
      }
      times.append(seconds * 1000)
    }
    times.sort()
    print(
      "seek to first new frame (processor time) at \(speed)x, \(path): median \(times[250]) ms, p99 \(times[495])",
      "ms, worst \(times[499]) ms")
  }
}
