// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import AudioCore
import Decoding
import Exchange
import Quran

/// Detection on one file, from path to report.
struct DetectionJob: Sendable {
  let options: DetectionOptions
  /// What is said to be recited; nil to look for boundaries only.
  var request: AlignmentRequest?
  /// What is known where the first ayah is not.
  var search: StartSearch?
  /// Another recitation of the same, to compare with.
  var reference: ReferenceChoice?
  var network = AcousticNetwork.builtIn
  /// What boundaries look like; nil for what is built in.
  var weights: BoundaryWeights?
  let threadCount: Int
  let stopFlag: StopFlag

  /// How the remark about a waveform that was not kept begins.
  static let cacheRemark = "the waveform could not be cached"

  struct Result: Sendable {
    var outcome: DetectionOutcome
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
    var analyzer = RecordingAnalyzer(
      threadCount: threadCount, sidecars: options.sidecars, stopFlag: stopFlag, progress: progress)
    analyzer.measuresLogMel = hearsWords
    do throws(Failure) {
      let recording = try Failure.wrapping { () throws(AnalysisError) in
        try analyzer.analyze(path: path, track: options.track)
      }
      analyzed?()
      let report = try report(path, recording)
      var remarks = recording.warnings.map(\.description)
      if let problem = recording.sidecarProblem {
        remarks.append(
          "\(Self.cacheRemark) in \(options.sidecars?.path ?? "the cache"): \(problem)")
      }
      if let reference = report.reference { remarks.append("compared with \(reference)") }
      remarks += report.warnings.dropFirst(recording.warnings.count)
      return Result(outcome: .report(report), envelope: recording.envelope, remarks: remarks)
    } catch {
      return Result(outcome: error.outcome(for: path), failure: error)
    }
  }

  /// Whether the words tell where the ayat are. In prayers and beside a reference lengths and pauses do as
  /// yet.
  private var hearsWords: Bool {
    reference == nil && (request.map { $0.prayer == .none } ?? (search != nil))
  }

  /// What the words tell; nil where they tell nothing.
  private func heard(
    _ recording: AnalyzedRecording, _ request: AlignmentRequest
  ) throws(Failure) -> AyahAlignment? {
    guard hearsWords, let frames = recording.logMel else { return nil }
    let scores = network.scores(of: frames, threadCount: threadCount)
    var aligner = try Failure.wrapping { () throws(AnalysisError) in
      try AcousticAligner(recording.envelope, scores: scores)
    }
    aligner.stopFlag = stopFlag
    return aligner.align(request)
  }

  private func report(
    _ path: String, _ recording: AnalyzedRecording
  ) throws(Failure) -> DetectionReport {
    let reader = CepstralReader(sidecars: options.sidecars, stopFlag: stopFlag)
    if let request {
      return try aligned(path, recording, request, try aligner(recording), reader)
    }
    if let search { return try searched(path, recording, search, try aligner(recording), reader) }
    return try Failure.wrapping { () throws(AnalysisError) in try detected(path, recording) }
  }

  /// - Throws: also where there is nothing to align.
  private func aligner(_ recording: AnalyzedRecording) throws(Failure) -> AyahAligner {
    let aligner = try Failure.wrapping { () throws(AnalysisError) in
      try AyahAligner(recording.envelope, weights: weights, stopFlag: stopFlag)
    }
    guard aligner.hearsVoice else {
      throw Failure.unaligned(
        "no speech detected; check the file and --track"
      )
    }
    return aligner
  }

  /// Aligns from the likeliest start on; no segment is surer than that start.
  private func searched(
    _ path: String, _ recording: AnalyzedRecording, _ search: StartSearch, _ aligner: AyahAligner,
    _ reader: CepstralReader
  ) throws(Failure) -> DetectionReport {
    var comparison: ReferenceComparison?
    if let chosen = try reference?.recitation(of: search, for: path, reader) {
      comparison = try Failure.wrapping { () throws(AnalysisError) in
        let sound = try reader.read(
          path: path, track: options.track, seekIndex: recording.seekIndex)
        return ReferenceComparison(recording: sound, reference: chosen.recitation)
      }
    }
    let proposals = search.places(aligner, comparison).proposals
    if stopFlag.isStopped { throw Failure(AnalysisError.cancelled) }
    let remark = search.remark(proposals)
    guard let likeliest = proposals.first else { throw Failure.unaligned(remark) }
    var report = try aligned(
      path, recording, AlignmentRequest(first: likeliest.first, last: search.last), aligner, reader,
      sureness: likeliest.confidence)
    report.warnings.append(remark)
    return report
  }

  /// - Throws: also where nothing can be aligned.
  private func aligned(
    _ path: String, _ recording: AnalyzedRecording, _ request: AlignmentRequest,
    _ aligner: AyahAligner, _ reader: CepstralReader, sureness: Double = 1
  ) throws(Failure) -> DetectionReport {
    let seconds = recording.envelope.length.seconds(at: recording.format.rate)
    let heard = try heard(recording, request)
    let said = self.request == nil ? nil : request.saidAyat
    let chosen = try reference?.recitation(
      of: request, said: said, withinSeconds: seconds, for: path, reader)
    let needsSound =
      chosen != nil || request.prayer != .none
      || heard == nil && request.isOfFatiha(withinSeconds: seconds)
    let sound = try Failure.wrapping { () throws(AnalysisError) in
      needsSound
        ? try reader.read(path: path, track: options.track, seekIndex: recording.seekIndex) : nil
    }
    let excerpts = reader.excerpts(
      path: path, track: options.track, seekIndex: recording.seekIndex)
    func align(_ comparison: ReferenceComparison?) -> AyahAlignment {
      var alignment =
        heard
        ?? aligner.align(request, sound: sound, excerpts: excerpts, comparison: comparison)
      if let hint = PrayerHint(aligner, request, alignment, sound: sound, comparison: comparison) {
        alignment.remark("\(hint.text); if it is one, use --prayer taraweeh")
      } else if let hint = StretchHint(
        aligner, request, alignment, sound: sound, comparison: comparison)
      {
        alignment.remark("\(hint.text); if it is not a prayer, remove --prayer")
      }
      return alignment
    }
    let comparison = sound.flatMap { sound in
      chosen.map { ReferenceComparison(recording: sound, reference: $0.recitation) }
    }
    var alignment = align(comparison)
    var compared = chosen
    if let chosen, alignment.last != nil, !chosen.has(anyOf: alignment) {
      // What it has comes later than the recording goes, and is no reason to doubt it.
      compared = nil
      alignment = align(nil)
      alignment.remark(
        "the reference \(chosen.name) has none of these ayat; it was not used")
    }
    if stopFlag.isStopped { throw Failure(AnalysisError.cancelled) }
    if alignment.last == nil { throw Failure.unaligned(alignment) }
    if chosen == nil, let reference {
      alignment.remark(reference.nothingCompared(of: said))
    }
    if let remark = chosen?.remark { alignment.remark(remark) }
    var report = report(path, recording, alignment, request, sureness: sureness)
    report.reference = compared?.name
    if heard != nil { report.acousticVersion = network.weights.version }
    return report
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
    _ request: AlignmentRequest, sureness: Double
  ) -> DetectionReport {
    var warnings = recording.warnings.map(\.description)
    if case .doubtful(let reason) = alignment.verdict { warnings.append(reason) }
    warnings += alignment.remarks
    return DetectionReport(
      file: path, rate: recording.format.rate, frames: recording.envelope.length,
      detector: options.detector.rawValue, firstAyah: request.first,
      lastAyah: request.last ?? alignment.last,
      prayer: request.prayer == .none ? nil : request.prayer.rawValue,
      pauses: alignment.pauses.map {
        DetectionReport.Pause($0.span, depth: $0.depth, confidence: $0.confidence)
      },
      boundaries: alignment.boundaries.map {
        DetectionReport.Boundary($0.position, confidence: $0.confidence)
      },
      segments: alignment.segments.map {
        DetectionReport.Segment(
          $0.span, assignment: $0.assignment, confidence: min($0.confidence, sureness))
      },
      warnings: warnings)
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

extension Failure {
  /// - Parameter reason: what is wrong, and what to do.
  fileprivate static func unaligned(_ reason: String) -> Failure {
    Failure(code: notAligned, message: reason)
  }

  fileprivate static func unaligned(_ alignment: AyahAlignment) -> Failure {
    var reasons = alignment.remarks
    if case .doubtful(let reason) = alignment.verdict { reasons.insert(reason, at: 0) }
    return unaligned(reasons.joined(separator: "; "))
  }
}
