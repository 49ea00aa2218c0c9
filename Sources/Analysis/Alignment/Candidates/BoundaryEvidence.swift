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

  /// Fitted by penalised logistic regression to 1,700 boundaries of five reciters, each reciter
  /// counting as much as the others; in the order of `AlignmentCandidates.Feature`.
  static let fitted = BoundaryEvidence(
    dipWeights: [
      2.09, -0.121, -0.027, -0.557, 0.177, -0.303, 0.062, 0.132, -0.099, 0.161, -0.245, 0.256,
      0.009, 0.299, 0.712, -2.321,
    ],
    weakWeights: [
      0, 0.505, -0.11, -0.062, -0.125, -0.059, -0.109, 0.003, -0.018, 0.093, -0.093, -0.101, 0.02,
      -0.109, 0, -6.249,
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
    let prior = Self.fitted.dipWeights
    var precision = [Double](repeating: Self.priorPrecision, count: count + 1)
    precision[count] = Self.constantPrecision
    var weights = dipWeights
    for _ in 0..<8 {
      var gradient = (0...count).map { precision[$0] * (prior[$0] - weights[$0]) }
      var hessian = SymmetricMatrix(diagonal: precision)
      for dip in dips {
        var row = Array(candidates.features(of: dip))
        row.append(1)
        var sum = 0.0
        for feature in 0...count { sum += row[feature] * weights[feature] }
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
    let prior = Self.fitted.weakWeights[last]
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
    for row in 0..<size {
      let factor = weight * column[row]
      for other in 0...row { entries[row * size + other] += factor * column[other] }
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
