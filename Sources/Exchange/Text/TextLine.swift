// SPDX-License-Identifier: GPL-3.0-or-later

/// One line of a file.
struct TextLine {
  /// From 1.
  var number: Int
  /// Without what ends it.
  var text: String

  var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// The text of a label file, whatever it is encoded in.
struct LabelText {
  /// More is no file of labels, and would have to fit into memory several times.
  static let mostBytes = 256 << 20

  let format: LabelFormat
  /// UTF-8, without byte order mark and without NUL.
  let bytes: [UInt8]

  /// Reads UTF-8 with or without a byte order mark, and UTF-16 of either order with one.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the line.
  init(_ file: [UInt8], _ format: LabelFormat) throws(ExchangeError) {
    self.format = format
    guard file.count <= Self.mostBytes else {
      throw format.fault(.wholeFile, "larger than \(Self.mostBytes >> 20) MiB")
    }
    if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) {
      bytes = try Self.utf8(ofUTF16: file, format)
    } else {
      let start = file.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      bytes = Array(file[start...])
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw format.fault(
        .line(lineNumber(at: offset, of: bytes)), "a NUL byte; this is no text in UTF-8")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw format.fault(
        .line(firstInvalidLine(of: bytes)), "bytes that are not UTF-8; save the file as UTF-8")
    }
  }

  private static func utf8(
    ofUTF16 file: [UInt8], _ format: LabelFormat
  ) throws(ExchangeError) -> [UInt8] {
    guard file.count.isMultiple(of: 2) else {
      throw format.fault(.wholeFile, "UTF-16 with half a character at its end; it was cut short")
    }
    let low = file[0] == 0xFF ? 0 : 1
    let units = stride(from: 2, to: file.count, by: 2).map { index in
      UInt16(file[index + low]) | UInt16(file[index + 1 - low]) << 8
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw format.fault(.wholeFile, "half a surrogate pair; save the file as UTF-8")
    }
    return Array(text.utf8)
  }

  /// The lines, ended by LF, CR LF or CR.
  var lines: [TextLine] {
    var lines: [TextLine] = []
    var start = 0
    var index = 0
    func add(upTo end: Int) {
      lines.append(
        TextLine(
          number: lines.count + 1, text: String(decoding: bytes[start..<end], as: UTF8.self)))
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        add(upTo: index)
        if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    if start < bytes.count { add(upTo: bytes.count) }
    return lines
  }
}

/// The line, from 1, of the byte at `offset`.
func lineNumber(at offset: Int, of bytes: [UInt8]) -> Int {
  1 + bytes[..<min(offset, bytes.count)].count { $0 == 0x0A }
}

private func firstInvalidLine(of bytes: [UInt8]) -> Int {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  let invalid = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
  return (invalid ?? 0) + 1
}

extension LabelFormat {
  func fault(_ place: TextPlace, _ reason: String) -> ExchangeError {
    .malformedLabels(self, at: place, reason: reason)
  }

  func fault(_ line: Int, _ reason: String) -> ExchangeError { fault(.line(line), reason) }
}
