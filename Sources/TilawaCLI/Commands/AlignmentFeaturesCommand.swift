// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore

/// What the alignment of ayat rests on besides lengths, a line of JSON for each file in turn, for
/// `Scripts/fit-alignment-weights.py`.
struct AlignmentFeaturesCommand: FeaturesCommand {
  static let configuration = CommandConfiguration(
    commandName: "alignment-features", abstract: "What alignments are chosen by.",
    shouldDisplay: false)

  @Argument(help: "Recordings.")
  var files: [String]

  static func line(
    for file: String, _ analyzer: RecordingAnalyzer
  ) throws(AnalysisError) -> String {
    let aligner = try AyahAligner(analyzer.analyze(path: file).envelope)
    let texts = aligner.measuredCandidates.map { candidate in
      let features = candidate.features.map { "\"\($0.name)\":\($0.value)" }
      return "{\"time\":\(candidate.time),\"isDip\":\(candidate.isDip),"
        + features.joined(separator: ",") + "}"
    }
    return "{\"candidates\":[\(texts.joined(separator: ","))]}"
  }
}
