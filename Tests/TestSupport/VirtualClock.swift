// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Fetch

/// A clock that goes on only when somebody waits.
public final class VirtualClock: FetchClock {
  private let state = Monitor((seconds: 0.0, waits: [Double]()))

  public init() {}

  /// Noon on 2026-01-01, and what was waited since.
  public var date: Double { 1_767_268_800 + state.update { $0.seconds } }
  public var waits: [Double] { state.update { $0.waits } }

  public func wait(seconds: Double, until flag: StopFlag) {
    state.update {
      $0.seconds += seconds
      $0.waits.append(seconds)
    }
  }

  public func random() -> Double { 0.5 }
}
