// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// The coefficients of a second-order filter, a0 divided out:
/// y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2].
///
/// Designs are those of Robert Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter
/// coefficients" (W3C note, 2021).
public struct Biquad: Hashable, Sendable {
  public var b0 = 1.0
  public var b1 = 0.0
  public var b2 = 0.0
  public var a1 = 0.0
  public var a2 = 0.0

  /// Passes the signal unchanged.
  public static let identity = Biquad()

  /// A bell of so many octaves between its half-gain points.
  static func peaking(
    at hertz: Double, decibels: Double, octaves: Double, rate: SampleRate
  ) -> Biquad {
    let amplitude = pow(10, decibels / 40)
    let omega = 2 * Double.pi * hertz / Double(rate.hertz)
    let alpha = sin(omega) * sinh(log(2) / 2 * octaves * omega / sin(omega))
    let a0 = 1 + alpha / amplitude
    return Biquad(
      b0: (1 + alpha * amplitude) / a0, b1: -2 * cos(omega) / a0,
      b2: (1 - alpha * amplitude) / a0, a1: -2 * cos(omega) / a0,
      a2: (1 - alpha / amplitude) / a0)
  }

  /// A shelf below a corner, of slope 1.
  static func lowShelf(at hertz: Double, decibels: Double, rate: SampleRate) -> Biquad {
    shelf(at: hertz, decibels: decibels, rate: rate, sign: -1)
  }

  /// A shelf above a corner, of slope 1.
  static func highShelf(at hertz: Double, decibels: Double, rate: SampleRate) -> Biquad {
    shelf(at: hertz, decibels: decibels, rate: rate, sign: 1)
  }

  /// The cookbook's two shelves are one but for the sign of each cosine.
  private static func shelf(
    at hertz: Double, decibels: Double, rate: SampleRate, sign: Double
  ) -> Biquad {
    let a = pow(10, decibels / 40)
    let omega = 2 * Double.pi * hertz / Double(rate.hertz)
    let cosine = sign * cos(omega)
    // alpha at slope 1: sin(w) / 2 * sqrt(2).
    let edge = 2 * a.squareRoot() * sin(omega) / 2 * 2.0.squareRoot()
    let a0 = (a + 1) - (a - 1) * cosine + edge
    return Biquad(
      b0: a * ((a + 1) + (a - 1) * cosine + edge) / a0,
      b1: -sign * 2 * a * ((a - 1) + (a + 1) * cosine) / a0,
      b2: a * ((a + 1) + (a - 1) * cosine - edge) / a0,
      a1: sign * 2 * ((a - 1) - (a + 1) * cosine) / a0,
      a2: ((a + 1) - (a - 1) * cosine - edge) / a0)
  }

  /// The gain at a frequency, as an amplitude.
  public func magnitude(at hertz: Double, rate: SampleRate) -> Double {
    let omega = 2 * Double.pi * hertz / Double(rate.hertz)
    func power(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let real = c0 + c1 * cos(omega) + c2 * cos(2 * omega)
      let imaginary = c1 * sin(omega) + c2 * sin(2 * omega)
      return real * real + imaginary * imaginary
    }
    return (power(b0, b1, b2) / power(1, a1, a2)).squareRoot()
  }
}
