// SPDX-License-Identifier: GPL-3.0-or-later

/// Sets NaN and infinite samples to 0 and returns how many there were.
func silenceNonFiniteSamples(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
  guard let start = samples.baseAddress else { return 0 }
  // 0 x finite is 0 and 0 x anything else is NaN: one vectorised pass finds out whether to look closer.
  var probe = SIMD8<Float>()
  let count = samples.count
  var index = 0
  let base = UnsafeRawPointer(start)
  while index + 8 <= count {
    probe += base.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self) * 0
    index += 8
  }
  var isClean = probe.sum() == 0
  while index < count {
    isClean = isClean && samples[index].isFinite
    index += 1
  }
  if isClean { return 0 }
  var found = 0
  for index in 0..<count where !samples[index].isFinite {
    samples[index] = 0
    found += 1
  }
  return found
}
