// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Quran

/// A value in the JSON of timings and the way to it, so that a fault can say where it is.
struct TimingsNode {
  indirect enum Path {
    case root
    case key(Path, String)
    case index(Path, Int)

    var text: String {
      switch self {
      case .root: ""
      case .key(.root, let key): key
      case .key(let path, let key): "\(path.text).\(key)"
      case .index(let path, let index): "\(path.text)[\(index)]"
      }
    }
  }

  let value: JSONValue
  let path: Path

  init(_ value: JSONValue, _ path: Path = .root) {
    self.value = value
    self.path = path
  }

  func fault(_ format: TimingsFormat, _ reason: String) -> TimingsError {
    .malformed(format, path: path.text, reason: reason)
  }

  /// The ayah that a key names, whose value this is.
  func ayah(_ key: String, _ format: TimingsFormat) throws(TimingsError) -> AyahReference {
    if let ayah = AyahReference(key) { return ayah }
    var reason = "the key is not an ayah such as \"2:255\""
    do throws(QuranError) {
      _ = try AyahReference(parsing: key)
    } catch {
      if case .noSuchAyah = error { reason = "\(error)" }
    }
    throw fault(format, reason)
  }

  /// The value of a key; nil where there is none, or null.
  subscript(key: String) -> TimingsNode? {
    guard let member = value[key], member != .null else { return nil }
    return TimingsNode(member, .key(path, key))
  }

  /// Whether an object has a key, be it null.
  func has(_ key: String) -> Bool { value[key] != nil }

  /// Nil where it is no array.
  var elements: [TimingsNode]? {
    guard case .array(let values) = value else { return nil }
    return values.enumerated().map { TimingsNode($1, .index(path, $0)) }
  }

  /// Nil where it is no object.
  var members: [(key: String, node: TimingsNode)]? {
    guard case .object(let members) = value else { return nil }
    return members.map { ($0.key, TimingsNode($0.value, .key(path, $0.key))) }
  }

  /// None where it is no object.
  var fields: [JSONValue.Member] {
    guard case .object(let members) = value else { return [] }
    return members
  }

  func list(_ format: TimingsFormat) throws(TimingsError) -> [TimingsNode] {
    guard let elements else { throw fault(format, "an array was expected") }
    return elements
  }

  func required(_ key: String, _ format: TimingsFormat) throws(TimingsError) -> TimingsNode {
    guard let node = self[key] else { throw fault(format, "the key \"\(key)\" is missing") }
    return node
  }

  /// A finite number; some write it as a text.
  func number(_ format: TimingsFormat) throws(TimingsError) -> Double {
    let number: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .number(let digits), .string(let digits): Double(digits)
      case .null, .bool, .array, .object: nil
      }
    guard let number, number.isFinite else { throw fault(format, "a number was expected") }
    return number
  }

  func integer(_ format: TimingsFormat) throws(TimingsError) -> Int {
    guard let integer = Int(exactly: try number(format)) else {
      throw fault(format, "a whole number was expected")
    }
    return integer
  }

  /// A time as milliseconds, below 0 where it is told as before the file begins; nil for null.
  /// - Parameter scale: milliseconds of its unit.
  func milliseconds(_ format: TimingsFormat, scale: Double = 1) throws(TimingsError) -> Int? {
    if value == .null { return nil }
    let time = (try number(format) * scale).rounded()
    guard abs(time) <= Double(TimingsLimit.time) else {
      throw fault(
        format, "a time beyond 100 hours; times are \(scale == 1 ? "milliseconds" : "seconds")")
    }
    return Int(time)
  }

  func ayah(_ format: TimingsFormat) throws(TimingsError) -> AyahReference {
    guard case .string(let text) = value, let ayah = AyahReference(text) else {
      throw fault(format, "an ayah such as \"2:255\" was expected")
    }
    return ayah
  }
}
