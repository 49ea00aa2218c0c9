// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How the sound of one recording lies in another.
struct SoundMatch: Equatable {
  /// Correlation of the levels where both sound, -1...1. Another encoding of the same gives more than
  /// 0.95, other recitations of the same words by the same voice less than 0.5.
  let similarity: Double
  /// Seconds by which it comes later in the second one.
  let delay: Double
  /// How much of the first one has a counterpart, 0...1.
  let overlap: Double

  /// What is taken for the same sound.
  static let leastSimilarity = 0.9

  var isSame: Bool { similarity >= Self.leastSimilarity }

  /// Looks for the first in the second.
  /// - Parameter longestDelay: how far it may have moved either way, in seconds; nil for anywhere.
  init?(_ first: Fingerprint, in second: Fingerprint, longestDelay: Double? = nil) {
    let coarseStep = 50
    let coarse = (Contour(first, step: coarseStep), Contour(second, step: coarseStep))
    guard coarse.0.count > 2, coarse.1.count > 2 else { return nil }
    let limit = longestDelay.map { Int(($0 * 100 / Double(coarseStep)).rounded(.up)) }
    let reach = max(coarse.0.count, coarse.1.count)
    let lags = -min(limit ?? reach, coarse.0.count)...min(limit ?? reach, coarse.1.count)
    let rough = coarse.0.bestLag(in: coarse.1, lags) * coarseStep

    let fine = (Contour(first, step: 1), Contour(second, step: 1))
    let lag = fine.0.bestLag(in: fine.1, rough - 2 * coarseStep...rough + 2 * coarseStep)
    let scores = (-1...1).map { fine.0.correlation(with: fine.1, lag: lag + $0) }
    let overlapping = min(fine.0.count + min(lag, 0), fine.1.count - max(lag, 0))
    guard overlapping > 0, scores[1].isFinite else { return nil }
    similarity = scores[1]
    overlap = Double(overlapping) / Double(fine.0.count)
    // The summit of the parabola through the three lies between hops.
    let bend = scores[0] - 2 * scores[1] + scores[2]
    let shift = bend < 0 ? 0.5 * (scores[0] - scores[2]) / bend : 0
    let delay = (Double(lag) + min(max(shift, -0.5), 0.5)) / 100
    // Nearer than this it is one clock, seen through two encoders.
    self.delay = abs(delay) < 0.002 ? 0 : delay
  }
}

/// The rise and fall of the level, of which no loudness setting makes another.
private struct Contour {
  private let values: [Float]

  var count: Int { values.count }

  /// - Parameter step: hops that become one value.
  init(_ fingerprint: Fingerprint, step: Int) {
    let levels = fingerprint.levels
    var means: [Float] = []
    means.reserveCapacity(levels.count / step)
    for start in stride(from: 0, to: levels.count - step + 1, by: step) {
      var sum: Float = 0
      for index in start..<start + step { sum += Float(levels[index]) }
      means.append(sum / Float(step))
    }
    let mean = means.reduce(0, +) / Float(max(means.count, 1))
    values = means.map { max($0 - mean, -60) }
  }

  /// The lag at which this one is most like the other.
  func bestLag(in other: Contour, _ lags: ClosedRange<Int>) -> Int {
    var best = (lag: 0, score: -Double.infinity)
    for lag in lags {
      let common = min(count + min(lag, 0), other.count - max(lag, 0))
      // A few seconds that happen to agree are no match.
      guard common > max(min(count, other.count) / 2, 2) else { continue }
      let score = correlation(with: other, lag: lag)
      if score > best.score { best = (lag, score) }
    }
    return best.lag
  }

  /// Pearson's, over what both have when this one is moved by `lag`.
  func correlation(with other: Contour, lag: Int) -> Double {
    let start = max(0, -lag)
    let common = min(count - start, other.count - start - lag)
    guard common > 2 else { return -1 }
    var (sumX, sumY, sumXX, sumYY, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    values.withUnsafeBufferPointer { x in
      other.values.withUnsafeBufferPointer { y in
        // In blocks, so that single precision is enough inside.
        var index = start
        while index < start + common {
          let stop = min(index + 1024, start + common)
          var (bX, bY, bXX, bYY, bXY): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
          while index < stop {
            let (a, b) = (x[index], y[index + lag])
            bX += a
            bY += b
            bXX += a * a
            bYY += b * b
            bXY += a * b
            index += 1
          }
          sumX += Double(bX)
          sumY += Double(bY)
          sumXX += Double(bXX)
          sumYY += Double(bYY)
          sumXY += Double(bXY)
        }
      }
    }
    let n = Double(common)
    let variance = (sumXX - sumX * sumX / n) * (sumYY - sumY * sumY / n)
    guard variance > 1e-9 else { return -1 }
    return min(max((sumXY - sumX * sumY / n) / variance.squareRoot(), -1), 1)
  }
}
