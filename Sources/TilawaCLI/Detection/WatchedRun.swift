// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Glibc

/// Work on one file in this process, given up when decoding hangs or does not heed an interruption.
///
/// The thread that is given up is told to stop; one that does not heed that goes on until the process ends.
struct WatchedRun {
  /// How long decoding may go without a word and without reading.
  var patience = WorkerPool.patience
  /// How long it may take to end when it is told to.
  var grace = Duration.seconds(2)
  var isStopped: @Sendable () -> Bool = { Interrupt.flag.isStopped }

  /// What the work says of itself.
  struct Reporter: Sendable {
    fileprivate let state: Monitor<LaneState>
    /// Set once the work is to end: interrupted, or given up while other files go on.
    let stopFlag = StopFlag()

    /// It has come further.
    func hear() { state.update { $0.hear() } }
    /// The file has been decoded; what follows may take its time.
    func endWatch() { state.update { $0.index = nil } }
  }

  /// Runs blocking work on a thread of its own.
  ///
  /// - Parameter size: of the file, in bytes; reading counts as a sign of life up to a multiple of it.
  /// - Throws: `hung` or `interrupted` where the work is given up.
  func run<Result: Sendable>(
    size: Int64, _ body: @escaping @Sendable (Reporter) -> Result
  ) async throws(Failure) -> Result {
    let reporter = Reporter(state: Monitor(LaneState()))
    reporter.state.update { $0.begin(0) }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
      let race = Monitor(Optional(continuation))
      let end = { @Sendable (result: Swift.Result<Result, Failure>) in
        let first = race.update { waiting in
          defer { waiting = nil }
          return waiting
        }
        first?.resume(returning: result)
      }
      guard WorkerThread({ end(.success(body(reporter))) }) != nil else {
        return end(.failure(Failure(.noThread)))
      }
      Task {
        var stoppedAt: ContinuousClock.Instant?
        while race.update({ $0 != nil }) {
          if isStopped() {
            stoppedAt = stoppedAt ?? .now
            reporter.stopFlag.stop()
          }
          if let stoppedAt, stoppedAt + grace <= .now {
            return end(.failure(Failure(.cancelled)))
          }
          if isHung(reporter.state, size) {
            end(.failure(.hanging))
            return reporter.stopFlag.stop()
          }
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
    }
    return try result.get()
  }

  private func isHung(_ state: Monitor<LaneState>, _ size: Int64) -> Bool {
    let bytesRead = WorkerActivity.bytesRead(by: getpid())
    return state.update { state in
      state.notice(bytesRead, atMost: WorkerPool.mostBytes(ofFileOf: size))
      return state.index != nil && state.heard + patience <= .now
    }
  }
}

extension Failure {
  /// Of a file in whose decoding nothing happens any more.
  static let hanging = Failure(
    code: hung,
    message: "decoding made no progress for a minute; skipped, try the original or a new copy")
}
