// SPDX-License-Identifier: GPL-3.0-or-later

/// What a terminal understands, as bytes.
///
/// All terminals in use address the cursor and set attributes by the control sequences of ECMA-48,
/// and this takes them for granted; what differs is which attributes and how many colours there are.
public struct TerminalDialect: Hashable, Sendable {
  /// The parameters of SGR, the sequence `ESC [ ... m`, for each attribute; empty where there is none.
  public var bold: [UInt8]
  public var dim: [UInt8]
  public var underline: [UInt8]
  public var reverse: [UInt8]
  /// The parameters of SGR for each colour; as many as the depth has.
  public var foregrounds: [[UInt8]]
  public var backgrounds: [[UInt8]]
  /// Whether 39 and 49 give back the terminal's own colours, each by itself.
  public var resetsColorsSingly: Bool
  public var depth: ColorDepth

  public var clearScreen: [UInt8]
  public var showCursor: [UInt8]
  public var hideCursor: [UInt8]
  /// Whether `ESC [ K` clears to the end of the line.
  public var erasesLine: Bool
  /// Whether the last cell of the screen scrolls it when written.
  public var scrollsAtLastCell: Bool
  /// Whether the terminal can hold back drawing (private mode 2026).
  public var hasSynchronizedOutput: Bool

  /// Has the terminal answer when it has come so far (DSR 5 of ECMA-48).
  public static let receiptRequest = Array("\u{1B}[5n".utf8)

  /// xterm, and whatever follows it.
  public static let xterm = TerminalDialect(depth: .palette)

  /// One that follows ECMA-48, with so many colours.
  public init(depth: ColorDepth) {
    bold = Array("1".utf8)
    dim = Array("2".utf8)
    underline = Array("4".utf8)
    reverse = Array("7".utf8)
    foregrounds = Self.colors(depth, base: 30)
    backgrounds = Self.colors(depth, base: 40)
    resetsColorsSingly = true
    self.depth = depth
    clearScreen = Array("\u{1B}[H\u{1B}[2J".utf8)
    showCursor = Array("\u{1B}[?25h".utf8)
    hideCursor = Array("\u{1B}[?25l".utf8)
    erasesLine = true
    scrollsAtLastCell = false
    hasSynchronizedOutput = false
  }

  private static func colors(_ depth: ColorDepth, base: Int) -> [[UInt8]] {
    let count =
      switch depth {
      case .mono: 0
      case .eight: 8
      case .sixteen: 16
      case .palette, .direct: 256
      }
    return (0..<count).map { number in
      let parameters =
        switch number {
        case 0..<8: "\(base + number)"
        case 8..<16: "\(base + 60 + number - 8)"
        default: "\(base + 8);5;\(number)"
        }
      return Array(parameters.utf8)
    }
  }
}

extension TerminalDialect {
  /// The parameters of SGR that lead from one style to another; nil when nothing has to be said.
  func parameters(from old: ResolvedStyle, to new: ResolvedStyle) -> [UInt8]? {
    guard old != new else { return nil }
    let losesColor =
      (new.foreground == nil && old.foreground != nil)
      || (new.background == nil && old.background != nil)
    if !old.attributes.isSubset(of: new.attributes) || (losesColor && !resetsColorsSingly) {
      return additions(from: .plain, to: new, startingWith: [UInt8(ascii: "0")])
    }
    let step = additions(from: old, to: new, startingWith: [])
    return step.isEmpty ? nil : step
  }

  private func additions(
    from old: ResolvedStyle, to new: ResolvedStyle, startingWith start: [UInt8]
  ) -> [UInt8] {
    var parameters = start
    func add(_ more: [UInt8]) {
      guard !more.isEmpty else { return }
      if !parameters.isEmpty { parameters.append(UInt8(ascii: ";")) }
      parameters += more
    }
    let gained = new.attributes.subtracting(old.attributes)
    if gained.contains(.bold) { add(bold) }
    if gained.contains(.dim) { add(dim) }
    if gained.contains(.underline) { add(underline) }
    if gained.contains(.reverse) { add(reverse) }
    if new.foreground != old.foreground {
      add(Self.color(new.foreground, of: foregrounds, own: "39", direct: "38;2"))
    }
    if new.background != old.background {
      add(Self.color(new.background, of: backgrounds, own: "49", direct: "48;2"))
    }
    return parameters
  }

  private static func color(
    _ color: ResolvedColor?, of table: [[UInt8]], own: StaticString, direct: StaticString
  ) -> [UInt8] {
    switch color {
    case nil: return bytes(own)
    case .number(let number): return Int(number) < table.count ? table[Int(number)] : []
    case .rgb(let red, let green, let blue):
      var parameters = bytes(direct)
      for part in [red, green, blue] {
        parameters.append(UInt8(ascii: ";"))
        if part >= 100 { parameters.append(0x30 + part / 100) }
        if part >= 10 { parameters.append(0x30 + part / 10 % 10) }
        parameters.append(0x30 + part % 10)
      }
      return parameters
    }
  }

  private static func bytes(_ text: StaticString) -> [UInt8] {
    Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
