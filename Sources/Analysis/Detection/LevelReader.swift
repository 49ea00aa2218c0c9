// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The smoothed level of a recording in dB, hop by hop, and how fast its spectrum changes.
struct LevelReader {
  /// Hops on either side that are averaged, in power: five in all remove pitch ripple and the 10-20 ms
  /// closures of consonants.
  static let reach = 2
  /// Hops before and after between which the change of the spectrum is measured, 60 ms in all.
  static let lag = 3
  /// -90 dBFS, added to every power: digital silence is just very quiet.
  static let leastPower = 1e-9
  /// dB below the loudest band at which a band counts as empty.
  private static let bandRange = 40.0

  let envelope: Envelope

  /// Levels of a range of hops, in dBFS.
  func levels(in range: Range<Int>) throws(AnalysisError) -> [Double] {
    let hops = try padded(range, by: Self.reach)
    let powers = hops.map { Double($0.meanSquare) }
    return range.indices.map { 10 * log10(Self.boxAverage(powers, at: $0 - range.lowerBound)) }
  }

  /// How much the four bands change around each hop of a range: the root mean square over the bands of
  /// their difference in dB across 60 ms. Small while a vowel is held.
  func spectralChange(in range: Range<Int>) throws(AnalysisError) -> [Double] {
    let wide = (range.lowerBound - Self.lag)..<(range.upperBound + Self.lag)
    let hops = try padded(wide, by: Self.reach)
    var bands: [[Double]] = []
    for band in 0..<Hop.bandCount {
      let powers = hops.map { $0.meanSquare(ofBand: band) }
      bands.append(
        (0..<wide.count).map { 10 * log10(Self.boxAverage(powers, at: $0)) })
    }
    for hop in 0..<wide.count {
      let loudest = bands.reduce(-Double.infinity) { max($0, $1[hop]) }
      for band in bands.indices {
        bands[band][hop] = max(bands[band][hop], loudest - Self.bandRange)
      }
    }
    return range.map { hop in
      // At the very ends of the recording there is nothing to compare with.
      guard hop >= Self.lag, hop < envelope.hopCount - Self.lag else { return 0 }
      let index = hop - range.lowerBound
      let sum = bands.reduce(0.0) { sum, levels in
        let change = levels[index + 2 * Self.lag] - levels[index]
        return sum + change * change
      }
      return (sum / Double(bands.count)).squareRoot()
    }
  }

  /// The hops of a range widened on both sides; those outside the recording repeat the first or last.
  private func padded(_ range: Range<Int>, by margin: Int) throws(AnalysisError) -> [Hop] {
    let wanted = (range.lowerBound - margin)..<(range.upperBound + margin)
    let there = wanted.clamped(to: 0..<envelope.hopCount)
    guard !there.isEmpty else { return [] }
    let hops = try envelope.hops(in: there)
    let before = Array(repeating: hops[0], count: there.lowerBound - wanted.lowerBound)
    let after = Array(
      repeating: hops[hops.count - 1], count: wanted.upperBound - there.upperBound)
    return before + hops + after
  }

  private static func boxAverage(_ powers: [Double], at start: Int) -> Double {
    var sum = 0.0
    for offset in 0...(2 * reach) { sum += powers[start + offset] }
    return sum / Double(2 * reach + 1) + leastPower
  }
}
