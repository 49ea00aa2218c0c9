// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Library
import Quran

/// Keeps what was detected in the library, as suggestions: whatever a person has confirmed stays.
struct SuggestionSaver: Sendable {
  private let library: Library
  private let analyzer: RecordingAnalyzer
  private let track: Int?
  /// What is recited, where that was told.
  private let riwayah: Riwayah?

  init(_ command: AutoDetectCommand) throws(Failure) {
    library = try command.libraryOptions.open()
    analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: command.detection.sidecars,
      stopFlag: Interrupt.flag)
    track = command.detection.track
    riwayah = command.alignment.riwayah
  }

  /// What a person should know of it, or why it could not be kept.
  typealias Outcome = Result<[String], Failure>

  /// Blocks.
  ///
  /// - Parameter path: the file in which it was found.
  func save(_ finding: DetectionFinding, of path: String) -> Outcome {
    do throws(LibraryError) {
      let recording = try recording(at: UserFolders.absolute(path))
      let engine = try AnnotationEngine(editing: recording.id, in: library)
      let before = waiting { await engine.document }
      let change = try waiting { () async throws(LibraryError) in
        let change = try await engine.apply(
          .replaceSuggestions(finding.suggestions(for: before)))
        // What was found may be as before, and what was asked for, or its doubt, another. Where all is confirmed nothing is
        // kept that it could be of.
        let isKept = !change.isEmpty || before.segments.contains { !$0.isConfirmed }
        if isKept, let judgement = finding.judgement { try await engine.judge(judgement) }
        return change
      }
      let kept =
        change.isEmpty
        ? "in the library as \(recording.id.short), unchanged"
        : "saved in the library as \(recording.id.short)"
      let after = waiting { await engine.document }
      return .success(
        [kept] + [otherRiwayah(than: recording)].compactMap { $0 }
          + HandMade(before).remarks(on: finding, after))
    } catch {
      return .failure(Failure(error))
    }
  }

  private func recording(at path: String) throws(LibraryError) -> Recording {
    if let known = try library.recording(relinkedTo: path) { return known }
    var details = Importer.Details()
    details.isInPlace = true
    details.track = track
    details.riwayah = riwayah
    let importer = Importer(into: library, analyzer: analyzer, detect: nil)
    return try importer.importFile(path, details).recording
  }

  /// That the editor aligns a recording by another riwayah than the one that was told; nil where it does not.
  private func otherRiwayah(than recording: Recording) -> String? {
    guard let riwayah, riwayah != recording.riwayah else { return nil }
    return
      "this recording is \(recording.riwayah.displayName) in the library, not \(riwayah.displayName); "
      + "to change it, use 'retag \(recording.id.short) --riwayah \(riwayah.rawValue)'"
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
