// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Analysis

/// What a screen shows of a span.
@Suite struct WindowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ sound: Sound) throws -> MediaSource {
    let path = folder.path("\(UUID().uuidString).wav")
    try sound.wav().write(to: URL(filePath: path))
    return try MediaSource(path: path)
  }

  private func span(_ first: Int, _ end: Int) -> Range<FramePosition> {
    FramePosition(Int64(first))..<FramePosition(Int64(end))
  }

  @Test(arguments: [1, 2, 7, 100, 333, 1000, 1999])
  func peaksAreThoseOfTheColumnsSamples(columns: Int) throws {
    let sound = try Sound.noise(amplitude: 0.5, rate: 8000, frames: 20_000, channels: 2)
    let (first, end) = (3001, 5000)
    let peaks = try SpanPeaks.measure(
      try source(sound), span: span(first, end), columns: columns)
    #expect(peaks.count == columns)
    for column in 0..<columns {
      let length = end - first
      let frames = (0..<length).filter { $0 * columns / length == column }
      let samples = frames.flatMap { frame in
        (0..<2).map { sound.samples[(first + frame) * 2 + $0] }
      }
      let mean = samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count)
      #expect(abs(Double(peaks[column].meanSquare) - mean) < 5e-5, "16 bits lose a little")
      let highest = Double(samples.max() ?? 0) * 32_767
      let lowest = Double(samples.min() ?? 0) * 32_767
      #expect(abs(Double(peaks[column].maximum) - highest) <= 1)
      #expect(abs(Double(peaks[column].minimum) - lowest) <= 1)
    }
  }

  @Test func whatLiesBeyondTheEndIsSilent() throws {
    let sound = try Sound.noise(amplitude: 0.5, rate: 8000, frames: 1000)
    let peaks = try SpanPeaks.measure(try source(sound), span: span(500, 1500), columns: 10)
    #expect(peaks[4].meanSquare > 0)
    #expect(peaks[5...].allSatisfy { $0 == Peaks(meanSquare: 0, minimum: 0, maximum: 0) })
  }

  @Test(arguments: [200.0, 440, 1000, 3000])
  func aToneLiesInItsBand(hertz: Double) throws {
    let sound = try Sound.sine(hertz, amplitude: 0.5, rate: 16_000, seconds: 2)
    let bands = 24
    let spectrogram = try Spectrogram.measure(
      try source(sound), span: span(0, 32_000), columns: 20, bands: bands, loudest: -9)
    func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
    let expected = (mel(hertz) - mel(60)) / (mel(8000) - mel(60)) * Double(bands)
    for column in 2..<18 {
      let values = spectrogram.values[column * bands..<(column + 1) * bands]
      let loudest = try #require(values.indices.max { values[$0] < values[$1] })
      #expect(abs(Double(loudest - values.startIndex) + 0.5 - expected) <= 1)
      #expect(values[loudest] >= 250, "a tone of -9 dBFS is drawn in full")
    }
  }

  @Test func silenceIsBlackAndComesWhereItIs() throws {
    var sound = try Sound.sine(500, amplitude: 0.5, rate: 8000, seconds: 1)
    sound.samples += [Float](repeating: 0, count: 8000)
    let spectrogram = try Spectrogram.measure(
      try source(sound), span: span(0, 16_000), columns: 40, bands: 8, loudest: -9)
    let sums = (0..<40).map { column in
      spectrogram.values[column * 8..<(column + 1) * 8].reduce(0) { $0 + Int($1) }
    }
    #expect(sums[..<18].allSatisfy { $0 > 200 })
    #expect(sums[22...].allSatisfy { $0 == 0 })
  }

  @Test func aLongSpanIsSampledWhereItsColumnsAre() throws {
    // A second of tone, ten of silence, and again.
    let tone = try Sound.sine(500, amplitude: 0.5, rate: 8000, seconds: 1)
    let silence = [Float](repeating: 0, count: 80_000)
    var sound = tone
    sound.samples = (0..<6).flatMap { _ in tone.samples + silence }
    let length = sound.frameCount
    let spectrogram = try Spectrogram.measure(
      try source(sound), span: span(0, length), columns: 66, bands: 4, loudest: -9)
    for column in 0..<66 {
      let isTone = spectrogram.values[column * 4..<(column + 1) * 4].contains { $0 > 200 }
      #expect(isTone == (column % 11 == 0), "column \(column)")
    }
  }

  @Test func aSpanOfNothingHasNoColumns() throws {
    let sound = try Sound.noise(amplitude: 0.5, rate: 8000, frames: 1000)
    let source = try source(sound)
    #expect(try SpanPeaks.measure(source, span: span(10, 10), columns: 5).isEmpty)
    #expect(
      try Spectrogram.measure(source, span: span(0, 100), columns: 0, bands: 4, loudest: 0)
        .values.isEmpty)
  }

  @Test func theLineOfTheDetectorLiesBetweenBackgroundAndVoice() throws {
    let recording = try analyze(Fixtures.path("flac-44k-stereo.flac"), threads: 2)
    let levels = try #require(try DetectorLevels(recording.envelope))
    let hops = try recording.allHops()
    let loud = hops.map { $0.meanSquare.squareRoot() }.sorted()[hops.count * 8 / 10]
    for hop in stride(from: 100, to: hops.count - 100, by: 50) {
      #expect(levels.floor(at: hop) < levels.threshold(at: hop))
      #expect(levels.threshold(at: hop) < loud)
    }
    let silent = Envelope(
      rate: recording.format.rate, length: FrameCount(44_100),
      hops: [Hop](repeating: Hop(meanSquare: 0, minimum: 0, maximum: 0, fine: 0), count: 100))
    #expect(try DetectorLevels(silent) == nil)
  }

  @Test(arguments: [1, 3])
  func hopsAreToldInOrderWhileTheyAreMeasured(threads: Int) throws {
    let told = Monitor<[Hop]>([])
    var analyzer = RecordingAnalyzer(threadCount: threads, sidecars: nil)
    analyzer.hopsPerPart = 200
    analyzer.measured = { hops in told.update { $0 += hops } }
    let recording = try analyzer.analyze(path: Fixtures.path("flac-44k-stereo.flac"))
    #expect(try recording.allHops() == told.update { $0 })
  }
}
