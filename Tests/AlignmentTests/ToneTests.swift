// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import AudioCore
import Foundation
import Quran
import TestSupport
import Testing

@testable import Alignment

/// Tones that rise and fall like speech, as the network hears them.
struct ToneTests {
  private static let rate = 16_000
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameters:
  ///   - hertz: what sounds together.
  ///   - swells: how often a second it rises and falls.
  private func aligner(_ hertz: [Double], swells: Double) throws -> AcousticAligner {
    let samples = (0..<12 * Self.rate).map { frame -> Float in
      let angle = 2 * Double.pi * Double(frame) / Double(Self.rate)
      let chord = hertz.reduce(0) { $0 + sin($1 * angle) } / Double(hertz.count)
      return Float(0.4 * chord * (1 + sin(swells * angle)))
    }
    let path = try folder.write(WaveFile.bytes(samples, rate: Self.rate), to: "tone.wav")
    var analyzer = RecordingAnalyzer(threadCount: 1, sidecars: nil)
    analyzer.measuresLogMel = true
    let recording = try analyzer.analyze(path: path)
    let scores = AcousticNetwork.builtIn.scores(of: try #require(recording.logMel))
    return try AcousticAligner(recording.envelope, scores: scores)
  }

  @Test(
    arguments: [([220, 277.2, 329.6], 4), ([300], 3), ([110, 220, 330, 440], 1)]
      as [([Double], Double)])
  func areNoTextWhateverIsTold(hertz: [Double], swells: Double) throws {
    let aligner = try aligner(hertz, swells: swells)
    for told in ["112:1", "108:1", "55:13", "2:1", "1:1"] {
      let alignment = aligner.align(AlignmentRequest(first: try AyahReference(parsing: told)))
      #expect(alignment.doubt != nil, "told \(told)")
      #expect(alignment.segments.allSatisfy { $0.confidence <= 0.5 }, "told \(told)")
    }
  }
}
