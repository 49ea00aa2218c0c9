// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TestSupport
import Testing

@testable import Analysis

@Suite struct AlignmentLatticeTests {
  /// Adds up all alignments one by one.
  private struct Enumeration {
    let problem: LatticeProblem
    var total = 0.0
    var atRow: [[Double]]

    init(_ problem: LatticeProblem) {
      self.problem = problem
      atRow = problem.windows.map { _ in [Double](repeating: 0, count: problem.steps.count) }
      for point in problem.windows[0] { go(row: 0, [point], problem.starts[point]) }
    }

    private mutating func go(row: Int, _ path: [Int], _ weight: Double) {
      let point = path[path.count - 1]
      let whole = weight * problem.ends[point] * problem.endings[row]
      total += whole
      for (row, point) in path.enumerated() { atRow[row][point] += whole }
      guard row + 1 < problem.rowCount else { return }
      for next in problem.windows[row + 1] {
        if next == point {
          let skip = problem.skips[row]
          if skip > 0 { go(row: row + 1, path + [next], weight * skip) }
          continue
        }
        let table = problem.durations[row]
        let index = problem.steps[next] - problem.steps[point] - table.first
        guard next > point, table.densities.indices.contains(index),
          point >= problem.earliestStarts[next], next <= problem.latestEnds[point]
        else { continue }
        go(
          row: row + 1, path + [next],
          weight * table.densities[index] * problem.evidence[next])
      }
    }
  }

  private func randomProblem(_ random: inout SplitMix64, isEndKnown: Bool) -> LatticeProblem {
    let points = 12
    let rows = 4
    var step = 0
    let steps = (0..<points).map { _ in
      step += Int.random(in: 5...40, using: &random)
      return step
    }
    func weights() -> [Double] {
      (0..<points).map { _ in Double.random(in: 0.1...2, using: &random) }
    }
    let barrier = 6
    return LatticeProblem(
      steps: steps, evidence: weights(),
      durations: (1..<rows).map { _ in
        DurationTable(
          first: Int.random(in: 1...10, using: &random),
          densities: (0..<150).map { _ in Double.random(in: 0...1, using: &random) })
      },
      skips: [0, 0.3, 0], windows: [0..<4, 1..<8, 2..<10, 3..<12], starts: weights(),
      ends: weights(),
      earliestStarts: (0..<points).map { $0 <= barrier ? 0 : barrier },
      latestEnds: (0..<points).map { $0 < barrier ? barrier : points - 1 },
      endings: isEndKnown ? [0, 0, 0, 1] : [0, 0.2, 0.5, 1])
  }

  @Test(arguments: 0..<20)
  func sumsAreThoseOfAllAlignments(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let problem = randomProblem(&random, isEndKnown: seed % 2 == 0)
    let all = Enumeration(problem)
    let posterior = try #require(AlignmentLattice(problem: problem).posterior())
    #expect(abs(posterior.logLikelihood - log(all.total)) < 1e-9)
    for (row, window) in posterior.windows.enumerated() {
      for (point, probability) in zip(window, posterior.probabilities[row]) {
        #expect(abs(probability - all.atRow[row][point] / all.total) < 1e-9)
      }
    }
    #expect(abs(posterior.endings.reduce(0, +) - 1) < 1e-9)
  }

  @Test func saysWhenThereIsNoAlignment() {
    var random = SplitMix64(state: 1)
    var problem = randomProblem(&random, isEndKnown: true)
    problem.windows[2] = 2..<2
    #expect(AlignmentLattice(problem: problem).posterior() == nil)
  }

  @Test(arguments: [0.07, 0.15, 0.3])
  func densitiesOfDurationsAddUpToOne(spread: Double) {
    let table = DurationModel(spread: spread).table(expected: 5)
    let sum = table.densities.reduce(0, +) * DurationModel.step
    #expect(sum > 0.97 && sum < 1.01)
  }

  @Test func solvesLinearEquations() {
    var random = SplitMix64(state: 2)
    var matrix = SymmetricMatrix(diagonal: [1, 2, 3])
    var columns: [[Double]] = []
    for _ in 0..<5 {
      let column = (0..<3).map { _ in Double.random(in: -1...1, using: &random) }
      columns.append(column)
      matrix.addSquare(of: column, weight: 0.5)
    }
    let solution = matrix.solve([1, -2, 0.5])
    for row in 0..<3 {
      var sum = [1.0, 2, 3][row] * solution[row]
      for column in columns {
        sum += 0.5 * column[row] * zip(column, solution).reduce(0) { $0 + $1.0 * $1.1 }
      }
      #expect(abs(sum - [1, -2, 0.5][row]) < 1e-9)
    }
  }
}
