// SPDX-License-Identifier: GPL-3.0-or-later

/// Turns the bytes a terminal sends into events.
///
/// Reads what xterm, tmux, screen, the Linux console, rxvt and kitty send for keys, mouse reports
/// (SGR, and the older ones of three bytes), bracketed paste and focus. The bytes may be cut
/// anywhere: the events are the same. What is none of these is dropped.
///
/// Only time tells the Escape key from the start of a sequence. When no byte has come until
/// ``deadline``, call ``expire()``; a decoder that is not asked in time takes what comes later as
/// the sequence's continuation, so a busy program does not mistake an arrow for Escape.
public struct InputDecoder: Sendable {
  /// Whether the terminal has answered that it can hold back drawing until a frame is complete.
  public private(set) var hasSynchronizedOutput = false

  /// How often the terminal has said that it has read up to a ``TerminalDialect/receiptRequest``.
  public private(set) var receipts = 0

  /// What the terminal has said of images.
  public private(set) var graphics = GraphicsAnswers()

  /// When ``expire()`` is due, in the time of the last ``decode(_:at:)``; nil when nothing is pending.
  public private(set) var deadline: Duration?

  /// How long an escape waits for the rest of a sequence.
  public static let escapeWait = Duration.milliseconds(25)
  /// How long what is surely a sequence, or a character, waits for its rest.
  public static let sequenceWait = Duration.milliseconds(500)
  /// How long a paste waits for its end.
  public static let pasteWait = Duration.seconds(5)
  /// Between the two: `ESC [`, which may still be Alt-[.
  public static let introducerWait = Duration.milliseconds(100)
  /// Bytes of one paste; the rest of it is dropped.
  public static let longestPaste = 1 << 20
  private static let longestSequence = 64
  private static let longestString = 4096
  /// Bytes of a string that are looked at: the answer to ``KittyGraphics/query`` is shorter.
  private static let longestAnswer = 256

  private enum State {
    case ground
    case escape
    /// Within `ESC [`, `ESC O`, a string such as `ESC ]`.
    case control
    case single
    case string(introducer: UInt8, isEnding: Bool, count: Int)
    /// After `ESC [ [` of the Linux console.
    case consoleFunction
    /// Three bytes after `ESC [ M`.
    case oldMouse
    /// Within a character of several bytes.
    case character(left: Int)
    case paste
  }

  private var state = State.ground
  /// Another escape came before the present one: Alt, as rxvt sends it, or the Escape key.
  private var hasSecondEscape = false
  /// The bytes of a sequence after its introducer, or of a character.
  private var pending: [UInt8] = []
  private var pasted: [UInt8] = []
  private var pasteEndMatched = 0
  private var mouse = MouseReportDecoder()
  private var events: [InputEvent] = []

  public init() {}

  /// Decodes bytes read at a time, counted from any fixed moment.
  public mutating func decode(_ bytes: some Sequence<UInt8>, at time: Duration) -> [InputEvent] {
    for byte in bytes { take(byte) }
    deadline = wait.map { time + $0 }
    return takeEvents()
  }

  /// Forgets what the terminal has said of images, so that it can be asked anew.
  public mutating func forgetGraphics() { graphics = GraphicsAnswers() }

  /// Ends what has waited in vain: an Escape is a key then, half a sequence is dropped.
  public mutating func expire() -> [InputEvent] {
    switch state {
    case .ground: break
    case .escape:
      if hasSecondEscape { emit(.escape) }
      emit(.escape)
    case .control where pending.isEmpty: emit(.character("["), .alt)
    case .single where pending.isEmpty: emit(.character("O"), .alt)
    case .string(let introducer, _, count: 0): emit(.character(Character(.init(introducer))), .alt)
    case .paste: finishPaste()
    case .control, .single, .string, .consoleFunction, .oldMouse, .character: break
    }
    reset()
    deadline = nil
    return takeEvents()
  }

  private var wait: Duration? {
    switch state {
    case .ground: nil
    case .escape: Self.escapeWait
    case .control, .single: pending.isEmpty ? Self.introducerWait : Self.sequenceWait
    case .string(_, _, let count):
      // What is surely an answer may come in parts, and none of it is typed.
      count == 0
        ? Self.introducerWait : isAnswer ? Self.pasteWait : Self.sequenceWait
    case .consoleFunction, .oldMouse, .character: Self.sequenceWait
    case .paste: Self.pasteWait
    }
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  private mutating func reset() {
    state = .ground
    hasSecondEscape = false
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func emit(_ key: KeyEvent.Key, _ modifiers: Modifiers = []) {
    events.append(.key(KeyEvent(key, modifiers)))
  }

  private mutating func emit(_ event: InputEvent?) {
    if let event { events.append(event) }
  }
}

// MARK: - Byte by byte

extension InputDecoder {
  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte, modifiers: [])
    case .escape: takeEscape(byte)
    case .control: takeControl(byte)
    case .single: takeSingle(byte)
    case .string: takeString(byte)
    case .consoleFunction: finish(ControlSequence.consoleFunction(byte), unless: byte)
    case .oldMouse: takeOldMouse(byte)
    case .character(let left): takeCharacter(byte, left: left)
    case .paste: takePaste(byte)
    }
  }

  private mutating func takeGround(_ byte: UInt8, modifiers: Modifiers) {
    switch byte {
    case 0x1B:
      state = .escape
    case 0x00...0x1F, 0x7F:
      reset()
      var event = KeyEvent.control(byte)
      event.modifiers.formUnion(modifiers)
      events.append(.key(event))
    case 0x20...0x7E:
      reset()
      emit(.character(Character(Unicode.Scalar(byte))), modifiers)
    case 0xC2...0xF4:
      pending = [byte]
      state = .character(left: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
    default:
      reset()
    }
  }

  private mutating func takeEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      if hasSecondEscape { emit(.escape) }
      hasSecondEscape = true
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      state = .string(introducer: byte, isEnding: false, count: 0)
    default:
      if hasSecondEscape { emit(.escape) }
      // `takeCharacter` has to know of the Alt, which is what a second escape means to it.
      hasSecondEscape = true
      takeGround(byte, modifiers: .alt)
    }
  }

  private mutating func takeCharacter(_ byte: UInt8, left: Int) {
    guard 0x80...0xBF ~= byte else {
      reset()
      take(byte)
      return
    }
    pending.append(byte)
    if left > 1 {
      state = .character(left: left - 1)
      return
    }
    let text = String(validating: pending, as: UTF8.self)
    let modifiers: Modifiers = hasSecondEscape ? .alt : []
    reset()
    guard let character = text?.first, !character.isC1Control else { return }
    emit(.character(character), modifiers)
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "[") where pending.isEmpty: state = .consoleFunction
    case UInt8(ascii: "M") where pending.isEmpty: state = .oldMouse
    case UInt8(ascii: "$") where ControlSequence.isKeyNumber(pending):
      // rxvt ends the keys with Shift so; elsewhere it is in the middle of a report.
      finish(ControlSequence(pending, final: byte))
    case 0x20...0x3F:
      // An overlong one goes on to its end and is nothing then.
      if pending.count <= Self.longestSequence { pending.append(byte) }
    case 0x40...0x7E:
      let sequence = pending.count > Self.longestSequence ? nil : pending
      finish(sequence.flatMap { ControlSequence($0, final: byte) })
    default:
      reset()
      if byte < 0x20 { take(byte) }
    }
  }

  private mutating func finish(_ sequence: ControlSequence?) {
    let isAlt = hasSecondEscape
    reset()
    // No terminal puts Alt before an answer: the escape was a key, soon followed by one.
    if isAlt, sequence?.isAnswer == true { emit(.escape) }
    switch sequence {
    case .key(var event):
      if isAlt { event.modifiers.insert(.alt) }
      events.append(.key(event))
    case .mouse(let report): emit(mouse.decode(report))
    case .focus(let isFocused): emit(.focus(isFocused))
    case .pasteStart:
      pasteEndMatched = 0
      state = .paste
    case .synchronizedOutput: hasSynchronizedOutput = true
    case .receipt: receipts += 1
    case .attributes(let numbers): graphics.take(attributes: numbers)
    case .cellPixels(let pixels): graphics.cell = pixels
    case nil: break
    }
  }

  /// The same, where a byte that ends no sequence may start another.
  private mutating func finish(_ sequence: ControlSequence?, unless byte: UInt8) {
    finish(sequence)
    if sequence == nil, byte < 0x20 { take(byte) }
  }

  private mutating func takeSingle(_ byte: UInt8) {
    if 0x30...0x39 ~= byte, pending.count < 4 {
      pending.append(byte)
    } else {
      finish(ControlSequence(single: pending, final: byte), unless: byte)
    }
  }

  private mutating func takeOldMouse(_ byte: UInt8) {
    pending.append(byte)
    guard pending.count == 3 else { return }
    let report = MouseReport(threeBytes: pending)
    finish(report.map { .mouse($0) })
  }

  /// Whether the string under way is one of kitty's graphics protocol, or says what colour the background has.
  private var isAnswer: Bool {
    switch state {
    case .string(UInt8(ascii: "_"), _, _): pending.first == UInt8(ascii: "G")
    case .string(UInt8(ascii: "]"), _, _): pending.starts(with: "11;".utf8)
    default: false
    }
  }

  /// Reads an answer of kitty's graphics protocol and the colour of the background, and skips what nobody asked for, up to
  /// BEL or `ESC \`.
  private mutating func takeString(_ byte: UInt8) {
    guard case .string(let introducer, let isEnding, let count) = state else { return }
    if isEnding, byte != UInt8(ascii: "\\") {
      // Not the end of the string but the start of something else.
      reset()
      state = .escape
      takeEscape(byte)
    } else if isEnding || byte == 0x07 || byte == 0x18 || byte == 0x1A
      || count >= Self.longestString
    {
      let isColor = introducer == UInt8(ascii: "]")
      if isEnding || isColor && byte == 0x07, isAnswer {
        if hasSecondEscape { emit(.escape) }
        if isColor {
          graphics.take(background: pending)
        } else {
          graphics.take(kitty: pending)
        }
      }
      reset()
    } else {
      if byte != 0x1B, pending.count < Self.longestAnswer { pending.append(byte) }
      state = .string(introducer: introducer, isEnding: byte == 0x1B, count: count + 1)
    }
  }
}

// MARK: - Paste

extension InputDecoder {
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndMatched] {
      pasteEndMatched += 1
      if pasteEndMatched == Self.pasteEnd.count {
        pasteEndMatched = 0
        finishPaste()
        reset()
      }
      return
    }
    for matched in Self.pasteEnd[..<pasteEndMatched] { keep(matched) }
    // An escape occurs in the end mark once only, so nothing but a new start can match.
    pasteEndMatched = byte == Self.pasteEnd[0] ? 1 : 0
    if pasteEndMatched == 0 { keep(byte) }
  }

  private mutating func keep(_ byte: UInt8) {
    if pasted.count < Self.longestPaste { pasted.append(byte) }
  }

  private mutating func finishPaste() {
    let text = String(decoding: pasted, as: UTF8.self)
    pasted = []
    emit(.paste(String(text.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })))
  }
}

extension Character {
  fileprivate var isC1Control: Bool {
    unicodeScalars.first.map { 0x80...0x9F ~= $0.value } ?? true
  }
}
