// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Ten seconds of noise at 8 kHz, mono: no two stretches of it are alike.
public struct NoiseRecording {
  public static let rate = 8000
  private let samples: [Int16]

  public init() {
    var random = SplitMix64(state: 4)
    samples = (0..<10 * Self.rate).map { _ in Int16.random(in: -20_000...20_000, using: &random) }
  }

  /// What a decoder makes of some frames.
  public func decoded(_ frames: Range<Int>) -> [Float] {
    samples[frames].map { Float($0) / 32_768 }
  }

  /// It as a WAV file of whole numbers.
  public var wav: [UInt8] { WaveFile.bytes(samples, rate: Self.rate) }
}
