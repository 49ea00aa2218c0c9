// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

extension WaveformPictureContent {
  /// What detection found over the waveform it was found in, titled with the file's name.
  ///
  /// A boundary is labelled with the assignment of the segment that starts there.
  public init(
    _ report: DetectionReport, columns: [Column], noiseFloor: [Float] = [], threshold: [Float] = []
  ) {
    let assignments = Dictionary(
      report.segments.map { ($0.span.lowerBound, $0.assignment) }, uniquingKeysWith: { $1 })
    self.init(
      title: report.file.split(separator: "/").last.map { String($0) } ?? report.file,
      duration: report.frames.seconds(at: report.rate), columns: columns,
      detector: report.detector,
      pauses: report.pauses.map { pause in
        Pause(
          start: pause.span.lowerBound.seconds(at: report.rate),
          end: pause.span.upperBound.seconds(at: report.rate), confidence: pause.confidence)
      },
      boundaries: report.boundaries.map { boundary in
        Boundary(
          time: boundary.position.seconds(at: report.rate), confidence: boundary.confidence,
          label: (assignments[boundary.position] ?? nil)?.description ?? "")
      },
      noiseFloor: noiseFloor, threshold: threshold)
  }
}
