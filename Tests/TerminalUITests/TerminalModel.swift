// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// A terminal of ECMA-48 as far as frames need one: it interprets bytes and keeps a grid.
///
/// Written from the standard and xterm's `ctlseqs`, not from the encoder; traps on what it does not know.
struct TerminalModel {
  struct Cell: Equatable, CustomStringConvertible {
    /// Empty in the second cell of a wide character.
    var text = " "
    var style = ResolvedStyle.plain
    var description: String { "\(text)/\(style)" }

    /// Without what cannot be seen: the colour and the weight of a space.
    var visible: Cell {
      guard text == " ", style.attributes.isDisjoint(with: [.underline, .reverse]) else {
        return self
      }
      return Cell(style: ResolvedStyle(background: style.background))
    }
  }

  private(set) var rows: [[Cell]]
  /// What a person sees.
  var screen: [[Cell]] { rows.map { $0.map(\.visible) } }
  private(set) var cursor = Point.zero
  private(set) var isCursorShown = true
  private let size: Size
  private var style = ResolvedStyle.plain
  private var isWrapPending = false

  init(size: Size) {
    self.size = size
    rows = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
  }

  mutating func interpret(_ bytes: [UInt8]) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "\u{1B}":
        precondition(scalars[index] == "[", "only control sequences are known")
        var parameters = ""
        index += 1
        while !("@"..."~" ~= scalars[index]) {
          parameters.unicodeScalars.append(scalars[index])
          index += 1
        }
        control(scalars[index], parameters)
        index += 1
      case "\n":
        precondition(cursor.row < size.rows - 1, "a line feed must not scroll")
        cursor.row += 1
        isWrapPending = false
      case "\r":
        cursor.column = 0
        isWrapPending = false
      case "\u{8}":
        precondition(!isWrapPending, "terminals differ here")
        cursor.column = max(0, cursor.column - 1)
      default: print(scalar)
      }
    }
  }

  private mutating func control(_ letter: Unicode.Scalar, _ text: String) {
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first.flatMap { $0 }
    if "ABCDH".unicodeScalars.contains(letter) { isWrapPending = false }
    switch letter {
    case "H":
      cursor = Point(
        column: (numbers.count > 1 ? numbers[1] ?? 1 : 1) - 1, row: (first ?? 1) - 1)
      precondition(cursor.row < size.rows && cursor.column < size.columns)
    case "A": cursor.row -= first ?? 1
    case "B": cursor.row += first ?? 1
    case "C": cursor.column += first ?? 1
    case "D": cursor.column -= first ?? 1
    case "J": rows = TerminalModel(size: size).rows
    case "K":
      for column in cursor.column..<size.columns {
        clear(column)
        rows[cursor.row][column] = Cell(style: ResolvedStyle(background: style.background))
      }
    case "h" where text == "?25": isCursorShown = true
    case "l" where text == "?25": isCursorShown = false
    case "h" where text == "?2026", "l" where text == "?2026": break
    case "m": select(numbers.isEmpty ? [0] : numbers.map { $0 ?? 0 })
    default: preconditionFailure("unknown sequence \(text)\(letter)")
    }
    precondition((0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column))
  }

  private mutating func select(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 2: style.attributes.insert(.dim)
      case 4: style.attributes.insert(.underline)
      case 7: style.attributes.insert(.reverse)
      case 30...37: style.foreground = .number(UInt8(number - 30))
      case 90...97: style.foreground = .number(UInt8(number - 90 + 8))
      case 40...47: style.background = .number(UInt8(number - 40))
      case 100...107: style.background = .number(UInt8(number - 100 + 8))
      case 39: style.foreground = nil
      case 49: style.background = nil
      case 38, 48:
        var parts: [UInt8] = []
        func take(_ count: Int) {
          for _ in 0..<count { parts.append(UInt8(rest.popFirst() ?? 0)) }
        }
        let kind = rest.popFirst()
        precondition(kind == 5 || kind == 2)
        take(kind == 5 ? 1 : 3)
        let color: ResolvedColor =
          kind == 5 ? .number(parts[0]) : .rgb(parts[0], parts[1], parts[2])
        if number == 38 { style.foreground = color } else { style.background = color }
      default: preconditionFailure("unknown attribute \(number)")
      }
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    let width = scalar.terminalWidth
    if width == 0 {
      // A mark joins the character before the cursor.
      var column = isWrapPending ? cursor.column : cursor.column - 1
      if column > 0, rows[cursor.row][column].text.isEmpty { column -= 1 }
      rows[cursor.row][column].text.unicodeScalars.append(scalar)
      return
    }
    precondition(!isWrapPending, "the row is full")
    precondition(cursor.column + width <= size.columns, "does not fit into the row")
    for column in cursor.column..<cursor.column + width { clear(column) }
    rows[cursor.row][cursor.column] = Cell(text: String(scalar), style: style)
    if width == 2 { rows[cursor.row][cursor.column + 1] = Cell(text: "", style: style) }
    if cursor.column + width == size.columns {
      isWrapPending = true
      cursor.column = size.columns - 1
    } else {
      cursor.column += width
    }
  }

  /// What is left of a wide character that loses a half is a space.
  private mutating func clear(_ column: Int) {
    let row = cursor.row
    if rows[row][column].text.isEmpty { rows[row][column - 1].text = " " }
    if column + 1 < size.columns, rows[row][column + 1].text.isEmpty {
      rows[row][column + 1].text = " "
    }
    rows[row][column].text = " "
  }
}

extension Surface {
  /// What a terminal ought to show.
  func expected(theme: Theme = .standard, depth: ColorDepth) -> [[TerminalModel.Cell]] {
    (0..<fullSize.rows).map { row in
      self.row(row).map { cell in
        TerminalModel.Cell(text: cell.text, style: theme.resolve(cell.style, depth: depth))
          .visible
      }
    }
  }
}
