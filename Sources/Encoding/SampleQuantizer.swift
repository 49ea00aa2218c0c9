// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Makes whole numbers of samples, left-justified in 32 bits.
///
/// Samples that lie on the grid of the depth already, as those of a recording of that depth do, come out
/// as they were. Others are rounded to the nearest step, after triangular dither of two steps if so asked:
/// the error is then noise that does not depend on the sound (Lipshitz, Wannamaker and Vanderkooy, 1992).
struct SampleQuantizer {
  /// Samples that were beyond full scale and were brought back to it.
  private(set) var clippedCount = 0

  private let scale: Float
  private let highest: Float
  private let shift: Int32
  private let isDithering: Bool
  /// The same in every run, so that the same cut is the same file.
  private var noise: UInt64 = 0x2545_F491_4F6C_DD1D

  init(bits: Int, isDithering: Bool) {
    scale = Float(1 << (bits - 1))
    highest = scale - 1
    shift = Int32(32 - bits)
    self.isDithering = isDithering
  }

  mutating func quantize(
    _ samples: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int32>
  ) {
    precondition(target.count >= samples.count)
    for index in samples.indices {
      var value = samples[index] * scale
      // Digital silence stays digital silence.
      if isDithering, value != 0 { value += triangularNoise() }
      var step = value.rounded(.toNearestOrEven)
      if step > highest || step < -scale {
        clippedCount += 1
        step = min(max(step, -scale), highest)
      }
      target[index] = Int32(step) << shift
    }
  }

  /// The difference of two uniform random numbers, within -1...1.
  private mutating func triangularNoise() -> Float {
    // xorshift64 (Marsaglia, 2003): good enough for noise, and quick.
    noise ^= noise << 13
    noise ^= noise >> 7
    noise ^= noise << 17
    let first = Float(UInt32(truncatingIfNeeded: noise) >> 8)
    let second = Float(UInt32(truncatingIfNeeded: noise >> 32) >> 8)
    return (first - second) * 0x1p-24
  }
}
