// SPDX-License-Identifier: GPL-3.0-or-later

/// How texts are written into the cells of a table.
public enum CellText: Hashable, Sendable {
  /// As they are.
  case verbatim
  /// So that no spreadsheet takes them for formulas: an apostrophe stands before what would begin one.
  ///
  /// That is `=`, `+`, `-` or `@`, also in full width, a tab or a line end at the start of a text, and the signs also after
  /// a comma, semicolon, tab or line end in it, where a spreadsheet with another separator begins a cell. Source: OWASP,
  /// "CSV Injection". Read back, the apostrophes stay.
  case withoutFormulas

  private static let signs: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
  private static let separators: Set<Unicode.Scalar> = [",", ";", "\t", "\n", "\r"]

  func cell(_ text: String) -> String {
    guard self == .withoutFormulas else { return text }
    var cell = ""
    if let first = text.unicodeScalars.first, first == "\t" || first == "\r" || first == "\n" {
      cell = "'"
    }
    var isAtStart = true
    for scalar in text.unicodeScalars {
      if isAtStart, Self.signs.contains(scalar) { cell += "'" }
      cell.unicodeScalars.append(scalar)
      if Self.separators.contains(scalar) {
        isAtStart = true
      } else if scalar != "\"", !scalar.properties.isWhitespace {
        isAtStart = false
      }
    }
    return cell
  }
}
