// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// What an `mpv` is told over its JSON IPC; the answer carries the same number.
public struct MPVCommand: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Shows a file from a time on, in the container's own seconds. The path has to be absolute.
    case load(path: String, from: Double)
    /// Shows nothing.
    case unload
    /// Goes to the first frame that is not before a time.
    case seek(to: Double)
    case setPaused(Bool)
    case setSpeed(Double)
    case askTime
    case askPaused
    /// Which way its picture goes; it has no answer where it goes nowhere.
    case askOutput
    /// Has it tell whenever it is paused or goes on.
    case observePaused
    /// One of its own keys, which then does nothing.
    case ignoreKey(String)
    case toggleFullScreen
    case quit
  }

  public let number: Int
  public let kind: Kind

  public init(_ number: Int, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }

  /// The bytes to send, one line for each command of mpv's that it takes.
  public var bytes: [UInt8] {
    switch kind {
    case .load(let path, let start):
      Self.line([.word("set_property"), .word("start"), .word("\(Self.rounded(start))")], 0)
        + Self.line([.word("loadfile"), .path(path), .word("replace")], number)
    case .unload: line("stop")
    case .seek(let time):
      Self.line(
        [.word("seek"), .literal("\(Self.rounded(time))"), .word("absolute+exact")], number)
    case .setPaused(let isPaused): set("pause", .literal("\(isPaused)"))
    case .setSpeed(let speed): set("speed", .literal("\(Self.rounded(speed))"))
    case .askTime: line("get_property", "time-pos")
    case .askPaused: line("get_property", "pause")
    case .askOutput: line("get_property", "current-vo")
    case .observePaused:
      Self.line([.word("observe_property"), .literal("1"), .word("pause")], number)
    case .ignoreKey(let name): line("keybind", name, "ignore")
    case .toggleFullScreen: line("cycle", "fullscreen")
    case .quit: line("quit")
    }
  }

  private enum Part {
    case word(String)
    case literal(String)
    case path(String)
  }

  /// Without an exponent, which mpv would not read in its options.
  private static func rounded(_ number: Double) -> Double {
    let steps = (number * 1_000_000).rounded()
    return steps.isFinite && abs(number) < 1e9 && abs(number) >= 1e-3 ? steps / 1_000_000 : 0
  }

  private func line(_ words: String...) -> [UInt8] { Self.line(words.map { .word($0) }, number) }

  private func set(_ property: String, _ value: Part) -> [UInt8] {
    Self.line([.word("set_property"), .word(property), value], number)
  }

  private static func line(_ parts: [Part], _ number: Int) -> [UInt8] {
    var bytes = Array("{\"command\":[".utf8)
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch part {
      case .literal(let text): bytes += text.utf8
      case .word(let text): bytes += quoted(Array(text.utf8))
      // Any bytes: mpv takes them as they are.
      case .path(let path): bytes += quoted(path.diskBytes)
      }
    }
    return bytes + Array("],\"request_id\":\(number)}\n".utf8)
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = [UInt8(ascii: "\"")]
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        text += "\\u00".utf8
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
    return text + [UInt8(ascii: "\"")]
  }
}
