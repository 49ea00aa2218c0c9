// SPDX-License-Identifier: GPL-3.0-or-later

/// What a complete control sequence from a terminal means.
///
/// Sources: xterm's `ctlseqs`, the Linux `console_codes(4)`, rxvt-unicode's `urxvt(7)`, kitty's
/// keyboard protocol.
enum ControlSequence: Equatable {
  case key(KeyEvent)
  case mouse(MouseReport)
  case focus(Bool)
  case pasteStart
  /// The terminal knows private mode 2026.
  case synchronizedOutput
  /// The answer to ``TerminalDialect/receiptRequest``.
  case receipt
  /// What the terminal is capable of, as numbers (DA1).
  case attributes([Int])
  /// The size of a cell.
  case cellPixels(CellPixels)

  /// Whether the terminal says something of itself.
  var isAnswer: Bool {
    switch self {
    case .synchronizedOutput, .receipt, .attributes, .cellPixels: true
    case .key, .mouse, .focus, .pasteStart: false
    }
  }

  /// `ESC [`, the bytes up to the final one, and that; nil when it means nothing here.
  init?(_ bytes: [UInt8], final: UInt8) {
    let letter = Unicode.Scalar(final)
    switch bytes.first {
    case UInt8(ascii: "<"):
      guard letter == "M" || letter == "m", let numbers = Self.numbers(bytes.dropFirst()),
        let report = MouseReport(parameters: numbers.map(\.first), isRelease: letter == "m")
      else { return nil }
      self = .mouse(report)
    case UInt8(ascii: "?") where letter == "c":
      guard let numbers = Self.numbers(bytes.dropFirst()) else { return nil }
      self = .attributes(numbers.map(\.first))
    case UInt8(ascii: "?"):
      // DECRPM: 1 set, 2 reset; 0 unknown, 4 reset for good.
      guard letter == "y", bytes.last == UInt8(ascii: "$"),
        let numbers = Self.numbers(bytes.dropFirst().dropLast()),
        numbers.map(\.first) == [2026, 1] || numbers.map(\.first) == [2026, 2]
      else { return nil }
      self = .synchronizedOutput
    default:
      guard let numbers = Self.numbers(bytes[...]),
        let sequence = Self.ordinary(numbers, letter: letter)
      else { return nil }
      self = sequence
    }
  }

  /// `ESC O`, digits that give modifiers, and the final byte.
  init?(single digits: [UInt8], final: UInt8) {
    let letter = Unicode.Scalar(final)
    let modifiers = Modifiers(parameter: Self.numbers(digits[...])?.first?.first ?? 1)
    if let key = Self.keyByLetter(letter) {
      self = .key(KeyEvent(key, modifiers))
    } else if let key = Self.rxvtArrow(letter) {
      self = .key(KeyEvent(key, .control))
    } else if letter == "M" {
      self = .key(KeyEvent(.enter, modifiers))
    } else if "j"..."y" ~= letter {
      // The keypad in application mode: the character, 64 higher.
      self = .key(KeyEvent(.character(Character(Unicode.Scalar(final - 64))), modifiers))
    } else if letter == "X" {
      self = .key(KeyEvent(.character("="), modifiers))
    } else {
      return nil
    }
  }

  /// The byte after `ESC [ [`: F1...F5 of the Linux console.
  static func consoleFunction(_ byte: UInt8) -> ControlSequence? {
    guard 0x41...0x45 ~= byte else { return nil }
    return .key(KeyEvent(.function(Int(byte) - 0x40)))
  }

  /// Whether these are digits alone, as of keys that end with `~`.
  static func isKeyNumber(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { 0x30...0x39 ~= $0 }
  }
}

// MARK: - Parameters

extension ControlSequence {
  /// One parameter, and the parts that follow it after colons; missing ones are nil.
  struct Parameter {
    var value: Int?
    var parts: [Int?]
    /// What a missing parameter stands for in key sequences.
    var first: Int { value ?? 1 }
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Parameter]? {
    if bytes.isEmpty { return [] }
    var parameters: [Parameter] = []
    for field in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      var parts: [Int?] = []
      for part in field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
        guard part.allSatisfy({ 0x30...0x39 ~= $0 }), part.count <= 7 else { return nil }
        parts.append(part.isEmpty ? nil : part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
      }
      parameters.append(Parameter(value: parts[0], parts: Array(parts.dropFirst())))
    }
    return parameters
  }

  private static func ordinary(_ numbers: [Parameter], letter: Unicode.Scalar) -> ControlSequence? {
    // The parts of the modifiers tell the kind of event; 3 is a release.
    if numbers.count > 1, numbers[1].parts.first == 3 { return nil }
    let modifiers = Modifiers(parameter: numbers.count > 1 ? numbers[1].first : 1)
    switch letter {
    case "I" where numbers.isEmpty: return .focus(true)
    case "O" where numbers.isEmpty: return .focus(false)
    case "Z": return .key(KeyEvent(.tab, modifiers.union(.shift)))
    case "u": return otherKey(numbers.first, modifiers)
    // DSR: 0 is a terminal in order.
    case "n": return numbers.map(\.first) == [0] ? .receipt : nil
    case "~": return tilde(numbers, modifiers)
    // XTWINOPS: 6, height, width.
    case "t":
      guard numbers.count == 3, numbers[0].first == 6 else { return nil }
      return CellPixels(width: numbers[2].first, height: numbers[1].first).map { .cellPixels($0) }
    case "$", "^", "@":
      guard numbers.count == 1, let key = keyByNumber(numbers[0].first) else { return nil }
      let held: Modifiers =
        letter == "$" ? .shift : letter == "^" ? .control : [.shift, .control]
      return .key(KeyEvent(key, held))
    default: break
    }
    if numbers.isEmpty, let arrow = rxvtArrow(letter) { return .key(KeyEvent(arrow, .shift)) }
    guard numbers.count <= 2, let key = keyByLetter(letter) else { return nil }
    return .key(KeyEvent(key, modifiers))
  }

  private static func tilde(_ numbers: [Parameter], _ modifiers: Modifiers) -> ControlSequence? {
    guard let number = numbers.first?.first else { return nil }
    if number == 200 { return .pasteStart }
    if number == 27, numbers.count == 3 { return otherKey(numbers[2], modifiers) }
    return keyByNumber(number).map { .key(KeyEvent($0, modifiers)) }
  }

  /// Keys told by the character they write: kitty's `CSI u`, xterm's `modifyOtherKeys`.
  private static func otherKey(_ code: Parameter?, _ modifiers: Modifiers) -> ControlSequence? {
    guard let code, let number = code.value else { return nil }
    if let key = keyByCode(number) { return .key(KeyEvent(key, modifiers)) }
    guard number >= 0x20, !(0x7F...0x9F ~= number), !(0xE000...0xF8FF ~= number),
      let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init)
    else { return nil }
    var (character, modifiers) = (Character(scalar), modifiers)
    if modifiers.contains(.shift), !modifiers.contains(.control) {
      // Capitals are characters of their own.
      let shifted = code.parts.first.flatMap { $0 }.flatMap { UInt32(exactly: $0) }
      let capital = shifted.flatMap(Unicode.Scalar.init).map { String($0) }
      let text = capital ?? character.uppercased()
      if text.count == 1, let only = text.first, only != character {
        character = only
        modifiers.remove(.shift)
      }
    }
    return .key(KeyEvent(.character(character), modifiers))
  }
}

// MARK: - Keys

extension ControlSequence {
  private static func keyByLetter(_ letter: Unicode.Scalar) -> KeyEvent.Key? {
    switch letter {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "F": .end
    case "H": .home
    case "P": .function(1)
    case "Q": .function(2)
    case "R": .function(3)
    case "S": .function(4)
    default: nil
    }
  }

  /// rxvt's arrows with Shift after `ESC [`, with Ctrl after `ESC O`.
  private static func rxvtArrow(_ letter: Unicode.Scalar) -> KeyEvent.Key? {
    switch letter {
    case "a": .up
    case "b": .down
    case "c": .right
    case "d": .left
    default: nil
    }
  }

  private static func keyByNumber(_ number: Int) -> KeyEvent.Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// Unicode controls, and kitty's numbers in the private use area.
  private static func keyByCode(_ code: Int) -> KeyEvent.Key? {
    switch code {
    case 9: .tab
    case 13, 57414: .enter
    case 27: .escape
    case 8, 127: .backspace
    case 57376...57398: .function(code - 57376 + 13)
    case 57399...57408: .character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30))))
    case 57409: .character(".")
    case 57410: .character("/")
    case 57411: .character("*")
    case 57412: .character("-")
    case 57413: .character("+")
    case 57415: .character("=")
    case 57417: .left
    case 57418: .right
    case 57419: .up
    case 57420: .down
    case 57421: .pageUp
    case 57422: .pageDown
    case 57423: .home
    case 57424: .end
    case 57425: .insert
    case 57426: .delete
    default: nil
    }
  }
}

extension KeyEvent {
  /// The key of a C0 control or DEL.
  static func control(_ byte: UInt8) -> KeyEvent {
    switch byte {
    case 0x00: KeyEvent(" ", .control)
    case 0x09: KeyEvent(.tab)
    case 0x0D: KeyEvent(.enter)
    case 0x08, 0x7F: KeyEvent(.backspace)
    case 0x1B: KeyEvent(.escape)
    case 0x01...0x1A: KeyEvent(Character(Unicode.Scalar(byte + 0x60)), .control)
    default: KeyEvent(Character(Unicode.Scalar((byte & 0x1F) + 0x40)), .control)
    }
  }
}

extension Modifiers {
  /// xterm's number: 1 and the sum of Shift 1, Alt 2, Ctrl 4, Meta 8; what lies above is left out.
  init(parameter: Int) {
    let bits = max(0, parameter - 1)
    var modifiers: Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 0b10_0010 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    self = modifiers
  }
}
