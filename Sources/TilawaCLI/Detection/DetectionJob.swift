// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import Annotation
import AudioCore
import Decoding
import Exchange
import Quran
import Workflows

/// Detection on one file, from path to report.
struct DetectionJob: Sendable {
  let options: DetectionOptions
  var subject = Subject.boundaries
  var network = AcousticNetwork.builtIn
  /// What the library has learnt; nil for nothing.
  var learnt: Learnt?
  /// What is recited; nil for what the library says of the recording.
  var riwayah: Riwayah?
  var ignored: Set<AlignmentEvidence> = []
  let threadCount: Int
  let stopFlag: StopFlag

  /// How the remark about a waveform that was not kept begins.
  static let cacheRemark = "the waveform could not be cached"

  /// What is looked for.
  enum Subject: Hashable, Sendable {
    case boundaries
    /// What is said to be recited.
    case passage(AlignmentRequest)
    /// A passage or a prayer whose first ayah is not known.
    case somewhere(StartSearch, prayer: AlignmentRequest.Prayer)
  }

  struct Result: Sendable {
    var outcome: DetectionOutcome
    /// What of it can be saved.
    var finding: DetectionFinding?
    /// The recording's envelope, unless detection failed.
    var envelope: Envelope?
    /// What the person should know: the report's warnings, and what is no part of the result.
    var remarks: [String] = []
    var failure: Failure?
  }

  /// Blocks; not for Swift's cooperative threads.
  ///
  /// - Parameter analyzed: called when the recording has been decoded.
  func run(
    _ path: String, progress: (@Sendable (Double) -> Void)? = nil,
    analyzed: (@Sendable () -> Void)? = nil
  ) -> Result {
    do throws(Failure) {
      let recording = try Failure.wrapping { () throws(AnalysisError) in
        try measure(path, progress)
      }
      analyzed?()
      let (workflow, learnt, learntRemark) = learntWorkflow(for: path)
      let found = try Failure.wrapping {
        () throws(AnalysisError) -> Swift.Result<Found, Failure> in
        try self.found(path, recording, workflow)
      }
      var (report, judgement) = try found.get()
      report.learnt = learnt
      if let learntRemark { report.warnings.append(learntRemark) }
      var remarks = recording.warnings.map(\.description)
      if let problem = recording.sidecarProblem {
        remarks.append(
          "\(Self.cacheRemark) in \(options.sidecars?.path ?? "the cache"): \(problem)")
      }
      remarks += report.warnings.dropFirst(recording.warnings.count)
      return Result(
        outcome: .report(report), finding: DetectionFinding(report, judgement),
        envelope: recording.envelope, remarks: remarks)
    } catch {
      return Result(outcome: error.outcome(for: path), failure: error)
    }
  }

  private var workflow: AlignmentWorkflow {
    AlignmentWorkflow(
      network: network, threadCount: threadCount, sidecars: options.sidecars, stopFlag: stopFlag)
  }

  /// Hears as was learnt of the voice in a file.
  ///
  /// - Returns: besides, the name of what was learnt, where that is used, and why it is not.
  private func learntWorkflow(
    for path: String
  ) -> (workflow: AlignmentWorkflow, name: String?, remark: String?) {
    var workflow = workflow
    workflow.ignored = ignored
    workflow.riwayah = riwayah ?? learnt?.riwayah(ofFile: path) ?? .hafs
    guard subject != .boundaries, let learnt, let found = try? learnt.traits(ofFile: path) else {
      return (workflow, nil, nil)
    }
    guard let traits = found.traits else { return (workflow, nil, found.remark) }
    return workflow.use(traits)
      ? (workflow, traits.name, found.remark) : (workflow, nil, Learnt.otherWeights)
  }

  private func measure(
    _ path: String, _ progress: (@Sendable (Double) -> Void)?
  ) throws(AnalysisError) -> AnalyzedRecording {
    if subject != .boundaries {
      return try workflow.measure(path: path, track: options.track, progress: progress)
    }
    let analyzer = RecordingAnalyzer(
      threadCount: threadCount, sidecars: options.sidecars, stopFlag: stopFlag, progress: progress)
    return try analyzer.analyze(path: path, track: options.track)
  }

  private typealias Found = (report: DetectionReport, judgement: AlignmentJudgement?)

  private func found(
    _ path: String, _ recording: AnalyzedRecording, _ workflow: AlignmentWorkflow
  ) throws(AnalysisError) -> Swift.Result<Found, Failure> {
    switch subject {
    case .boundaries: return .success((try detected(path, recording), nil))
    case .passage(let request):
      let aligner = try workflow.aligner(workflow.heard(recording))
      return try aligned(path, recording, aligner.align(request), request)
    case .somewhere(let search, let prayer):
      let aligner = try workflow.aligner(workflow.heard(recording))
      guard let places = try workflow.places(aligner, search.search, prayer: prayer) else {
        return .failure(.unaligned(AlignmentRemark.noVoice.text(.commandLine)))
      }
      var start = StartSearch.Outcome(places, of: search)
      guard let (request, alignment) = start.align(aligner, last: search.last, prayer: prayer)
      else { return .failure(.unaligned(start.remark(.commandLine))) }
      return try aligned(path, recording, alignment, request, start)
    }
  }

  /// - Parameter start: where the recording may begin, where nobody said it.
  private func aligned(
    _ path: String, _ recording: AnalyzedRecording, _ alignment: AyahAlignment,
    _ request: AlignmentRequest, _ start: StartSearch.Outcome? = nil
  ) throws(AnalysisError) -> Swift.Result<Found, Failure> {
    if stopFlag.isStopped { throw .cancelled }
    if alignment.last == nil {
      let remarks = [start?.doubt].compactMap { $0 } + alignment.remarks
      return .failure(
        .unaligned(remarks.map { $0.text(.commandLine) }.joined(separator: "; ")))
    }
    var report = report(path, recording, alignment, request)
    if let start { report.add(start) }
    return .success(
      (
        report,
        AlignmentJudgement(
          alignment, of: request, length: recording.envelope.length,
          acousticVersion: network.weights.version,
          uncertainty: start?.uncertainty,
          remark: start.map {
            .init(
              code: AlignmentJudgement.StartCode.assumed.rawValue, text: $0.remark(.editor))
          })
      ))
  }

  private func detected(
    _ path: String, _ recording: AnalyzedRecording
  ) throws(AnalysisError) -> DetectionReport {
    let detection = try options.detect(in: recording.envelope)
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

  private func report(
    _ path: String, _ recording: AnalyzedRecording, _ alignment: AyahAlignment,
    _ request: AlignmentRequest
  ) -> DetectionReport {
    DetectionReport(
      file: path, rate: recording.format.rate, frames: recording.envelope.length,
      detector: options.detector.rawValue, firstAyah: request.first,
      lastAyah: request.last ?? alignment.last,
      prayer: request.prayer == .none ? nil : request.prayer.rawValue,
      verdict: alignment.doubt == nil ? "plausible" : "doubtful",
      remarks: alignment.remarks.map { .init(code: $0.code, text: $0.text(.commandLine)) },
      acousticVersion: network.weights.version,
      pauses: alignment.pauses.map {
        DetectionReport.Pause($0.span, depth: $0.depth, confidence: $0.confidence)
      },
      boundaries: alignment.boundaries.map {
        DetectionReport.Boundary($0.position, confidence: $0.confidence)
      },
      segments: alignment.segments.map {
        DetectionReport.Segment(
          $0.span, assignment: $0.assignment, confidence: $0.confidence)
      },
      words: alignment.wordsInSegments,
      warnings: recording.warnings.map(\.description)
        + alignment.remarks.map { $0.text(.commandLine) })
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

extension DetectionReport {
  /// Says that nobody told where the recording begins, and where it may.
  fileprivate mutating func add(_ start: StartSearch.Outcome) {
    for index in segments.indices {
      segments[index].confidence = min(segments[index].confidence, start.confidence)
    }
    if let first = segments.firstIndex(where: { $0.assignment?.isRecitation ?? false }),
      let likeliest = start.candidates.first
    {
      // The passage may be sure, and its first ayah not.
      segments[first].confidence = min(segments[first].confidence, likeliest.probability)
    }
    if let doubt = start.doubt {
      verdict = "doubtful"
      // In words ``StartSearch/Outcome/remark(_:)`` says it.
      remarks.append(.init(code: doubt.code, text: doubt.text(.commandLine)))
    }
    warnings.append(start.remark(.commandLine))
    candidates = start.candidates.map {
      Candidate(
        $0.first, word: $0.word + 1, probability: $0.probability, isWordedAlike: $0.isWordedAlike)
    }
  }
}

extension Failure {
  /// - Parameter reason: what is wrong, and what to do.
  fileprivate static func unaligned(_ reason: String) -> Failure {
    Failure(code: notAligned, message: reason)
  }
}
