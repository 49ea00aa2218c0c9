// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// A request to stop, from any thread or signal handler's aftermath, and polled by whoever works.
public final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  public func stop() { flag.store(true, ordering: .relaxed) }
  public var isStopped: Bool { flag.load(ordering: .relaxed) }
}
