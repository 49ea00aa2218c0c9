// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import ArgumentParser
import AudioCore

/// How well what is heard fits the places of the Quran, a line of JSON for each file in turn, for
/// `Scripts/measure-places.py`.
struct PlaceFeaturesCommand: FeaturesCommand {
  static let configuration = CommandConfiguration(
    commandName: "place-features", abstract: "Show the result of the search for a place.",
    shouldDisplay: false)

  @Argument(help: "Recordings.")
  var files: [String]

  /// Places that are named; the others are all as bad as the last of them or worse.
  private static let named = 100

  func measure() -> Measure { Self.line }

  @Sendable private static func line(for file: String) throws(AnalysisError) -> String {
    var analyzer = analyzer
    analyzer.measuresLogMel = true
    let frames = try analyzer.analyze(path: file).logMel ?? LogMelFrames()
    let scores = AcousticNetwork.builtIn.scores(of: frames, threadCount: analyzer.threadCount)
    let clock = ContinuousClock()
    var report: PlaceReport?
    let time = clock.measure {
      report = PlaceSearch().places(scores, threadCount: analyzer.threadCount)
    }
    let places = (report?.candidates ?? []).prefix(named).map {
      "[\"\($0.first)\",\($0.word),\($0.disadvantage)]"
    }
    return "{\"seconds\":\(time / .seconds(1)),\"misfit\":\(report?.misfit ?? 0),"
      + "\"places\":[\(places.joined(separator: ","))]}"
  }
}
