// SPDX-License-Identifier: GPL-3.0-or-later

/// One cell of a ``Surface``: a base character with its marks, and how it is drawn.
///
/// A wide character lies in two cells: the first holds it, the second, of width 0, nothing.
public struct Cell: Hashable, Sendable {
  var glyph: Glyph
  private var columns: UInt8
  public var style: Style

  /// Columns the character takes: 1, 2, or 0 for the second cell of a wide one.
  public var width: Int { Int(columns) }

  public static let blank = Cell(glyph: .space, width: 1, style: .plain)

  init(glyph: Glyph, width: Int, style: Style) {
    self.glyph = glyph
    self.columns = UInt8(truncatingIfNeeded: width)
    self.style = style
  }

  /// A character of one column; a wide one or a control is taken as a space.
  public init(_ scalar: Unicode.Scalar, _ style: Style) {
    let isNarrow = !TerminalText.isForbidden(scalar) && scalar.terminalWidth == 1
    self.init(glyph: isNarrow ? Glyph(scalar) : .space, width: 1, style: style)
  }

  /// A space in a style.
  public static func blank(_ style: Style) -> Cell {
    Cell(glyph: .space, width: 1, style: style)
  }

  static func continuation(_ style: Style) -> Cell {
    Cell(glyph: .none, width: 0, style: style)
  }

  /// The character; empty in the second cell of a wide one.
  public var text: String { glyph.text }

  /// Whether it shows nothing but its background.
  public var isBlank: Bool { glyph == .space }

  /// Whether it shows one character, without marks; quicker than comparing texts.
  public func shows(_ scalar: Unicode.Scalar) -> Bool { glyph == Glyph(scalar) }

  var isContinuation: Bool { columns == 0 }
}

/// A base scalar and its marks as UTF-8, 16 bytes at most, so that cells compare and copy as plain memory.
///
/// The longest cluster of Quran text, a letter with shaddah, vowel, maddah and small signs, takes
/// twelve. Marks for which no room is left are dropped, which also bounds what hostile text can pile
/// on one letter.
struct Glyph: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  static let none = Glyph()
  static let space = Glyph(" ")

  private init() {}

  init(ascii: UInt8) { low = UInt64(ascii) }

  init(_ scalar: Unicode.Scalar) {
    let value = UInt64(scalar.value)
    switch value {
    case ..<0x80: low = value
    // Lines, blocks and braille lie here, which a chart has many of.
    case 0x800..<0x10000:
      low = 0x80_80E0 | value >> 12 | (value >> 6 & 0x3F) << 8 | (value & 0x3F) << 16
    default: append(scalar)
    }
  }

  static let capacity = 16

  var count: Int {
    high != 0 ? 16 - high.leadingZeroBitCount / 8 : 8 - low.leadingZeroBitCount / 8
  }

  /// Adds a mark unless there is no room for it.
  mutating func append(_ scalar: Unicode.Scalar) {
    let bytes = UTF8.encode(scalar)
    guard let bytes, count + bytes.count <= Self.capacity else { return }
    var position = count
    for byte in bytes {
      if position < 8 {
        low |= UInt64(byte) << (8 * position)
      } else {
        high |= UInt64(byte) << (8 * (position - 8))
      }
      position += 1
    }
  }

  func append(to bytes: inout [UInt8]) {
    var rest = low
    while rest != 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    rest = high
    while rest != 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a glyph that is a single ASCII character; nil for others.
  var ascii: UInt8? { low < 0x80 ? UInt8(low) : nil }

  /// Whether it is one of U+2500...U+25BF alone, by its three bytes: what most of a screen is made of beside letters.
  var isLineOrBlock: Bool {
    high == 0 && low <= 0xFF_FFFF && low & 0xFF == 0xE2 && 0x94...0x96 ~= low >> 8 & 0xFF
  }

  /// The first scalar; nil for none.
  var base: Unicode.Scalar? {
    var iterator = scalars.makeIterator()
    return iterator.next()
  }

  /// The base and its marks, read from the bytes: a `String` would be made for every cell drawn.
  var scalars: some Sequence<Unicode.Scalar> {
    sequence(state: 0) { [self] position -> Unicode.Scalar? in
      let first = byte(position)
      guard first != 0 else { return nil }
      let length = max(1, (~first).leadingZeroBitCount)
      var value = UInt32(length == 1 ? first : first & (0x7F >> UInt8(length)))
      for offset in 1..<length { value = value << 6 | UInt32(byte(position + offset) & 0x3F) }
      position += length
      return Unicode.Scalar(value)
    }
  }

  private func byte(_ position: Int) -> UInt8 {
    guard position < Self.capacity else { return 0 }
    let word = position < 8 ? low : high
    return UInt8(truncatingIfNeeded: word &>> UInt64(8 * (position & 7)))
  }
}
