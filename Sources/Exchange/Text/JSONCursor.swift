// SPDX-License-Identifier: GPL-3.0-or-later

/// A value in a JSON text and the way to it, so that a fault can say where it is.
struct JSONCursor {
  let format: LabelFormat
  let value: JSONValue
  /// `segments[3].joins[0]`; empty for the whole text.
  let path: String

  init(_ value: JSONValue, _ path: String, _ format: LabelFormat) {
    self.format = format
    self.value = value
    self.path = path
  }

  func fault(_ reason: String) -> ExchangeError { format.fault(.path(path), reason) }

  // MARK: Down

  var isObject: Bool { if case .object = value { true } else { false } }

  var isArray: Bool { if case .array = value { true } else { false } }

  /// The value of a key; nil where there is none, or null.
  subscript(key: String) -> JSONCursor? {
    guard let member = value[key], member != .null else { return nil }
    return JSONCursor(member, path.isEmpty ? key : "\(path).\(key)", format)
  }

  /// The value of a key that has to be there.
  func required(_ key: String) throws(ExchangeError) -> JSONCursor {
    guard isObject else { throw fault("an object was expected, with the key \"\(key)\"") }
    guard let member = self[key] else { throw fault("the key \"\(key)\" is missing") }
    return member
  }

  func elements() throws(ExchangeError) -> [JSONCursor] {
    guard case .array(let values) = value else { throw fault("an array was expected") }
    return values.enumerated().map { JSONCursor($1, "\(path)[\($0)]", format) }
  }

  // MARK: Values

  func string() throws(ExchangeError) -> String {
    guard case .string(let string) = value else { throw fault("a string was expected") }
    return string
  }

  func bool() throws(ExchangeError) -> Bool {
    guard case .bool(let bool) = value else { throw fault("true or false was expected") }
    return bool
  }

  func integer() throws(ExchangeError) -> Int {
    guard let integer = value.integer else { throw fault("a whole number was expected") }
    return integer
  }

  func number() throws(ExchangeError) -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let digits):
      guard let number = Double(digits), number.isFinite else { throw fault("a number too large") }
      return number
    default: throw fault("a number was expected")
    }
  }

  /// Seconds that may be a time of a recording.
  func seconds() throws(ExchangeError) -> Double {
    try format.checked(try number(), at: .path(path))
  }

  /// One of the words that an enumeration has.
  func word<Word: RawRepresentable & CaseIterable>(
    _: Word.Type = Word.self
  ) throws(ExchangeError) -> Word where Word.RawValue == String {
    let text = try string()
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw fault("\(quoted(text)) is not one of \(words)")
    }
    return word
  }
}
