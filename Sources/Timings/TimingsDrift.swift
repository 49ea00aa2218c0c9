// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A drift that recordings of one set have in common, such as when all were encoded anew, and their publisher's habit.
public struct TimingsDrift: Hashable, Sendable {
  /// Without unit; the one that fits best, be it chance.
  public let value: Double
  /// Its standard error.
  public let error: Double
  /// Recordings that tell it.
  public let recordings: Int
  /// Where in a pause the publisher puts a start, as in ``ClockRegression``.
  let placement: Double

  /// Whether it can be told from none.
  public var isSignificant: Bool { abs(value) > ClockFit.significance * error }

  /// Of all recordings together, each with a shift of its own; nil for fewer than three that tell any.
  public init?(_ checks: [TimingsCheck]) {
    let told = checks.compactMap { $0.clock?.parts.map(\.points) }.filter {
      $0.reduce(0) { $0 + $1.count } >= 3
    }
    guard told.count >= 3 else { return nil }
    let each = told.map { parts in
      (
        parts: parts,
        fit: ClockRegression(parts, slope: .free(ClockRegression.medianSlope(parts)))
      )
    }.filter { $0.fit.slopeError.isFinite }
    guard let spread = ClockRegression.median(each.map(\.fit.spread)) else { return nil }
    /// The spread of few points is known badly, so that of all counts where it is larger.
    func error(_ fit: ClockRegression) -> Double { fit.slopeError * max(1, spread / fit.spread) }
    let middle = Self.weightedMedian(each.map { ($0.fit.slope, pow(error($0.fit), -2)) })
    // One that was not encoded with the others, or whose ayat are wrong, is left out.
    let alike = each.filter {
      abs($0.fit.slope - middle) < ClockFit.significance * error($0.fit)
    }
    guard alike.count >= 3 else { return nil }
    let fit = ClockRegression(alike.flatMap(\.parts), slope: .free(middle))
    (value, self.error, recordings) = (fit.slope, fit.slopeError, alike.count)
    placement = fit.placement
  }

  /// The least value that half of the weight does not exceed.
  private static func weightedMedian(_ values: [(value: Double, weight: Double)]) -> Double {
    let half = values.reduce(0) { $0 + $1.weight } / 2
    var sum = 0.0
    for (value, weight) in values.sorted(by: { $0.value < $1.value }) {
      sum += weight
      if sum >= half { return value }
    }
    return 0
  }
}
