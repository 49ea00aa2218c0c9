// SPDX-License-Identifier: GPL-3.0-or-later

/// By how much published starts are later than those that are heard, over time:
/// `difference = offset + slope * time + placement * (pause - mean pause)`, with an offset for each recording of a set.
///
/// The last term is where in the pause before an ayah a publisher puts its start: 0 just before the voice, -1 where the
/// pause begins. Without it, long and short pauses look like errors: it makes a drift of joined files of an ayah each a
/// quarter to a half more exact (`Scripts/measure-timings-check.py`). The mean is of all pauses, those before ayat that were
/// moved too, so that an offset does not depend on which these are.
///
/// Least squares with Tukey's biweight (Huber and Ronchetti, Robust Statistics, 2009, section 7.8), so that ayat that were
/// moved do not count.
struct ClockRegression {
  struct Point: Hashable, Sendable {
    /// Seconds at which the ayah is heard.
    var time: Double
    /// Seconds that it is published later.
    var difference: Double
    /// Seconds of the pause before it; 0 for none.
    var pause: Double
  }

  enum Slope {
    case fixed(Double)
    /// Fitted, beginning with this one.
    case free(Double)
  }

  private(set) var slope: Double
  /// Standard error; infinite where the points do not tell it.
  private(set) var slopeError = Double.infinity
  /// Of each recording the difference at time 0,
  private(set) var offsets: [Double]
  /// and its standard error.
  private(set) var offsetErrors: [Double]
  /// Standard deviation of the points around the fit, in seconds.
  private(set) var spread = minSpread
  private(set) var placement: Double
  /// Of each recording the mean of its pauses.
  private let means: [Double]
  private let recordings: [[Point]]

  /// - Parameters:
  ///   - recordings: the points of each, none of them empty.
  ///   - placement: fitted where it is nil and there are points enough.
  init(_ recordings: [[Point]], slope: Slope, placement: Double? = nil) {
    self.recordings = recordings
    self.placement = placement ?? 0
    let isFree: Bool
    switch slope {
    case .fixed(let value): (self.slope, isFree) = (value, false)
    case .free(let value): (self.slope, isFree) = (value, true)
    }
    let start = self.slope
    offsets = recordings.map { points in
      Self.median(points.map { $0.difference - start * $0.time }) ?? 0
    }
    offsetErrors = offsets.map { _ in .infinity }
    let places = placement == nil && recordings.contains { $0.count >= Self.fewest }
    means = recordings.map { points in
      points.reduce(0) { $0 + $1.pause } / Double(max(points.count, 1))
    }
    for _ in 0..<Self.rounds { refine(fitsSlope: isFree, fitsPlacement: places) }
  }

  /// By how much each point is off what fits best, in seconds.
  private var residuals: [[Double]] {
    recordings.indices.map { index in
      recordings[index].map {
        $0.difference - offsets[index] - slope * $0.time - placement * ($0.pause - means[index])
      }
    }
  }

  /// Standard deviation of all points around the fit, in seconds, none left out; infinite for two of a recording or fewer.
  var scatter: Double {
    let free = recordings.reduce(-1) { $0 + $1.count } - recordings.count
    let squares = residuals.joined().reduce(0) { $0 + $1 * $1 }
    return free > 0 ? max((squares / Double(free)).squareRoot(), Self.minSpread) : .infinity
  }

  /// How badly all points fit: less twice their log-likelihood, but for a constant, where what is far off counts as an
  /// ayah that was moved.
  /// - Parameter spread: the standard deviation of one that was not, in seconds.
  func misfit(spread: Double) -> Double {
    residuals.joined().reduce(0) { $0 + Self.loss($1, spread: spread) }
  }

  /// Twice the loss whose weights are Tukey's: the square of a small residual in standard deviations, and no more for a
  /// large one than for the next.
  static func loss(_ residual: Double, spread: Double) -> Double {
    let part = min(abs(residual) / (biweight * spread), 1)
    let rest = 1 - part * part
    return biweight * biweight / 3 * (1 - rest * rest * rest)
  }

  /// One round: weights by what is left over, then what fits best by these.
  private mutating func refine(fitsSlope: Bool, fitsPlacement: Bool) {
    let residuals = residuals
    // Of a normal distribution.
    spread = max(1.4826 * (Self.median(residuals.joined().map(abs)) ?? 0), Self.minSpread)
    var sums = Sums()
    var centres: [(weight: Double, time: Double, difference: Double, pause: Double)] = []
    for (points, residuals) in zip(recordings, residuals) {
      let weights = residuals.map { residual -> Double in
        let part = residual / (Self.biweight * spread)
        return abs(part) < 1 ? (1 - part * part) * (1 - part * part) : 0
      }
      let total = weights.reduce(0, +)
      func mean(_ value: KeyPath<Point, Double>) -> Double {
        total > 0 ? zip(weights, points).reduce(0) { $0 + $1.0 * $1.1[keyPath: value] } / total : 0
      }
      let centre = (total, mean(\.time), mean(\.difference), mean(\.pause))
      centres.append(centre)
      for (weight, point) in zip(weights, points) {
        sums.add(
          weight, point.time - centre.1, point.difference - centre.2, point.pause - centre.3)
      }
    }
    solve(sums, fitsSlope: fitsSlope, fitsPlacement: fitsPlacement)
    for (index, centre) in centres.enumerated() where centre.weight > 0 {
      offsets[index] =
        centre.difference - slope * centre.time + placement * (means[index] - centre.pause)
      let ofMean = spread / centre.weight.squareRoot()
      let ofSlope = fitsSlope && slopeError.isFinite ? slopeError * centre.time : 0
      offsetErrors[index] = (ofMean * ofMean + ofSlope * ofSlope).squareRoot()
    }
  }

  /// Sums of products, each less the mean of its recording.
  private struct Sums {
    var timeTime = 0.0
    var timePause = 0.0
    var pausePause = 0.0
    var timeDifference = 0.0
    var pauseDifference = 0.0
    var count = 0

    mutating func add(_ weight: Double, _ time: Double, _ difference: Double, _ pause: Double) {
      timeTime += weight * time * time
      timePause += weight * time * pause
      pausePause += weight * pause * pause
      timeDifference += weight * time * difference
      pauseDifference += weight * pause * difference
      if weight > 0 { count += 1 }
    }
  }

  private mutating func solve(_ sums: Sums, fitsSlope: Bool, fitsPlacement: Bool) {
    /// What the slope is worth beside the placement.
    var leverage = sums.timeTime
    if fitsPlacement, sums.pausePause > 0 {
      let along = sums.timePause / sums.pausePause
      let free = fitsSlope ? sums.timeTime - sums.timePause * along : 0
      if fitsSlope, free > 0 {
        slope = (sums.timeDifference - along * sums.pauseDifference) / free
        leverage = free
      }
      let wanted = (sums.pauseDifference - slope * sums.timePause) / sums.pausePause
      // A start lies within the pause before it.
      placement = min(max(wanted, -1), 0)
      if placement != wanted { leverage = sums.timeTime }
    }
    if fitsSlope, leverage == sums.timeTime, leverage > 0 {
      slope = (sums.timeDifference - placement * sums.timePause) / leverage
    }
    slopeError =
      leverage > 0 && sums.count > recordings.count + 1
      ? spread / leverage.squareRoot() : .infinity
  }

  /// Theil and Sen's slope (Sen 1968), by pairs within a recording.
  static func medianSlope(_ recordings: [[Point]]) -> Double {
    // Of many points every n-th, so that the pairs stay few.
    let step = max(1, recordings.reduce(0) { $0 + $1.count } / 300)
    var slopes: [Double] = []
    for points in recordings {
      let chosen = stride(from: 0, to: points.count, by: step).map { points[$0] }
      for (index, first) in chosen.enumerated() {
        slopes += chosen[(index + 1)...].compactMap { slope(from: first, to: $0) }
      }
    }
    return median(slopes) ?? 0
  }

  /// Nil for points of one time.
  static func slope(from first: Point, to second: Point) -> Double? {
    second.time > first.time
      ? (second.difference - first.difference) / (second.time - first.time) : nil
  }

  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Points of one recording from which on its drift is told by itself, and its habit with pauses.
  static let fewest = 8
  /// Tukey's constant of 95 % efficiency.
  private static let biweight = 4.685
  /// Seconds: edges are no more exact than a hop.
  static let minSpread = 0.01
  private static let rounds = 12
}
