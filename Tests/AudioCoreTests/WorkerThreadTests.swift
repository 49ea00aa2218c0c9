// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Testing

@Suite struct WorkerThreadTests {
  @Test func workIsDoneWhenJoinReturns() throws {
    let done = Monitor(false)
    let thread = try #require(WorkerThread { done.update { $0 = true } })
    thread.join()
    #expect(done.update { $0 })
  }

  @Test func workRunsOnAThreadOfItsOwn() throws {
    let seen = Monitor<[pthread_t]>([])
    let threads = try (0..<4).map { _ in
      try #require(
        WorkerThread {
          seen.update { $0.append(pthread_self()) }
          // None ends before all are there, so that no identifier is used twice.
          seen.wait { $0.count == 4 ? () : nil }
        })
    }
    for thread in threads { thread.join() }
    let identifiers = seen.update { $0 }
    #expect(Set(identifiers).count == 4)
    #expect(!identifiers.contains(pthread_self()))
  }

  @Test func whatTheWorkHoldsIsReleasedAfterIt() throws {
    final class Token: Sendable {}
    weak var remembered: Token?
    let thread: WorkerThread = try {
      let token = Token()
      remembered = token
      return try #require(WorkerThread { _ = token })
    }()
    thread.join()
    #expect(remembered == nil)
  }

  @Test func stackHoldsAMegabyte() throws {
    let sum = Monitor(0)
    let thread = try #require(
      WorkerThread {
        let total = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 20) { bytes in
          bytes.initialize(repeating: 1)
          return bytes.reduce(0) { $0 + Int($1) }
        }
        sum.update { $0 = total }
      })
    thread.join()
    #expect(sum.update { $0 } == 1 << 20)
  }
}
