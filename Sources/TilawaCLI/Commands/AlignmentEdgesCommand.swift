// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Analysis
import ArgumentParser
import AudioCore
import Workflows

/// What speaks for each edge of an alignment, a line of JSON for each file in turn, for
/// `Scripts/fit-edge-evidence.py`.
struct AlignmentEdgesCommand: FeaturesCommand {
  static let configuration = CommandConfiguration(
    commandName: "alignment-edges", abstract: "Show the evidence for the edges of an alignment.",
    shouldDisplay: false)

  @OptionGroup var alignment: AlignmentOptions
  @OptionGroup var detection: DetectionOptions

  @Argument(help: "Recordings.")
  var files: [String]

  func measure() throws -> Measure {
    guard let request = alignment.request else {
      throw ValidationError("--start is missing, or al-Fatiha, with which prayers begin.")
    }
    let workflow = AlignmentWorkflow(
      network: try alignment.network(), threadCount: ProcessorCores.count,
      sidecars: detection.sidecars, stopFlag: Interrupt.flag)
    let track = detection.track
    return { file throws(AnalysisError) in try Self.line(for: file, track, request, workflow) }
  }

  private static func line(
    for file: String, _ track: Int?, _ request: AlignmentRequest, _ workflow: AlignmentWorkflow
  ) throws(AnalysisError) -> String {
    let recording = try workflow.measure(path: file, track: track)
    let rate = recording.format.rate
    let edges = try workflow.aligner(workflow.heard(recording)).edges(request)
    let texts = edges.map { edge in
      let members: [(String, Double)] = [
        ("time", edge.position.seconds(at: rate)), ("margin", edge.evidence.margin),
        ("misfit", edge.evidence.misfit), ("pause", edge.evidence.pause),
      ]
      return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
    return "{\"edges\":[\(texts.joined(separator: ","))]}"
  }
}
