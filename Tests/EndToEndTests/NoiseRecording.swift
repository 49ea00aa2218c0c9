// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// Ten seconds of noise at 8 kHz, mono: no two stretches of it are alike.
struct NoiseRecording {
  static let rate = 8000
  private let samples: [Int16]

  init() {
    var random = SplitMix64(state: 4)
    samples = (0..<10 * Self.rate).map { _ in Int16.random(in: -20_000...20_000, using: &random) }
  }

  /// What a decoder makes of some frames.
  func decoded(_ frames: Range<Int>) -> [Float] { samples[frames].map { Float($0) / 32_768 } }

  /// It as a WAV file of whole numbers.
  var wav: [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    let size = UInt32(samples.count * 2)
    return Array("RIFF".utf8) + bytes(size + 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
      + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(Self.rate))
      + bytes(UInt32(Self.rate * 2)) + bytes(UInt16(2)) + bytes(UInt16(16))
      + Array("data".utf8) + bytes(size) + samples.flatMap(bytes)
  }

  /// The samples of a WAV file of 32-bit floats.
  static func samples(ofFloats path: String) throws -> [Float] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    var offset = 12
    while offset + 8 <= bytes.count {
      let size = number(offset + 4)
      if bytes[offset..<offset + 4].elementsEqual("data".utf8) {
        return stride(from: offset + 8, to: min(offset + 8 + size, bytes.count), by: 4).map {
          Float(bitPattern: UInt32(number($0)))
        }
      }
      offset += 8 + size + size % 2
    }
    return []
  }
}
