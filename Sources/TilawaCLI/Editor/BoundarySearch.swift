// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Editor
import Glibc

/// Finds boundaries in a recording, with the detector or the alignment that a person has tuned.
///
/// What takes long to measure is kept from one search to the next. Searches are made one after the other.
final class BoundarySearch: Sendable {
  private let envelope: Envelope
  /// Nil where there is nothing to compare with.
  private let reference: WorkspaceReference?
  private let kept = Monitor(Kept())

  private struct Kept {
    /// For the whole recording.
    var aligner: AyahAligner?
    /// The latest alignment, to be mended as more is confirmed.
    var session: KeptSession?
  }

  fileprivate struct KeptSession {
    let key: SessionKey
    var session: AlignmentSession
    /// What to do where it is doubted.
    let hint: String?
    /// What it was compared with.
    let remarks: [String]
    /// What the first alignment says, of which nothing was confirmed.
    let first: AyahAlignment
  }

  fileprivate struct SessionKey: Equatable {
    let span: Range<FramePosition>
    let parameters: DetectionParameters
  }

  init(_ envelope: Envelope, reference: WorkspaceReference?) {
    self.envelope = envelope
    self.reference = reference
  }

  /// Blocks.
  ///
  /// - Parameter progress: told how much of what has to be listened to has been heard, 0...1.
  /// - Throws: with code `interrupted` when the flag is raised.
  func report(
    for request: DetectionRequest, stopFlag: StopFlag,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws(Failure) -> Editor.DetectionReport {
    if request.parameters.first != nil {
      return try alignment(
        request,
        CepstralReader(sidecars: reference?.sidecars, stopFlag: stopFlag, progress: progress))
    }
    let detection = try Failure.wrapping { () throws(AnalysisError) in
      switch request.parameters.detector {
      case .adaptive: try PauseDetector().detect(in: envelope)
      case .fixed: try fixedDetector(request.parameters).detect(in: envelope)
      }
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
      threshold: Float(parameters.threshold), minimumSilence: parameters.minSilence / hop,
      mergeGap: parameters.mergeGap / hop)
  }
}

// MARK: - Alignment

extension BoundarySearch {
  private func alignment(
    _ request: DetectionRequest, _ reader: CepstralReader
  ) throws(Failure) -> Editor.DetectionReport {
    let key = SessionKey(span: request.span, parameters: request.parameters)
    let start = isWhole(request.span) ? FramePosition.zero : hopStart(request.span.lowerBound)
    let latest: KeptSession
    if let kept = kept.update({ $0.session }), kept.key == key {
      latest = kept
    } else {
      latest = try makeSession(key, from: start, reader)
    }
    let anchors = anchors(of: request.annotation, in: request.span, from: start)
    var session = latest
    try Failure.wrapping { () throws(AnalysisError) in
      _ = try session.session.realign(anchors, stopFlag: reader.stopFlag)
    }
    let realigned = session
    kept.update { $0.session = realigned }
    return realigned.report(from: start)
  }

  private func makeSession(
    _ key: SessionKey, from start: FramePosition, _ reader: CepstralReader
  ) throws(Failure) -> KeptSession {
    let parameters = key.parameters
    let stopFlag = reader.stopFlag
    guard let first = parameters.first else { throw Failure(.cancelled) }
    let request = AlignmentRequest(
      first: first, last: parameters.last,
      prayer: parameters.prayer == .taraweeh ? .taraweeh : .none)
    let material = try reference?.material(
      for: request, parameters.reference, in: start..<key.span.upperBound, reader)
    let aligner = try Failure.wrapping { () throws(AnalysisError) in
      try self.aligner(for: key.span, from: start)
    }
    let session = try Failure.wrapping { () throws(AnalysisError) in
      try AlignmentSession(
        aligner, request, sound: material?.sound,
        excerpts: material?.excerpts, comparison: material?.comparison, stopFlag: stopFlag)
    }
    var hint: String?
    if !stopFlag.isStopped,
      let prayer = PrayerHint(
        aligner, request, session.alignment, sound: material?.sound,
        comparison: material?.comparison)
    {
      hint = "\(prayer.text); if it is one, set Prayer"
    }
    return KeptSession(
      key: key, session: session, hint: hint, remarks: material?.remarks ?? [],
      first: session.alignment)
  }

  /// Measures a span as if it were a recording of its own.
  private func aligner(
    for span: Range<FramePosition>, from start: FramePosition
  ) throws(AnalysisError) -> AyahAligner {
    guard isWhole(span) else {
      let grid = envelope.grid
      let length = span.upperBound - start
      let first = grid.hop(containing: start)
      let hops = try envelope.hops(in: first..<first + grid.hopCount(covering: length))
      var aligner = try AyahAligner(Envelope(rate: grid.rate, length: length, hops: hops))
      aligner.origin = start
      return aligner
    }
    if let aligner = kept.update({ $0.aligner }) { return aligner }
    let aligner = try AyahAligner(envelope)
    kept.update { $0.aligner = aligner }
    return aligner
  }

  private func isWhole(_ span: Range<FramePosition>) -> Bool {
    span.lowerBound <= .zero && span.length >= envelope.length
  }

  /// The hop's first frame, so that a span's hops are those of the recording.
  private func hopStart(_ position: FramePosition) -> FramePosition {
    envelope.grid.start(ofHop: envelope.grid.hop(containing: position))
  }

  /// What a person has confirmed in a span, on its own clock.
  private func anchors(
    of document: AnnotationDocument, in span: Range<FramePosition>, from start: FramePosition
  ) -> AlignmentAnchors {
    var anchors = AlignmentAnchors(document)
    guard !isWhole(span) else { return anchors }
    let offset = start - FramePosition.zero
    anchors.places = anchors.places.filter {
      $0.position > span.lowerBound && $0.position < span.upperBound
    }.map { .init($0.position - offset, beginning: $0.ayah) }
    anchors.spans = anchors.spans.filter {
      $0.span.lowerBound >= span.lowerBound && $0.span.upperBound <= span.upperBound
    }.map { .init($0.span.lowerBound - offset..<$0.span.upperBound - offset, $0.assignment) }
    return anchors
  }
}

// MARK: - Where it begins

extension BoundarySearch {
  /// Where a span begins, as far as what a person has said of it and its sound tell. Blocks.
  ///
  /// - Throws: as ``report(for:stopFlag:progress:)`` does; also where there is nothing to go by.
  func proposals(
    for request: StartRequest, stopFlag: StopFlag, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(Failure) -> StartReport {
    let search = StartSearch(request)
    let start = isWhole(request.span) ? FramePosition.zero : hopStart(request.span.lowerBound)
    let reader = CepstralReader(
      sidecars: reference?.sidecars, stopFlag: stopFlag, progress: progress)
    let other = try reference?.comparison(
      for: search, request.reference, in: start..<request.span.upperBound, reader)
    if other == nil, search == .inReference {
      throw Failure(
        code: "no_reference", message: "nothing to compare with; enter the first ayah")
    }
    let found = try Failure.wrapping { () throws(AnalysisError) in
      var aligner = try self.aligner(for: request.span, from: start)
      aligner.stopFlag = stopFlag
      let found = search.places(aligner, other?.comparison)
      if stopFlag.isStopped { throw AnalysisError.cancelled }
      return found
    }
    let byLengths =
      other.map { "the lengths of the ayat, for \($0.name) told less" } ?? "the lengths of the ayat"
    return StartReport(
      proposals: found.proposals,
      doubt: search.doubt(found.proposals).map { "uncertain start: \($0)" },
      source: found.isHeard ? "the sound of \(other?.name ?? "")" : byLengths)
  }
}

extension StartSearch {
  fileprivate init(_ request: StartRequest) {
    if let range = request.range {
      self = .within(range, last: request.last)
    } else if let last = request.last {
      self = .ending(last)
    } else {
      self = .inReference
    }
  }
}

// MARK: - What is said of it

extension BoundarySearch.KeptSession {
  /// No assignment is surer than this where the whole is doubtful.
  private static let greatestDoubted = 0.5

  func report(from start: FramePosition) -> Editor.DetectionReport {
    let alignment = session.alignment
    let offset = start - FramePosition.zero
    let doubt = session.doubt
    func attribution(_ segment: AyahAlignment.Segment) -> Attribution {
      Attribution(
        segment.assignment, origin: .aligned,
        confidence: doubt == nil
          ? segment.confidence : min(segment.confidence, Self.greatestDoubted))
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
      },
      remarks: (doubt == nil ? [] : [hint].compactMap { $0 }) + alignment.remarks + remarks,
      doubt: doubt)
    report.isContradicted = doubt != nil && alignment.verdict != first.verdict
    return report
  }
}
