// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport

@testable import Capture

/// Samples that no codec can guess: noise over a tone, whole numbers of `bits` bits, left-justified.
func signal(frames: Int, channels: Int, bits: Int, seed: UInt64 = 7) -> [Int32] {
  var random = SplitMix64(state: seed)
  let shift = Int32(32 - bits)
  return (0..<(frames * channels)).map { index in
    let tone = sin(Double(index / channels) * 0.05) * 0x1p29
    let noise = Double(Int32.random(in: -0x800_0000...0x7FF_FFFF, using: &random))
    return (Int32(tone + noise) >> shift) << shift
  }
}

/// What a file decodes to, as samples left-justified in 32 bits.
func decoded(_ path: String) throws -> [Int32] {
  let decoder = try MediaSource(path: path).makeDecoder()
  let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 4096)
  var samples: [Int32] = []
  while try decoder.read(into: buffer) > 0 {
    samples += buffer.filled.map { Int32(Double($0) * 0x1p31) }
  }
  return samples
}

func bytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(filePath: path)))
}

func format(_ hertz: Int, _ channels: Int) -> AudioFormat {
  AudioFormat(rate: SampleRate(hertz: hertz)!, channels: channels)!
}
