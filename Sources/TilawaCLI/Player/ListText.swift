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

  private var rest: Substring.UnicodeScalarView
  private var line = 1

  init(_ text: String) throws(Problem) {
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
    values[key] = rest.first == "[" ? try readArray() : [try readValue()]
    skipBlanks(lines: false)
    guard rest.first.map(Self.isNewline) ?? true else {
      throw problem("nothing may follow a value on its line")
    }
  }

  private mutating func readArray() throws(Problem) -> [String] {
    rest.removeFirst()
    var values: [String] = []
    while true {
      skipBlanks(lines: true)
      if rest.first == "]" { break }
      values.append(try readValue())
      skipBlanks(lines: true)
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
