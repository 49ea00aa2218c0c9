// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// WAV files of interleaved samples.
public enum WaveFile {
  public static func bytes(_ samples: [Int16], rate: Int, channels: Int = 1) -> [UInt8] {
    samples.withUnsafeBytes { bytes($0, code: 1, width: 2, rate: rate, channels: channels) }
  }

  /// Whole numbers of 16 bits; what is beyond full scale is cut off.
  public static func bytes(rounding samples: [Float], rate: Int, channels: Int = 1) -> [UInt8] {
    let numbers = samples.map { Int16(max(-32_768, min(($0 * 32_768).rounded(), 32_767))) }
    return bytes(numbers, rate: rate, channels: channels)
  }

  public static func bytes(_ samples: [Float], rate: Int, channels: Int = 1) -> [UInt8] {
    samples.withUnsafeBytes { bytes($0, code: 3, width: 4, rate: rate, channels: channels) }
  }

  /// The samples of a WAV file of floating point.
  public static func samples(ofFloats path: String) throws -> [Float] {
    let file = try Data(contentsOf: URL(filePath: path))
    return file.withUnsafeBytes { file in
      func number(_ offset: Int) -> Int {
        Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
      var offset = 12
      while offset + 8 <= file.count {
        let size = number(offset + 4)
        if file[offset..<offset + 4].elementsEqual("data".utf8) {
          return stride(from: offset + 8, to: min(offset + 8 + size, file.count), by: 4).map {
            Float(bitPattern: UInt32(number($0)))
          }
        }
        offset += 8 + size + size % 2
      }
      return []
    }
  }

  /// - Parameters:
  ///   - data: samples as they lie in memory, which is little-endian wherever the program runs.
  ///   - code: of the format: 1 for whole numbers, 3 for floating point.
  ///   - width: bytes of a sample.
  private static func bytes(
    _ data: UnsafeRawBufferPointer, code: UInt16, width: Int, rate: Int, channels: Int
  ) -> [UInt8] {
    var file: [UInt8] = []
    file.reserveCapacity(44 + data.count)
    func put(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { file += $0 }
    }
    file += "RIFF".utf8
    put(UInt32(36 + data.count))
    file += "WAVEfmt ".utf8
    put(UInt32(16))
    put(code)
    put(UInt16(channels))
    put(UInt32(rate))
    put(UInt32(rate * channels * width))
    put(UInt16(channels * width))
    put(UInt16(8 * width))
    file += "data".utf8
    put(UInt32(data.count))
    file += data
    return file
  }
}
