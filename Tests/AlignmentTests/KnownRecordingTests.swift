// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import Annotation
import AudioCore
import Foundation
import Quran
import Testing

@testable import Alignment

/// Real recitations beside the checkout, where there are any.
@Suite struct KnownRecordingTests {
  private static let folder = "../shared/corpus/dev"
  private static let isThere = FileManager.default.fileExists(atPath: folder)

  @Test(.enabled(if: isThere, "no recordings in \(folder)"))
  func hearsWhereTheAyatOfARealRecitationBegin() throws {
    // Published times are right to a fifth of a second.
    let starts = [
      0, 1.38, 3.99, 7.43, 11.62, 15.62, 20.27, 26.48, 32.69, 36.61, 41.64,
    ]
    let (recording, aligner) = try aligner("real_dossari-deen_093.opus")
    let alignment = aligner.align(AlignmentRequest(first: try AyahReference(checking: 93, ayah: 1)))
    let rate = recording.format.rate
    let found = alignment.segments.compactMap { segment in
      segment.assignment.isRecitation ? segment.span.lowerBound.seconds(at: rate) : nil
    }
    for start in starts {
      #expect(found.contains { abs($0 - start) < 0.35 }, "nothing at \(start)")
    }
    #expect(alignment.last == (try AyahReference(checking: 93, ayah: 11)))
  }

  private func aligner(
    _ name: String
  ) throws -> (recording: AnalyzedRecording, aligner: AcousticAligner) {
    var analyzer = RecordingAnalyzer(threadCount: 2, sidecars: nil)
    analyzer.measuresLogMel = true
    let recording = try analyzer.analyze(path: "\(Self.folder)/\(name)")
    let scores = AcousticNetwork.builtIn.scores(of: try #require(recording.logMel))
    return (recording, try AcousticAligner(recording.envelope, scores: scores))
  }

  /// What is recited fits the beginning of the one that was told, or the end of the one before, somehow.
  @Test(
    .enabled(if: isThere, "no recordings in \(folder)"),
    arguments: [
      ("real_afasy-talha_088.mp3", 88, 89), ("real_afasy-talha_091.mp3", 91, 92),
      ("real_afasy-talha_099.opus", 99, 98), ("emad_093.opus", 93, 94),
    ])
  func aSurahToldAsItsNeighbourIsDoubted(name: String, surah: Int, neighbour: Int) throws {
    let told = try AyahReference(checking: neighbour, ayah: 1)
    let alignment = try aligner(name).aligner.align(AlignmentRequest(first: told))
    #expect(alignment.doubt == .beginsWith(try AyahReference(checking: surah, ayah: 1), told: told))
  }

  @Test(.enabled(if: isThere, "no recordings in \(folder)"))
  func findsAnyQuarterMinuteOfARealRecitation() throws {
    var analyzer = RecordingAnalyzer(threadCount: 2, sidecars: nil)
    analyzer.measuresLogMel = true
    let recording = try analyzer.analyze(path: "\(Self.folder)/real_dossari-deen_093.opus")
    let frames = try #require(recording.logMel)
    let second = LogMelFrames.framesPerSecond * LogMelFrames.bandCount
    // Seconds, and the ayah that is recited there.
    for (start, number) in [(0, 1), (5, 3), (13, 5), (22, 7)] {
      let levels = frames.levels[start * second..<(start + 15) * second]
      let excerpt = LogMelFrames(levels: Array(levels))
      let scores = AcousticNetwork.builtIn.scores(of: excerpt)
      let report = try #require(PlaceSearch().places(scores, threadCount: 2))
      #expect(report.isHeard)
      #expect(report.candidates.first?.first == (try AyahReference(checking: 93, ayah: number)))
    }
  }
}
