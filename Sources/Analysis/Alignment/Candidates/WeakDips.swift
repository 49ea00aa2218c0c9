// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the places where the voice merely grows softer for a moment.
///
/// Where two ayat are joined there is no pause; what is left of the seam is a short minimum of the level.
/// Between 1 and 10 % of boundaries, depending on the reciter, lie in nothing more.
enum WeakDips {
  /// dB that the level falls below its maxima on either side,
  static let leastProminence: Float = 2
  /// looked for within so many hops.
  static let reach = 30
  /// Of minima nearer to each other than this, in hops, the deepest stands.
  static let spacing = 8
  /// Nothing is looked for within so many hops of a dip.
  static let margin = 5

  struct WeakDip: Hashable {
    var hop: Int
    /// dB below the lower of the two maxima beside it.
    var prominence: Float
  }

  /// - Parameter dips: spans of hops that are taken already, in order.
  static func find(in levels: [Float], besides dips: [Range<Int>]) -> [WeakDip] {
    let count = levels.count
    guard count > 2 else { return [] }
    var isTaken = [Bool](repeating: false, count: count)
    for dip in dips {
      let wide = (dip.lowerBound - margin)..<(dip.upperBound + margin + 1)
      for hop in wide.clamped(to: 0..<count) { isTaken[hop] = true }
    }
    var found: [WeakDip] = []
    for hop in 1..<(count - 1) where !isTaken[hop] {
      let level = levels[hop]
      guard level <= levels[hop - 1], level < levels[hop + 1] else { continue }
      var before = level
      for other in max(0, hop - reach)..<hop { before = max(before, levels[other]) }
      var after = level
      for other in hop..<min(hop + reach, count) { after = max(after, levels[other]) }
      let prominence = min(before, after) - level
      if prominence >= leastProminence { found.append(WeakDip(hop: hop, prominence: prominence)) }
    }
    return thinned(found, count: count)
  }

  private static func thinned(_ dips: [WeakDip], count: Int) -> [WeakDip] {
    var isNear = [Bool](repeating: false, count: count)
    var kept: [WeakDip] = []
    for dip in dips.sorted(by: { ($1.prominence, $0.hop) < ($0.prominence, $1.hop) })
    where !isNear[dip.hop] {
      kept.append(dip)
      let near = (dip.hop - spacing + 1)..<(dip.hop + spacing)
      for hop in near.clamped(to: 0..<count) { isNear[hop] = true }
    }
    return kept.sorted { $0.hop < $1.hop }
  }
}
