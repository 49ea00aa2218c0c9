// SPDX-License-Identifier: GPL-3.0-or-later

/// The alignment of which most boundaries are expected to be right, as people count them.
///
/// A boundary counts as right when it lies near enough, so each point is worth the probability of all
/// points near it; of all alignments in order the one worth most is taken. That is a better answer than
/// the single most probable alignment where several points close together share the probability.
struct LikelyPath {
  /// Seconds within which two points are the same place.
  static let tolerance = 0.2
  /// Of two points worth the same the more probable one is taken.
  private static let ownShare = 1e-3
  private static let leastProbability = 1e-9

  /// For each row the point.
  let points: [Int]
  /// For each row the probability that the boundary lies within the tolerance of that point.
  let probabilities: [Double]

  /// Nil when there is no alignment in order.
  ///
  /// - Parameters:
  ///   - posterior: of an alignment whose last row is known.
  ///   - times: of the points, in seconds.
  ///   - skips: for each token how likely it is to be left out.
  init?(_ posterior: LatticePosterior, times: [Double], skips: [Double]) {
    let worths = zip(posterior.windows, posterior.probabilities).map {
      Self.worths($1, in: $0, times: times)
    }
    var totals: [[Double]] = []
    var origins: [[Int]] = []
    for (row, window) in posterior.windows.enumerated() {
      var total = [Double](repeating: -.infinity, count: window.count)
      var origin = [Int](repeating: -1, count: window.count)
      let earlier = row > 0 ? posterior.windows[row - 1] : window
      var next = earlier.lowerBound
      var best = -Double.infinity
      var bestPoint = -1
      for point in window {
        let index = point - window.lowerBound
        if row == 0 {
          if worths[0][index] > 0 { total[index] = worths[0][index] }
          continue
        }
        while next < min(point, earlier.upperBound) {
          if totals[row - 1][next - earlier.lowerBound] > best {
            best = totals[row - 1][next - earlier.lowerBound]
            bestPoint = next
          }
          next += 1
        }
        var here = best
        var from = bestPoint
        if skips[row - 1] > 0, earlier.contains(point),
          totals[row - 1][point - earlier.lowerBound] > here
        {
          here = totals[row - 1][point - earlier.lowerBound]
          from = point
        }
        if worths[row][index] > 0, here > -.infinity {
          total[index] = here + worths[row][index]
          origin[index] = from
        }
      }
      totals.append(total)
      origins.append(origin)
    }
    guard let lastRow = totals.last, let window = posterior.windows.last,
      let best = lastRow.indices.max(by: { lastRow[$0] < lastRow[$1] }), lastRow[best] > -.infinity
    else { return nil }
    var points = [window.lowerBound + best]
    for row in stride(from: totals.count - 1, to: 0, by: -1) {
      let point = points[points.count - 1]
      points.append(origins[row][point - posterior.windows[row].lowerBound])
    }
    points.reverse()
    self.points = points
    probabilities = points.enumerated().map { row, point in
      min(1, worths[row][point - posterior.windows[row].lowerBound])
    }
  }

  private static func worths(
    _ probabilities: [Double], in window: Range<Int>, times: [Double]
  ) -> [Double] {
    var result = [Double](repeating: 0, count: window.count)
    for index in probabilities.indices where probabilities[index] > leastProbability {
      let time = times[window.lowerBound + index]
      var sum = probabilities[index] * (1 + ownShare)
      var other = index - 1
      while other >= 0, time - times[window.lowerBound + other] <= tolerance {
        sum += probabilities[other]
        other -= 1
      }
      other = index + 1
      while other < window.count, times[window.lowerBound + other] - time <= tolerance {
        sum += probabilities[other]
        other += 1
      }
      result[index] = sum
    }
    return result
  }
}
