// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Six bands and a preamp, as sliders of 0...1 with 0.5 for no change, and a gain besides.
public struct Equaliser: Hashable, Sendable {
  public static let bandCount = 6
  /// Hertz: a low shelf, four peaks of half an octave, a high shelf.
  public static let frequencies: [Double] = [60, 150, 400, 1000, 2400, 15000]
  /// The gain in decibels at the top of a slider; the bottom has the same below 0.
  public static let bandRange = 12.0
  public static let preampRange = 15.0

  public static let flat = Equaliser()

  /// One slider per band, clamped to 0...1.
  public var bands: [Double] {
    didSet { bands = Self.normalised(bands) }
  }
  /// One gain ahead of all bands.
  public var preamp: Double {
    didSet { preamp = Self.clamped(preamp) }
  }

  /// Decibels that are added to those of the preamp.
  public var gain: Double

  /// Missing bands are flat, more than six are ignored.
  public init(bands: [Double] = [], preamp: Double = 0.5, gain: Double = 0) {
    self.bands = Self.normalised(bands)
    self.preamp = Self.clamped(preamp)
    self.gain = gain.isFinite ? gain : 0
  }

  public func decibels(ofBand band: Int) -> Double { (bands[band] * 2 - 1) * Self.bandRange }

  public var preampDecibels: Double { (preamp * 2 - 1) * Self.preampRange }

  /// What the preamp and the gain add together, at every frequency.
  public var levelDecibels: Double { preampDecibels + gain }

  /// The filter of each band; a band above 0.45 of the rate does nothing.
  public func filters(at rate: SampleRate) -> [Biquad] {
    (0..<Self.bandCount).map { band in
      let hertz = Self.frequencies[band]
      let decibels = decibels(ofBand: band)
      guard decibels != 0, hertz <= 0.45 * Double(rate.hertz) else { return .identity }
      return switch band {
      case 0: .lowShelf(at: hertz, decibels: decibels, rate: rate)
      case Self.bandCount - 1: .highShelf(at: hertz, decibels: decibels, rate: rate)
      default: .peaking(at: hertz, decibels: decibels, octaves: 0.5, rate: rate)
      }
    }
  }

  /// The gain at a frequency in decibels, of preamp, gain and all bands.
  public func gainDecibels(at hertz: Double, rate: SampleRate) -> Double {
    filters(at: rate).reduce(levelDecibels) {
      $0 + 20 * log10($1.magnitude(at: hertz, rate: rate))
    }
  }

  /// The peak of the response above 0 dB: the headroom that full-scale sound needs. 0 if nothing is
  /// boosted.
  public func boostDecibels(at rate: SampleRate) -> Double {
    let filters = filters(at: rate)
    let top = 0.499 * Double(rate.hertz)
    // Neighbouring bands may add up between their centres; a half-octave peak is wide enough for steps
    // of a 48th of an octave.
    let steps = stride(from: 0.0, through: log2(top / 10), by: 1.0 / 48).map { 10 * exp2($0) }
    return (steps + Self.frequencies.filter { $0 < top }).reduce(0) { highest, hertz in
      let gain = filters.reduce(1) { $0 * $1.magnitude(at: hertz, rate: rate) }
      return max(highest, levelDecibels + 20 * log10(gain))
    }
  }

  private static func normalised(_ bands: [Double]) -> [Double] {
    (0..<bandCount).map { $0 < bands.count ? clamped(bands[$0]) : 0.5 }
  }

  private static func clamped(_ slider: Double) -> Double {
    slider.isNaN ? 0.5 : min(max(slider, 0), 1)
  }
}
