// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Seconds of some stretches of a recording put end to end, as if nothing lay between.
///
/// What goes on from rak'ah to rak'ah is one recitation, and is compared with another one as such.
struct JoinedClock {
  private let stretches: [Range<FramePosition>]
  private let rate: SampleRate
  /// Seconds at which each stretch begins, and at which the last ends.
  private let starts: [Double]

  /// - Parameter stretches: in order.
  init(_ stretches: [Range<FramePosition>], rate: SampleRate) {
    self.stretches = stretches
    self.rate = rate
    starts = stretches.reduce(into: [0]) { starts, stretch in
      starts.append(starts[starts.count - 1] + stretch.length.seconds(at: rate))
    }
  }

  /// What lies between stretches has the time at which the next begins.
  func seconds(at position: FramePosition) -> Double {
    guard let index = stretches.firstIndex(where: { $0.upperBound >= position }) else {
      return starts[starts.count - 1]
    }
    return starts[index] + max(0, (position - stretches[index].lowerBound).seconds(at: rate))
  }

  func seconds(of span: Range<FramePosition>) -> ClosedRange<Double> {
    let start = seconds(at: span.lowerBound)
    return start...max(start, seconds(at: span.upperBound))
  }

  /// What is heard in the stretches.
  func joined(_ cepstra: Cepstra) -> Cepstra {
    let frames = Double(Cepstra.framesPerSecond)
    var coefficients: [Float] = []
    for (index, stretch) in stretches.enumerated() {
      // Counted from the beginning, so that what is rounded does not add up.
      let count =
        Int((starts[index + 1] * frames).rounded()) - Int((starts[index] * frames).rounded())
      let first = Int((stretch.lowerBound.seconds(at: rate) * frames).rounded())
      let range = (first..<(first + count)).clamped(to: 0..<cepstra.count)
      coefficients +=
        cepstra.coefficients[
          (range.lowerBound * Cepstra.width)..<(range.upperBound * Cepstra.width)]
    }
    return Cepstra(coefficients: coefficients)
  }
}
