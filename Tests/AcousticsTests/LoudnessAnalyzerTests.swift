// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CEBUR128
import Foundation
import Testing

@testable import Acoustics

@Suite("LoudnessAnalyzer")
struct LoudnessAnalyzerTests {
  @Test("A tone of 1 kHz at -23 dBFS on both sides is -23 LUFS")
  func referenceTone() throws {
    // EBU Tech 3341, test signal 1.
    let amplitude = pow(10, -23.0 / 20)
    let signal = try Signal.tones(
      [1000], amplitude: amplitude, rate: 48_000, seconds: 20, channels: 2)
    let loudness = signal.loudness
    #expect(abs(try #require(loudness.integrated) + 23) <= 0.1)
    #expect(loudness.range == 0)
    #expect(abs(Double(loudness.samplePeak) - amplitude) < 1e-4)
  }

  @Test("What is far below the rest does not count")
  func gate() throws {
    // As EBU Tech 3341, test signal 3: -36, -23 and -36 dBFS.
    var samples: [Float] = []
    for (level, seconds) in [(-36.0, 5.0), (-23.0, 30), (-36.0, 5)] {
      samples += try Signal.tones(
        [1000], amplitude: pow(10, level / 20), rate: 48_000, seconds: seconds, channels: 2
      ).samples
    }
    let loudness = Signal(format: try Signal.format(48_000, channels: 2), samples: samples).loudness
    #expect(abs(try #require(loudness.integrated) + 23) <= 0.1)
  }

  @Test("Ten seconds at each of two levels have a range of what lies between them")
  func range() throws {
    // EBU Tech 3342, test signal 1: 20 s at -20 and 20 s at -30 dBFS are 10 LU.
    let samples = try [-20.0, -30].flatMap {
      try Signal.tones(
        [1000], amplitude: pow(10, $0 / 20), rate: 48_000, seconds: 20, channels: 2
      ).samples
    }
    let loudness = Signal(format: try Signal.format(48_000, channels: 2), samples: samples).loudness
    #expect(abs(loudness.range - 10) <= 1)
  }

  @Test(
    "Libebur128 says the same",
    arguments: [(8000, 1), (22_050, 1), (44_100, 2), (48_000, 1), (48_000, 6), (96_000, 2)])
  func libebur128(rate: Int, channels: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 14.05, channels: channels)
    let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue)
    var state = ebur128_init(UInt32(channels), UInt(rate), mode)
    defer { ebur128_destroy(&state) }
    ebur128_add_frames_float(state, signal.samples, signal.frameCount)
    var integrated = 0.0
    var range = 0.0
    ebur128_loudness_global(state, &integrated)
    ebur128_loudness_range(state, &range)
    let loudness = signal.loudness
    #expect(abs(Double(try #require(loudness.integrated)) - integrated) <= 0.02)
    #expect(abs(Double(loudness.range) - range) <= 0.05)
    #expect(loudness.samplePeak == signal.samples.map(abs).max())
  }

  @Test(
    "Blocks of any size give the same, bit for bit",
    arguments: [(8000, 1), (44_100, 2), (44_056, 3)])
  func chunkSizesMakeNoDifference(rate: Int, channels: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 0.77, channels: channels)
    let whole = signal.tenths()
    for chunk in [1, 7, 441, 5000] { #expect(signal.tenths(chunk: chunk) == whole) }
  }

  @Test(
    "Parts put together are as loud as the whole, wherever they are cut",
    arguments: [8000, 44_100, 44_056])
  func parts(rate: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 7.93, channels: 2)
    let whole = signal.loudness
    for cuts in [[31], [77, 154, 231, 308], [10, 20, 30], [1, 2, 3, 4]] {
      var joined = LoudnessTenths()
      var start = 0
      for end in cuts.map({ $0 * rate / 100 }) + [signal.frameCount] {
        joined.append(signal.tenths(from: start, to: end))
        start = end
      }
      #expect(joined.loudness(wholeTenths: 79) == whole, "\(cuts)")
    }
  }

  @Test("Silence has no loudness, and neither has what is shorter than 400 ms")
  func nothing() throws {
    let format = try Signal.format(44_100, channels: 2)
    let silence = Signal(format: format, samples: [Float](repeating: 0, count: 400_000)).loudness
    #expect(silence == Loudness(integrated: nil, range: 0, samplePeak: 0))
    let short = try Signal.noise(rate: 44_100, seconds: 0.39).loudness
    #expect(short.integrated == nil && short.range == 0 && short.samplePeak > 0)
  }

  @Test("Samples beyond all measure spoil nothing for ever")
  func hugeSamples() throws {
    var signal = try Signal.noise(rate: 44_100, seconds: 12)
    signal.samples[1000] = .greatestFiniteMagnitude
    let loudness = signal.loudness
    #expect(loudness.samplePeak == .greatestFiniteMagnitude)
    #expect(loudness.integrated?.isFinite == true && loudness.range.isFinite)
  }
}
