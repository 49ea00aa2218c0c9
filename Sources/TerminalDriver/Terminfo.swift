// SPDX-License-Identifier: GPL-3.0-or-later

import CNcurses
import TerminalUI

/// A terminal type as ncurses' database describes it; one at a time in a process.
struct Terminfo {
  let type: String
  /// Whether the description is that of a terminal which this one is only likely to resemble.
  let isGuess: Bool
  /// The number of colours that a type without a description has by its name, such as `xterm-16color`.
  private let namedColors: Int?

  /// Loads the description or, where there is none, that of the terminal's family, for not every machine has
  /// `xterm-kitty`, or else one that the terminal is likely to understand.
  ///
  /// The corresponding function of ncurses is `setupterm`.
  ///
  /// - Parameter standIn: the type whose description is used in that case.
  init(type: String, standIn: String, output: Int32) throws(TerminalError) {
    guard !type.isEmpty else { throw .unnamedType }
    let family = type.prefix { $0 != "-" }
    let names: [String] = [type, "\(family)-256color", standIn]
    let known = names.firstIndex { (name: String) in terminfo_load(name, output) == 1 }
    guard let known else { throw .unknownType(type) }
    self.type = names[known]
    namedColors = known == 0 ? nil : Self.colors(named: type)
    isGuess = known == names.count - 1 || namedColors != nil
  }

  private static func colors(named type: String) -> Int? {
    guard let last = type.split(separator: "-").last, last.hasSuffix("color") else { return nil }
    return Int(last.dropLast("color".count))
  }

  func bytes(_ capability: String) -> [UInt8] { Self.bytes(terminfo_string(capability)) }

  func number(_ capability: String) -> Int? {
    let number = terminfo_number(capability)
    return number < 0 ? nil : Int(number)
  }

  func flag(_ capability: String) -> Bool { terminfo_flag(capability) }

  /// Without the delays `$<5>`, which only terminals of iron needed; empty for none.
  private static func bytes(_ string: UnsafePointer<CChar>?) -> [UInt8] {
    guard let string else { return [] }
    var bytes: [UInt8] = []
    var isDelay = false
    for byte in String(cString: string).utf8 {
      if isDelay {
        isDelay = byte != UInt8(ascii: ">")
      } else if byte == UInt8(ascii: "<"), bytes.last == UInt8(ascii: "$") {
        bytes.removeLast()
        isDelay = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

// MARK: - Dialect

extension Terminfo {
  /// What drawing needs to know, with at most so many colours.
  ///
  /// Throws when the cursor is placed in another way than ECMA-48's, or the screen cannot be cleared.
  func dialect(atMost depth: ColorDepth) throws(TerminalError) -> TerminalDialect {
    guard bytes("cup") == Array("\u{1B}[%i%p1%d;%p2%dH".utf8) else {
      throw .insufficientType(type, missing: "cup")
    }
    let clear = bytes("clear")
    guard !clear.isEmpty else { throw .insufficientType(type, missing: "clear") }
    // No description of a terminal that is in use says that it has all colours; `COLORTERM` does.
    let own = self.depth == .palette ? max(depth, .palette) : self.depth
    var dialect = TerminalDialect(depth: min(depth, own))
    dialect.clearScreen = clear
    dialect.hideCursor = shortened(bytes("civis"), to: dialect.hideCursor)
    dialect.showCursor = shortened(bytes("cnorm"), to: dialect.showCursor)
    dialect.bold = parameters(terminfo_string("bold"))
    dialect.dim = parameters(terminfo_string("dim"))
    dialect.underline = parameters(terminfo_string("smul"))
    dialect.reverse = parameters(terminfo_string("rev"))
    dialect.foregrounds = dialect.foregrounds.indices.map {
      parameters(terminfo_string_for("setaf", Int32($0)))
    }
    dialect.backgrounds = dialect.backgrounds.indices.map {
      parameters(terminfo_string_for("setab", Int32($0)))
    }
    dialect.resetsColorsSingly = flag("AX")
    dialect.erasesLine = bytes("el") == Array("\u{1B}[K".utf8)
    dialect.scrollsAtLastCell = flag("am") && !flag("xenl")
    return dialect
  }

  /// Of a capability that also sets the cursor's shape, only the part that is needed in every frame.
  private func shortened(_ capability: [UInt8], to part: [UInt8]) -> [UInt8] {
    capability.contains(part) ? part : capability
  }

  private var depth: ColorDepth {
    switch min(number("colors") ?? 0, namedColors ?? .max) {
    case 256...: .palette
    case 16...: .sixteen
    case 8...: .eight
    default: .mono
    }
  }

  /// What stands between `ESC [` and `m`; empty for what is not such a sequence.
  private func parameters(_ capability: UnsafePointer<CChar>?) -> [UInt8] {
    let bytes = Self.bytes(capability)
    guard bytes.starts(with: [0x1B, UInt8(ascii: "[")]), bytes.last == UInt8(ascii: "m") else {
      return []
    }
    let inner = bytes.dropFirst(2).dropLast()
    let isPlain = inner.allSatisfy { (0x30...0x3B).contains($0) }
    return isPlain ? Array(inner) : []
  }
}
