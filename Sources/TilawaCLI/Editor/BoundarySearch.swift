// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Editor

/// Finds boundaries in a span of a recording, with the detector or the alignment that a person has tuned.
struct BoundarySearch {
  let envelope: Envelope
  /// For the whole recording.
  let aligner: () throws(AnalysisError) -> AyahAligner

  func report(for request: DetectionRequest) throws(AnalysisError) -> Editor.DetectionReport {
    if let first = request.parameters.first {
      let prayer: AlignmentRequest.Prayer =
        request.parameters.prayer == .taraweeh ? .taraweeh : .none
      return try alignment(
        AlignmentRequest(first: first, last: request.parameters.last, prayer: prayer),
        in: request.span)
    }
    let detection =
      switch request.parameters.detector {
      case .adaptive: try PauseDetector().detect(in: envelope)
      case .fixed: try fixedDetector(request.parameters).detect(in: envelope)
      }
    return Editor.DetectionReport(
      boundaries: detection.boundaries.filter { request.span.contains($0.position) }.map {
        .init(position: $0.position, confidence: $0.confidence)
      },
      pauses: detection.pauses.map(\.span).filter { $0.overlaps(request.span) })
  }

  private func fixedDetector(_ parameters: DetectionParameters) -> SilenceDetector {
    let hop = 1000 / HopGrid.hopsPerSecond
    return SilenceDetector(
      threshold: Float(parameters.threshold), minimumSilence: parameters.leastSilence / hop,
      mergeGap: parameters.mergeGap / hop)
  }

  /// Aligns the span as if it were a recording of its own.
  private func alignment(
    _ request: AlignmentRequest, in span: Range<FramePosition>
  ) throws(AnalysisError) -> Editor.DetectionReport {
    let grid = envelope.grid
    let isWhole = span.lowerBound <= .zero && span.length >= envelope.length
    let firstHop = isWhole ? 0 : grid.hop(containing: span.lowerBound)
    let start = grid.start(ofHop: firstHop)
    let aligner: AyahAligner
    if isWhole {
      aligner = try self.aligner()
    } else {
      let length = span.upperBound - start
      let hops = try envelope.hops(in: firstHop..<firstHop + grid.hopCount(covering: length))
      aligner = try AyahAligner(Envelope(rate: grid.rate, length: length, hops: hops))
    }
    let alignment = aligner.align(request)
    let offset = start - FramePosition.zero
    func attribution(_ segment: AyahAlignment.Segment) -> Attribution {
      Attribution(segment.assignment, origin: .aligned, confidence: segment.confidence)
    }
    let boundaries = zip(alignment.segments.dropFirst(), alignment.boundaries).map {
      segment, boundary in
      Editor.DetectionReport.Boundary(
        position: segment.span.lowerBound + offset, confidence: boundary.confidence,
        origin: .aligned, attribution: attribution(segment))
    }
    var report = Editor.DetectionReport(
      boundaries: boundaries, opening: alignment.segments.first.map(attribution),
      pauses: alignment.pauses.map {
        $0.span.lowerBound + offset..<$0.span.upperBound + offset
      })
    if case .doubtful(let reason) = alignment.verdict { report.doubt = reason }
    return report
  }
}
