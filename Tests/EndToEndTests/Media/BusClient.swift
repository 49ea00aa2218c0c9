// SPDX-License-Identifier: GPL-3.0-or-later

import CSystemBus
import Testing

/// A program on a message bus, as quick as one can be. Belongs to one thread.
final class BusClient {
  private let bus: OpaquePointer
  private let player: String

  struct Failure: Error { let call: String, code: Int32 }

  init(_ address: String, player: String) throws {
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0, let bus else { throw Failure(call: "sd_bus_new", code: 0) }
    self.bus = bus
    self.player = player
    try Self.check("sd_bus_set_address", sd_bus_set_address(bus, address))
    try Self.check("sd_bus_set_bus_client", sd_bus_set_bus_client(bus, 1))
    try Self.check("sd_bus_start", sd_bus_start(bus))
  }

  deinit { sd_bus_flush_close_unref(bus) }

  private static func check(_ call: String, _ result: Int32) throws {
    if result < 0 { throw Failure(call: call, code: -result) }
  }

  /// Calls a method of the player without arguments, or with the path of an object, and waits for its answer.
  func call(_ method: String, of interface: String = MPRIS_PLAYER, path: String? = nil) throws {
    let message = try message(interface, method)
    defer { sd_bus_message_unref(message) }
    if let path {
      try Self.check("append", sd_bus_message_append_basic(message, CChar(UInt8(ascii: "o")), path))
    }
    sd_bus_message_unref(try answer(to: message))
  }

  var position: Int64 {
    get throws {
      var position: Int64 = 0
      let reply = try property("Position", "x")
      defer { sd_bus_message_unref(reply) }
      try Self.check(
        "read", sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "x")), &position))
      return position
    }
  }

  /// The id of the track, and its length.
  var track: (id: String, length: Int64) {
    get throws {
      let reply = try property("Metadata", "a{sv}")
      defer { sd_bus_message_unref(reply) }
      func type(_ letter: Character) -> CChar { CChar(letter.asciiValue!) }
      func text(_ letter: Character) -> String {
        var text: UnsafePointer<CChar>?
        sd_bus_message_read_basic(reply, type(letter), &text)
        return text.map { String(cString: $0) } ?? ""
      }
      var (id, length) = ("", Int64(0))
      try Self.check("array", sd_bus_message_enter_container(reply, type("a"), "{sv}"))
      while sd_bus_message_enter_container(reply, type("e"), "sv") > 0 {
        switch text("s") {
        case "mpris:trackid":
          sd_bus_message_enter_container(reply, type("v"), "o")
          id = text("o")
          sd_bus_message_exit_container(reply)
        case "mpris:length":
          sd_bus_message_enter_container(reply, type("v"), "x")
          sd_bus_message_read_basic(reply, type("x"), &length)
          sd_bus_message_exit_container(reply)
        default: sd_bus_message_skip(reply, "v")
        }
        sd_bus_message_exit_container(reply)
      }
      return (id, length)
    }
  }

  private func property(_ name: String, _ type: String) throws -> OpaquePointer {
    let message = try message("org.freedesktop.DBus.Properties", "Get")
    defer { sd_bus_message_unref(message) }
    for text in [MPRIS_PLAYER, name] {
      try Self.check("append", sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text))
    }
    let reply = try answer(to: message)
    let result = sd_bus_message_enter_container(reply, CChar(UInt8(ascii: "v")), type)
    if result < 0 { sd_bus_message_unref(reply) }
    try Self.check("variant", result)
    return reply
  }

  private func message(_ interface: String, _ method: String) throws -> OpaquePointer {
    var message: OpaquePointer?
    try Self.check(
      "sd_bus_message_new_method_call",
      sd_bus_message_new_method_call(bus, &message, player, MPRIS_PATH, interface, method))
    return try #require(message)
  }

  private func answer(to message: OpaquePointer) throws -> OpaquePointer {
    var reply: OpaquePointer?
    // Five minutes: so slow is no machine on which tests end at all.
    try Self.check("sd_bus_call", sd_bus_call(bus, message, 300_000_000, nil, &reply))
    return try #require(reply)
  }
}
