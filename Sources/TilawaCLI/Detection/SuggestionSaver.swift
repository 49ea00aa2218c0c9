// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Exchange
import Library

/// Keeps what was detected in the library, as suggestions: whatever a person has confirmed stays.
struct SuggestionSaver: Sendable {
  private let library: Library
  private let job: DetectionJob

  init(_ command: AutoDetectCommand) throws(Failure) {
    library = try command.libraryOptions.open()
    job = DetectionJob(
      options: command.detection, subject: command.alignment.subject,
      network: try command.alignment.network(),
      threadCount: ProcessorCores.count, stopFlag: Interrupt.flag)
  }

  /// What a person should know of it, or why it could not be kept.
  typealias Outcome = Result<[String], Failure>

  /// For a file that a worker has looked at: the waveform it left makes doing it again quick.
  func save(_ path: String) -> Outcome {
    let result = job.run(path)
    if let failure = result.failure { return .failure(failure) }
    guard case .report(let report) = result.outcome else { return .success(["nothing to save"]) }
    return save(report)
  }

  func save(_ report: DetectionReport) -> Outcome {
    do throws(LibraryError) {
      let recording = try recording(at: UserFolders.absolute(report.file))
      let engine = try AnnotationEngine(editing: recording.id, in: library)
      let before = waiting { await engine.document }
      let change = try waiting { () async throws(LibraryError) in
        let change = try await engine.apply(.replaceSuggestions(Suggestions(report, for: before)))
        if report.firstAyah != nil, !change.isEmpty {
          try await engine.judge(AlignmentJudgement(remarks: report.warnings))
        }
        return change
      }
      let kept =
        change.isEmpty
        ? "in the library as \(recording.id.short), unchanged"
        : "saved in the library as \(recording.id.short)"
      let after = waiting { await engine.document }
      return .success([kept] + HandMade(before).remarks(on: report, after))
    } catch {
      return .failure(Failure(error))
    }
  }

  private func recording(at path: String) throws(LibraryError) -> Recording {
    if let known = try library.recording(ofFile: path) { return known }
    var details = Importer.Details()
    details.isInPlace = true
    details.track = job.options.track
    let importer = Importer(
      into: library,
      analyzer: RecordingAnalyzer(
        threadCount: job.threadCount, sidecars: job.options.sidecars, stopFlag: job.stopFlag),
      detect: nil)
    return try importer.importFile(path, details).recording
  }
}

extension FinishedFile {
  /// Adds what became of keeping it.
  mutating func add(_ outcome: SuggestionSaver.Outcome) {
    switch outcome {
    case .success(let remarks): self.remarks += remarks
    case .failure(let failure): loss = failure
    }
  }
}

extension Suggestions {
  /// The boundaries of a report and what is heard between them, for the whole of a recording.
  ///
  /// A segment that a person has assigned stays as it is, confirmed or not: it is not cut, and what
  /// was found in it counts for nothing.
  init(_ report: DetectionReport, for document: AnnotationDocument) {
    func attribution(_ segment: DetectionReport.Segment) -> Attribution? {
      segment.assignment.map {
        Attribution($0, origin: .aligned, confidence: segment.confidence)
      }
    }
    let isAligned = report.segments.contains { $0.assignment != nil }
    let handMade = HandMade(document)
    let found = zip(report.segments.dropFirst(), report.boundaries).compactMap {
      segment, boundary -> (position: FramePosition, Origin, Double?, Attribution?)? in
      let position = segment.span.lowerBound
      return handMade.isNear(position)
        ? nil
        : (position, isAligned ? .aligned : .detected, boundary.confidence, attribution(segment))
    }
    let edges = handMade.edges.map {
      edge -> (position: FramePosition, Origin, Double?, Attribution?) in
      let later = edge.marker.position + handMade.clearance
      let next = report.segments.last { $0.span.lowerBound <= later }
      return (
        edge.marker.position, edge.marker.origin, edge.marker.confidence,
        edge.content ?? next.flatMap(attribution)
      )
    }
    let firstID = document.unusedMarkerID.rawValue
    let boundaries = (found + edges).sorted { $0.position < $1.position }.enumerated().map {
      number, found in
      Boundary(
        Marker(
          id: MarkerID(firstID + Int64(number)), position: found.position, origin: found.1,
          confidence: found.2), found.3)
    }
    self.init(
      in: .zero..<(.zero + document.length),
      opening: handMade.opening ?? report.segments.first.flatMap(attribution), boundaries,
      words: report.words)
  }
}
