// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How the clock of published timings goes against that of the sound: `published = sound * (1 + drift) + shift`, the shift
/// being another one from each step on.
struct ClockFit: Hashable, Sendable {
  typealias Point = ClockRegression.Point

  /// From one step to the next.
  struct Part: Hashable, Sendable {
    /// In the order of time, never empty.
    let points: [Point]
    /// Seconds that the published times are later, at the sound's time 0.
    let shift: Double

    /// Seconds at which its first ayah is heard.
    var start: Double { points.first?.time ?? 0 }
  }

  /// At least one.
  let parts: [Part]
  /// How likely each step is, 0...1.
  let stepConfidences: [Double]
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
  /// Standard deviation of the published times around the fit, in seconds.
  let spread: Double

  /// - Parameters:
  ///   - points: in the order of time.
  ///   - common: the drift of all recordings of a set, which is taken where it agrees with this one, and its publisher's
  ///     habit.
  init?(_ points: [Point], common: TimingsDrift? = nil) {
    guard let first = points.first, let last = points.last else { return nil }
    let steps = ClockSteps(points)
    let parts = steps.parts
    func fit(_ slope: ClockRegression.Slope) -> ClockRegression {
      ClockRegression(parts, slope: slope, placement: common?.placement)
    }
    let own = fit(.free(ClockRegression.medianSlope(parts)))
    let isOfSet =
      common.map {
        points.count < 3 || abs($0.value - own.slope) < Self.significance * own.slopeError
      } ?? false
    let ownStanding = Self.standing(
      of: own, points.count, within: last.time - first.time)
    let told: ClockRegression
    if let common, isOfSet, common.isSignificant || ownStanding != .significant {
      standing = common.isSignificant ? .significant : .chance
      (bestDrift, driftError) = (common.value, common.error)
      told = fit(.fixed(common.isSignificant ? common.value : 0))
    } else {
      standing = ownStanding
      (bestDrift, driftError) = (own.slope, own.slopeError)
      told = standing == .significant ? own : fit(.fixed(0))
    }
    self.parts = zip(parts, told.offsets).map { Part(points: $0, shift: $1) }
    stepConfidences = steps.confidences
    (shiftError, drift, spread) = (told.offsetErrors[0], told.slope, told.spread)
  }

  /// What is to be made of the drift that a recording has by itself.
  private static func standing(
    of own: ClockRegression, _ count: Int, within seconds: Double
  ) -> TimingsCheck.DriftStanding {
    guard abs(own.slope) > significance * own.slopeError else { return .chance }
    guard count >= ClockRegression.fewest || isTold(own, byFew: count) else { return .tooFewAyat }
    return abs(own.slope) * seconds > leastEffect ? .significant : .tooSmall
  }

  /// Whether few points tell a drift so large that it needs no more of them, such as that of another pace: all of them
  /// follow one line, and chance is as unlikely as with ``significance`` errors of many points. By the likelihood ratio
  /// that is so many errors of few.
  private static func isTold(_ own: ClockRegression, byFew count: Int) -> Bool {
    guard own.offsets.count == 1, own.scatter <= publisherSpread else { return false }
    let free = Double(count - 2)
    let needed = (free * (exp(significance * significance / free) - 1)).squareRoot()
    return abs(own.slope) > needed * own.slopeError * own.scatter / own.spread
  }

  /// Seconds that the published times are later, at the sound's time 0.
  var shift: Double { parts[0].shift }

  /// Whether the published times are those of this recitation, by its clock or that of a film, or as one that plays
  /// faster or slower: then its ayat follow one line as closely as a publisher puts his edges.
  var isOfRecitation: Bool {
    abs(drift) <= Self.usualDrift || parts.count == 1 && spread <= Self.publisherSpread
  }

  /// The part to which a time of the sound belongs.
  func part(at sound: Double) -> Part { parts.last { $0.start <= sound } ?? parts[0] }

  /// The part to which a published time belongs that is not known to be of any ayah that is heard.
  func part(published time: Double) -> Part {
    parts.last { $0.start <= sound(time, by: $0) } ?? parts[0]
  }

  /// A published time on the sound's clock.
  func sound(_ published: Double, by part: Part) -> Double {
    (published - part.shift) / (1 + drift)
  }

  /// Another recitation of the same ayat fits a clock too, of any drift. A film at 25 frames a second instead of 24 drifts
  /// by 0.042.
  static let usualDrift = 0.06
  /// Seconds: published starts scatter by 0.01 to 0.13 around what is heard, and those of another recitation with eight ayat
  /// or more by 0.2 at least (`Scripts/measure-timings-check.py`).
  private static let publisherSpread = 0.15
  /// Standard errors that a drift has to be away from none.
  static let significance = 4.0
  /// Seconds that a recording's own drift has to make in all.
  private static let leastEffect = 0.1
}
