// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Video

/// What an mpv says, and what it is told.
@Suite struct MPVMessageTests {
  private static let lines: [(String, MPVMessage?)] = [
    (
      #"{"data":1.25,"request_id":7,"error":"success"}"#,
      .reply(7, isSuccess: true, .number(1.25))
    ),
    (#"{"data":true,"request_id":8,"error":"success"}"#, .reply(8, isSuccess: true, .flag(true))),
    (#"{"request_id":9,"error":"property unavailable"}"#, .reply(9, isSuccess: false, nil)),
    (#"{"data":null,"request_id":9,"error":"success"}"#, .reply(9, isSuccess: true, nil)),
    (#"{"data":null,"request_id":0,"error":"success"}"#, nil),
    (#"{"event":"property-change","id":1,"name":"pause","data":false}"#, .paused(false)),
    (#"{"event":"property-change","id":1,"name":"pause"}"#, nil),
    (#"{"event":"property-change","id":1,"name":"volume","data":3}"#, nil),
    (#"{"event":"seek"}"#, .seeking),
    (#"{"event":"playback-restart"}"#, .restarted),
    (#"{"event":"end-file","reason":"error","playlist_entry_id":1}"#, .failed),
    (#"{"event":"end-file","reason":"stop"}"#, nil),
    (#"{"event":"shutdown"}"#, .closing),
    (#"{"event":7}"#, nil),
    ("[1]", nil), ("", nil), ("{", nil),
  ]

  @Test func linesAreUnderstood() {
    for (line, message) in Self.lines {
      #expect(MPVMessage(line: Array(line.utf8)) == message, "\(line)")
    }
  }

  @Test func messagesAreTheSameHoweverTheyArrive() {
    let bytes = Self.lines.flatMap { line -> [UInt8] in Array(line.0.utf8) + [10] }
    for size in [1, 7, 4096] {
      var messages = MPVMessages()
      let found = stride(from: 0, to: bytes.count, by: size).flatMap { start in
        messages.take(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(found == Self.lines.compactMap(\.1))
    }
  }

  @Test func aLineWithoutEndIsThrownAway() {
    var messages = MPVMessages()
    for _ in 0..<1000 {
      #expect(messages.take([UInt8](repeating: 0x7B, count: 5000)).isEmpty)
    }
    #expect(messages.take(Array("}\n{\"event\":\"seek\"}\n".utf8)) == [.seeking])
  }

  /// Any damage gives messages or nothing.
  @Test func damagedLinesBringNothingDown() {
    var random = SplitMix64(state: 18)
    let good = Self.lines.flatMap { line -> [UInt8] in Array(line.0.utf8) + [10] }
    let whole = Self.lines.count { $0.1 != nil }
    var told = 0
    for _ in 0..<(ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == nil ? 300 : 20_000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: [0x5B, 0x7B, 0x39, 0x22].shuffled(using: &random), at: place)
        default: bytes.insert(contentsOf: repeatElement(0x5B, count: 600), at: place)
        }
      }
      var messages = MPVMessages()
      var follower = WindowFollower()
      _ = follower.look(.init(path: "/a", seconds: 1), at: .zero)
      let understood = messages.take(bytes)
      // Each fault harms the lines that it meets, and may part a line in two.
      #expect(understood.count <= whole + 20)
      told += understood.count
      for message in understood {
        _ = follower.take(message, .init(path: "/a", seconds: 1), at: .seconds(1))
      }
      // What comes on the next line is understood again.
      #expect(messages.take(Array("\n{\"event\":\"seek\"}\n".utf8)).last == .seeking)
    }
    #expect(told > 0)
  }

  @Test func pathsAreSentAsTheirBytes() throws {
    let path = "/a/-\"\\\n\u{1}ق\u{10FFE9}.mp4"
    let bytes = MPVCommand(3, .load(path: path, from: 1.5)).bytes
    let lines = bytes.split(separator: 10)
    #expect(lines.count == 2)
    #expect(
      String(decoding: lines[0], as: UTF8.self)
        == #"{"command":["set_property","start","1.5"],"request_id":0}"#)
    let head = #"{"command":["loadfile","/a/-\"\\\u000a\u0001ق"#
    let tail = #".mp4","replace"],"request_id":3}"#
    #expect(Array(lines[1]) == Array(head.utf8) + [0xE9] + Array(tail.utf8))
  }
}
