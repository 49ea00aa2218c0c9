// SPDX-License-Identifier: GPL-3.0-or-later

/// One line of a file.
struct TextLine {
  /// From 1.
  var number: Int
  /// Without what ends it.
  var text: String
  /// LF, CR LF or CR; empty for a last line that nothing ends.
  var ending: String

  var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// The lines of a file of labels, one after the other, ended by LF, CR LF or CR.
struct TextLines {
  let format: LabelFormat
  private var bytes: TextBytes
  private var number = 0

  init(_ input: LabelInput, _ format: LabelFormat) {
    self.format = format
    bytes = TextBytes(input, format)
  }

  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the line where it is not UTF-8,
  ///   ``ExchangeError/tooMuch(_:_:at:)`` where it is too long.
  mutating func next() throws(ExchangeError) -> TextLine? {
    var line: [UInt8] = []
    while let piece = try bytes.rest() {
      if let end = piece.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        try append(piece[..<end], to: &line)
        let isReturn = piece[end] == 0x0D
        bytes.skip(end - piece.startIndex + 1)
        guard isReturn, try bytes.next == 0x0A else {
          return try textLine(line, ending: isReturn ? "\r" : "\n")
        }
        bytes.skip(1)
        return try textLine(line, ending: "\r\n")
      }
      try append(piece, to: &line)
      bytes.skip(piece.count)
    }
    return line.isEmpty ? nil : try textLine(line, ending: "")
  }

  private func append(_ piece: ArraySlice<UInt8>, to line: inout [UInt8]) throws(ExchangeError) {
    guard line.count + piece.count <= LabelLimit.text.value else {
      throw .tooMuch(.text, format, at: .line(number + 1))
    }
    line += piece
  }

  private mutating func textLine(
    _ line: [UInt8], ending: String
  ) throws(ExchangeError) -> TextLine {
    number += 1
    return TextLine(number: number, text: try format.text(of: line, number), ending: ending)
  }
}

/// The bytes of a file of labels as UTF-8, whatever it is encoded in: UTF-8 with or without a byte order mark, and UTF-16
/// of either order with one.
struct TextBytes {
  private enum Encoding {
    /// Before the first piece.
    case unknown
    case utf8
    case utf16(isBigEndian: Bool)
  }

  private let input: LabelInput
  private let format: LabelFormat
  private var encoding = Encoding.unknown
  private var piece: [UInt8] = []
  private var index = 0
  /// A byte, or two of a lead surrogate, whose character goes on in the next piece of UTF-16.
  private var pending: [UInt8] = []
  /// UTF-8 bytes before the piece.
  private var before = 0

  init(_ input: LabelInput, _ format: LabelFormat) {
    self.input = input
    self.format = format
  }

  /// Bytes taken so far, in UTF-8.
  var offset: Int { before + index }

  /// The next byte, which stays; nil at the end.
  var next: UInt8? {
    mutating get throws(ExchangeError) {
      if index < piece.count { return piece[index] }
      return try fill() ? piece[index] : nil
    }
  }

  /// What has been read and not taken, at least a byte; nil at the end.
  mutating func rest() throws(ExchangeError) -> ArraySlice<UInt8>? {
    if index >= piece.count { guard try fill() else { return nil } }
    return piece[index...]
  }

  /// Takes bytes that ``next`` or ``rest()`` gave.
  mutating func skip(_ count: Int) { index += count }

  private mutating func fill() throws(ExchangeError) -> Bool {
    before += piece.count
    index = 0
    piece = []
    while piece.isEmpty {
      if case .unknown = encoding { try recognise() }
      let raw = try input.piece(for: format)
      switch encoding {
      case .unknown, .utf8: piece = pending + raw
      case .utf16(let isBigEndian):
        piece = try utf8(ofUTF16: pending + raw, isBigEndian)
        if raw.isEmpty, piece.isEmpty, !pending.isEmpty {
          throw pending.count.isMultiple(of: 2)
            ? format.fault(.wholeFile, Self.loneSurrogate)
            : format.fault(
              .wholeFile, "UTF-16 with half a character at the end; the file is incomplete")
        }
      }
      if case .utf8 = encoding { pending = [] }
      if raw.isEmpty { break }
    }
    return !piece.isEmpty
  }

  private mutating func recognise() throws(ExchangeError) {
    let mark = try input.beginning(3)
    if mark.starts(with: [0xFF, 0xFE]) || mark.starts(with: [0xFE, 0xFF]) {
      encoding = .utf16(isBigEndian: mark[0] == 0xFE)
      try dropMark(2)
    } else {
      encoding = .utf8
      try dropMark(mark == [0xEF, 0xBB, 0xBF] ? 3 : 0)
    }
  }

  private mutating func dropMark(_ size: Int) throws(ExchangeError) {
    pending = Array(try input.piece(for: format).dropFirst(size))
  }

  private static let loneSurrogate = "half a surrogate pair; save the file as UTF-8"

  /// Keeps what is no whole character for the next piece.
  private mutating func utf8(
    ofUTF16 bytes: [UInt8], _ isBigEndian: Bool
  ) throws(ExchangeError) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    var kept = bytes.count % 2
    if let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      kept += 2
    }
    pending = Array(bytes.suffix(kept))
    guard let text = String(validating: units, as: UTF16.self) else {
      throw format.fault(.wholeFile, Self.loneSurrogate)
    }
    return Array(text.utf8)
  }
}

extension LabelFormat {
  func fault(_ place: TextPlace, _ reason: String) -> ExchangeError {
    .malformedLabels(self, at: place, reason: reason)
  }

  func fault(_ line: Int, _ reason: String) -> ExchangeError { fault(.line(line), reason) }

  /// A text from outside.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` where it is not UTF-8, or binary.
  func text(of bytes: [UInt8], _ line: Int) throws(ExchangeError) -> String {
    guard !bytes.contains(0) else {
      throw fault(line, "a NUL byte; save the file as UTF-8 text")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault(line, "bytes that are not UTF-8; save the file as UTF-8")
    }
    return text
  }
}
