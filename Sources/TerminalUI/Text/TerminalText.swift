// SPDX-License-Identifier: GPL-3.0-or-later

/// One line of text that is safe to print on a terminal, whatever it was made from.
///
/// File names, tags and messages of other programs can hold control sequences that move the cursor,
/// retitle the window or turn the line around. A `TerminalText` cannot: every initializer replaces
/// what a terminal would act on with something that can be seen.
///
/// | in the source | here |
/// |---|---|
/// | C0 controls, newline and escape among them | their control picture, `␊`, `␛` (U+2400...U+241F) |
/// | DEL | `␡` |
/// | bytes that are not UTF-8, also as U+10FF80...U+10FFFF, which stand for them in paths | `�` (U+FFFD) |
/// | every other scalar of ``forbiddenScalars`` | its number, `<U+202E>` |
///
/// Everything else is kept: Arabic with its marks and joiners, emoji, private use. The marks U+200E,
/// U+200F and U+061C stay too, being ordinary in Arabic text and unable to override a direction.
/// Making a text from a text changes nothing.
public struct TerminalText: Hashable, Sendable {
  /// The text itself, without newline.
  public let string: String

  /// Columns the text takes, see `Unicode.Scalar.terminalWidth`.
  public let width: Int

  public static let empty = TerminalText(safe: "", width: 0)

  public init(_ source: String) {
    // Most of a screen is made of such text, frame after frame.
    if source.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      self.init(safe: source, width: source.utf8.count)
      return
    }
    var string = ""
    var width = 0
    for scalar in source.unicodeScalars {
      if Self.isForbidden(scalar) {
        let replacement = Self.replacement(of: scalar)
        string += replacement
        width += replacement.unicodeScalars.count
      } else {
        string.unicodeScalars.append(scalar)
        width += scalar.terminalWidth
      }
    }
    self.init(safe: string, width: width)
  }

  /// Reads bytes as UTF-8, for file names, which on Linux are any bytes.
  public init(bytes: [UInt8]) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// For text put together from safe parts whose width is known.
  init(safe string: String, width: Int) {
    self.string = string
    self.width = width
  }

  init(spaces count: Int) {
    self.init(safe: String(repeating: " ", count: count), width: count)
  }

  public static func + (left: TerminalText, right: TerminalText) -> TerminalText {
    TerminalText(safe: left.string + right.string, width: left.width + right.width)
  }

  public static func += (left: inout TerminalText, right: TerminalText) {
    left = left + right
  }
}

extension TerminalText: CustomStringConvertible {
  public var description: String { string }
}

extension TerminalText: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(value) }
}

// MARK: - What may not pass

extension TerminalText {
  /// The scalars that no `TerminalText` contains.
  ///
  /// Controls (ECMA-48), invisible separators and joiners that only hide, line and paragraph
  /// separators, bidirectional embeddings, overrides and isolates (Unicode Standard Annex 9),
  /// deprecated format characters, byte order marks, interlinear annotation, noncharacters, tags, and what stands
  /// for the bytes of a path that are not UTF-8.
  public static let forbiddenScalars: [ClosedRange<Unicode.Scalar>] = [
    "\u{0000}"..."\u{001F}",
    "\u{007F}"..."\u{009F}",
    "\u{200B}"..."\u{200B}",
    "\u{2028}"..."\u{202E}",
    "\u{2060}"..."\u{206F}",
    "\u{FEFF}"..."\u{FEFF}",
    "\u{FFF0}"..."\u{FFFB}",
    "\u{FFFE}"..."\u{FFFF}",
    "\u{E0000}"..."\u{E00FF}",
    "\u{E01F0}"..."\u{E0FFF}",
    "\u{10FF80}"..."\u{10FFFF}",
  ]

  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x7F: return scalar.value < 0x20
    // Letters, lines and blocks, without a look at the list.
    case 0xA0..<0x200B, 0x2070..<0xFEFF: return false
    default: break
    }
    return forbiddenScalars.contains { $0.contains(scalar) }
  }

  private static func replacement(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x00...0x1F: picture(0x2400 + scalar.value)
    case 0x7F: "␡"
    case 0x10FF80...0x10FFFF: "\u{FFFD}"
    default:
      "<U+" + padded(String(scalar.value, radix: 16, uppercase: true)) + ">"
    }
  }

  private static func picture(_ value: UInt32) -> String {
    Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
  }

  private static func padded(_ hexadecimal: String) -> String {
    String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
  }
}
