// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How much each candidate looks like a boundary, learnt anew in each recording.
///
/// A logistic regression whose weights start from those fitted to recordings with known boundaries. Reciters differ in what they do at the end of an ayah, and the rhyme
/// of a surah shows in the spectrum; so the weights are fitted again to the recording at hand, with the
/// probabilities that an alignment gives its candidates as truth and the first weights as prior.
struct BoundaryEvidence {
  /// One weight for each feature, and the constant.
  var dipWeights: [Double]
  var weakWeights: [Double]

  /// Fitted by `Scripts/fit-alignment-weights.py` to 1,664 boundaries of five reciters; in the order of
  /// `AlignmentCandidates.Feature`, with the constant.
  static let fitted = BoundaryEvidence(
    dipWeights: [
      2.181, -0.673, -0.018, -0.546, 0.156, -0.28, 0.054, 0.049, -0.017, 0.122, -0.816, 0.549,
      -0.527, 0.286, 0.626, -2.527,
    ],
    weakWeights: [
      0, 1.09, -0.185, -0.446, -0.297, -0.022, -0.249, -0.044, 0.009, 0.175, -0.012, -0.359, 0.225,
      -0.336, 0, -6.437,
    ])

  /// Boundaries per second of what the weights were fitted to; 0.12 in those recordings.
  ///
  /// The odds of the regression over this rate are the likelihood ratio of a boundary against the
  /// process of all other dips, which makes alignments with more or fewer boundaries comparable.
  var rate = 0.12
  static let leastRate = 0.01

  /// No log odds count beyond this.
  private static let limits = -9.0...6.0
  /// Inverse variance of the prior around the weights of a dip; chosen by cross-validation.
  private static let priorPrecision = 10.0
  private static let constantPrecision = 1.0
  /// Boundaries without a pause are too few to learn more of them than how many there are; the inverse
  /// variance of that constant.
  private static let weakPrecision = 3.0

  /// For each candidate the likelihood of what was measured, given a boundary, over that given none.
  func likelihoodRatios(_ candidates: AlignmentCandidates) -> [Double] {
    candidates.candidates.indices.map { likelihoodRatio(candidates, $0) }
  }

  /// The same for one candidate.
  func likelihoodRatio(_ candidates: AlignmentCandidates, _ index: Int) -> Double {
    exp(logOdds(candidates, index).clamped(to: Self.limits)) / rate
  }

  /// The logarithm of the probability that none of some candidates is a boundary.
  func logLikelihoodOfNone(_ candidates: AlignmentCandidates, _ some: [Int]) -> Double {
    some.reduce(0) { sum, index in
      sum - log1p(exp(logOdds(candidates, index).clamped(to: Self.limits)))
    }
  }

  /// How unlikely these weights are beforehand: the logarithm of the prior's density at its peak, over
  /// that at these weights.
  func costOfLearning(from prior: BoundaryEvidence) -> Double {
    var sum = 0.0
    for (index, pair) in zip(dipWeights, prior.dipWeights).enumerated() {
      let precision = index == dipWeights.count - 1 ? Self.constantPrecision : Self.priorPrecision
      sum += precision * (pair.0 - pair.1) * (pair.0 - pair.1) / 2
    }
    let shift = (weakWeights.last ?? 0) - (prior.weakWeights.last ?? 0)
    return sum + Self.weakPrecision * shift * shift / 2
  }

  private func logOdds(_ candidates: AlignmentCandidates, _ index: Int) -> Double {
    let weights = candidates.candidates[index].isDip ? dipWeights : weakWeights
    let count = AlignmentCandidates.featureCount
    var sum = weights[count]
    candidates.features.withUnsafeBufferPointer { features in
      for feature in 0..<count { sum += weights[feature] * features[index * count + feature] }
    }
    return sum
  }

  /// Fits the weights again.
  ///
  /// - Parameter probabilities: of each candidate being a boundary, as an alignment has it; nil for
  ///   those outside the part that was aligned.
  mutating func adapt(to candidates: AlignmentCandidates, probabilities: [Double?]) {
    let known = candidates.candidates.indices.filter { probabilities[$0] != nil }
    adaptDips(candidates, known.filter { candidates.candidates[$0].isDip }, probabilities)
    adaptWeakConstant(candidates, known.filter { !candidates.candidates[$0].isDip }, probabilities)
  }

  private mutating func adaptDips(
    _ candidates: AlignmentCandidates, _ dips: [Int], _ probabilities: [Double?]
  ) {
    let count = AlignmentCandidates.featureCount
    let prior = candidates.evidence.dipWeights
    var precision = [Double](repeating: Self.priorPrecision, count: count + 1)
    precision[count] = Self.constantPrecision
    var weights = dipWeights
    var row = [Double](repeating: 1, count: count + 1)
    for _ in 0..<8 {
      var gradient = (0...count).map { precision[$0] * (prior[$0] - weights[$0]) }
      var hessian = SymmetricMatrix(diagonal: precision)
      for dip in dips {
        var sum = weights[count]
        for feature in 0..<count {
          row[feature] = candidates.features[dip * count + feature]
          sum += row[feature] * weights[feature]
        }
        let expected = sigmoid(sum)
        let error = (probabilities[dip] ?? 0) - expected
        for feature in 0...count { gradient[feature] += error * row[feature] }
        hessian.addSquare(of: row, weight: expected * (1 - expected))
      }
      let step = hessian.solve(gradient)
      for feature in 0...count { weights[feature] += step[feature] }
      if step.allSatisfy({ abs($0) < 1e-4 }) { break }
    }
    guard weights.allSatisfy(\.isFinite) else { return }
    dipWeights = weights
  }

  private mutating func adaptWeakConstant(
    _ candidates: AlignmentCandidates, _ weak: [Int], _ probabilities: [Double?]
  ) {
    let last = AlignmentCandidates.featureCount
    let prior = candidates.evidence.weakWeights[last]
    var shift = 0.0
    let odds = weak.map { logOdds(candidates, $0) }
    for _ in 0..<10 {
      var gradient = (prior - weakWeights[last] - shift) * Self.weakPrecision
      var curvature = Self.weakPrecision
      for (candidate, odds) in zip(weak, odds) {
        let expected = sigmoid(odds + shift)
        gradient += (probabilities[candidate] ?? 0) - expected
        curvature += expected * (1 - expected)
      }
      shift += gradient / curvature
    }
    if shift.isFinite { weakWeights[last] += shift }
  }
}

extension BoundaryEvidence {
  init(_ weights: BoundaryWeights) {
    self.init(dipWeights: weights.dips, weakWeights: weights.weakDips)
  }
}

/// Weights of a fit, one for each `AlignmentCandidates.Feature` and the constant.
package struct BoundaryWeights: Hashable, Sendable {
  let dips: [Double]
  let weakDips: [Double]

  /// Nil when there are more or fewer weights of either kind than there are features.
  package init?(dips: [Double], weakDips: [Double]) {
    let count = AlignmentCandidates.featureCount + 1
    guard dips.count == count, weakDips.count == count else { return nil }
    self.dips = dips
    self.weakDips = weakDips
  }
}

/// A small positive definite matrix.
struct SymmetricMatrix {
  private let size: Int
  /// Row by row; only the lower triangle counts.
  private var entries: [Double]

  init(diagonal: [Double]) {
    size = diagonal.count
    entries = [Double](repeating: 0, count: size * size)
    for (index, value) in diagonal.enumerated() { entries[index * size + index] = value }
  }

  /// Adds `weight` times the product of a column with its transpose.
  mutating func addSquare(of column: [Double], weight: Double) {
    entries.withUnsafeMutableBufferPointer { entries in
      column.withUnsafeBufferPointer { column in
        for row in 0..<size {
          let factor = weight * column[row]
          for other in 0...row { entries[row * size + other] += factor * column[other] }
        }
      }
    }
  }

  /// The column that this matrix takes to `right`, by Cholesky's decomposition.
  func solve(_ right: [Double]) -> [Double] {
    var lower = entries
    for row in 0..<size {
      for column in 0...row {
        var sum = lower[row * size + column]
        for index in 0..<column { sum -= lower[row * size + index] * lower[column * size + index] }
        lower[row * size + column] =
          row == column ? max(sum, 1e-12).squareRoot() : sum / lower[column * size + column]
      }
    }
    var result = right
    for row in 0..<size {
      for index in 0..<row { result[row] -= lower[row * size + index] * result[index] }
      result[row] /= lower[row * size + row]
    }
    for row in (0..<size).reversed() {
      for index in (row + 1)..<max(size, row + 1) {
        result[row] -= lower[index * size + row] * result[index]
      }
      result[row] /= lower[row * size + row]
    }
    return result
  }
}
