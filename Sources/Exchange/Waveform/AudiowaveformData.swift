// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// audiowaveform's binary format (`.dat`), version 2 written, versions 1 and 2 read.
///
/// Little-endian. A header of int32 version, uint32 flags (bit 0: 8-bit values), int32 sample rate,
/// int32 samples per pixel, uint32 length and, in version 2, int32 channels; from byte 24 (20 in
/// version 1) the lowest and highest value of each channel, pixel by pixel, int8 or int16. Source:
/// audiowaveform, `doc/DataFormat.md`.
public enum AudiowaveformData {
  public static func bytes(
    of peaks: WaveformPeaks, resolution: WaveformPeaks.Resolution = .bits16
  ) -> [UInt8] {
    let valueSize = resolution.rawValue / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 + peaks.minima.count * 2 * valueSize)
    append(2, to: &bytes)
    append(resolution == .bits8 ? 1 : 0, to: &bytes)
    append(UInt32(peaks.rate.hertz), to: &bytes)
    append(UInt32(peaks.samplesPerPixel), to: &bytes)
    append(UInt32(peaks.length), to: &bytes)
    append(UInt32(peaks.channels), to: &bytes)
    for (low, high) in zip(peaks.minima, peaks.maxima) {
      for value in [low, high] {
        switch resolution {
        case .bits8: bytes.append(UInt8(bitPattern: Int8(value / resolution.divisor)))
        case .bits16:
          let bits = UInt16(bitPattern: value)
          bytes.append(UInt8(truncatingIfNeeded: bits))
          bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        }
      }
    }
    return bytes
  }

  /// Reads a whole file. Values of 8 bits come back times 256.
  ///
  /// - Throws: ``ExchangeError/malformedWaveform(reason:)`` unless the bytes are exactly as many as
  ///   the header says.
  public static func peaks(from bytes: [UInt8]) throws(ExchangeError) -> WaveformPeaks {
    let version = try word(0, of: bytes)
    guard version == 1 || version == 2 else {
      throw .malformedWaveform(reason: "unknown version \(version)")
    }
    let isEightBit = try word(1, of: bytes) & 1 == 1
    let rate = try word(2, of: bytes)
    let samplesPerPixel = try word(3, of: bytes)
    let length = try word(4, of: bytes)
    let channels = version == 1 ? 1 : try word(5, of: bytes)
    guard (1...64).contains(channels) else {
      throw .malformedWaveform(reason: "\(channels) channels")
    }
    let headerSize = version == 1 ? 20 : 24
    let valueSize = isEightBit ? 1 : 2
    let count = Int(length) * Int(channels)
    let (expected, found) = (count * 2 * valueSize, bytes.count - headerSize)
    guard found == expected else {
      throw .malformedWaveform(reason: "\(expected) bytes of values expected, \(found) found")
    }
    func value(_ index: Int) -> Int16 {
      let place = headerSize + index * valueSize
      if isEightBit { return Int16(Int8(bitPattern: bytes[place])) * 256 }
      return Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
    }
    return try WaveformPeaks.checked(
      hertz: Int(rate), samplesPerPixel: Int(samplesPerPixel), channels: Int(channels),
      minima: (0..<count).map { value(2 * $0) }, maxima: (0..<count).map { value(2 * $0 + 1) })
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  private static func word(_ index: Int, of bytes: [UInt8]) throws(ExchangeError) -> UInt32 {
    guard bytes.count >= 4 * index + 4 else {
      throw .malformedWaveform(reason: "the header ends after \(bytes.count) bytes")
    }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
  }
}
