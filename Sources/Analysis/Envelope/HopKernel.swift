// SPDX-License-Identifier: GPL-3.0-or-later

/// The inner loop of the analysis: one hop of samples to one `Hop`.
enum HopKernel {
  private typealias Vector = SIMD8<Float>

  /// Measures a hop's samples, all channels interleaved.
  ///
  /// The order of the additions depends on the hop alone, so the result does not depend on how the
  /// samples arrived.
  static func measure(_ samples: UnsafePointer<Float>, count: Int) -> Hop {
    // Below 100 Hz some hops have no frame.
    guard count > 0 else { return Hop(meanSquare: 0, minimum: 0, maximum: 0, fine: 0) }
    var energies: (Float, Float, Float, Float, Float, Float, Float, Float) = (
      0, 0, 0, 0, 0, 0, 0, 0
    )
    var lowest = Vector(repeating: .greatestFiniteMagnitude)
    var highest = Vector(repeating: -.greatestFiniteMagnitude)
    var total: Float = 0
    let bytes = UnsafeRawPointer(samples)
    return withUnsafeMutableBytes(of: &energies) { raw in
      let energies = raw.assumingMemoryBound(to: Float.self)
      var start = 0
      for part in 0..<Hop.partCount {
        let end = count * (part + 1) / Hop.partCount
        var sum = Vector()
        var index = start
        while index + 8 <= end {
          let values = bytes.loadUnaligned(fromByteOffset: index * 4, as: Vector.self)
          sum += values * values
          lowest.replace(with: values, where: values .< lowest)
          highest.replace(with: values, where: values .> highest)
          index += 8
        }
        var rest: Float = 0
        while index < end {
          let value = samples[index]
          rest += value * value
          lowest[0] = min(lowest[0], value)
          highest[0] = max(highest[0], value)
          index += 1
        }
        let energy = sum.sum() + rest
        total += energy
        energies[part] = end > start ? energy / Float(end - start) : 0
        start = end
      }
      let mean = min(total / Float(count), .greatestFiniteMagnitude)
      var fine: UInt32 = 0
      let meanExponent = Int32(mean.bitPattern >> 23)
      for part in 0..<Hop.partCount {
        // A power's binary exponent counts steps of 3 dB.
        let exponent = Int32(energies[part].bitPattern >> 23)
        let code = min(max(exponent - meanExponent + Hop.meanCode, 0), 15)
        fine |= UInt32(code) << UInt32(4 * part)
      }
      return Hop(
        meanSquare: mean, minimum: Int16(sample: lowest.min()),
        maximum: Int16(sample: highest.max()),
        fine: fine)
    }
  }
}

extension Int16 {
  /// A sample at 16 bits, full scale at 32,767; what lies beyond is clipped.
  init(sample: Float) {
    self = Int16(Swift.min(Swift.max(sample * 32767, -32768), 32767).rounded())
  }
}
