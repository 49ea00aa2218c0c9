// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser

/// How to detect; the same for every file of a run, and for its workers.
struct DetectionOptions: ParsableArguments {
  enum Detector: String, ExpressibleByArgument, CaseIterable {
    case adaptive, fixed
  }

  @Option(
    help: "How to find pauses: adaptive follows voice and background; fixed uses a threshold.")
  var detector: Detector = .adaptive

  @Option(
    parsing: .unconditional,
    help: "fixed: silence is below this share of the loudest 10 ms. Default: 0.02.")
  var threshold: Double?

  @Option(
    parsing: .unconditional,
    help: "fixed: the shortest silence, such as 400ms or 0.4s. Default: 400ms.")
  var minSilence: DurationArgument?

  @Option(
    parsing: .unconditional,
    help: "fixed: join silences that are closer than this. Default: 100ms.")
  var merge: DurationArgument?

  @Option(
    parsing: .unconditional,
    help: "Which audio track to use, counted from 1. Default: the one marked default.")
  var track: Int?

  @Flag(help: "Do not read or write cached waveforms.")
  var noCache = false

  mutating func validate() throws {
    let given = [
      threshold.map { _ in "--threshold" }, minSilence.map { _ in "--min-silence" },
      merge.map { _ in "--merge" },
    ].compactMap { $0 }
    if detector != .fixed, let option = given.first {
      throw ValidationError("\(option) needs --detector fixed.")
    }
    if let threshold, !(threshold > 0 && threshold < 1) {
      throw ValidationError("--threshold must be between 0 and 1, such as 0.02.")
    }
    for (name, duration) in [("--min-silence", minSilence), ("--merge", merge)] {
      if let duration, duration.seconds > DurationArgument.longestSilence {
        throw ValidationError("\(name) must be at most a minute\(duration.unitAdvice).")
      }
    }
    if let track, track < 1 { throw ValidationError("--track must be at least 1.") }
  }

  /// The options as arguments for a worker.
  var arguments: [String] {
    var arguments = ["--detector", detector.rawValue]
    if let threshold { arguments += ["--threshold", "\(threshold)"] }
    if let minSilence { arguments += ["--min-silence", minSilence.description] }
    if let merge { arguments += ["--merge", merge.description] }
    if let track { arguments += ["--track", "\(track)"] }
    if noCache { arguments.append("--no-cache") }
    return arguments
  }

  var sidecars: SidecarFolder? {
    noCache ? nil : UserFolders.sidecars
  }

  private var fixedDetector: SilenceDetector {
    var detector = SilenceDetector()
    if let threshold { detector.threshold = Float(threshold) }
    if let minSilence { detector.minimumSilence = minSilence.hops }
    if let merge { detector.mergeGap = merge.hops }
    return detector
  }

  func detect(in envelope: Envelope) throws(AnalysisError) -> Detection {
    switch detector {
    case .adaptive: try PauseDetector().detect(in: envelope)
    case .fixed:
      try fixedDetector.detect(in: envelope)
    }
  }
}
