// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What is kept of 10 ms of sound, all channels together.
///
/// Sixteen bytes, stored as they are in the sidecar (little endian).
public struct Hop: Hashable, Sendable {
  /// Mean of the squared samples over frames and channels; full scale is 1.
  public var meanSquare: Float
  /// The lowest and the highest sample, full scale at 32,767.
  public var minimum: Int16
  public var maximum: Int16
  /// How the energy lies within the hop: eight parts in time order from the lowest four bits up, each in
  /// steps of 3 dB against the mean, 12 standing for the mean itself.
  public var fine: UInt32
  /// The level in four bands of the voice, 80-500, 500-1130, 1130-2150 and 2150-3400 Hz from the lowest
  /// byte up, in steps of half a decibel above -100 dBFS.
  public var bands: UInt32

  public init(
    meanSquare: Float, minimum: Int16, maximum: Int16, fine: UInt32, bands: UInt32 = 0
  ) {
    self.meanSquare = meanSquare
    self.minimum = minimum
    self.maximum = maximum
    self.fine = fine
    self.bands = bands
  }

  static let bandCount = 4

  /// The mean square in one of the four bands.
  func meanSquare(ofBand band: Int) -> Double {
    Self.powers[Int(bands >> UInt32(8 * band) & 255)]
  }

  /// The code for a mean square in a band.
  static func bandCode(_ power: Float) -> UInt32 {
    // Samples near the greatest number there is make a power that is none.
    guard power < .greatestFiniteMagnitude else { return 255 }
    return UInt32(min(max(20 * log10(power + 1e-10) + 200, 0), 255).rounded())
  }

  private static let powers: [Double] = (0..<256).map { pow(10, (Double($0) / 2 - 100) / 10) }

  /// Parts of a hop in `fine`, 1.25 ms each.
  public static let partCount = 8

  static let meanCode: Int32 = 12

  /// The mean square of one of the eight parts, to the next lower step of 3 dB.
  func meanSquare(ofPart part: Int) -> Float {
    guard meanSquare > 0 else { return 0 }
    let code = Int32(fine >> UInt32(4 * part) & 15)
    if code == 0 { return 0 }
    let exponent = Int32(meanSquare.bitPattern >> 23) + code - Self.meanCode
    return Float(bitPattern: UInt32(min(max(exponent, 0), 254)) << 23)
  }
}
