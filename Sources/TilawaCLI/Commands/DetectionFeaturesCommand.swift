// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore

/// What the choice of boundaries rests on, a line of JSON for each file in turn, for
/// `Scripts/fit-boundary-weights.py`.
struct DetectionFeaturesCommand: FeaturesCommand {
  static let configuration = CommandConfiguration(
    commandName: "detection-features", abstract: "Show the features that boundaries are chosen by.",
    shouldDisplay: false)

  @Argument(help: "Recordings.")
  var files: [String]

  func measure() -> Measure { Self.line }

  @Sendable private static func line(for file: String) throws(AnalysisError) -> String {
    let envelope = try analyzer.analyze(path: file).envelope
    let rate = envelope.grid.rate
    let dips = try PauseDetector().measuredDips(of: envelope) ?? []
    let texts = dips.map { dip in
      let members: [(String, any CustomStringConvertible)] = [
        ("start", dip.span.lowerBound.seconds(at: rate)),
        ("end", dip.span.upperBound.seconds(at: rate)),
        ("time", dip.boundary.seconds(at: rate)),
        ("core", dip.core),
        ("depth", dip.depth),
        ("length", dip.features.length),
        ("isolation", dip.features.isolation),
        ("steadiness", dip.features.steadiness),
        ("isInner", dip.features.isInner),
        ("isCandidate", dip.features.isCandidate),
        ("isPause", dip.isPause),
      ]
      return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
    let duration = envelope.length.seconds(at: rate)
    return "{\"duration\":\(duration),\"dips\":[\(texts.joined(separator: ","))]}"
  }
}
