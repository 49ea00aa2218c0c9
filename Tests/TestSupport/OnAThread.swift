// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Runs a test's body that blocks, as one that watches a process does, on a thread of its own: the few
/// that Swift has for all tests stay free. Expectations belong outside, where it is known whose they are.
public func onAThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = WorkerThread { continuation.resume(with: Result { try body() }) }
    if thread == nil { continuation.resume(with: Result { try body() }) }
  }
}
