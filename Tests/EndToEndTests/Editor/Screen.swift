// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What stands on an editor's screen.
struct Screen: Equatable {
  /// Without spaces at their ends.
  let rows: [String]
  private let cells: [[Character]]

  /// A cell, counted from 0.
  struct Place: Equatable {
    var column: Int
    var row: Int

    func moved(columns: Int, rows: Int = 0) -> Place {
      Place(column: column + columns, row: row + rows)
    }
  }

  init(_ text: String) {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    cells = lines.map(Array.init)
    rows = lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  var text: String { rows.joined(separator: "\n") }

  /// The same without its breaks: a long notice takes several rows.
  var flowingText: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Whether the whole of a window of a size is drawn; the last column of the title is empty.
  func fills(columns: Int, rows: Int) -> Bool {
    self.rows.count == rows && title.count == columns - 1
  }

  /// Whether the title says that every edit is on disk.
  var isKept: Bool { title.contains(#/  saved(, [a-z ]+[a-z0-9, ]*)?$/#) }

  var title: String { rows.first ?? "" }
  var transport: String { rows.count > 1 ? rows[1] : "" }
  var footer: String { rows.last ?? "" }
  /// The line above the footer.
  var notice: String { rows.count > 1 ? rows[rows.count - 2] : "" }

  /// The rows of the list of segments, from its first in sight on.
  var segments: [String] {
    rows.filter { $0.contains(#/^[▶> ] *[0-9]+ +[0-9:.]+ [–-] +[0-9:.]+ /#) }
  }

  /// The row that stands for a segment, counted from 1.
  func segment(_ number: Int) -> String? {
    segments.first { $0.dropFirst().prefix(4).trimmingCharacters(in: .whitespaces) == "\(number)" }
  }

  /// Whether the list shows a segment, counted from 1, with a flag.
  func isFlagged(_ number: Int) -> Bool { segment(number)?.contains(#/ !(n|$| )/#) == true }

  /// The row of the markers' handles.
  var handlesRow: Int? {
    rows.firstIndex { $0.contains("──") && $0.allSatisfy("─◆◇▼?".contains) }
  }

  /// The columns of the handles, from the left.
  var handles: [Int] {
    guard let row = handlesRow else { return [] }
    return cells[row].indices.filter { "◆◇▼?".contains(cells[row][$0]) }
  }

  /// Where a text begins.
  func place(of text: String) -> Place? {
    for (row, line) in rows.enumerated() {
      if let range = line.range(of: text) {
        return Place(column: line[..<range.lowerBound].count, row: row)
      }
    }
    return nil
  }

  /// Where a text begins in the footer.
  func button(_ text: String) -> Place? {
    guard let range = footer.range(of: text) else { return nil }
    return Place(column: footer[..<range.lowerBound].count, row: rows.count - 1)
  }
}
