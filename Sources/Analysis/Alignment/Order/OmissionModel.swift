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

  /// What is left out by lengths alone has to be likelier by so much, as a logarithm, and is no surer than
  /// this.
  static let leastGainOfLengths = 6.5
  static let probabilityByLengths = 0.5
  /// Of a reciter whose ayat vary more than this lengths tell nothing so small; the spread of the
  /// logarithm.
  static let greatestSpread = 0.16
  /// How likely each ayah is to be left out, where lengths alone are to find which.
  private static let skip = 1e-3

  /// Whether something takes much less time than it should, or is unsure.
  static func isDoubtful(_ result: LengthAligner.Result) -> Bool {
    result.tokens.indices.contains { isAyah(result.tokens[$0]) && isSuspected($0, result) }
  }

  /// Whether so much is suspected that the recording is hardly what it is said to be.
  static func isHopeless(_ result: LengthAligner.Result) -> Bool {
    let count = result.tokens.indices.count {
      isAyah(result.tokens[$0]) && isSuspected($0, result)
    }
    return count > max(fewSuspects, result.tokens.count / 3)
  }

  private static let fewSuspects = 12

  /// What may have been left out, likeliest first, as far as there is time to try it: one ayah or two
  /// near those that were found to be missing, or that are suspected.
  static func likely(_ result: LengthAligner.Result, near missing: [Int]) -> [Range<Int>] {
    let all = suspects(result).filter { $0.count <= mostAyatByLengths }
    func distance(_ range: Range<Int>) -> Int {
      missing.map { abs(2 * $0 + 1 - range.lowerBound - range.upperBound) }.min() ?? 0
    }
    let near = missing.flatMap { missing in
      (1...mostAyatByLengths).flatMap { length in
        (missing - reachOfMissing...missing + reachOfMissing).map { $0..<$0 + length }
      }
    }.filter { range in
      range.lowerBound > 0 && range.upperBound < result.tokens.count
        && range.allSatisfy { isAyah(result.tokens[$0]) }
    }
    let ordered = Set(near).sorted {
      (distance($0), $0.lowerBound, $0.count) < (distance($1), $1.lowerBound, $1.count)
    }
    if missing.isEmpty, result.tokens.count > mostTokensWithoutHint { return [] }
    let tried = mostTokensTried / max(result.tokens.count, 1)
    return Array((ordered + all.filter { !ordered.contains($0) }).prefix(tried))
  }

  /// Lengths alone tell nothing of more.
  private static let mostAyatByLengths = 2
  private static let reachOfMissing = 1
  /// Tokens that are aligned anew altogether to find what was left out: as long as a tenth of a second.
  private static let mostTokensTried = 400
  /// Of more tokens nothing is tried unless something was found to be missing.
  private static let mostTokensWithoutHint = 60

  /// The same tokens, of which all but the first and the last may be left out.
  static func optional(_ tokens: [RecitedToken]) -> [RecitedToken] {
    tokens.indices.map { index in
      var token = tokens[index]
      if isAyah(token), index > 0, index < tokens.count - 1 { token.skip = skip }
      return token
    }
  }

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
