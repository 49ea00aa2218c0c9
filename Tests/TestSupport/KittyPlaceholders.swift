// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What a terminal with kitty's protocol makes of the placeholders in its cells. Written from the protocol, not from
/// the program.
public struct KittyPlaceholders: Sendable {
  /// A part of an image in a cell.
  public struct Part: Hashable, Sendable {
    public var number: UInt32
    public var row: Int
    public var column: Int
  }

  /// Row by row; nil where there is none.
  public private(set) var parts: [[Part?]] = []

  /// What is not as the protocol has it.
  public private(set) var faults: [String] = []

  /// kitty's `rowcolumn-diacritics.txt` by its own rule: marks of combining class 230 in Unicode 6.0 without a
  /// decomposition, but for some that others decompose into.
  public static let marks: [Unicode.Scalar] = {
    let others: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F,
      0x311, 0x313, 0x314, 0x342, 0x653, 0x654,
    ]
    return (0x300..<0x1_E000 as Range<UInt32>).compactMap { value in
      guard let scalar = Unicode.Scalar(value), !others.contains(value) else { return nil }
      let properties = scalar.properties
      guard properties.canonicalCombiningClass.rawValue == 230,
        properties.generalCategory == .nonspacingMark, let age = properties.age,
        (age.major, age.minor) <= (6, 0),
        String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar])
      else { return nil }
      return scalar
    }
  }()

  /// - Parameter rows: the characters of each cell, with the number of the foreground's colour in the palette.
  public init(_ rows: [[(text: String, color: Int?)]]) {
    parts = rows.map { row in
      var left: Part?
      return row.map { cell in
        left = part(cell.text, cell.color, left: left)
        return left
      }
    }
  }

  /// - Parameter screen: lines of text with SGR sequences, as `tmux capture-pane -e` gives them.
  public init(screen: String) {
    var color: Int?
    self.init(
      screen.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        Self.cells(line.unicodeScalars, &color)
      })
  }

  private static func cells(
    _ line: Substring.UnicodeScalarView, _ color: inout Int?
  ) -> [(text: String, color: Int?)] {
    var cells: [(text: String, color: Int?)] = []
    var rest = line[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        let sequence = rest.prefix { $0 != "m" }
        rest = rest.dropFirst(sequence.count + 1)
        let numbers = String(sequence.dropFirst()).split(separator: ";").map { Int($0) ?? 0 }
        if numbers.isEmpty || numbers == [0] || numbers == [39] { color = nil }
        if numbers.count >= 3, Array(numbers.suffix(3).prefix(2)) == [38, 5] {
          color = numbers.last
        }
      } else if scalar.properties.canonicalCombiningClass.rawValue == 230, !cells.isEmpty {
        cells[cells.count - 1].text.unicodeScalars.append(scalar)
      } else {
        cells.append((String(scalar), color))
      }
    }
    return cells
  }

  private mutating func part(_ text: String, _ color: Int?, left: Part?) -> Part? {
    let scalars = Array(text.unicodeScalars)
    guard scalars.first == "\u{10EEEE}" else { return nil }
    guard let color else {
      faults.append("no number")
      return nil
    }
    let marks = scalars.dropFirst().map { Self.marks.firstIndex(of: $0) ?? -1 }
    let neighbour = left.flatMap { Int($0.number & 0xFF_FFFF) == color ? $0 : nil }
    switch marks.count {
    case 3: return Part(number: UInt32(marks[2] << 24 | color), row: marks[0], column: marks[1])
    case 0:
      if let neighbour {
        return Part(number: neighbour.number, row: neighbour.row, column: neighbour.column + 1)
      }
    default: break
    }
    faults.append("\(marks.count) marks")
    return nil
  }

  /// The cells of an image, where they are all there in a rectangle that begins at a cell and shows it whole, but for those
  /// in which something else is written.
  public func cells(of number: UInt32) -> [(column: Int, row: Int, part: Part)] {
    parts.enumerated().flatMap { row, parts in
      parts.enumerated().compactMap { column, part in
        part.flatMap { $0.number == number ? (column, row, $0) : nil }
      }
    }
  }
}

/// What tmux passes on to its terminal of what a program writes.
public enum TmuxLine {
  /// The bytes that were wrapped, and those that were not.
  public static func split(_ bytes: [UInt8]) -> (passed: [UInt8], others: [UInt8]) {
    var (passed, others) = ([UInt8](), [UInt8]())
    let start = Array("\u{1B}Ptmux;".utf8)
    var index = 0
    while index < bytes.count {
      guard bytes[index...].starts(with: start) else {
        others.append(bytes[index])
        index += 1
        continue
      }
      index += start.count
      while index + 1 < bytes.count {
        if bytes[index] != 0x1B {
          passed.append(bytes[index])
          index += 1
        } else if bytes[index + 1] == 0x1B {
          passed.append(0x1B)
          index += 2
        } else {
          index += 2
          break
        }
      }
    }
    return (passed, others)
  }
}
