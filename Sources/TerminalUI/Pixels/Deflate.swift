// SPDX-License-Identifier: GPL-3.0-or-later

/// Compresses pixels into a zlib stream (RFC 1950, RFC 1951).
///
/// It looks for repetitions in two places only, the pixel before and the row above, which is where charts
/// have them; the codes are the fixed ones. So it is quick, and needs no library.
public enum Deflate {
  private static let minMatch = 3
  private static let maxMatch = 258
  /// How far back a repetition may lie.
  private static let window = 32768

  /// - Parameters:
  ///   - pixel: bytes of a pixel.
  ///   - row: bytes of a row.
  public static func zlib(_ bytes: [UInt8], pixel: Int, row: Int) -> [UInt8] {
    // 32 KiB of history, no dictionary, the quickest method.
    var output = BitWriter(bytes: [0x78, 0x01])
    output.bytes.reserveCapacity(bytes.count / 8)
    // The last block, of fixed codes.
    output.write(0b011, count: 3)
    let distances = [pixel, row].filter { (1...window).contains($0) }
    bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      while position < bytes.count {
        var (length, distance) = (0, 0)
        for candidate in distances where candidate <= position {
          let found = match(bytes, position, candidate)
          if found > length { (length, distance) = (found, candidate) }
        }
        if length >= minMatch {
          output.writeMatch(length: length, distance: distance)
          position += length
        } else {
          output.writeLiteral(bytes[position])
          position += 1
        }
      }
    }
    // End of the block.
    output.write(0, count: 7)
    output.flush()
    let sum = adler32(bytes)
    for shift in [24, 16, 8, 0] as [UInt32] {
      output.bytes.append(UInt8(truncatingIfNeeded: sum >> shift))
    }
    return output.bytes
  }

  private static func match(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ distance: Int
  ) -> Int {
    let most = min(maxMatch, bytes.count - position)
    var length = 0
    while length < most, bytes[position + length] == bytes[position + length - distance] {
      length += 1
    }
    return length
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    var rest = bytes[...]
    while !rest.isEmpty {
      // So many keep the sums below 2^32.
      for byte in rest.prefix(5552) {
        low += UInt32(byte)
        high += low
      }
      rest = rest.dropFirst(5552)
      low %= 65521
      high %= 65521
    }
    return high << 16 | low
  }
}

/// Bits packed from the lowest of each byte up.
private struct BitWriter {
  var bytes: [UInt8]
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func write(_ bits: UInt64, count added: UInt64) {
    pending |= bits << count
    count += added
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  mutating func flush() {
    if count > 0 { write(0, count: 8 - count) }
  }

  /// Huffman codes go in from their highest bit.
  private mutating func writeCode(_ code: UInt64, count: UInt64) {
    var reversed: UInt64 = 0
    for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
    write(reversed, count: count)
  }

  mutating func writeLiteral(_ byte: UInt8) {
    if byte < 144 {
      writeCode(0x30 + UInt64(byte), count: 8)
    } else {
      writeCode(0x190 + UInt64(byte) - 144, count: 9)
    }
  }

  mutating func writeMatch(length: Int, distance: Int) {
    let (symbol, lengthExtra, lengthBits) = Self.place(length - 3, stepsPerBit: 4, isLength: true)
    let code = UInt64(257 + symbol)
    if code < 280 {
      writeCode(code - 256, count: 7)
    } else {
      writeCode(0xC0 + code - 280, count: 8)
    }
    write(UInt64(lengthExtra), count: UInt64(lengthBits))
    let (number, extra, bits) = Self.place(distance - 1, stepsPerBit: 2, isLength: false)
    writeCode(UInt64(number), count: 5)
    write(UInt64(extra), count: UInt64(bits))
  }

  /// The symbol that stands for a value, and the bits that follow it: after the first symbols of one value
  /// each, every so many take a bit more (RFC 1951, 3.2.5).
  private static func place(
    _ value: Int, stepsPerBit: Int, isLength: Bool
  ) -> (symbol: Int, extra: Int, bits: Int) {
    // The greatest length has a symbol of its own.
    if isLength, value == 255 { return (28, 0, 0) }
    if value < 2 * stepsPerBit { return (value, 0, 0) }
    let stepBits = stepsPerBit.trailingZeroBitCount
    let bits = Int.bitWidth - 1 - value.leadingZeroBitCount - stepBits
    let step = value >> bits - stepsPerBit
    return (stepsPerBit * (bits + 1) + step, value & (1 << bits - 1), bits)
  }
}
