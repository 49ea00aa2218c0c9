// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@Suite struct MonitorTests {
  @Test func noUpdateIsLostBetweenThreads() throws {
    let count = Monitor(0)
    let threads = try (0..<4).map { _ in
      try #require(WorkerThread { for _ in 0..<5000 { count.update { $0 += 1 } } })
    }
    for thread in threads { thread.join() }
    #expect(count.update { $0 } == 20_000)
  }

  @Test func waitReturnsAtOnceWhenThereIsNothingToWaitFor() {
    #expect(Monitor(7).wait { $0 == 7 ? "seven" : nil } == "seven")
  }

  @Test func waitEndsWithTheChangeItWaitedFor() throws {
    let baton = Monitor(0)
    let other = try #require(
      WorkerThread {
        for turn in stride(from: 1, to: 200, by: 2) {
          baton.wait { value in
            guard value == turn else { return Void?.none }
            value += 1
            return ()
          }
        }
      })
    for turn in stride(from: 0, to: 200, by: 2) {
      baton.wait { value in
        guard value == turn else { return Void?.none }
        value += 1
        return ()
      }
    }
    other.join()
    #expect(baton.update { $0 } == 200)
  }

  @Test func aChangeMadeWhileWaitingWakesTheOthers() throws {
    let stages = Monitor(0)
    let waiting = try (1...3).map { stage in
      try #require(
        WorkerThread {
          stages.wait { value in
            guard value == stage else { return Void?.none }
            value += 1
            return ()
          }
        })
    }
    stages.update { $0 = 1 }
    for thread in waiting { thread.join() }
    #expect(stages.update { $0 } == 4)
  }
}
