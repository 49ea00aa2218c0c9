// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Time as downloads know it, so that tests need not wait.
public protocol FetchClock: Sendable {
  /// Seconds since some moment, never set back.
  var now: Double { get }
  /// Seconds since 1970.
  var date: Int64 { get }
  /// Waits, or less when the flag is set meanwhile.
  func wait(seconds: Double, until flag: StopFlag)
  /// A number drawn from 0..<1.
  func random() -> Double
}

/// The machine's own.
public struct SystemFetchClock: FetchClock {
  public init() {}

  public var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  public var date: Int64 { Int64(time(nil)) }

  public func wait(seconds: Double, until flag: StopFlag) {
    let end = now + seconds
    while !flag.isStopped, now < end { usleep(UInt32(min(0.05, max(0, end - now)) * 1e6)) }
  }

  public func random() -> Double { Double.random(in: 0..<1) }
}
