// SPDX-License-Identifier: GPL-3.0-or-later

import CSystemBus
import Glibc

/// Writes to and reads from a message of a bus, of which nobody else knows. Each call throws what the bus says.
struct BusMessage {
  let pointer: OpaquePointer

  private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(letter.value) }

  // Writing.

  func append(_ text: String) throws(BusError) {
    try append(text, as: "s")
  }

  func append(path: String) throws(BusError) {
    try append(path, as: "o")
  }

  private func append(_ text: String, as type: Unicode.Scalar) throws(BusError) {
    // A zero byte ends what C takes for the text.
    try BusError.check(
      "sd_bus_message_append_basic", sd_bus_message_append_basic(pointer, Self.type(type), text))
  }

  func append(_ flag: Bool) throws(BusError) { try append(number: Int32(flag ? 1 : 0), as: "b") }
  func append(_ number: Int32) throws(BusError) { try append(number: number, as: "i") }
  func append(_ number: UInt32) throws(BusError) { try append(number: number, as: "u") }
  func append(_ number: Int64) throws(BusError) { try append(number: number, as: "x") }
  func append(_ number: Double) throws(BusError) { try append(number: number, as: "d") }

  private func append<Number: BitwiseCopyable>(
    number: Number, as type: Unicode.Scalar
  ) throws(BusError) {
    let result = withUnsafePointer(to: number) {
      sd_bus_message_append_basic(pointer, Self.type(type), $0)
    }
    try BusError.check("sd_bus_message_append_basic", result)
  }

  func append(
    container type: Unicode.Scalar, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try BusError.check(
      "sd_bus_message_open_container",
      sd_bus_message_open_container(pointer, Self.type(type), contents))
    try body()
    try BusError.check(
      "sd_bus_message_close_container", sd_bus_message_close_container(pointer))
  }

  func append(texts: [String]) throws(BusError) {
    try append(container: "a", of: "s") { () throws(BusError) in
      for text in texts { try append(text) }
    }
  }

  func append(paths: [String]) throws(BusError) {
    try append(container: "a", of: "o") { () throws(BusError) in
      for path in paths { try append(path: path) }
    }
  }

  /// An entry of a dictionary `a{sv}`.
  func append(
    entry name: String, of contents: String, _ value: () throws(BusError) -> Void
  ) throws(BusError) {
    try append(container: "e", of: "sv") { () throws(BusError) in
      try append(name)
      try append(container: "v", of: contents, value)
    }
  }

  // Reading. What is read is of the type that the interface's table promises.

  func text() throws(BusError) -> String { try readText("s") }
  func path() throws(BusError) -> String { try readText("o") }

  private func readText(_ type: Unicode.Scalar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try BusError.check(
      "sd_bus_message_read_basic", sd_bus_message_read_basic(pointer, Self.type(type), &text))
    return text.map { String(cString: $0) } ?? ""
  }

  func double() throws(BusError) -> Double { try read(0, as: "d") }
  func unsigned() throws(BusError) -> UInt32 { try read(0, as: "u") }
  func boolean() throws(BusError) -> Bool { try read(Int32(0), as: "b") != 0 }
  func descriptor() throws(BusError) -> Int32 { try read(-1, as: "h") }

  private func read<Number: BitwiseCopyable>(
    _ start: Number, as type: Unicode.Scalar
  ) throws(BusError) -> Number {
    var number = start
    let result = withUnsafeMutablePointer(to: &number) {
      sd_bus_message_read_basic(pointer, Self.type(type), $0)
    }
    try BusError.check("sd_bus_message_read_basic", result)
    return number
  }

  /// As many paths of an array as anybody may send.
  func paths(atMost count: Int) throws(BusError) -> [String] {
    try BusError.check(
      "sd_bus_message_enter_container",
      sd_bus_message_enter_container(pointer, Self.type("a"), "o"))
    var paths: [String] = []
    while paths.count < count, sd_bus_message_at_end(pointer, 0) == 0 { paths.append(try path()) }
    return paths
  }
}

/// A call to the bus that failed.
public struct BusError: Error, Hashable, Sendable {
  /// The C function.
  public let call: String
  public let code: Int32

  /// Returns the result, or throws it if it is negative.
  @discardableResult
  static func check(_ call: String, _ result: Int32) throws(BusError) -> Int32 {
    guard result < 0 else { return result }
    throw BusError(call: call, code: -result)
  }
}

extension BusError: CustomStringConvertible {
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
