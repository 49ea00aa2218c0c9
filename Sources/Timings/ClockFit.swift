// SPDX-License-Identifier: GPL-3.0-or-later

/// How the clock of published timings goes against that of the sound: `published = sound * (1 + drift) + shift`.
///
/// Fitted robustly: Theil and Sen's slope (Sen 1968), then least squares with Tukey's biweight (Huber and Ronchetti,
/// Robust Statistics, 2009, section 7.8), so that ayat that were moved do not count.
struct ClockFit: Hashable, Sendable {
  /// Seconds that the published times are later, at the sound's time 0.
  var shift: Double
  /// Standard error of ``shift``.
  var shiftError: Double
  /// Without unit; 0 where none can be told from chance.
  var drift: Double
  /// Standard error that a drift has or would have; infinite for fewer than three points.
  var driftError: Double
  /// The drift that fits best, be it chance,
  var bestDrift: Double
  /// and the spread around that, in seconds.
  var bestSpread: Double
  /// Spread of the times around the fit, in seconds.
  var spread: Double

  /// - Parameters:
  ///   - sound: seconds of each point in the sound, ascending;
  ///   - published: and as published, as many;
  ///   - common: the drift of all recordings of a set, which is taken where it agrees with this one.
  init?(sound: [Double], published: [Double], common: TimingsDrift? = nil) {
    let differences = zip(published, sound).map { $0 - $1 }
    guard let middle = Self.median(differences) else { return nil }
    self = Self.refined(sound, differences, slope: 0, offset: middle, fitsSlope: false)
    let slope = Self.medianSlope(sound, differences)
    let offset = Self.median(zip(sound, differences).map { $1 - slope * $0 }) ?? middle
    let sloped = Self.refined(sound, differences, slope: slope, offset: offset, fitsSlope: true)
    driftError = sloped.driftError
    (bestDrift, bestSpread) = (sloped.drift, sloped.spread)
    if let common,
      sound.count < 3 || abs(common.value - bestDrift) < Self.significance * sloped.driftError
    {
      let offset = Self.median(zip(sound, differences).map { $1 - common.value * $0 }) ?? middle
      self = Self.refined(
        sound, differences, slope: common.value, offset: offset, fitsSlope: false)
      (driftError, bestDrift) = (common.error, common.value)
    } else if sound.count >= Self.fewest, abs(sloped.drift) > Self.significance * sloped.driftError,
      let first = sound.first, let last = sound.last,
      abs(sloped.drift) * (last - first) > Self.leastEffect
    {
      self = sloped
    }
  }

  private init(shift: Double, shiftError: Double, drift: Double, driftError: Double, spread: Double)
  {
    (bestDrift, bestSpread) = (drift, spread)
    self.shift = shift
    self.shiftError = shiftError
    self.drift = drift
    self.driftError = driftError
    self.spread = spread
  }

  /// A published time on the sound's clock.
  func sound(_ published: Double) -> Double { (published - shift) / (1 + drift) }

  /// A time of the sound on the published clock.
  func published(_ sound: Double) -> Double { sound * (1 + drift) + shift }

  private static func refined(
    _ x: [Double], _ y: [Double], slope: Double, offset: Double, fitsSlope: Bool
  ) -> ClockFit {
    var (slope, offset) = (slope, offset)
    var fit = ClockFit(
      shift: offset, shiftError: .infinity, drift: slope, driftError: .infinity, spread: minSpread)
    for _ in 0..<rounds {
      let residuals = zip(x, y).map { $1 - offset - slope * $0 }
      // Of a normal distribution.
      let spread = max(1.4826 * (median(residuals.map(abs)) ?? 0), minSpread)
      let weights = residuals.map { residual -> Double in
        let part = residual / (biweight * spread)
        return abs(part) < 1 ? (1 - part * part) * (1 - part * part) : 0
      }
      let total = weights.reduce(0, +)
      guard total > 0 else { break }
      let meanX = zip(weights, x).map(*).reduce(0, +) / total
      let meanY = zip(weights, y).map(*).reduce(0, +) / total
      var (xx, xy) = (0.0, 0.0)
      for index in x.indices {
        xx += weights[index] * (x[index] - meanX) * (x[index] - meanX)
        xy += weights[index] * (x[index] - meanX) * (y[index] - meanY)
      }
      if fitsSlope, xx > 0 { slope = xy / xx }
      offset = meanY - slope * meanX
      let ofMean = spread / total.squareRoot()
      let ofSlope = xx > 0 && x.count > 2 ? spread / xx.squareRoot() : .infinity
      let ofShift =
        fitsSlope && ofSlope.isFinite
        ? (ofMean * ofMean + ofSlope * ofSlope * meanX * meanX).squareRoot() : ofMean
      fit = ClockFit(
        shift: offset, shiftError: ofShift, drift: slope, driftError: ofSlope, spread: spread)
    }
    return fit
  }

  private static func medianSlope(_ x: [Double], _ y: [Double]) -> Double {
    // Of a long recording every n-th point, so that the pairs stay few.
    let step = max(1, x.count / 300)
    let points = stride(from: 0, to: x.count, by: step)
    var slopes: [Double] = []
    for first in points {
      for second in stride(from: first + step, to: x.count, by: step) where x[second] > x[first] {
        slopes.append((y[second] - y[first]) / (x[second] - x[first]))
      }
    }
    return median(slopes) ?? 0
  }

  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Standard errors that a drift has to be away from none.
  static let significance = 4.0
  /// Points of which a recording's own drift is told,
  private static let fewest = 8
  /// and seconds that it has to make in all.
  private static let leastEffect = 0.1
  /// Tukey's constant of 95 % efficiency.
  private static let biweight = 4.685
  /// Seconds: edges are no more exact than a hop.
  private static let minSpread = 0.01
  private static let rounds = 12
}

/// A drift that recordings of one set have in common, such as when all were encoded anew.
public struct TimingsDrift: Hashable, Sendable {
  /// Without unit.
  public let value: Double
  /// Its standard error.
  public let error: Double

  /// The mean of what the checks tell, each weighed by how well it tells it; nil where it is none that could be told
  /// from chance.
  public init?(_ checks: [TimingsCheck]) {
    let told = checks.compactMap(\.clock).filter { $0.driftError.isFinite && $0.driftError > 0 }
    // The spread of few points is known badly, so that of all counts for each.
    guard told.count >= 3, let spread = ClockFit.median(told.map(\.bestSpread)),
      let middle = ClockFit.median(told.map(\.bestDrift))
    else { return nil }
    var (sum, squares, weights, count) = (0.0, 0.0, 0.0, 0.0)
    for clock in told {
      // The sum of squares by which its points are spread in time.
      let weight = (clock.bestSpread / clock.driftError) * (clock.bestSpread / clock.driftError)
      // One that was not encoded with the others, or whose ayat are wrong.
      guard abs(clock.bestDrift - middle) < 4 * spread / weight.squareRoot() else { continue }
      sum += clock.bestDrift * weight
      squares += clock.bestDrift * clock.bestDrift * weight
      weights += weight
      count += 1
    }
    guard count > 1, weights > 0 else { return nil }
    value = sum / weights
    // Where the recordings differ by more than their points tell, that is what it is uncertain by.
    let between = max(0, squares - sum * sum / weights) / (count - 1)
    error = max(spread, between.squareRoot()) / weights.squareRoot()
    guard abs(value) > ClockFit.significance * error else { return nil }
  }
}
