// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of TOML that lists are written in: `key = value` lines, where a value is a text, a whole number,
/// or several of them in brackets; comments from `#` to the end of the line.
///
/// Read by hand because the parser of the settings ends the program on some texts.
struct ListText {
  struct Problem: Error {
    let line: Int
    let text: String
  }

  /// Each key's values; numbers as they are written.
  private(set) var values: [String: [String]] = [:]

  /// Where the text has the value of a key: all of it, and its last part if it is in brackets.
  private struct Place {
    var value: Range<String.Index>
    let isInBrackets: Bool
    var last: Range<String.Index>?
    /// The comma behind that.
    var comma: String.Index?
  }

  private var places: [String: Place] = [:]
  private let text: String
  private var rest: Substring.UnicodeScalarView
  private var line = 1

  init(_ text: String) throws(Problem) {
    self.text = text
    rest = text[...].unicodeScalars
    while true {
      skipBlanks(lines: true)
      guard rest.first != nil else { break }
      try readLine()
    }
  }

  private mutating func readLine() throws(Problem) {
    let key = take { $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || ("0"..."9") ~= $0 }
    guard !key.isEmpty else { throw problem("a line must be KEY = VALUE") }
    skipBlanks(lines: false)
    guard rest.first == "=" else { throw problem("'\(key)' must be followed by =") }
    rest.removeFirst()
    skipBlanks(lines: false)
    guard values[key] == nil else { throw problem("'\(key)' appears twice") }
    var place = Place(value: rest.startIndex..<rest.startIndex, isInBrackets: rest.first == "[")
    values[key] = place.isInBrackets ? try readArray(&place) : [try readValue()]
    place.value = place.value.lowerBound..<rest.startIndex
    places[key] = place
    skipBlanks(lines: false)
    guard rest.first.map(Self.isNewline) ?? true else {
      throw problem("nothing may follow a value on its line")
    }
  }

  private mutating func readArray(_ place: inout Place) throws(Problem) -> [String] {
    rest.removeFirst()
    var values: [String] = []
    while true {
      skipBlanks(lines: true)
      if rest.first == "]" { break }
      let start = rest.startIndex
      values.append(try readValue())
      place.last = start..<rest.startIndex
      skipBlanks(lines: true)
      place.comma = rest.first == "," ? rest.startIndex : nil
      if rest.first == "," { rest.removeFirst() } else { break }
    }
    guard rest.first == "]" else { throw problem("a bracket is not closed, or a comma is missing") }
    rest.removeFirst()
    return values
  }

  private mutating func readValue() throws(Problem) -> String {
    switch rest.first {
    case "\"": return try readText(escapes: true)
    case "'": return try readText(escapes: false)
    default:
      let number = take { ("0"..."9") ~= $0 }
      guard !number.isEmpty, number.count < 10 else {
        throw problem("a value must be a quoted text or a whole number")
      }
      return number
    }
  }

  private mutating func readText(escapes: Bool) throws(Problem) -> String {
    let quote = rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !Self.isNewline(scalar) {
      rest.removeFirst()
      if scalar == quote { return String(text) }
      guard escapes, scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch rest.first {
      case "\"", "\\": text.append(rest.removeFirst())
      default: throw problem(#"only " or \ may follow \; or use '...'"#)
      }
    }
    throw problem("a quote is not closed")
  }

  /// Passes blanks and comments, and the ends of lines if wanted.
  private mutating func skipBlanks(lines: Bool) {
    while let scalar = rest.first {
      if scalar == "#" {
        rest = rest.drop { !Self.isNewline($0) }
      } else if Self.isNewline(scalar) {
        guard lines else { return }
        if scalar == "\n" { line += 1 }
        rest.removeFirst()
      } else if scalar == " " || scalar == "\t" || scalar == "\u{FEFF}" {
        rest.removeFirst()
      } else {
        return
      }
    }
  }

  private mutating func take(_ fits: (Unicode.Scalar) -> Bool) -> String {
    let part = rest.prefix(while: fits)
    rest = rest.dropFirst(part.count)
    return String(part)
  }

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }

  private func problem(_ text: String) -> Problem { Problem(line: line, text: text) }
}

extension ListText {
  /// The text with more values at the end of those of a key; all else in it stays as a person has written it.
  ///
  /// - Parameter new: as they are written.
  func adding(_ new: [String], to key: String) -> String {
    let list = new.joined(separator: ", ")
    guard let place = places[key] else {
      let isNewLine = text.unicodeScalars.last.map(Self.isNewline) ?? true
      return text + (isNewLine ? "" : "\n") + "\(key) = [\(list)]\n"
    }
    guard place.isInBrackets else {
      return inserting(
        [(place.value.lowerBound, "["), (place.value.upperBound, ", \(list)]")])
    }
    guard let last = place.last else {
      return inserting([(text.unicodeScalars.index(after: place.value.lowerBound), list)])
    }
    guard let (indent, end) = ownLine(of: last, place) else {
      return inserting([(last.upperBound, ", \(list)")])
    }
    // A line for each, as the others have, behind what is said of the last.
    return inserting([
      (last.upperBound, place.comma == nil ? "," : ""),
      (end, new.map { "\n\(indent)\($0)," }.joined()),
    ])
  }

  /// What stands before the last value and where its line ends; nil where it shares that with others.
  private func ownLine(
    of last: Range<String.Index>, _ place: Place
  ) -> (indent: String, end: String.Index)? {
    let scalars = text.unicodeScalars
    let start = scalars[..<last.lowerBound].lastIndex(where: Self.isNewline)
    guard let start, let end = scalars[last.upperBound...].firstIndex(where: Self.isNewline),
      end < place.value.upperBound, place.comma.map({ $0 < end }) ?? true
    else { return nil }
    let indent = scalars[scalars.index(after: start)..<last.lowerBound]
    return indent.allSatisfy { $0 == " " || $0 == "\t" } ? (String(indent), end) : nil
  }

  private func inserting(_ pieces: [(at: String.Index, text: String)]) -> String {
    var result = ""
    var start = text.startIndex
    for piece in pieces {
      result += text[start..<piece.at] + piece.text
      start = piece.at
    }
    return result + text[start...]
  }
}
