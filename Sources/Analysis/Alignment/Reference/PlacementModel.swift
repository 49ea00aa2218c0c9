// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How far from a boundary time warping puts it.
///
/// Mostly within a tenth of a second of the pause, sometimes anywhere: a mixture of Student's density with
/// three degrees of freedom and a level floor.
enum PlacementModel {
  /// Scale of the errors, in seconds.
  private static let scale = 0.12
  /// Share of boundaries that are put somewhere else, and within how many seconds.
  private static let shareOfOthers = 0.06
  private static let reachOfOthers = 20.0

  /// The density of an error, per second.
  ///
  /// - Parameters:
  ///   - time: where the boundary would be.
  ///   - silence: that it lies in; anywhere within it is as good.
  static func weight(
    of time: Double, within silence: ClosedRange<Double>, placement: Double
  ) -> Double {
    let error: Double
    if silence.contains(placement) {
      error = 0
    } else {
      error = min(
        abs(placement - silence.lowerBound), abs(placement - silence.upperBound),
        abs(placement - time))
    }
    let deviation = error / scale
    // 0.3675 is the greatest value of Student's density with three degrees of freedom.
    let near = 0.3675 * pow(1 + deviation * deviation / 3, -2) / scale
    return (1 - shareOfOthers) * near + shareOfOthers / reachOfOthers
  }
}
