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
  /// Whether ``drift`` is ``bestDrift``, else why it is 0.
  let standing: TimingsCheck.DriftStanding
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
    let ownStanding = Self.standing(of: own, points)
    let told: ClockRegression
    if let common, isOfSet, common.isSignificant || ownStanding != .significant {
      standing = common.isSignificant ? .significant : .chance
      (bestDrift, driftError) = (common.value, common.error)
      told = ClockRegression(
        [points], slope: .fixed(common.isSignificant ? common.value : 0))
    } else {
      standing = ownStanding
      (bestDrift, driftError) = (own.slope, own.slopeError)
      told = standing == .significant ? own : ClockRegression([points], slope: .fixed(0))
    }
    (shift, shiftError, drift) = (told.offsets[0], told.offsetErrors[0], told.slope)
  }

  /// What is to be made of the drift that a recording has by itself.
  private static func standing(
    of own: ClockRegression, _ points: [Point]
  ) -> TimingsCheck.DriftStanding {
    guard abs(own.slope) > significance * own.slopeError, let first = points.first,
      let last = points.last
    else {
      return .chance
    }
    guard points.count >= ClockRegression.fewest else { return .tooFewAyat }
    return abs(own.slope) * (last.time - first.time) > leastEffect ? .significant : .tooSmall
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
