// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON text as a value, with the keys of objects in the order they are written (RFC 8259).
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Any other number, in the digits it is written with.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The first value of that key in an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// A measured number; null when it is not finite, for which JSON has no word.
  package static func measure(_ value: Double, decimals: Int) -> JSONValue {
    measureText(value, decimals: decimals).map { .number($0) } ?? .null
  }
}

extension JSONValue {
  /// The value on one line, without spaces.
  ///
  /// Text stays as it is but for quotes, backslashes and what could act on a terminal or break a
  /// line: C0, DEL, C1, U+2028 and U+2029 and the bidirectional overrides are written as `\u`.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let string): Self.write(string, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22: bytes += "\\\"".utf8
      case 0x5C: bytes += "\\\\".utf8
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      default:
        if scalar.actsOnLines {
          let digits = String(scalar.value, radix: 16)
          bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        } else {
          bytes += UTF8.encode(scalar).map { Array($0) } ?? []
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
