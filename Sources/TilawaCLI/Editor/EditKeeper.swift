// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Editor
import Library

/// Makes the edits of one recording lasting, one after the other in the order in which they were made.
///
/// Whoever hands one over waits for nothing; what became of it comes back as an event.
final class EditKeeper: Sendable {
  private enum Job: Sendable {
    case step(StoreRequest)
    case publish(includingUnconfirmed: Bool)
  }

  private let jobs: AsyncStream<Job>.Continuation
  private let outcome = Monitor(Outcome())

  /// How it ended.
  struct Outcome: Sendable {
    fileprivate var isFinished = false
    /// Why edits could not be kept since it was last asked, for people.
    var losses: [String] = []
  }

  init(_ engine: AnnotationEngine, tell: @escaping @Sendable (Event) -> Void) {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
    self.jobs = jobs
    let outcome = outcome
    Task.detached {
      var worker = Worker(engine: engine, outcome: outcome, tell: tell)
      for await job in stream { await worker.carryOut(job) }
      await engine.close()
      outcome.update { $0.isFinished = true }
    }
  }

  func keep(_ request: StoreRequest) { jobs.yield(.step(request)) }

  /// After everything handed over before.
  func publish(includingUnconfirmed: Bool) {
    jobs.yield(.publish(includingUnconfirmed: includingUnconfirmed))
  }

  /// Waits until everything handed over is done, and gives the recording back for others to edit. Blocks.
  /// - Returns: why edits were lost, for people; empty when all were kept.
  func finish() -> [String] {
    jobs.finish()
    return outcome.wait { $0.isFinished ? $0.losses : nil }
  }

  private struct Worker: Sendable {
    let engine: AnnotationEngine
    let outcome: Monitor<Outcome>
    let tell: @Sendable (Event) -> Void
    /// Requests up to this epoch were made on top of one that failed.
    private var lostEpoch = -1

    init(
      engine: AnnotationEngine, outcome: Monitor<Outcome>,
      tell: @escaping @Sendable (Event) -> Void
    ) {
      self.engine = engine
      self.outcome = outcome
      self.tell = tell
    }

    mutating func carryOut(_ job: Job) async {
      switch job {
      case .step(let request):
        guard request.epoch > lostEpoch else { return }
        do throws(LibraryError) {
          try await carryOut(request)
          let recording = await engine.recording
          tell(
            .kept(
              ticket: request.ticket, revision: recording.revision,
              publication: recording.publication))
        } catch {
          lostEpoch = request.epoch
          outcome.update { $0.losses.append(error.description) }
          tell(.notKept(ticket: request.ticket, reason: error.description))
        }
      case .publish(let includingUnconfirmed):
        do throws(LibraryError) {
          let publication = try await engine.publish(
            includingUnconfirmed: includingUnconfirmed)
          tell(
            .published(
              PublicationReport(
                status: publication.status, segments: publication.segmentCount,
                unconfirmed: publication.unconfirmedCount, omitted: publication.omittedCount)))
        } catch {
          tell(.notPublished(reason: error.description))
        }
      }
    }

    private func carryOut(_ request: StoreRequest) async throws(LibraryError) {
      switch request.step {
      case .edit(let edit):
        try await engine.apply(edit, joinsPrevious: request.joinsPrevious)
      case .undo: try await engine.undo()
      case .redo: try await engine.redo()
      case .judge(let judgement): try await engine.judge(judgement)
      }
    }
  }
}
