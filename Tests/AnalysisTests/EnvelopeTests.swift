// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Analysis

/// Hops of random loudness.
private func randomHops(_ count: Int, seed: UInt64 = 5) -> [Hop] {
  var random = SplitMix64(state: seed)
  return (0..<count).map { _ in
    let bits = random.next()
    let peak = Int16(bits & 0x7FFF)
    return Hop(
      meanSquare: Float(bits >> 40) / Float(1 << 24), minimum: -peak,
      maximum: Int16(bits >> 16 & 0x7FFF), fine: 0)
  }
}

private func randomEnvelope(_ count: Int) throws -> Envelope {
  let rate = try #require(SampleRate(hertz: 8000))
  return Envelope(rate: rate, length: FrameCount(Int64(count) * 80), hops: randomHops(count))
}

@Suite("EnvelopeSummary")
struct EnvelopeSummaryTests {
  @Test(
    "Every entry sums up sixteen of the level below, and the last what is left",
    arguments: [0, 1, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097, 5000])
  func levels(count: Int) throws {
    let hops = randomHops(count)
    var below = hops.map(Peaks.init)
    for level in try randomEnvelope(count).summary.levels {
      #expect(level.count == (below.count + 15) / 16)
      for (index, entry) in level.enumerated() {
        let group = below[(16 * index)..<min(16 * index + 16, below.count)]
        #expect(entry.minimum == group.map(\.minimum).min())
        #expect(entry.maximum == group.map(\.maximum).max())
        let mean = group.reduce(0) { $0 + Double($1.meanSquare) } / Double(group.count)
        #expect(abs(Double(entry.meanSquare) - mean) < 1e-6)
      }
      below = level
    }
  }
}

@Suite("Envelope.peaks")
struct EnvelopePeaksTests {
  @Test(
    "Columns of up to 255 hops are exactly their hops",
    arguments: [(0..<1000, 200), (3..<17, 14), (0..<20000, 80), (19_990..<20_000, 3), (5..<6, 1)])
  func fineColumns(span: Range<Int>, columns: Int) throws {
    let hops = randomHops(20_000)
    let peaks = try randomEnvelope(20_000).peaks(in: span, columns: columns)
    #expect(peaks.count == columns)
    for (column, peak) in peaks.enumerated() {
      let start = span.lowerBound + span.count * column / columns
      let end = span.lowerBound + span.count * (column + 1) / columns
      let group = hops[start..<max(end, start + 1)]
      #expect(peak.minimum == group.map(\.minimum).min())
      #expect(peak.maximum == group.map(\.maximum).max())
      let mean = group.reduce(0) { $0 + Double($1.meanSquare) } / Double(group.count)
      #expect(abs(Double(peak.meanSquare) - mean) < 1e-6)
    }
  }

  @Test(
    "Wider columns cover their hops and reach less than a sixteenth of their width beyond",
    arguments: [(0..<20_000, 77), (0..<20_000, 3), (0..<20_000, 1), (4001..<19_999, 5)])
  func wideColumns(span: Range<Int>, columns: Int) throws {
    let hops = randomHops(20_000)
    let peaks = try randomEnvelope(20_000).peaks(in: span, columns: columns)
    for (column, peak) in peaks.enumerated() {
      let start = span.lowerBound + span.count * column / columns
      let end = span.lowerBound + span.count * (column + 1) / columns
      let reach = (end - start) / 16
      let own = hops[start..<end]
      let wide = hops[max(start - reach, 0)..<min(end + reach, hops.count)]
      #expect(try peak.minimum <= #require(own.map(\.minimum).min()))
      #expect(try peak.minimum >= #require(wide.map(\.minimum).min()))
      #expect(try peak.maximum >= #require(own.map(\.maximum).max()))
      #expect(try peak.maximum <= #require(wide.map(\.maximum).max()))
      let mean = own.reduce(0) { $0 + Double($1.meanSquare) } / Double(own.count)
      #expect(abs(Double(peak.meanSquare) - mean) < 0.02)
    }
  }

  @Test("More columns than hops repeat them")
  func moreColumnsThanHops() throws {
    let peaks = try randomEnvelope(20).peaks(in: 4..<8, columns: 40)
    #expect(peaks == randomHops(20)[4..<8].flatMap { Array(repeating: Peaks($0), count: 10) })
  }

  @Test("A span outside the recording is cut to it; nothing left gives nothing")
  func outside() throws {
    let envelope = try randomEnvelope(100)
    #expect(try envelope.peaks(in: 90..<500, columns: 10).count == 10)
    #expect(
      try envelope.peaks(in: 90..<500, columns: 10) == envelope.peaks(in: 90..<100, columns: 10))
    #expect(try envelope.peaks(in: 100..<500, columns: 10).isEmpty)
    #expect(try envelope.peaks(in: 0..<0, columns: 10).isEmpty)
    #expect(try envelope.peaks(in: 0..<10, columns: 0).isEmpty)
    #expect(try envelope.hops(in: -5..<3) == Array(randomHops(100)[..<3]))
  }
}

@Suite("Envelope.overview")
struct EnvelopeOverviewTests {
  @Test(
    "Each point is the RMS of the hops that fall on it, the loudest 1",
    arguments: [(1, 1000), (7, 3), (999, 1000), (1000, 1000), (1001, 1000), (30_000, 1500)])
  func againstBruteForce(hopCount: Int, points: Int) throws {
    let hops = randomHops(hopCount)
    let overview = try randomEnvelope(hopCount).overview(points: points)
    let count = min(points, hopCount)
    #expect(overview.count == count)
    var groups = [[Double]](repeating: [], count: count)
    for (hop, value) in hops.enumerated() {
      groups[hop * count / hopCount].append(Double(value.meanSquare))
    }
    let levels = groups.map { ($0.reduce(0, +) / Double($0.count)).squareRoot() }
    let peak = try #require(levels.max())
    for (value, level) in zip(overview, levels) {
      #expect(abs(Double(value) - level / peak) < 1e-5)
    }
    #expect(overview.max() == 1)
  }

  @Test("A silent recording is flat, and an empty one has no points")
  func silent() throws {
    #expect(try envelope(rms: [0, 0, 0]).overview(points: 2) == [0, 0])
    #expect(try envelope(rms: []).overview(points: 1000).isEmpty)
    #expect(try envelope(rms: [0.5, 0.5]).overview(points: 0) == [1])
  }

  @Test(
    "Known and unknown lengths give a picture of the same resolution",
    arguments: ["flac-44k-stereo.flac", "mp3-vbr-xing.mp3", "m4a-fragmented.m4a", "aac-adts.aac"])
  func ofFiles(name: String) throws {
    let recording = try RecordingAnalyzer(threadCount: 1, sidecars: nil)
      .analyze(path: Fixtures.path(name))
    let overview = try recording.envelope.overview(points: 1000)
    #expect(overview.count == min(1000, recording.envelope.hopCount))
    #expect(overview.max() == 1)
    #expect(overview.allSatisfy { (0...1).contains($0) })
  }

  @Test("The peak is the loudest hop's RMS")
  func peak() throws {
    #expect(try envelope(rms: [0.1, 0.75, 0.3]).peakRMS() == 0.75)
    #expect(try envelope(rms: []).peakRMS() == 0)
  }
}
