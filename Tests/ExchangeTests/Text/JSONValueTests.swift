// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Exchange

@Suite struct JSONValueTests {
  @Test func escapesWhatWouldBreakALineOrATerminal() throws {
    let string = "a\"\\/\u{8}\t\n\u{C}\r\0\u{1B}\u{7F}\u{9B}\u{2028}\u{202E}س😀"
    let text = JSONValue.string(string).text
    #expect(
      text
        == #""a\"\\/\b\t\n\f\r\u0000\u001b\u007f\u009b\u2028\u202eس😀""#)
    #expect(try JSONValue(parsing: Array(text.utf8)) == .string(string))
  }

  @Test func escapesEveryControl() throws {
    for value: UInt32 in Array(0...0x1F) + Array(0x7F...0x9F) {
      let string = String(Unicode.Scalar(value)!)
      let text = JSONValue.string(string).text
      #expect(text.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
      #expect(try JSONValue(parsing: Array(text.utf8)) == .string(string))
    }
  }

  @Test func keepsTheOrderOfKeys() throws {
    let text = #"{"b":1,"a":[true,false,null],"":{},"n":-1.50e+3}"#
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(value.text == text)
    #expect(value["b"] == .integer(1))
    #expect(value["n"] == .number("-1.50e+3"))
  }

  @Test(arguments: [
    (#" "\u00e9\ud83d\ude00" "#, "é😀"), (#""\ud83dA""#, "\u{FFFD}A"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00""#, "\u{FFFD}"), (#""\/""#, "/"),
  ])
  func readsEscapes(text: String, string: String) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == .string(string))
  }

  @Test(arguments: [
    ("", 0), ("[1,]", 3), ("{\"a\" 1}", 5), ("{a:1}", 1), ("01", 2), ("1.", 2), ("-", 0),
    ("nul", 0),
    ("\"a", 2), ("\"\n\"", 1), ("\"\\x\"", 3), ("\"\\u12g4\"", 5), ("1 2", 2), ("[1 2]", 3),
    ("+1", 0), ("1e", 2), ("\"\\", 2), ("[", 1),
  ])
  func saysWhereATextIsMalformed(text: String, offset: Int) {
    let error = #expect(throws: ExchangeError.self) {
      try JSONValue(parsing: Array(text.utf8))
    }
    guard case .malformedJSON(let found, _) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(found == offset)
  }

  @Test func refusesDeepNestingAndInvalidUTF8() {
    let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: ExchangeError.self) { try JSONValue(parsing: deep) }
    #expect(throws: ExchangeError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test func survivesAnything() {
    var random = SplitMix64(state: 5)
    var read = 0
    let alphabet = Array("{}[]\",:\\u0123e+-.tfn \u{0}é".utf8) + [0xFF]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &random)
      let bytes = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      read += 1
      #expect((try? JSONValue(parsing: Array(value.text.utf8))) == value)
    }
    #expect(read > 100)
  }
}
