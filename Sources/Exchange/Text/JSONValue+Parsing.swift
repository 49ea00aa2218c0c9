// SPDX-License-Identifier: GPL-3.0-or-later

extension JSONValue {
  /// Reads one JSON text in UTF-8 (RFC 8259), nested at most 64 deep.
  ///
  /// Integers that fit become ``integer(_:)``, other numbers keep their digits. A half of a
  /// surrogate pair becomes U+FFFD. Of equal keys in an object all are kept.
  ///
  /// - Throws: ``ExchangeError/malformedJSON(offset:reason:)``.
  package init(parsing bytes: [UInt8]) throws(ExchangeError) {
    var parser = JSONParser(LabelInput(bytes), .json)
    let value = try parser.value(depth: 0)
    try parser.end()
    self = value
  }
}

/// Reads the parts of a JSON text one after the other.
struct JSONParser {
  private var bytes: TextBytes
  private let format: LabelFormat
  /// From 1.
  private(set) var line = 1
  /// Where in the text the value ends at the latest that is being read; nil for no limit.
  private var latestEnd: Int?

  init(_ input: LabelInput, _ format: LabelFormat) {
    bytes = TextBytes(input, format)
    self.format = format
  }

  // MARK: Parts

  /// The first byte of the next value or sign, which stays; nil at the end of the text.
  mutating func peek() throws(ExchangeError) -> UInt8? {
    try skipSpace()
    return try bytes.next
  }

  /// Takes a sign if it comes next.
  mutating func takeSign(_ scalar: Unicode.Scalar) throws(ExchangeError) -> Bool {
    try skipSpace()
    return try take(scalar)
  }

  mutating func end() throws(ExchangeError) {
    guard try peek() == nil else { throw fault("something follows the value") }
  }

  /// A value of no more bytes than ``LabelLimit/text``.
  mutating func limitedValue(depth: Int) throws(ExchangeError) -> JSONValue {
    latestEnd = bytes.offset + LabelLimit.text.value
    defer { latestEnd = nil }
    return try value(depth: depth)
  }

  /// Takes a value without keeping it.
  mutating func skipValue(depth: Int) throws(ExchangeError) {
    try checkDepth(depth)
    switch try peek() {
    case UInt8(ascii: "{"):
      try members { (parser, _) throws(ExchangeError) in
        try parser.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try elements { (parser) throws(ExchangeError) in
        try parser.skipValue(depth: depth + 1)
      }
    default: _ = try limitedValue(depth: depth)
    }
  }

  /// Takes an object; `body` takes each of its values.
  mutating func members(
    _ body: (inout JSONParser, String) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    bytes.skip(1)
    if try takeSign("}") { return }
    repeat {
      guard try peek() == UInt8(ascii: "\"") else { throw fault("a key was expected") }
      let key = try string()
      guard try takeSign(":") else { throw fault("a colon was expected") }
      try body(&self, key)
    } while try takeSign(",")
    guard try take("}") else { throw fault("a comma or closing brace was expected") }
  }

  /// Takes an array; `body` takes each of its values.
  mutating func elements(
    _ body: (inout JSONParser) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    bytes.skip(1)
    if try takeSign("]") { return }
    repeat { try body(&self) } while try takeSign(",")
    guard try take("]") else { throw fault("a comma or closing bracket was expected") }
  }

  // MARK: Values

  mutating func value(depth: Int) throws(ExchangeError) -> JSONValue {
    try checkDepth(depth)
    switch try peek() {
    case UInt8(ascii: "{"):
      var values: [JSONValue.Member] = []
      try members { (parser, key) throws(ExchangeError) in
        values.append(.init(key, try parser.value(depth: depth + 1)))
      }
      return .object(values)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try elements { (parser) throws(ExchangeError) in
        values.append(try parser.value(depth: depth + 1))
      }
      return .array(values)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  func checkDepth(_ depth: Int) throws(ExchangeError) {
    let limit = LabelLimit.jsonDepth
    guard depth < limit.value else { throw .tooMuch(limit, format, at: .line(line)) }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(ExchangeError) -> JSONValue {
    let start = bytes.offset
    for byte in word.description.utf8 {
      guard try bytes.next == byte else { throw fault("a value was expected", at: start) }
      try skip()
    }
    return value
  }

  private mutating func number() throws(ExchangeError) -> JSONValue {
    let start = bytes.offset
    var digits: [UInt8] = []
    if try take("-") { digits.append(UInt8(ascii: "-")) }
    let leading = try bytes.next
    let wholeDigits = try takeDigits(into: &digits)
    guard wholeDigits > 0 else { throw fault("a value was expected", at: start) }
    if wholeDigits > 1, leading == UInt8(ascii: "0") { throw fault("a number begins with zero") }
    var isInteger = true
    if try take(".") {
      isInteger = false
      digits.append(UInt8(ascii: "."))
      guard try takeDigits(into: &digits) > 0 else { throw fault("a digit was expected") }
    }
    if let sign = try bytes.next, sign == UInt8(ascii: "e") || sign == UInt8(ascii: "E") {
      isInteger = false
      digits.append(sign)
      try skip()
      if let sign = try bytes.next, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        digits.append(sign)
        try skip()
      }
      guard try takeDigits(into: &digits) > 0 else { throw fault("a digit was expected") }
    }
    let text = String(decoding: digits, as: UTF8.self)
    if isInteger, let integer = Int(text) { return .integer(integer) }
    return .number(text)
  }

  private mutating func takeDigits(into digits: inout [UInt8]) throws(ExchangeError) -> Int {
    let start = digits.count
    while let byte = try bytes.next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      digits.append(byte)
      try skip()
      try checkLength(digits.count)
    }
    return digits.count - start
  }

  private mutating func string() throws(ExchangeError) -> String {
    try skip()
    var units: [UInt8] = []
    while let byte = try bytes.next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: units, as: UTF8.self) else {
          throw fault("a string is not UTF-8")
        }
        try skip()
        return string
      case UInt8(ascii: "\\"):
        try skip()
        units += try escape()
      case 0..<0x20: throw fault("a control character in a string")
      default:
        units.append(byte)
        try skip()
      }
      try checkLength(units.count)
    }
    throw fault("a string does not end")
  }

  private func checkLength(_ count: Int) throws(ExchangeError) {
    guard count <= LabelLimit.text.value else {
      throw .tooMuch(.text, format, at: .line(line))
    }
  }

  /// What follows a backslash.
  private mutating func escape() throws(ExchangeError) -> [UInt8] {
    guard let byte = try bytes.next else { throw fault("a string does not end") }
    try skip()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      // A second escape that is no trail surrogate stands for itself.
      while let last = units.last, UTF16.isLeadSurrogate(last), try take("\\") {
        guard try take("u") else { return Self.utf8(units) + (try escape()) }
        units.append(try codeUnit())
        try checkLength(units.count)
      }
      return Self.utf8(units)
    default: throw fault("an unknown escape")
    }
  }

  private static func utf8(_ units: [UInt16]) -> [UInt8] {
    Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func codeUnit() throws(ExchangeError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = try bytes.next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw fault("four hexadecimal digits were expected") }
      unit = unit << 4 | UInt16(digit)
      try skip()
    }
    return unit
  }

  // MARK: Bytes

  private mutating func skip() throws(ExchangeError) {
    bytes.skip(1)
    if let latestEnd, bytes.offset > latestEnd {
      throw .tooMuch(.text, format, at: .line(line))
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws(ExchangeError) -> Bool {
    guard try bytes.next == UInt8(ascii: scalar) else { return false }
    try skip()
    return true
  }

  private mutating func skipSpace() throws(ExchangeError) {
    while let byte = try bytes.next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      try skip()
    }
  }

  private func fault(_ reason: String, at offset: Int? = nil) -> ExchangeError {
    .malformedJSON(offset: offset ?? bytes.offset, reason: reason)
  }
}
