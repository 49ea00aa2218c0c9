// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import Annotation
import AudioCore
import Editor
import Glibc
import Library
import Quran
import Workflows

/// The file of an open recording, to listen to it anew.
struct WorkspaceFile: Sendable {
  let library: Library
  let recording: Recording
  let sidecars: SidecarFolder?
  /// Whether it is learnt from while it is annotated.
  let learns: Bool

  func path() throws(Failure) -> String {
    do throws(LibraryError) {
      return try library.file(of: recording)
    } catch {
      throw Failure(error)
    }
  }
}

/// Finds boundaries in a recording, with the detector or the alignment that a person has tuned.
///
/// What takes long to measure is kept from one search to the next. Searches are made one after the other.
final class BoundarySearch: Sendable {
  private let envelope: Envelope
  /// Nil while the library does not know the recording.
  private let file: WorkspaceFile?
  private let kept: Monitor<Kept>
  private let learning: WorkspaceLearning?

  private struct Kept {
    /// Of the whole recording.
    var heard: HeardRecording?
    /// Names what was learnt and is used in that.
    var learnt: String?
    /// The latest alignments, of the whole and of a part, to be mended as more is confirmed; the latest last.
    var sessions: [KeptSession] = []
  }

  private struct KeptSession {
    let key: SessionKey
    var session: AlignmentSession
  }

  private struct SessionKey: Equatable {
    let span: Range<FramePosition>
    let parameters: DetectionParameters
  }

  /// - Parameter tell: told what was learnt of the recording, for people.
  init(
    _ envelope: Envelope, of file: WorkspaceFile?, tell: @escaping @Sendable (String) -> Void
  ) {
    self.envelope = envelope
    self.file = file
    let kept = Monitor(Kept())
    self.kept = kept
    learning = file.flatMap { $0.learns ? $0 : nil }.map { file in
      WorkspaceLearning(file) { outcome in
        // From the next alignment on it is heard so.
        kept.update { $0 = Kept() }
        tell(outcome.summary)
      }
    }
  }

  func close() { learning?.close() }

  /// Blocks.
  ///
  /// - Parameter progress: told how much of what has to be listened to has been heard, 0...1.
  /// - Throws: with code `interrupted` when the flag is raised.
  func report(
    for request: DetectionRequest, stopFlag: StopFlag,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws(Failure) -> Editor.DetectionReport {
    if request.parameters.first != nil { return try alignment(request, stopFlag, progress) }
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
  /// Aligns what a request is going to mend. Blocks.
  func prepare(for request: DetectionRequest, stopFlag: StopFlag) throws(Failure) {
    _ = try realigned(request, stopFlag)
  }

  private func alignment(
    _ request: DetectionRequest, _ stopFlag: StopFlag, _ progress: (@Sendable (Double) -> Void)?
  ) throws(Failure) -> Editor.DetectionReport {
    let alignment = try realigned(request, stopFlag, progress)
    learning?.consider(request.annotation)
    var report = report(alignment, from: start(of: request.span))
    // A part of a prayer need not have al-Fatiha in it.
    if !isWhole(request.span) {
      report.remarks.removeAll { $0.code == AlignmentRemark.isNoPrayer.code }
    }
    report.acousticVersion = try OwnWeights.network().weights.version
    return report
  }

  /// The alignment of a request, by the one before with the same span and parameters where there is one; it is kept.
  private func realigned(
    _ request: DetectionRequest, _ stopFlag: StopFlag,
    _ progress: (@Sendable (Double) -> Void)? = nil
  ) throws(Failure) -> AyahAlignment {
    let key = SessionKey(span: request.span, parameters: request.parameters)
    var latest: KeptSession
    if let kept = kept.update({ $0.sessions.first { $0.key == key } }) {
      latest = kept
    } else {
      guard let first = key.parameters.first else { throw Failure(.cancelled) }
      let aligner = try aligner(for: request.span, stopFlag, progress)
      latest = try Failure.wrapping { () throws(AnalysisError) in
        KeptSession(
          key: key,
          session: try AlignmentSession(
            aligner,
            AlignmentRequest(
              first: first, last: key.parameters.last, prayer: .init(key.parameters.prayer)),
            stopFlag: stopFlag))
      }
    }
    let anchors = anchors(for: request, from: start(of: request.span))
    let realigned = try Failure.wrapping { () throws(AnalysisError) in
      var session = latest
      try session.session.realign(anchors, stopFlag: stopFlag)
      return session
    }
    kept.update {
      $0.sessions.removeAll { $0.key == key }
      $0.sessions = $0.sessions.suffix(1) + [realigned]
    }
    return realigned.session.alignment
  }

  /// Measures a span as if it were a recording of its own.
  private func aligner(
    for span: Range<FramePosition>, _ stopFlag: StopFlag, _ progress: (@Sendable (Double) -> Void)?
  ) throws(Failure) -> AcousticAligner {
    guard let file else { throw Failure(.cancelled) }
    var workflow = AlignmentWorkflow(
      network: try OwnWeights.network(), threadCount: ProcessorCores.count,
      sidecars: file.sidecars, stopFlag: stopFlag)
    workflow.riwayah = file.recording.riwayah
    // As the library has learnt it; damaged or of other weights it is as none, which 'learn --list' says.
    let traits = try? Learnt(library: file.library).traits(of: file.recording).traits
    if let traits { workflow.use(traits) }
    let heard: HeardRecording
    if let known = kept.update({ $0.learnt == traits?.name ? $0.heard : nil }) {
      heard = known
    } else {
      let path = try file.path()
      let workflow = workflow
      heard = try Failure.wrapping { () throws(AnalysisError) in
        let recording = try workflow.measure(
          path: path, track: file.recording.media.track,
          sizeLimit: file.recording.file.size, progress: progress)
        return workflow.heard(recording)
      }
      kept.update {
        $0.heard = heard
        $0.learnt = traits?.name
      }
    }
    let part = isWhole(span) ? nil : start(of: span)..<span.upperBound
    return try Failure.wrapping { () throws(AnalysisError) in
      try workflow.aligner(heard, in: part)
    }
  }

  private func isWhole(_ span: Range<FramePosition>) -> Bool {
    span.lowerBound <= .zero && span.length >= envelope.length
  }

  /// The hop's first frame, so that a span's hops are those of the recording.
  private func start(of span: Range<FramePosition>) -> FramePosition {
    isWhole(span)
      ? .zero : envelope.grid.start(ofHop: envelope.grid.hop(containing: span.lowerBound))
  }

  /// What a person has confirmed in a span, on its own clock.
  private func anchors(
    for request: DetectionRequest, from start: FramePosition
  ) -> AlignmentAnchors {
    var anchors = AlignmentAnchors(request.annotation)
    for other in request.others {
      anchors.places.removeAll { other.contains($0.position) }
      anchors.spans.removeAll { other.overlaps($0.span) }
    }
    let span = request.span
    guard !isWhole(span) else { return anchors }
    let offset = start - FramePosition.zero
    anchors.places = anchors.places.filter {
      $0.position > span.lowerBound && $0.position < span.upperBound
    }.map { .init($0.position - offset, beginning: $0.ayah, isAssumed: $0.isAssumed) }
    anchors.spans = anchors.spans.filter {
      $0.span.lowerBound >= span.lowerBound && $0.span.upperBound <= span.upperBound
    }.map { .init($0.span.lowerBound - offset..<$0.span.upperBound - offset, $0.assignment) }
    return anchors
  }

  private func report(
    _ alignment: AyahAlignment, from start: FramePosition
  ) -> Editor.DetectionReport {
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
      },
      words: alignment.words.map {
        TimedWord(
          $0.ayah, $0.number, $0.span.lowerBound + offset..<$0.span.upperBound + offset)
      },
      remarks: alignment.remarks.filter { $0 != alignment.doubt }.map(\.kept),
      doubt: alignment.doubt?.kept)
    if case .noRoom = alignment.doubt { report.isContradicted = true }
    return report
  }
}

// MARK: - Where it begins

extension BoundarySearch {
  /// Where a span begins, as far as what a person has said of it and its sound tell. Blocks.
  ///
  /// - Throws: as ``report(for:stopFlag:progress:)`` does.
  func proposals(
    for request: StartRequest, stopFlag: StopFlag, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(Failure) -> StartReport {
    let aligner = try aligner(for: request.span, stopFlag, progress)
    let workflow = AlignmentWorkflow(
      threadCount: ProcessorCores.count, sidecars: nil, stopFlag: stopFlag)
    let search = StartSearch(request)
    let found = try Failure.wrapping { () throws(AnalysisError) in
      try workflow.places(aligner, search.search, prayer: .init(request.prayer))
    }
    guard let found else {
      throw Failure(code: Failure.notAligned, message: AlignmentRemark.noVoice.text(.editor))
    }
    var start = StartSearch.Outcome(found, of: search)
    _ = start.align(aligner, last: request.last, prayer: .init(request.prayer))
    if stopFlag.isStopped { throw Failure(.cancelled) }
    return StartReport(
      proposals: start.candidates.map {
        AyahProposal(
          $0.first, confidence: $0.probability, isWithin: $0.isWithin,
          isWordedAlike: $0.isWordedAlike)
      },
      doubt: start.uncertainty.map { .init($0, mostConfidence: start.confidence) },
      source: "the sound")
  }
}

extension AlignmentRequest.Prayer {
  fileprivate init(_ prayer: DetectionParameters.Prayer) {
    self =
      switch prayer {
      case .none: .none
      case .taraweeh: .taraweeh
      }
  }
}

extension StartSearch {
  fileprivate init(_ request: StartRequest) {
    if let range = request.range {
      self = .within(range, last: request.last)
    } else if let last = request.last {
      self = .ending(last)
    } else {
      self = .within(.wholeQuran, last: nil)
    }
  }
}
