// SPDX-License-Identifier: GPL-3.0-or-later

extension TextGrid {
  /// Reads the long and the short form: both are the same numbers, texts in quotes and flags in
  /// angle brackets, and everything else is comment.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in bytes: [UInt8]) throws(ExchangeError) -> LabelFile {
    var reader = TextGridReader(try LabelText(bytes, .textgrid))
    return try reader.file()
  }
}

private struct TextGridReader {
  private enum Token {
    case number(Double)
    case text(String)
    case flag(String)
  }

  private static let format = LabelFormat.textgrid
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1

  init(_ text: LabelText) { bytes = text.bytes }

  mutating func file() throws(ExchangeError) -> LabelFile {
    let type = try text("the type of the file")
    let kind = try text("the class of the object")
    guard type.hasPrefix("ooTextFile"), kind == "TextGrid" else {
      throw fault(
        "this is a Praat \(quoted(kind)), not a TextGrid; in Praat, save the TextGrid alone as text"
      )
    }
    _ = try number("the start")
    _ = try number("the end")
    guard case .flag(let flag) = try next("whether there are tiers"), flag == "exists" else {
      return LabelFile(tiers: [])
    }
    var tiers: [LabelTier] = []
    for _ in 0..<(try count("tiers")) { tiers.append(try tier()) }
    return LabelFile(tiers: tiers)
  }

  private mutating func tier() throws(ExchangeError) -> LabelTier {
    let kind = try text("the class of a tier")
    guard kind == "IntervalTier" || kind == "TextTier" else {
      throw fault("a tier is an IntervalTier or a TextTier, not \(quoted(kind))")
    }
    var tier = LabelTier(name: try text("the name of a tier"), labels: [])
    _ = try number("the start of a tier")
    _ = try number("the end of a tier")
    for _ in 0..<(try count("labels")) {
      let start = try time("a time")
      let place = TextPlace.line(line)
      var end: Double?
      if kind == "IntervalTier" {
        let time = try time("the end of an interval")
        try Self.format.checkOrder(start, time, at: place)
        end = time
      }
      tier.labels.append(Label(start: start, end: end, text: try text("a text"), place: place))
    }
    return tier
  }

  // MARK: Values

  private mutating func text(_ what: String) throws(ExchangeError) -> String {
    guard case .text(let text) = try next(what) else {
      throw fault("\(what) was expected, in quotes")
    }
    return text
  }

  private mutating func number(_ what: String) throws(ExchangeError) -> Double {
    guard case .number(let number) = try next(what) else {
      throw fault("\(what) was expected, a number")
    }
    return number
  }

  private mutating func time(_ what: String) throws(ExchangeError) -> Double {
    let number = try number(what)
    return try Self.format.checked(number, at: .line(line))
  }

  /// Every counted thing takes some bytes, so a count beyond them is a lie not worth following.
  private mutating func count(_ what: String) throws(ExchangeError) -> Int {
    let number = try number("the number of \(what)")
    guard let count = Int(exactly: number), (0...bytes.count).contains(count) else {
      throw fault("\(number) is no number of \(what) that the file could hold")
    }
    return count
  }

  // MARK: Tokens

  private mutating func next(_ what: String) throws(ExchangeError) -> Token {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\n"):
        line += 1
        offset += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "\""): return .text(try quotedText())
      case UInt8(ascii: "!"): skip { $0 != UInt8(ascii: "\n") }
      default:
        let start = offset
        skip { !Self.isSpace($0) }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        if word.hasPrefix("<"), word.hasSuffix(">") {
          return .flag(String(word.dropFirst().dropLast()))
        }
        if let number = TimeReading.decimal(word) { return .number(number) }
      }
    }
    throw fault("the file ends where \(what) was expected; it was cut short")
  }

  /// Up to the closing quote; two quotes stand for one.
  private mutating func quotedText() throws(ExchangeError) -> String {
    let first = line
    var text: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
          return String(decoding: text, as: UTF8.self)
        }
        offset += 1
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      text.append(byte)
    }
    line = first
    throw fault("a text in quotes does not end")
  }

  private mutating func skip(_ belongs: (UInt8) -> Bool) {
    while offset < bytes.count, belongs(bytes[offset]) { offset += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func fault(_ reason: String) -> ExchangeError { Self.format.fault(line, reason) }
}
