// SPDX-License-Identifier: GPL-3.0-or-later

/// How much of the energy of two channels is left when they are mixed to mono, as bands and log-mel frames are.
struct MixEnergy: Sendable {
  /// Sums over frames: the mean of the squared channels, and the square of their mean, both four times.
  private var channels = 0.0
  private var mix = 0.0

  /// Takes the next frames, interleaved; those of anything but stereo say nothing.
  mutating func add(_ samples: UnsafeBufferPointer<Float>, channels count: Int) {
    guard count == 2, let start = samples.baseAddress else { return }
    let bytes = UnsafeRawPointer(start)
    var (squares, sums) = (SIMD4<Float>(), SIMD4<Float>())
    // Of the last frames, up to three are left out.
    for offset in stride(from: 0, to: samples.count / 8 * 32, by: 32) {
      let frames = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let (left, right) = (frames.evenHalf, frames.oddHalf)
      squares += left * left + right * right
      sums += (left + right) * (left + right)
    }
    channels += 2 * Double(squares.sum())
    mix += Double(sums.sum())
  }

  static func += (total: inout MixEnergy, part: MixEnergy) {
    total.channels += part.channels
    total.mix += part.mix
  }

  /// Whether next to nothing is left: 20 dB less. Channels that have nothing in common keep a half.
  var isCancelled: Bool { mix < channels / 100 }
}
