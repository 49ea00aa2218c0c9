// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes numbers in few bytes, small ones in one (LEB128).
public struct ByteEncoder {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Signed numbers, those near zero in one byte.
  public mutating func append(signed value: Int64) {
    append(UInt64(bitPattern: value << 1 ^ value >> 63))
  }
}

/// Reads what `ByteEncoder` wrote; every read may find the bytes wrong.
public struct ByteDecoder {
  private let bytes: [UInt8]
  private var offset = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var isAtEnd: Bool { offset == bytes.count }
  /// Bytes not read yet: an upper bound for any count that is still to come.
  public var remaining: Int { bytes.count - offset }

  public mutating func next() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  public mutating func nextSigned() -> Int64? {
    next().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  /// A count of things that take at least a byte each.
  public mutating func nextCount() -> Int? {
    next().flatMap { $0 <= UInt64(remaining) ? Int($0) : nil }
  }
}
