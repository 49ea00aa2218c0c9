// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

func bytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(filePath: path)))
}

/// A WAV file of one channel of floats.
func floatWAV(_ samples: [Float], hertz: UInt32) -> [UInt8] {
  func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
  let data = samples.flatMap { little($0.bitPattern) }
  var wav = Array("RIFF".utf8) + little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
  wav += little(16) + [3, 0, 1, 0] + little(hertz) + little(hertz * 4) + [4, 0, 32, 0]
  return wav + Array("data".utf8) + little(UInt32(data.count)) + data
}
