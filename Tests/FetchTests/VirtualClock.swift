// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Fetch

/// A clock that goes on only when somebody waits.
final class VirtualClock: FetchClock {
  private let state = Monitor((now: 0.0, waits: [Double]()))

  var now: Double { state.update { $0.now } }
  /// Noon on 2026-01-01, and what was waited since.
  var date: Int64 { 1_767_268_800 + Int64(now) }
  var waits: [Double] { state.update { $0.waits } }

  func wait(seconds: Double, until flag: StopFlag) {
    state.update {
      $0.now += seconds
      $0.waits.append(seconds)
    }
  }

  func random() -> Double { 0.5 }
}
