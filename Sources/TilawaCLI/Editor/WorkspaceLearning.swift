// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import Annotation
import AudioCore
import Dispatch
import Library
import Workflows

/// Learns the voice of the open recording, and where its person puts edges, while it is annotated: as
/// `learn --recording` does, and again whenever twice as much is confirmed.
///
/// Where the recording's reciter was learnt already, that stays as it is.
final class WorkspaceLearning: Sendable {
  private let file: WorkspaceFile
  private let learnt: @Sendable (LearningOutcome) -> Void
  private let queue = DispatchQueue(label: "tilawa.editor.learning", qos: .utility)
  private let stopFlag = StopFlag()
  private let progress = Monitor(Progress())

  private struct Progress {
    /// Confirmed edges when it learnt last.
    var edges = 0
    var isLearning = false
  }

  /// - Parameter learnt: told when something was learnt that helps, and is on disk.
  init(_ file: WorkspaceFile, learnt: @escaping @Sendable (LearningOutcome) -> Void) {
    self.file = file
    self.learnt = learnt
  }

  /// Learns from an annotation where that is due. Returns at once.
  func consider(_ document: AnnotationDocument) {
    let stretches = ConfirmedStretch.stretches(of: document)
    let edges = stretches.reduce(0) { $0 + $1.edges.count }
    let isDue = progress.update { progress in
      guard !progress.isLearning, edges >= max(2 * progress.edges, Learning.worthTrying)
      else { return false }
      progress = Progress(edges: edges, isLearning: true)
      return true
    }
    guard isDue else { return }
    queue.async { [self] in
      // What cannot be learnt now is learnt by 'learn', which says why.
      if let outcome = try? learn(stretches) { learnt(outcome) }
      progress.update { $0.isLearning = false }
    }
  }

  func close() { stopFlag.stop() }

  /// - Returns: nil where nothing that helps was learnt.
  private func learn(_ stretches: [ConfirmedStretch]) throws -> LearningOutcome? {
    let (library, recording) = (file.library, file.recording)
    if let reciter = recording.reciter, try library.learnt(of: .reciter(reciter.id)) != nil {
      return nil
    }
    // One core, so that the editor has the others.
    var workflow = AlignmentWorkflow(
      network: try OwnWeights.network(), threadCount: 1, sidecars: file.sidecars,
      stopFlag: stopFlag)
    workflow.riwayah = recording.riwayah
    let measured = try workflow.measure(
      path: file.path(), track: recording.media.track,
      sizeLimit: recording.file.size)
    let material = LearningMaterial(
      logMel: measured.logMel ?? LogMelFrames(), envelope: measured.envelope, stretches: stretches)
    let outcome = try Learning(workflow).learn([material])
    let traits = LearntTraits(
      weights: workflow.network.weights.fingerprint, owner: "", voice: outcome.voice,
      placement: outcome.ownPlacements.first ?? nil)
    let subject = LearntSubject.recording(recording.id)
    guard try library.learnt(of: subject) != traits.bytes else { return nil }
    try Learnt(library: library).keep(traits, of: subject)
    return traits.isEmpty ? nil : outcome
  }
}

extension LearningOutcome {
  /// What was learnt of one recording and what it is worth, in a sentence.
  var summary: String {
    var parts: [String] = []
    if let trial = voiceTrial, trial.isAccepted {
      parts.append(
        "this voice (\(trial.wrongBefore) -> \(trial.wrongAfter) of \(trial.edges) edges wrong)")
    }
    if let trial = ownTrials.first ?? nil, trial.isAccepted {
      let (before, after) = (
        Int((trial.distanceBefore * 1000).rounded()), Int((trial.distanceAfter * 1000).rounded())
      )
      parts.append("where you put edges (\(before) -> \(after) ms away)")
    }
    return "Learnt: \(parts.joined(separator: ", ")); 'learn --undo' undoes it"
  }
}
