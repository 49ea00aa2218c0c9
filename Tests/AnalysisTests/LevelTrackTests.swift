// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite("LevelReader")
struct LevelReaderTests {
  @Test("A level is the mean power of five hops, the ends repeated")
  func smoothing() throws {
    let values: [Float] = [1, 0, 0, 0, 0.5, 0, 0, 0]
    let reader = LevelReader(envelope: try envelope(rms: values))
    let powers = [3.0, 2, 1.25, 0.25, 0.25, 0.25, 0.25, 0].map { 10 * log10($0 / 5 + 1e-9) }
    for (level, power) in zip(try reader.levels(in: 0..<8), powers) {
      #expect(abs(level - power) < 1e-6)
    }
  }

  @Test("A range of levels does not depend on where it begins")
  func ranges() throws {
    var random = SplitMix64(state: 1)
    let values = (0..<100).map { _ in Float.random(in: 0...1, using: &random) }
    let reader = LevelReader(envelope: try envelope(rms: values))
    let whole = try reader.levels(in: 0..<100)
    #expect(try reader.levels(in: 37..<81) == Array(whole[37..<81]))
    let changes = try reader.spectralChange(in: 0..<100)
    #expect(try reader.spectralChange(in: 37..<100) == Array(changes[37...]))
  }

  @Test("The spectrum's change is the difference across 60 ms, and nothing at the ends")
  func spectralChange() throws {
    // Band 0 steps from -60 to -40 dBFS at hop 50; the others stay at -40.
    let hops = (0..<100).map { hop -> Hop in
      let low: UInt32 = hop < 50 ? 80 : 120
      return Hop(
        meanSquare: 0.01, minimum: 0, maximum: 0, fine: 0,
        bands: low | 120 << 8 | 120 << 16 | 120 << 24)
    }
    let rate = try #require(SampleRate(hertz: 8000))
    let reader = LevelReader(
      envelope: Envelope(rate: rate, length: FrameCount(8000), hops: hops))
    let changes = try reader.spectralChange(in: 0..<100)
    #expect(changes[..<3] == [0, 0, 0] && changes[97...] == [0, 0, 0])
    #expect(changes[20] == 0 && changes[70] == 0)
    // 20 dB in one of four bands.
    #expect(abs(changes[50] - 10) < 0.1)
  }
}

@Suite("LevelTracks")
struct LevelTracksTests {
  /// Brute force: the percentile of every tenth level around each tenth hop, the ends repeated.
  private func percentiles(_ levels: [Double], points: Int, percent: Int) -> [Double] {
    let series = stride(from: 0, to: levels.count, by: 10).map { levels[$0] }
    return series.indices.map { index in
      let window = (-points / 2...points / 2).map { offset in
        series[min(max(index + offset, 0), series.count - 1)]
      }
      return window.sorted()[points * percent / 100]
    }
  }

  @Test("Voice and background are moving percentiles", arguments: [30, 400, 6000])
  func againstBruteForce(hopCount: Int) throws {
    var random = SplitMix64(state: 9)
    let values = (0..<hopCount).map { hop in
      Float(pow(10, Double.random(in: -3...0, using: &random))) * (hop / 300 % 2 == 0 ? 1 : 0.05)
    }
    let reader = LevelReader(envelope: try envelope(rms: values))
    let levels = try reader.levels(in: 0..<hopCount)
    let heard = try LevelTracks(reader)
    let tracks = try #require(heard)
    let floor = percentiles(levels, points: 101, percent: 3)
    let short = percentiles(levels, points: 31, percent: 60)
    let long = percentiles(levels, points: 301, percent: 60)
    let whole = levels.sorted()[hopCount * 60 / 100] - 25
    for (point, hop) in stride(from: 0, to: hopCount, by: 10).enumerated() {
      #expect(abs(tracks.floor(at: hop) - floor[point]) < 1e-4)
      let speech = max(short[point], long[point] - 12, whole)
      #expect(abs(tracks.speech(at: hop) - speech) < 0.011)
    }
    #expect(
      abs(tracks.floor(at: 5) - (tracks.floor(at: 0) + tracks.floor(at: 10)) / 2) < 1e-4)
  }

  @Test("With fewer than 20 audible hops there are none")
  func silent() throws {
    // Smoothing makes four hops more audible.
    for (count, isHeard) in [(0, false), (15, false), (16, true)] {
      let values =
        [Float](repeating: 0, count: 50) + [Float](repeating: 0.1, count: count)
        + [Float](repeating: 0, count: 50)
      let reader = LevelReader(envelope: try envelope(rms: values))
      #expect(try (LevelTracks(reader) != nil) == isHeard)
    }
  }
}
