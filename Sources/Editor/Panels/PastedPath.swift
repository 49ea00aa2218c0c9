// SPDX-License-Identifier: GPL-3.0-or-later

/// The path in text that was pasted or dropped onto the terminal.
struct PastedPath {
  /// As a program opens it; empty where the text holds none.
  let path: String

  /// Undoes what terminals, shells and file managers do to paths: blanks around it, quotes, backslashes
  /// before blanks, `file://` and its per cent signs. Of several lines the first counts.
  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { Self.trimmed($0) }
    guard var line = lines.first(where: { !$0.isEmpty }) else {
      path = ""
      return
    }
    let scheme = "file://"
    if line.hasPrefix(scheme) {
      // A host may stand before the path. By bytes: to Swift a slash and a mark after it are one character.
      path = Self.decoded(line.utf8.dropFirst(scheme.utf8.count).drop { $0 != UInt8(ascii: "/") })
      return
    }
    if let quote = line.first, quote == "'" || quote == "\"", line.count > 1, line.last == quote {
      line = line.dropFirst().dropLast()
    } else {
      line = Self.unescaped(line)
    }
    path = String(line)
  }

  /// Whether it can be nothing but a path.
  var isCertain: Bool {
    ["/", "~/", "./", "../"].contains { path.utf8.starts(with: $0.utf8) }
  }

  private static func trimmed(_ line: Substring) -> Substring {
    let start = line.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }

  private static func unescaped(_ line: Substring) -> Substring {
    var result = ""
    var isEscaped = false
    for character in line {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return Substring(result)
  }

  private static func decoded(_ text: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
