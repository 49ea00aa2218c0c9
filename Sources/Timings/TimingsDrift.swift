// SPDX-License-Identifier: GPL-3.0-or-later

/// A drift that recordings of one set have in common, such as when all were encoded anew.
public struct TimingsDrift: Hashable, Sendable {
  /// Without unit; the one that fits best, be it chance.
  public let value: Double
  /// Its standard error.
  public let error: Double
  /// Recordings that tell it.
  public let recordings: Int

  /// Whether it can be told from none.
  public var isSignificant: Bool { abs(value) > ClockFit.significance * error }

  /// Of all recordings together, each with a shift of its own; nil for fewer than three that tell any.
  public init?(_ checks: [TimingsCheck]) {
    let told = checks.compactMap(\.clock).filter { $0.points.count >= 3 }
    guard told.count >= 3 else { return nil }
    let each = told.map {
      ClockRegression([$0.points], slope: .free(ClockRegression.medianSlope($0.points)))
    }
    // The spread of few points is known badly, so that of all counts for each.
    guard let spread = ClockRegression.median(each.map(\.spread)),
      let middle = ClockRegression.median(each.map(\.slope))
    else { return nil }
    // One that was not encoded with the others, or whose ayat are wrong, is left out.
    let alike = zip(told, each).filter { _, own in
      own.slopeError.isFinite
        && abs(own.slope - middle)
          < ClockFit.significance * own.slopeError * max(1, spread / own.spread)
    }
    guard alike.count >= 3 else { return nil }
    let fit = ClockRegression(alike.map(\.0.points), slope: .free(middle))
    (value, error, recordings) = (fit.slope, fit.slopeError, alike.count)
  }
}
