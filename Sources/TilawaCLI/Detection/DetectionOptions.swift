// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser

/// How to detect; the same for every file of a run, and for its workers.
struct DetectionOptions: ParsableArguments {
  enum Detector: String, ExpressibleByArgument, CaseIterable {
    case adaptive, fixed
  }

  @Option(
    help: "How pauses are found: adaptive follows voice and background; fixed is a threshold.")
  var detector: Detector = .adaptive

  @Option(help: "fixed: silence is below this share of the loudest 10 ms.")
  var threshold: Double = 0.02

  @Option(help: "fixed: the shortest silence, such as 400ms or 0.4s.")
  var minSilence = DurationArgument(milliseconds: 400)

  @Option(help: "fixed: silences this near to each other become one.")
  var merge = DurationArgument(milliseconds: 100)

  @Option(help: "Which audio track to use, counted from 1. Default: the one marked default.")
  var track: Int?

  @Flag(help: "Neither use nor keep analysed waveforms.")
  var noCache = false

  mutating func validate() throws {
    guard (0...1).contains(threshold) else {
      throw ValidationError("--threshold is a share between 0 and 1, such as 0.02.")
    }
    if let track, track < 1 { throw ValidationError("--track counts from 1.") }
  }

  /// The options as arguments for a worker.
  var arguments: [String] {
    var arguments = [
      "--detector", detector.rawValue, "--threshold", "\(threshold)",
      "--min-silence", minSilence.description, "--merge", merge.description,
    ]
    if let track { arguments += ["--track", "\(track)"] }
    if noCache { arguments.append("--no-cache") }
    return arguments
  }

  var sidecars: SidecarFolder? {
    noCache ? nil : SidecarFolder(path: UserFolders().cache)
  }

  func detect(in envelope: Envelope) throws(AnalysisError) -> Detection {
    switch detector {
    case .adaptive: try PauseDetector().detect(in: envelope)
    case .fixed:
      try SilenceDetector(
        threshold: Float(threshold), minimumSilence: minSilence.hops, mergeGap: merge.hops
      ).detect(in: envelope)
    }
  }
}
