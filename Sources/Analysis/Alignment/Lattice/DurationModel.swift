// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How long an ayah of a given length lasts.
///
/// The logarithm of the duration over the expected one follows Student's distribution: the tails are
/// those of ayat within which the reciter went back, stopped to breathe for long, or was mistimed.
struct DurationModel {
  /// Seconds between the entries of a table.
  static let step = 0.02
  /// Degrees of freedom. Durations of 1,700 ayat by five reciters fit 3 to 6 about equally well.
  static let freedom = 4.0
  /// Shorter ayat than this are not recited, in seconds.
  private static let shortest = 0.25
  /// How many spreads, and at least what factor, a duration may be off.
  private static let reach = 7.0
  private static let leastFactor = 3.5

  /// The spread of the logarithm.
  var spread: Double

  /// Logarithm of Student's density at so many spreads, up to the constant `1 / spread`.
  static func logStudent(_ deviation: Double) -> Double {
    constant - (freedom + 1) / 2 * log1p(deviation * deviation / freedom)
  }

  private static let constant =
    lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * .pi) / 2

  /// The density of a duration, per second.
  func density(_ seconds: Double, expected: Double) -> Double {
    guard seconds > 0 else { return 0 }
    let deviation = log(seconds / expected) / spread
    return exp(Self.logStudent(deviation)) / (spread * seconds)
  }

  /// The densities of all durations that are possible.
  func table(expected: Double) -> DurationTable {
    let factor = max(exp(Self.reach * spread), Self.leastFactor)
    let shortest = max(Self.shortest, expected / factor - 0.3)
    let longest = expected * factor + 0.6
    let first = max(Int((shortest / Self.step).rounded(.up)), 1)
    let last = max(first, Int(longest / Self.step))
    let scale = Double(Self.deviationSteps) / spread
    let origin = Double(Self.deviationSteps * Self.furthestDeviation) + 0.5
    let logExpected = log(expected / Self.step)
    let factorOfAll = 1 / (spread * Self.step)
    var densities = [Double](repeating: 0, count: last - first + 1)
    Self.shape.withUnsafeBufferPointer { shape in
      Self.logarithms.withUnsafeBufferPointer { logarithms in
        for steps in first...last {
          let logSteps = steps < logarithms.count ? logarithms[steps] : log(Double(steps))
          let place = Int((logSteps - logExpected) * scale + origin)
          densities[steps - first] =
            shape[min(max(place, 0), shape.count - 1)] * factorOfAll / Double(steps)
        }
      }
    }
    return DurationTable(first: first, densities: densities)
  }

  /// Student's density in so many steps a spread, so far to either side: tables are made by the
  /// thousand, and exponentials would take longer than all that is done with them.
  private static let deviationSteps = 200
  private static let furthestDeviation = 40
  private static let shape: [Double] = (0...(2 * furthestDeviation * deviationSteps)).map {
    exp(logStudent(Double($0) / Double(deviationSteps) - Double(furthestDeviation)))
  }
  /// Logarithms of the whole numbers up to three minutes in steps.
  private static let logarithms: [Double] = (0..<9_000).map { log(Double(max($0, 1))) }
}

/// Densities of durations in steps of ``DurationModel/step``.
struct DurationTable {
  /// Steps of the first entry.
  let first: Int
  let densities: [Double]
  var last: Int { first + densities.count - 1 }
}
