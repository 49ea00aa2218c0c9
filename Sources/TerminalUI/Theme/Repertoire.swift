// SPDX-License-Identifier: GPL-3.0-or-later

/// Which characters a terminal is given.
public enum Repertoire: Sendable {
  case unicode
  /// Lines, blocks, dots and signs are made of ASCII; the letters of all scripts stay.
  case asciiDrawing
  /// Nothing but ASCII: for locales other than UTF-8.
  case ascii
}

extension Glyph {
  /// What stands for this where it cannot be shown; the same when it can.
  func shown(in repertoire: Repertoire) -> Glyph {
    if repertoire == .unicode || ascii != nil { return self }
    guard let base else { return self }
    if let stand = Self.stand(for: base) { return Glyph(stand) }
    return repertoire == .ascii ? Glyph("?") : self
  }

  private static func stand(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x2581...0x2588: heights[Int(scalar.value - 0x2581)]
    case 0x2589...0x258F: scalar.value < 0x258D ? "#" : "|"
    case 0x2800...0x28FF: dots(scalar.value - 0x2800)
    case 0x2500...0x257F: line(scalar.value)
    case 0x2190, 0x25C0, 0x25C2, 0x2039, 0x25C1: "<"
    case 0x2192, 0x25B6, 0x25B8, 0x203A, 0x25B7: ">"
    case 0x2191, 0x25B2, 0x25B4, 0x25B3: "^"
    case 0x2193, 0x25BC, 0x25BE, 0x25BD: "v"
    case 0x2010...0x2015, 0x2212: "-"
    case 0x2018, 0x2019: "'"
    case 0x201C, 0x201D: "\""
    case 0x2026: "~"
    case 0x2022, 0x00B7, 0x2219: "."
    case 0x25C6, 0x25CF, 0x25A0, 0x2605, 0x25C9: "*"
    case 0x25C7, 0x25CB, 0x25A1, 0x2606: "o"
    case 0x2713, 0x2714: "+"
    case 0x2715...0x2718, 0x00D7: "x"
    case 0x2580, 0x259D, 0x2598: "\""
    case 0x2591: ":"
    case 0x2592: "%"
    case 0x2596, 0x2597: "."
    case 0x2590, 0x2593...0x259F, 0x1FB00...0x1FB3B: "#"
    case 0x2000...0x2BFF: "?"
    default: nil
    }
  }

  /// Of one to eight eighths.
  private static let heights: [Unicode.Scalar] = ["_", ".", ".", "-", "-", "=", "=", "#"]

  private static func dots(_ pattern: UInt32) -> Unicode.Scalar {
    switch pattern.nonzeroBitCount {
    case 0: " "
    case 1...2: "."
    case 3...5: ":"
    default: "#"
    }
  }

  private static func line(_ value: UInt32) -> Unicode.Scalar {
    switch value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2574, 0x2576, 0x2578,
      0x257A, 0x257C, 0x257E:
      "-"
    case 0x2550: "="
    case 0x2502, 0x2551, 0x257D, 0x257F: "|"
    // Lines that cross a drawing are told apart as far as that goes.
    case 0x2503: "I"
    case 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F: "!"
    case 0x2575, 0x2579: "'"
    case 0x2577, 0x257B: ","
    default: "+"
    }
  }
}
