// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Runs blocking work on a thread of its own and waits for its result without blocking a cooperative one.
func runBlocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = WorkerThread { continuation.resume(returning: body()) }
    // Without a thread to spare, late is better than never.
    if thread == nil { continuation.resume(returning: body()) }
  }
}

/// Waits, on a thread that may block, for asynchronous work; the other way round.
func waiting<Result: Sendable, Problem: Error>(
  _ body: @escaping @Sendable () async throws(Problem) -> Result
) throws(Problem) -> Result {
  let outcome = Monitor<Swift.Result<Result, Problem>?>(nil)
  Task.detached {
    do throws(Problem) {
      let result = try await body()
      outcome.update { $0 = .success(result) }
    } catch {
      outcome.update { $0 = .failure(error) }
    }
  }
  return try outcome.wait { $0 }.get()
}

enum ProcessorCores {
  /// Cores that this process may use, at least 1.
  static var count: Int {
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
