// SPDX-License-Identifier: GPL-3.0-or-later

extension JSONValue {
  /// Reads one JSON text in UTF-8 (RFC 8259), nested at most 64 deep.
  ///
  /// Integers that fit become ``integer(_:)``, other numbers keep their digits. A half of a
  /// surrogate pair becomes U+FFFD. Of equal keys in an object all are kept.
  ///
  /// - Throws: ``ExchangeError/malformedJSON(offset:reason:)``.
  init(parsing bytes: [UInt8]) throws(ExchangeError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var offset = 0

  static let deepest = 64

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(ExchangeError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw fault("something follows the value") }
    return value
  }

  private mutating func value(depth: Int) throws(ExchangeError) -> JSONValue {
    guard depth < Self.deepest else { throw fault("nested more than \(Self.deepest) deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(ExchangeError) -> JSONValue {
    offset += 1
    skipSpace()
    if take("}") { return .object([]) }
    var members: [JSONValue.Member] = []
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a key was expected") }
      let key = try string()
      skipSpace()
      guard take(":") else { throw fault("a colon was expected") }
      members.append(.init(key, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw fault("a comma or closing brace was expected") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(ExchangeError) -> JSONValue {
    offset += 1
    skipSpace()
    if take("]") { return .array([]) }
    var values: [JSONValue] = []
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw fault("a comma or closing bracket was expected") }
    return .array(values)
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(ExchangeError) -> JSONValue {
    let length = word.utf8CodeUnitCount
    guard bytes[offset...].starts(with: word.description.utf8) else {
      throw fault("a value was expected")
    }
    offset += length
    return value
  }

  private mutating func number() throws(ExchangeError) -> JSONValue {
    let start = offset
    _ = take("-")
    let leading = next
    let wholeDigits = skipDigits()
    guard wholeDigits > 0 else {
      offset = start
      throw fault("a value was expected")
    }
    if wholeDigits > 1, leading == UInt8(ascii: "0") { throw fault("a number begins with zero") }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard skipDigits() > 0 else { throw fault("a digit was expected") }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("-") { _ = take("+") }
      guard skipDigits() > 0 else { throw fault("a digit was expected") }
    }
    let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let integer = Int(digits) { return .integer(integer) }
    return .number(digits)
  }

  private mutating func string() throws(ExchangeError) -> String {
    offset += 1
    var units: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: units, as: UTF8.self) else {
          throw fault("a string is not UTF-8")
        }
        offset += 1
        return string
      case UInt8(ascii: "\\"):
        offset += 1
        units += try escape()
      case 0..<0x20: throw fault("a control character in a string")
      default:
        units.append(byte)
        offset += 1
      }
    }
    throw fault("a string does not end")
  }

  private mutating func escape() throws(ExchangeError) -> [UInt8] {
    guard let byte = next else { throw fault("a string does not end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: "\\u".utf8) {
        let rewind = offset
        offset += 2
        let second = try codeUnit()
        // A second escape that is no trail surrogate stands for itself.
        if UTF16.isTrailSurrogate(second) { units.append(second) } else { offset = rewind }
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    default: throw fault("an unknown escape")
    }
  }

  private mutating func codeUnit() throws(ExchangeError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("four hexadecimal digits were expected")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    return offset - start
  }

  private func fault(_ reason: String) -> ExchangeError {
    .malformedJSON(offset: offset, reason: reason)
  }
}
