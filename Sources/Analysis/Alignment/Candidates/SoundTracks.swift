// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Levels and spectra of a whole recording, hop by hop, for the features of boundary candidates.
///
/// Some 28 bytes a hop: 30 MB for three hours.
struct SoundTracks {
  /// dB below the loudest band at which a band counts as empty.
  private static let bandRange: Float = 40

  /// Mean squares.
  let powers: [Float]
  /// dBFS, averaged in power over three hops.
  let levels: [Float]
  /// dBFS of each band, averaged in power over five hops.
  let bands: [[Float]]
  /// How much the bands change across 60 ms around each hop: see ``LevelReader``.
  let changes: [Float]

  var count: Int { powers.count }

  init(_ envelope: Envelope) throws(AnalysisError) {
    let count = envelope.hopCount
    var powers = [Float](repeating: 0, count: count)
    var codes = [UInt32](repeating: 0, count: count)
    try envelope.forEachBlock { start, hops in
      for (index, hop) in hops.enumerated() {
        powers[start + index] = hop.meanSquare
        codes[start + index] = hop.bands
      }
    }
    var bands: [[Float]] = []
    for band in 0..<Hop.bandCount {
      bands.append(
        Self.smoothed(
          codes.map { Float(Self.powers[Int($0 >> UInt32(8 * band) & 255)]) },
          reach: LevelReader.reach))
    }
    for hop in 0..<count {
      var loudest = -Float.infinity
      for band in 0..<Hop.bandCount { loudest = max(loudest, bands[band][hop]) }
      for band in 0..<Hop.bandCount {
        bands[band][hop] = max(bands[band][hop], loudest - Self.bandRange)
      }
    }
    self.powers = powers
    levels = Self.smoothed(powers, reach: 1)
    changes = Self.changes(bands, count: count)
    self.bands = bands
  }

  /// The mean of the powers in a range of hops, in dBFS.
  func level(in range: Range<Int>) -> Double {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return Self.decibels(0) }
    var sum = 0.0
    for hop in range { sum += Double(powers[hop]) }
    return Self.decibels(sum / Double(range.count))
  }

  /// How much the upper bands lie above the lowest, on average over a range of hops, in dB.
  func tilt(in range: Range<Int>) -> [Double] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return [Double](repeating: 0, count: Hop.bandCount - 1) }
    let means = bands.map { band in
      var sum: Float = 0
      for hop in range { sum += expf(band[hop] * 0.230_258_5) }
      return Self.decibels(Double(sum) / Double(range.count))
    }
    return means.dropFirst().map { $0 - means[0] }
  }

  /// The logarithm of the mean change of the spectrum in a range of hops.
  func steadiness(in range: Range<Int>) -> Double {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return log(0.5) }
    var sum = 0.0
    for hop in range { sum += Double(changes[hop]) }
    return log(sum / Double(range.count) + 0.5)
  }

  private static let powers: [Float] = (0..<256).map { powf(10, (Float($0) / 2 - 100) / 10) }

  private static func decibels(_ power: Double) -> Double {
    10 * log10(power + LevelReader.leastPower)
  }

  /// dB of the powers averaged over so many hops on either side.
  private static func smoothed(_ powers: [Float], reach: Int) -> [Float] {
    let count = powers.count
    guard count > 0 else { return [] }
    var result = [Float](repeating: 0, count: count)
    for hop in 0..<count {
      var sum: Float = 0
      for neighbour in (hop - reach)...(hop + reach) {
        sum += powers[min(max(neighbour, 0), count - 1)]
      }
      result[hop] =
        10 * log10f(sum / Float(2 * reach + 1) + Float(LevelReader.leastPower))
    }
    return result
  }

  private static func changes(_ bands: [[Float]], count: Int) -> [Float] {
    let lag = LevelReader.lag
    var changes = [Float](repeating: 0, count: count)
    guard count > 2 * lag else { return changes }
    for hop in lag..<(count - lag) {
      var sum: Float = 0
      for band in bands {
        let change = band[hop + lag] - band[hop - lag]
        sum += change * change
      }
      changes[hop] = (sum / Float(bands.count)).squareRoot()
    }
    return changes
  }
}
