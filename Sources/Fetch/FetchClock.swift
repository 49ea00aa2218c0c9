// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Time as downloads know it, so that tests need not wait.
public protocol FetchClock: Sendable {
  /// Seconds since 1970.
  var date: Double { get }
  /// Waits, or less when the flag is set meanwhile.
  func wait(seconds: Double, until flag: StopFlag)
  /// A number drawn from 0..<1.
  func random() -> Double
}

/// The machine's own.
public struct SystemFetchClock: FetchClock {
  public init() {}

  public var date: Double { Self.seconds(CLOCK_REALTIME) }

  public func wait(seconds: Double, until flag: StopFlag) {
    // Nobody sets this one back.
    let end = Self.seconds(CLOCK_MONOTONIC) + seconds
    while !flag.isStopped {
      let left = end - Self.seconds(CLOCK_MONOTONIC)
      guard left > 0 else { return }
      usleep(UInt32(min(0.05, left) * 1e6))
    }
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  public func random() -> Double { Double.random(in: 0..<1) }
}
