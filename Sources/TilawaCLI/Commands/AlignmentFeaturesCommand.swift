// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore

/// What the alignment of ayat rests on besides lengths, a line of JSON for each file in turn, for
/// `Scripts/fit-alignment-weights.py`.
struct AlignmentFeaturesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alignment-features", abstract: "What alignments are chosen by.",
    shouldDisplay: false)

  @Argument(help: "Recordings.")
  var files: [String]

  func run() async throws {
    Interrupt.install()
    let analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: nil, stopFlag: Interrupt.flag)
    for file in files {
      let line = await runBlocking {
        Result { () throws(AnalysisError) in try Self.line(for: file, analyzer) }
      }
      do throws(AnalysisError) {
        print(try line.get())
      } catch {
        StandardStreams.say("\(file): \(error)")
        throw ExitStatus.inputOutput
      }
    }
  }

  private static func line(
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
