// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What there is to tell a boundary from a breath by, for each dip of one recording.
package struct DipFeatures: Hashable, Sendable {
  /// Logarithm of the core's length against the split between short and long dips in this recording.
  package let length: Double
  /// Logarithm of how far it is to a longer dip, or to an end of the recording.
  package let isolation: Double
  /// Logarithm of how much the spectrum changed just before: low when the last syllable was held.
  package let steadiness: Double
  /// Whether it lies far enough from both ends of the recording to be a boundary.
  package let isInner: Bool
  /// Whether it is inner and long enough to be considered.
  package var isCandidate: Bool { isInner && length > Self.minLength }

  /// A dip nearer than this to an end of the recording, in hops, is no boundary.
  private static let margin = 30
  /// Hops added to a core before its logarithm.
  private static let coreOffset = 3.0
  /// Longer cores count as this many hops.
  private static let longestCore = 60.0
  /// Shortest dips that take part in the split; three splits are averaged because one alone may tip.
  private static let splitLengths = [8, 9, 10]
  /// Below this, against the split, a dip is no candidate.
  private static let minLength = -0.5
  /// Hops added to the isolation before its logarithm.
  private static let isolationOffset = 20.0

  static func of(_ dips: [Dip], hopCount: Int) -> [DipFeatures] {
    let isInner = dips.map {
      $0.span.lowerBound >= margin && $0.span.upperBound <= hopCount - margin
    }
    let lengths = relativeLengths(dips, isInner)
    let isolations = isolations(dips, hopCount)
    return dips.indices.map {
      DipFeatures(
        length: lengths[$0], isolation: log(isolations[$0] + isolationOffset),
        steadiness: dips[$0].steadiness, isInner: isInner[$0])
    }
  }

  /// Logarithms of the cores' lengths against the split of this recording.
  private static func relativeLengths(_ dips: [Dip], _ isInner: [Bool]) -> [Double] {
    let logs = dips.map { min(log(Double($0.core) + coreOffset), log(longestCore + coreOffset)) }
    let splits = splitLengths.map { least in
      otsuThreshold(
        dips.indices.filter { isInner[$0] && dips[$0].span.count >= least }.map { logs[$0] })
    }
    let split = splits.reduce(0, +) / Double(splits.count)
    return logs.map { $0 - split }
  }

  /// For each dip the hops to the nearest longer one, or to an end of the recording.
  private static func isolations(_ dips: [Dip], _ hopCount: Int) -> [Double] {
    // The dip's whole length decides between equal cores.
    let ranks = dips.map { log(Double($0.core) + coreOffset) + 1e-4 * log(Double($0.span.count)) }
    var before = [Int](repeating: 0, count: dips.count)
    var after = [Int](repeating: hopCount, count: dips.count)
    var open: [Int] = []
    for index in dips.indices {
      while let top = open.last, ranks[top] < ranks[index] {
        after[top] = dips[index].span.lowerBound
        open.removeLast()
      }
      if let top = open.last { before[index] = dips[top].span.upperBound }
      open.append(index)
    }
    return dips.indices.map { index in
      let left = dips[index].span.lowerBound - before[index]
      let right = after[index] - dips[index].span.upperBound
      return Double(max(0, min(left, right)))
    }
  }

  /// The threshold that separates values into two classes best (Otsu 1979): the greatest variance between
  /// the classes.
  static func otsuThreshold(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return 0 }
    let count = sorted.count
    if count < 4 {
      let middle = count / 2
      return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
    let total = sorted.reduce(0, +)
    var best = -1.0
    var threshold = last
    var sum = 0.0
    for low in 1..<count {
      sum += sorted[low - 1]
      let high = count - low
      let difference = sum / Double(low) - (total - sum) / Double(high)
      let variance = Double(low) * Double(high) * difference * difference
      if variance > best {
        best = variance
        threshold = (sorted[low - 1] + sorted[low]) / 2
      }
    }
    return threshold
  }
}
