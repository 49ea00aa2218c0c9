// SPDX-License-Identifier: GPL-3.0-or-later

/// How the clock of published timings goes against that of the sound: `published = sound * (1 + drift) + shift`.
struct ClockFit: Hashable, Sendable {
  typealias Point = ClockRegression.Point

  /// Seconds that the published times are later, at the sound's time 0.
  let shift: Double
  /// Standard error of ``shift``.
  let shiftError: Double
  /// Without unit; 0 where none can be told from chance.
  let drift: Double
  /// The drift that fits best, be it chance: that of the set where it agrees with this recording's,
  let bestDrift: Double
  /// and its standard error; infinite for fewer than three points.
  let driftError: Double
  /// In the order of time.
  let points: [Point]

  /// - Parameters:
  ///   - points: in the order of time.
  ///   - common: the drift of all recordings of a set, which is taken where it agrees with this one.
  init?(_ points: [Point], common: TimingsDrift? = nil) {
    guard !points.isEmpty else { return nil }
    self.points = points
    let own = ClockRegression([points], slope: .free(ClockRegression.medianSlope(points)))
    let isOfSet =
      common.map {
        points.count < 3 || abs($0.value - own.slope) < Self.significance * own.slopeError
      } ?? false
    let told: ClockRegression
    if let common, isOfSet, common.isSignificant {
      told = ClockRegression([points], slope: .fixed(common.value))
    } else if points.count >= ClockRegression.fewest,
      abs(own.slope) > Self.significance * own.slopeError,
      let first = points.first, let last = points.last,
      abs(own.slope) * (last.time - first.time) > Self.leastEffect
    {
      told = own
    } else {
      told = ClockRegression([points], slope: .fixed(0))
    }
    (shift, shiftError, drift) = (told.offsets[0], told.offsetErrors[0], told.slope)
    if let common, isOfSet {
      (bestDrift, driftError) = (common.value, common.error)
    } else {
      (bestDrift, driftError) = (own.slope, own.slopeError)
    }
  }

  /// A published time on the sound's clock.
  func sound(_ published: Double) -> Double { (published - shift) / (1 + drift) }

  /// A time of the sound on the published clock.
  func published(_ sound: Double) -> Double { sound * (1 + drift) + shift }

  /// Standard errors that a drift has to be away from none.
  static let significance = 4.0
  /// Seconds that a recording's own drift has to make in all.
  private static let leastEffect = 0.1
}
