// SPDX-License-Identifier: GPL-3.0-or-later

import Listening
import TerminalUI

/// The line on standard error that says what is heard, where that is a terminal; nothing otherwise.
final class TransportLine {
  private let isTerminal = StandardStreams.isErrorTerminal
  private var shown = ""

  /// Draws the line anew where it has changed.
  func show(_ parts: [String], name: String) {
    guard isTerminal else { return }
    let line = Self.text(parts, name: name, width: (StandardStreams.width(of: 2) ?? 80) - 1)
    guard line != shown else { return }
    shown = line
    StandardStreams.draw("\r\u{1B}[K" + line)
  }

  /// The parts that are not empty, the name cut to what is left, and the keys: in a narrow terminal first
  /// the name goes, then the keys, then the last of the parts.
  static func text(_ parts: [String], name: String, width: Int) -> String {
    var line = TerminalText(parts.filter { !$0.isEmpty }.joined(separator: "  ")).truncated(
      to: width)
    let keys = TerminalText("space, arrows, [ ] speed, q")
    let gap = TerminalText("  ")
    guard line.width + gap.width + keys.width <= width else { return line.string }
    let room = width - line.width - keys.width - 2 * gap.width
    if room >= minName, !name.isEmpty { line += gap + TerminalText(name).truncated(to: room) }
    return (line + gap + keys).string
  }

  /// Columns of a name of which fewer would tell nothing.
  private static let minName = 6

  /// Says something above the line, or on a line of its own.
  func say(_ text: String) {
    clear()
    StandardStreams.say(text)
  }

  func clear() {
    if !shown.isEmpty { StandardStreams.draw("\r\u{1B}[K") }
    shown = ""
  }

  /// `1:23.4`.
  static func time(_ seconds: Double) -> String {
    let tenths = Int((max(0, seconds) * 10).rounded(.down))
    return "\(PlainText.duration(Double(tenths / 10))).\(tenths % 10)"
  }

  /// `0.5x`, and nothing for the recording's own speed.
  static func speed(_ speed: Double) -> String {
    speed == 1 ? "" : "\((speed * 100).rounded() / 100)x"
  }

  /// `gain +3 dB`, `eq`, `limited by 2 dB`: what changes the sound, and nothing for the rest.
  static func sound(_ settings: Settings, limitedBy decibels: Int) -> [String] {
    [
      settings.gainText ?? "", settings.hasEqualiser ? "eq" : "",
      decibels > 0 ? "limited by \(decibels) dB" : "",
    ]
  }

  /// The next of the speeds that the keys [ and ] lead through.
  static func speed(after speed: Double, faster: Bool) -> Double {
    let step = 0.25
    let place = speed / step
    let next = faster ? place.rounded(.down) + 1 : place.rounded(.up) - 1
    return min(max(next * step, 0.25), 3)
  }
}
