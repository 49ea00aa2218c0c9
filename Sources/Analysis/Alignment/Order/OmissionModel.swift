// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

/// When an alignment may have laid an ayah over a recording that leaves it out.
enum OmissionModel {
  /// What is left out is no longer than so many ayat.
  private static let mostAyat = 3
  /// An ayah that takes less than this share of what it should is suspected.
  private static let leastShare = 0.7
  /// So is one of which an edge is less probable.
  private static let leastProbability = 0.6
  /// Frames of warping by which leaving something out has to be cheaper to be looked at closer, how much
  /// each of them counts against lengths, and what an omission has to be likelier than, as a logarithm.
  static let leastGain = 8.0
  private static let weightOfGain = 0.4
  private static let costOfOmission = 8.0
  private static let greatestProbability = 0.95

  static func score(gain: Double, lengths: Double) -> Double {
    weightOfGain * gain + lengths - costOfOmission
  }

  static func probability(_ score: Double) -> Double {
    min(1 / (1 + exp(-score)), greatestProbability)
  }

  /// One to three tokens at or beside each that is suspected; never the first or the last.
  static func suspects(_ result: LengthAligner.Result) -> [Range<Int>] {
    let count = result.tokens.count
    var found: Set<Range<Int>> = []
    for index in result.tokens.indices where isSuspected(index, result) {
      for length in 1...mostAyat {
        for first in index - length...index + 1 {
          let range = first..<first + length
          if first > 0, range.upperBound < count, range.allSatisfy({ isAyah(result.tokens[$0]) }) {
            found.insert(range)
          }
        }
      }
    }
    return found.sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
  }

  private static func isSuspected(_ index: Int, _ result: LengthAligner.Result) -> Bool {
    let points = result.points
    let seconds = points[index + 1].active - points[index].active
    let expected = result.tokens[index].units * exp(result.paces[index])
    return seconds < leastShare * expected || result.probabilities[index] < leastProbability
      || result.probabilities[index + 1] < leastProbability
  }

  private static func isAyah(_ token: RecitedToken) -> Bool {
    if case .ayah = token.content { token.part == nil } else { false }
  }
}

extension LengthAligner.Result {
  /// No surer of a row than this.
  mutating func limit(row: Int, to probability: Double) {
    probabilities[row] = min(probabilities[row], probability)
  }
}
