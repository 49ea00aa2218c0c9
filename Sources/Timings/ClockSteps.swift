// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Where the difference between published and heard starts jumps, as it does when something was cut out of a file or put
/// into it after its timings were made.
///
/// A recording of which that is true looks as if its clock drifted. Which of the two it is the points say: each step has
/// to make them likelier by more than it costs, and what lies between two steps keeps one common drift.
struct ClockSteps {
  typealias Point = ClockRegression.Point

  /// The points between the steps, none of them empty, in the order of time.
  private(set) var parts: [[Point]]
  /// Of each step how likely it is that there is one, 0...1.
  private(set) var confidences: [Double] = []

  /// - Parameter points: in the order of time.
  init(_ points: [Point]) {
    parts = [points]
    // Of neighbours, which what has been moved far away hardly changes.
    let slope =
      ClockRegression.median(
        points.indices.flatMap { index in
          points[(index + 1)...].prefix(Self.leastPoints).compactMap {
            ClockRegression.slope(from: points[index], to: $0)
          }
        }) ?? 0
    let level = points.map { $0.difference - slope * $0.time }
    let candidates = points.indices.filter { index in
      guard index >= Self.leastPoints, index + Self.leastPoints <= points.count,
        let before = ClockRegression.median(Array(level[index - Self.leastPoints..<index])),
        let after = ClockRegression.median(Array(level[index..<index + Self.leastPoints]))
      else { return false }
      return abs(after - before) > TimingsCheck.tolerance
    }
    guard !candidates.isEmpty else { return }
    let changes = zip(level, level.dropFirst()).map { abs($1 - $0) }
    let spread = max(
      1.4826 * (ClockRegression.median(changes) ?? 0) / 2.0.squareRoot(), ClockRegression.minSpread)
    let cost = Self.costPerParameter * log(Double(points.count))
    let starts = Self.bestStarts(of: level, among: candidates, spread: spread, cost: cost)
    parts = zip(starts, starts.dropFirst() + [points.count]).map { Array(points[$0..<$1]) }
    leaveOutUnlikely(spread: spread, cost: cost)
  }

  /// The indices at which parts of one level begin, by dynamic programming over where they may.
  private static func bestStarts(
    of level: [Double], among candidates: [Int], spread: Double, cost: Double
  ) -> [Int] {
    let edges = [0] + candidates + [level.count]
    /// For each edge what the points before it cost at least, and where the last part of them begins.
    var best: [(cost: Double, start: Int)] = [(0, 0)]
    for end in 1..<edges.count {
      best.append(
        (0..<end).reduce(into: (Double.infinity, 0)) { found, start in
          let part = level[edges[start]..<edges[end]]
          guard part.count >= leastPoints, found.0 > best[start].cost,
            let middle = ClockRegression.median(Array(part))
          else { return }
          let own = part.reduce(0) { $0 + ClockRegression.loss($1 - middle, spread: spread) }
          let all = best[start].cost + own + (start > 0 ? cost : 0)
          if all < found.0 { found = (all, start) }
        })
    }
    var starts: [Int] = []
    var edge = edges.count - 1
    while edge > 0 {
      edge = best[edge].start
      starts.insert(edges[edge], at: 0)
    }
    return starts
  }

  /// Takes steps back that are small, or that another drift explains as well.
  private mutating func leaveOutUnlikely(spread: Double, cost: Double) {
    while parts.count > 1 {
      let all = Self.fit(parts)
      let gains = parts.indices.dropFirst().map { index -> Double in
        guard abs(all.offsets[index] - all.offsets[index - 1]) > TimingsCheck.tolerance else {
          return 0
        }
        var joined = parts
        joined[index - 1] += joined.remove(at: index)
        return Self.fit(joined).misfit(spread: spread) - all.misfit(spread: spread) - cost
      }
      guard let least = gains.indices.min(by: { gains[$0] < gains[$1] }), gains[least] <= 0 else {
        confidences = gains.map { 1 / (1 + exp(-$0 / 2)) }
        return
      }
      parts[least] += parts.remove(at: least + 1)
    }
  }

  private static func fit(_ parts: [[Point]]) -> ClockRegression {
    ClockRegression(parts, slope: .free(ClockRegression.medianSlope(parts)))
  }

  /// Points of a part at least: fewer are ayat that were moved.
  private static let leastPoints = 3
  /// What a step costs, for each unit of the logarithm of how many points there are: Zhang and Siegmund, A modified Bayes
  /// information criterion, Biometrics 63, 2007.
  private static let costPerParameter = 3.0
}
