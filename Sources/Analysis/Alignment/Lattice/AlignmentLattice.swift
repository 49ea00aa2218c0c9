// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Everything that a pass over the possible alignments needs to know.
///
/// Points are places where something may begin or end, in order. Row 0 is where the first token begins,
/// row k where the k-th one ends. Weights are likelihoods, up to a common factor.
struct LatticeProblem {
  /// Steps of ``DurationModel/step`` at which each point lies.
  var steps: [Int]
  /// How much each point looks like a boundary.
  var evidence: [Double]
  /// Durations of each token.
  var durations: [DurationTable]
  /// How likely each token is to be left out.
  var skips: [Double]
  /// Points that each row may use, one range more than there are tokens.
  var windows: [Range<Int>]
  /// For the points of the first row: that reciting begins here.
  var starts: [Double]
  /// For all points: that reciting ends here.
  var ends: [Double]
  /// For each point the first one that a token ending here may begin at, and the last one that a token
  /// beginning here may end at: nothing is recited across a barrier.
  var earliestStarts: [Int]
  var latestEnds: [Int]
  /// For each row: that it is the last.
  var endings: [Double]

  /// For each row, and each point of its window, how well it fits what else is known of that row; empty
  /// where nothing is.
  var placements: [[Double]] = []

  var rowCount: Int { windows.count }

  /// Multiplies the values of a row, which are those of some points of its window, by its placement.
  func place(_ values: inout [Double], ofRow row: Int, in points: Range<Int>) {
    guard row < placements.count, !placements[row].isEmpty else { return }
    let first = points.lowerBound - windows[row].lowerBound
    for index in values.indices { values[index] *= placements[row][first + index] }
  }
}

/// The probabilities of all boundaries at all points.
struct LatticePosterior {
  /// Logarithm of the likelihood of everything.
  let logLikelihood: Double
  /// For each row the points at which it may lie; none where it cannot be reached.
  let windows: [Range<Int>]
  /// For each row the probabilities of its points, in the order of its window.
  let probabilities: [[Double]]
  /// For each row the probability that it is the last.
  let endings: [Double]

  /// The probability that some boundary lies at each point.
  func boundaryProbabilities(pointCount: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: pointCount)
    for (window, row) in zip(windows, probabilities) {
      for (point, probability) in zip(window, row) { sums[point] += probability }
    }
    return sums.map { min($0, 1) }
  }

  /// The point at which a row lies most probably; nil where it has none.
  func likeliestPoint(ofRow row: Int) -> Int? {
    let best = zip(windows[row], probabilities[row]).max { $0.1 < $1.1 }
    return best.flatMap { $0.1 > 0 ? $0.0 : nil }
  }

  /// Mean and standard deviation of where a row lies, given the times of the points.
  func moments(ofRow row: Int, times: [Double]) -> (mean: Double, deviation: Double)? {
    var mass = 0.0
    var sum = 0.0
    for (point, probability) in zip(windows[row], probabilities[row]) {
      mass += probability
      sum += probability * times[point]
    }
    guard mass > 1e-9 else { return nil }
    let mean = sum / mass
    var squares = 0.0
    for (point, probability) in zip(windows[row], probabilities[row]) {
      squares += probability * (times[point] - mean) * (times[point] - mean)
    }
    return (mean, (squares / mass).squareRoot())
  }
}

/// Sums over all alignments by the forward-backward algorithm of hidden semi-Markov models.
///
/// Rows are kept as numbers, not logarithms, each scaled to a greatest of 1: the inner loop is a
/// multiplication and an addition.
struct AlignmentLattice {
  let problem: LatticeProblem

  /// What is this much less likely than the likeliest way to the same row is not followed further.
  private static let leastShare = 1e-7

  /// Nil when no alignment is possible within the windows.
  func posterior() -> LatticePosterior? {
    let rowCount = problem.rowCount
    guard let forward = forward() else { return nil }
    // The likelihood of everything, from all rows that may be the last.
    var logTerms = [Double](repeating: -.infinity, count: rowCount)
    for row in 0..<rowCount where problem.endings[row] > 0 && !forward.rows[row].isEmpty {
      var sum = 0.0
      for (point, value) in zip(forward.windows[row], forward.rows[row]) {
        sum += value * problem.ends[point]
      }
      if sum > 0 { logTerms[row] = log(sum * problem.endings[row]) + forward.scales[row] }
    }
    guard let greatest = logTerms.max(), greatest > -.infinity else { return nil }
    let logLikelihood =
      greatest + log(logTerms.reduce(0) { $0 + exp($1 - greatest) })
    let backward = backward(forward)
    var probabilities: [[Double]] = []
    probabilities.reserveCapacity(rowCount)
    for row in 0..<rowCount {
      let scale = forward.scales[row] + backward.scales[row] - logLikelihood
      guard scale > -700, forward.rows[row].count == backward.rows[row].count else {
        probabilities.append([Double](repeating: 0, count: forward.windows[row].count))
        continue
      }
      let factor = exp(scale)
      probabilities.append(
        zip(forward.rows[row], backward.rows[row]).map { min($0 * $1 * factor, 1) })
    }
    return LatticePosterior(
      logLikelihood: logLikelihood, windows: forward.windows, probabilities: probabilities,
      endings: logTerms.map { exp($0 - logLikelihood) })
  }

  private struct Rows {
    /// The points of each row, from the first to the last that carries weight.
    var windows: [Range<Int>]
    /// Empty for rows that cannot be reached.
    var rows: [[Double]]
    /// Logarithms of what each row was divided by.
    var scales: [Double]
  }

  private func forward() -> Rows? {
    var result = Rows(windows: [], rows: [], scales: [])
    var row: [Double] = []
    var window = 0..<0
    var scale = 0.0
    for number in 0..<problem.rowCount {
      row =
        number > 0
        ? advance(row, from: window, to: number) : problem.windows[0].map { problem.starts[$0] }
      window = problem.windows[number]
      problem.place(&row, ofRow: number, in: window)
      guard let greatest = row.max(), greatest > 0 else {
        // Earlier rows may still end the alignment.
        while result.rows.count < problem.rowCount {
          result.windows.append(window.lowerBound..<window.lowerBound)
          result.rows.append([])
          result.scales.append(-.infinity)
        }
        return result
      }
      scale += log(greatest)
      let factor = 1 / greatest
      let least = greatest * Self.leastShare
      let first = row.firstIndex { $0 >= least } ?? 0
      let last = row.lastIndex { $0 >= least } ?? 0
      row = row[first...last].map { $0 < least ? 0 : $0 * factor }
      window = window.lowerBound + first..<window.lowerBound + last + 1
      result.windows.append(window)
      result.rows.append(row)
      result.scales.append(scale)
    }
    return result
  }

  /// What the points of a row get from those of the row before.
  private func advance(_ previous: [Double], from: Range<Int>, to row: Int) -> [Double] {
    let to = problem.windows[row]
    let table = problem.durations[row - 1]
    let skip = problem.skips[row - 1]
    let starts = Occupied(previous, in: from, steps: problem.steps)
    var result = [Double](repeating: 0, count: to.count)
    problem.steps.withUnsafeBufferPointer { steps in
      starts.withUnsafeBuffers { points, startSteps, values in
        table.densities.withUnsafeBufferPointer { densities in
          var first = 0
          var last = 0
          for point in to {
            let latest = steps[point] - table.first
            while last < points.count, startSteps[last] <= latest { last += 1 }
            let earliest = max(steps[point] - table.last, steps[problem.earliestStarts[point]])
            while first < last, startSteps[first] < earliest { first += 1 }
            var begin = first
            while begin < last, points[begin] < problem.earliestStarts[point] { begin += 1 }
            var sum = 0.0
            for start in begin..<max(begin, last) {
              sum += values[start] * densities[latest - startSteps[start]]
            }
            sum *= problem.evidence[point]
            if skip > 0, from.contains(point) { sum += skip * previous[point - from.lowerBound] }
            result[point - to.lowerBound] = sum
          }
        }
      }
    }
    return result
  }

  private func backward(_ forward: Rows) -> Rows {
    let rowCount = problem.rowCount
    var rows = [[Double]](repeating: [], count: rowCount)
    var scales = [Double](repeating: -.infinity, count: rowCount)
    for row in (0..<rowCount).reversed() where !forward.rows[row].isEmpty {
      let window = forward.windows[row]
      let going =
        row + 1 < rowCount && !rows[row + 1].isEmpty
        ? retreat(rows[row + 1], to: row, reached: forward) : []
      let goingScale = row + 1 < rowCount ? scales[row + 1] : -.infinity
      let ending = problem.endings[row]
      let stopping = ending > 0 ? window.map { problem.ends[$0] * ending } : []
      let greatestGoing = going.max() ?? 0
      let greatestStopping = stopping.max() ?? 0
      let logGoing = greatestGoing > 0 ? log(greatestGoing) + goingScale : -.infinity
      let logStopping = greatestStopping > 0 ? log(greatestStopping) : -.infinity
      let scale = max(logGoing, logStopping)
      guard scale > -.infinity else { continue }
      let goingFactor = logGoing > -.infinity ? exp(goingScale - scale) : 0
      let stoppingFactor = logStopping > -.infinity ? exp(-scale) : 0
      rows[row] = window.indices.map { point in
        let index = point - window.lowerBound
        return (goingFactor > 0 ? going[index] * goingFactor : 0)
          + (stoppingFactor > 0 ? stopping[index] * stoppingFactor : 0)
      }
      scales[row] = scale
    }
    return Rows(windows: forward.windows, rows: rows, scales: scales)
  }

  /// What the row after gives to the points of a row that the way there reached.
  private func retreat(_ next: [Double], to row: Int, reached: Rows) -> [Double] {
    let from = reached.windows[row]
    let to = reached.windows[row + 1]
    let table = problem.durations[row]
    let skip = problem.skips[row]
    var next = next
    problem.place(&next, ofRow: row + 1, in: to)
    var weighted = next
    for point in to {
      let index = point - to.lowerBound
      weighted[index] =
        reached.rows[row + 1][index] > 0 ? next[index] * problem.evidence[point] : 0
    }
    let ends = Occupied(weighted, in: to, steps: problem.steps)
    var result = [Double](repeating: 0, count: from.count)
    problem.steps.withUnsafeBufferPointer { steps in
      ends.withUnsafeBuffers { points, endSteps, values in
        table.densities.withUnsafeBufferPointer { densities in
          var first = 0
          var last = 0
          for point in from where reached.rows[row][point - from.lowerBound] > 0 {
            let earliest = steps[point] + table.first
            while first < points.count, endSteps[first] < earliest { first += 1 }
            let latest = steps[point] + table.last
            last = max(last, first)
            while last < points.count, endSteps[last] <= latest { last += 1 }
            var sum = 0.0
            let barrier = problem.latestEnds[point]
            for end in first..<last {
              if points[end] > barrier { break }
              sum += values[end] * densities[endSteps[end] - earliest]
            }
            if skip > 0, to.contains(point) { sum += skip * next[point - to.lowerBound] }
            result[point - from.lowerBound] = sum
          }
        }
      }
    }
    return result
  }
}

/// The points of a row that carry weight, packed together.
private struct Occupied {
  private var points: [Int] = []
  private var steps: [Int] = []
  private var values: [Double] = []

  init(_ row: [Double], in window: Range<Int>, steps allSteps: [Int]) {
    points.reserveCapacity(row.count)
    steps.reserveCapacity(row.count)
    values.reserveCapacity(row.count)
    for (index, value) in row.enumerated() where value > 0 {
      points.append(window.lowerBound + index)
      steps.append(allSteps[window.lowerBound + index])
      values.append(value)
    }
  }

  func withUnsafeBuffers(
    _ body: (UnsafeBufferPointer<Int>, UnsafeBufferPointer<Int>, UnsafeBufferPointer<Double>) ->
      Void
  ) {
    points.withUnsafeBufferPointer { points in
      steps.withUnsafeBufferPointer { steps in
        values.withUnsafeBufferPointer { body(points, steps, $0) }
      }
    }
  }
}
