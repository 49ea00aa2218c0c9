// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Foundation

/// How loud each hundredth of a second of a recording is, in half decibels: what stays of it when it is
/// encoded anew, cut a little at its ends or made louder.
struct Fingerprint: Equatable {
  /// 0 is -120 dBFS or less, 240 is 0 dBFS; one value a hop of 10 ms.
  let levels: [UInt8]

  init(levels: [UInt8]) { self.levels = levels }

  init(_ envelope: Envelope) throws(AnalysisError) {
    var levels: [UInt8] = []
    levels.reserveCapacity(envelope.hopCount)
    let step = 6000
    for start in stride(from: 0, to: envelope.hopCount, by: step) {
      let hops = try envelope.hops(in: start..<min(start + step, envelope.hopCount))
      for hop in hops {
        let decibels = 10 * log10(Double(max(hop.meanSquare, 1e-12)))
        levels.append(UInt8(min(max((decibels + 120) * 2, 0), 240)))
      }
    }
    self.levels = levels
  }
}
