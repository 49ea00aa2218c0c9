// SPDX-License-Identifier: GPL-3.0-or-later

extension TextGrid {
  /// Reads the long and the short form: both are the same numbers, texts in quotes and flags in
  /// angle brackets, and everything else is comment.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var reader = TextGridReader(TextBytes(input, .textgrid))
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
  private var bytes: TextBytes
  private var line = 1
  private var counter = LabelCounter(format)

  init(_ bytes: TextBytes) { self.bytes = bytes }

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
    for _ in 0..<(try count("tiers", upTo: .tiers)) { tiers.append(try tier()) }
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
    for _ in 0..<(try count("labels", upTo: .labels)) {
      let start = try time("a time")
      let place = TextPlace.line(line)
      try counter.add(at: place)
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

  private mutating func count(
    _ what: String, upTo limit: LabelLimit
  ) throws(ExchangeError) -> Int {
    let number = try number("the number of \(what)")
    guard let count = Int(exactly: number), count >= 0 else {
      throw fault("\(number) is not a valid number of \(what)")
    }
    guard count <= limit.value else { throw .tooMuch(limit, Self.format, at: .line(line)) }
    return count
  }

  // MARK: Tokens

  private mutating func next(_ what: String) throws(ExchangeError) -> Token {
    while let byte = try bytes.next {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        bytes.skip(1)
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): bytes.skip(1)
      case UInt8(ascii: "\""): return .text(try quotedText())
      case UInt8(ascii: "!"):
        while let inside = try bytes.next, inside != UInt8(ascii: "\n") { bytes.skip(1) }
      default:
        let word = try word()
        if word.hasPrefix("<"), word.hasSuffix(">") {
          return .flag(String(word.dropFirst().dropLast()))
        }
        if let number = TimeReading.decimal(word) { return .number(number) }
      }
    }
    throw fault("the file ends where \(what) was expected; it is incomplete")
  }

  /// Up to the next space.
  private mutating func word() throws(ExchangeError) -> String {
    var word: [UInt8] = []
    while let byte = try bytes.next, !Self.isSpace(byte) {
      bytes.skip(1)
      word.append(byte)
      guard word.count <= LabelLimit.text.value else { throw tooLong }
    }
    return try Self.format.text(of: word, line)
  }

  /// Up to the closing quote; two quotes stand for one.
  private mutating func quotedText() throws(ExchangeError) -> String {
    let first = line
    var text: [UInt8] = []
    bytes.skip(1)
    while let byte = try bytes.next {
      bytes.skip(1)
      if byte == UInt8(ascii: "\"") {
        guard try bytes.next == UInt8(ascii: "\"") else {
          return try Self.format.text(of: text, first)
        }
        bytes.skip(1)
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      text.append(byte)
      guard text.count <= LabelLimit.text.value else { throw tooLong }
    }
    line = first
    throw fault("the closing quote of a text is missing")
  }

  private var tooLong: ExchangeError { .tooMuch(.text, Self.format, at: .line(line)) }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func fault(_ reason: String) -> ExchangeError { Self.format.fault(line, reason) }
}
