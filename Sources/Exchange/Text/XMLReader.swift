// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// What an XML text holds, told in its order.
protocol XMLHandler: AnyObject {
  func start(_ element: String, attributes: [String: String], line: Int) throws(ExchangeError)
  /// Characters between tags; one text may come in several pieces.
  func characters(_ text: String) throws(ExchangeError)
  func end(_ element: String) throws(ExchangeError)
}

/// The one way to expat.
///
/// A document type declaration is refused, so that there are no entities but the five of XML: none
/// that expand without end and none that name other files.
struct XMLReader {
  /// Reads a whole document into a handler; throws what that throws.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``, ``ExchangeError/tooMuch(_:_:at:)``.
  static func read(
    _ input: LabelInput, as format: LabelFormat, into handler: any XMLHandler
  ) throws(ExchangeError) {
    // The corresponding C function is XML_ParserCreate.
    guard let parser = XML_ParserCreate(nil) else {
      throw format.fault(.wholeFile, "XML_ParserCreate: out of memory")
    }
    defer { XML_ParserFree(parser) }
    let reading = Reading(parser: parser, format: format, handler: handler)
    try withExtendedLifetime(reading) { () throws(ExchangeError) in
      reading.install()
      var piece: [UInt8]
      repeat {
        piece = try input.piece(for: format)
        try parse(piece, upTo: input.count, reading)
      } while !piece.isEmpty
    }
  }

  /// - Parameter piece: what comes next; empty at the end.
  private static func parse(
    _ piece: [UInt8], upTo count: Int, _ reading: Reading
  ) throws(ExchangeError) {
    // The corresponding C function is XML_Parse.
    let status = piece.withUnsafeBytes { bytes in
      XML_Parse(
        reading.parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count),
        piece.isEmpty ? 1 : 0)
    }
    if let fault = reading.fault { throw fault }
    guard status == XML_STATUS_OK else {
      let code = XML_GetErrorCode(reading.parser)
      let text = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
      throw reading.format.fault(reading.line, "XML: \(text)")
    }
    // expat keeps a tag or comment until it ends, and reads it anew with each piece.
    // The corresponding C function is XML_GetCurrentByteIndex.
    let place = Int(clamping: XML_GetCurrentByteIndex(reading.parser))
    guard count - max(place, 0) <= LabelLimit.text.value + 2 * LabelInput.pieceSize else {
      throw .tooMuch(.text, reading.format, at: .line(reading.line))
    }
  }
}

/// What expat's callbacks share; they reach it by the parser's user data, for as long as
/// ``XMLReader/read(_:as:into:)`` runs.
private final class Reading {
  let parser: XML_Parser
  let format: LabelFormat
  private let handler: any XMLHandler
  private(set) var fault: ExchangeError?
  private var depth = 0
  private var textLength = 0

  init(parser: XML_Parser, format: LabelFormat, handler: any XMLHandler) {
    self.parser = parser
    self.format = format
    self.handler = handler
  }

  var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

  func install() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        Reading.of(data)?.start(name, attributes)
      },
      { data, name in
        Reading.of(data)?.end(name)
      })
    XML_SetCharacterDataHandler(parser) { data, characters, length in
      Reading.of(data)?.characters(characters, Int(length))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      Reading.of(data)?.refuseDoctype()
    }
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> Reading? {
    data.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    attempt { () throws(ExchangeError) in
      depth += 1
      textLength = 0
      guard depth <= LabelLimit.xmlDepth.value else {
        throw .tooMuch(.xmlDepth, format, at: .line(line))
      }
      var values: [String: String] = [:]
      var length = 0
      var index = 0
      while let attributes, let key = attributes[index], let value = attributes[index + 1] {
        let text = String(cString: value)
        length += text.utf8.count
        guard length <= LabelLimit.text.value else {
          throw .tooMuch(.text, format, at: .line(line))
        }
        values[String(cString: key)] = text
        index += 2
      }
      try handler.start(Self.string(name), attributes: values, line: line)
    }
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    attempt { () throws(ExchangeError) in
      depth -= 1
      textLength = 0
      try handler.end(Self.string(name))
    }
  }

  private func characters(_ characters: UnsafePointer<CChar>?, _ length: Int) {
    attempt { () throws(ExchangeError) in
      textLength += length
      guard textLength <= LabelLimit.text.value else {
        throw .tooMuch(.text, format, at: .line(line))
      }
      let bytes = UnsafeRawBufferPointer(start: characters, count: length)
      try handler.characters(String(decoding: bytes, as: UTF8.self))
    }
  }

  private func refuseDoctype() {
    attempt { () throws(ExchangeError) in
      throw format.fault(line, "a document type declaration is not allowed")
    }
  }

  private static func string(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  /// Keeps the first fault and ends the parsing: C cannot throw.
  private func attempt(_ body: () throws(ExchangeError) -> Void) {
    guard fault == nil else { return }
    do {
      try body()
    } catch {
      fault = error
      // The corresponding C function is XML_StopParser; it fails only after the end.
      _ = XML_StopParser(parser, 0)
    }
  }
}
