// SPDX-License-Identifier: GPL-3.0-or-later

/// Where in a file something stands.
public enum TextPlace: Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  case line(Int)
  /// A value in a JSON text: `segments[3].joins[0]`.
  case path(String)
  case wholeFile

  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .path(let path): path.isEmpty ? "the whole file" : path
    case .wholeFile: "the file"
    }
  }
}

/// Text from outside for a message: in quotes, on one line, cut at 40 characters.
func quoted(_ text: String) -> String {
  let line = singleLine(String(text.prefix(41)))
  return "\"" + (line.count > 40 ? line.prefix(40) + "..." : line) + "\""
}
