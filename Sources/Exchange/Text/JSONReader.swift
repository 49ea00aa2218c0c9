// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a JSON text that is an object with long arrays, or an array of such objects, without keeping the arrays: their
/// elements come one by one.
struct JSONReader {
  private let format: LabelFormat
  private let keys: Set<String>
  private let lists: Set<String>

  /// - Parameters:
  ///   - keys: which values of an object are kept; of equal keys the first. All others are skipped.
  ///   - lists: which arrays of it are given element by element.
  init(_ format: LabelFormat, keys: Set<String>, lists: Set<String>) {
    self.format = format
    self.keys = keys
    self.lists = lists
  }

  /// Takes an element of a list: the list's name, the element, and what the object has before the list.
  typealias ListElement = (
    _ list: String, _ element: JSONCursor, _ object: JSONCursor
  ) throws(ExchangeError) -> Void

  /// Reads the whole text.
  ///
  /// - Parameter rootElement: takes the elements where the text is an array; nil where it must not be one.
  /// - Returns: the text, its lists and itself empty where they are arrays.
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the line, or the path;
  ///   ``ExchangeError/tooMuch(_:_:at:)``; what the closures throw.
  func read(
    _ input: LabelInput, rootElement: ((JSONCursor) throws(ExchangeError) -> Void)? = nil,
    listElement: ListElement
  ) throws(ExchangeError) -> JSONCursor {
    var parser = JSONParser(input, format)
    do {
      let root = try root(&parser, rootElement, listElement)
      try parser.end()
      return root
    } catch {
      guard case .malformedJSON(_, let reason) = error else { throw error }
      throw format.fault(parser.line, "invalid JSON: \(reason)")
    }
  }

  private func root(
    _ parser: inout JSONParser, _ rootElement: ((JSONCursor) throws(ExchangeError) -> Void)?,
    _ listElement: ListElement
  ) throws(ExchangeError) -> JSONCursor {
    guard try parser.peek() == UInt8(ascii: "["), let rootElement else {
      return try object(&parser, "", depth: 0, listElement)
    }
    var count = 0
    try parser.elements { (parser) throws(ExchangeError) in
      try rootElement(object(&parser, "[\(count)]", depth: 1, listElement))
      count += 1
    }
    return JSONCursor(.array([]), "", format)
  }

  /// Any value; what is in it is skipped but for the keys and lists of an object.
  private func object(
    _ parser: inout JSONParser, _ path: String, depth: Int, _ listElement: ListElement
  ) throws(ExchangeError) -> JSONCursor {
    switch try parser.peek() {
    case UInt8(ascii: "["):
      try parser.skipValue(depth: depth)
      return JSONCursor(.array([]), path, format)
    case UInt8(ascii: "{"): break
    default: return JSONCursor(try parser.limitedValue(depth: depth), path, format)
    }
    var kept: [JSONValue.Member] = []
    try parser.members { (parser, key) throws(ExchangeError) in
      let isList = lists.contains(key)
      guard isList || keys.contains(key), !kept.contains(where: { $0.key == key }) else {
        return try parser.skipValue(depth: depth + 1)
      }
      guard isList, try parser.peek() == UInt8(ascii: "[") else {
        kept.append(.init(key, try parser.limitedValue(depth: depth + 1)))
        return
      }
      let object = JSONCursor(.object(kept), path, format)
      let listPath = path.isEmpty ? key : "\(path).\(key)"
      var count = 0
      try parser.elements { (parser) throws(ExchangeError) in
        let value = try parser.limitedValue(depth: depth + 2)
        try listElement(key, JSONCursor(value, "\(listPath)[\(count)]", format), object)
        count += 1
      }
      kept.append(.init(key, .array([])))
    }
    return JSONCursor(.object(kept), path, format)
  }
}
