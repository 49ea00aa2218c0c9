// SPDX-License-Identifier: GPL-3.0-or-later

/// The time of a recording without some of its stretches.
struct CutClock: Hashable {
  /// Seconds of the recording, in order, apart from each other.
  private(set) var cuts: [ClosedRange<Double>] = []

  /// - Parameter cuts: apart from each other, in any order.
  init(_ cuts: [ClosedRange<Double>] = []) {
    self.cuts = cuts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, cut in
      if let last = joined.last, cut.lowerBound < last.upperBound {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, cut.upperBound)
      } else {
        joined.append(cut)
      }
    }
  }

  /// Seconds before a place of the recording that are left; within a cut, those before it.
  func left(before seconds: Double) -> Double {
    var left = seconds
    for cut in cuts where cut.lowerBound < seconds {
      left -= min(seconds, cut.upperBound) - cut.lowerBound
    }
    return left
  }

  /// What is left of a span of seconds.
  func left(of span: ClosedRange<Double>) -> ClosedRange<Double> {
    let start = left(before: span.lowerBound)
    return start...max(start, left(before: span.upperBound))
  }

  /// The place of the recording before which so many seconds are left; at a cut, where it begins.
  func place(after left: Double) -> Double {
    var seconds = left
    for cut in cuts where cut.lowerBound < seconds {
      seconds += cut.upperBound - cut.lowerBound
    }
    return seconds
  }
}

extension Cepstra {
  /// What is left on a clock.
  func without(_ clock: CutClock) -> Cepstra {
    guard !clock.cuts.isEmpty else { return self }
    let rate = Double(Self.framesPerSecond)
    var left: [Float] = []
    left.reserveCapacity(coefficients.count)
    var next = 0
    for cut in clock.cuts {
      let first = Int((cut.lowerBound * rate).rounded()).clamped(to: next...max(next, count))
      let last = Int((cut.upperBound * rate).rounded()).clamped(to: first...max(first, count))
      left += coefficients[(next * Self.width)..<(first * Self.width)]
      next = last
    }
    left += coefficients[(next * Self.width)...]
    return Cepstra(coefficients: left)
  }
}
