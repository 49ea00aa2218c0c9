// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Exchange

/// Detection on one file, from path to report.
struct DetectionJob: Sendable {
  let options: DetectionOptions
  let threadCount: Int
  let stopFlag: StopFlag

  /// How the remark about a waveform that was not kept begins.
  static let cacheRemark = "the waveform could not be kept for next time"

  struct Result: Sendable {
    var outcome: DetectionOutcome
    /// The recording's envelope, unless detection failed.
    var envelope: Envelope?
    /// What the person should know: the report's warnings, and what is no part of the result.
    var remarks: [String] = []
    var failure: Failure?
  }

  /// Blocks; not for Swift's cooperative threads.
  func run(_ path: String, progress: (@Sendable (Double) -> Void)? = nil) -> Result {
    let analyzer = RecordingAnalyzer(
      threadCount: threadCount, sidecars: options.sidecars, stopFlag: stopFlag, progress: progress)
    do throws(AnalysisError) {
      let recording = try analyzer.analyze(path: path, track: options.track)
      let detection = try options.detect(in: recording.envelope)
      var remarks = recording.warnings.map(\.description)
      if let problem = recording.sidecarProblem {
        remarks.append(
          "\(Self.cacheRemark) in \(options.sidecars?.path ?? "the cache"): \(problem)")
      }
      return Result(
        outcome: .report(report(path, recording, detection)), envelope: recording.envelope,
        remarks: remarks)
    } catch {
      let failure = Failure(error)
      return Result(outcome: failure.outcome(for: path), failure: failure)
    }
  }

  private func report(
    _ path: String, _ recording: AnalyzedRecording, _ detection: Detection
  ) -> DetectionReport {
    let length = recording.envelope.length
    return DetectionReport(
      file: path, rate: recording.format.rate, frames: length,
      detector: options.detector.rawValue,
      pauses: detection.pauses.map {
        DetectionReport.Pause($0.span, depth: $0.depth, confidence: $0.confidence)
      },
      boundaries: detection.boundaries.map {
        DetectionReport.Boundary($0.position, confidence: $0.confidence)
      },
      segments: Self.segments(between: detection.boundaries, length: length),
      warnings: recording.warnings.map(\.description))
  }

  /// The N + 1 segments that N boundaries cut; each as sure as the less sure of its edges.
  private static func segments(
    between boundaries: [Boundary], length: FrameCount
  ) -> [DetectionReport.Segment] {
    // A recording in which nothing was found is not for that reason surely one segment.
    let certainty = boundaries.isEmpty ? Double.nan : 1
    let start = Boundary(position: .zero, confidence: certainty)
    let end = Boundary(position: .zero + length, confidence: certainty)
    return zip([start] + boundaries, boundaries + [end]).map { left, right in
      DetectionReport.Segment(
        left.position..<right.position, confidence: min(left.confidence, right.confidence))
    }
  }
}
