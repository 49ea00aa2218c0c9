// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Capture
import TerminalUI

/// The level meter on standard error, when that is a terminal; silent otherwise.
final class LevelDisplay {
  private let rate: SampleRate
  private let isTerminal = StandardStreams.isErrorTerminal
  private let isUTF8 = StandardStreams.isUTF8
  /// The highest peak of the last seconds of each channel, which falls slowly.
  private var held: [Float] = []
  private var clipped = 0
  private var isVisible = false

  /// Decibels below full scale at the left end of the meter.
  private static let range: Float = 60
  /// How fast a held peak falls, in decibels for each 50 ms.
  private static let fall: Float = 0.6

  init(rate: SampleRate) { self.rate = rate }

  func show(_ level: CaptureLevel) {
    guard isTerminal else { return }
    if held.count != level.channels.count { held = level.channels.map { _ in CaptureLevel.floor } }
    for (index, channel) in level.channels.enumerated() {
      held[index] = max(channel.peak, held[index] - Self.fall)
      clipped += channel.clippedCount
    }
    let width = (StandardStreams.width(of: 2) ?? 80) - 1
    let time = PlainText.duration(level.end.seconds(at: rate))
    let warning =
      clipped > 0 ? "  CLIPPED \(clipped)" : held.allSatisfy { $0 < -50 } ? "  very quiet" : ""
    let room = max(8, (width - time.count - warning.count - 4) / max(held.count, 1) - 9)
    let meters = zip(level.channels, held).map { channel, peak in
      "\(bar(channel.rms, peak, room)) \(decibels(peak))"
    }.joined(separator: "  ")
    let line = TerminalText("\(time)  \(meters)\(warning)").truncated(to: width)
    StandardStreams.draw("\r\u{1B}[K" + line.string)
    isVisible = true
  }

  func finish() {
    if isVisible { StandardStreams.draw("\r\u{1B}[K") }
    isVisible = false
  }

  /// The mean as a bar and the held peak as a mark.
  private func bar(_ rms: Float, _ peak: Float, _ width: Int) -> String {
    func cell(_ level: Float) -> Int {
      Int((max(0, min(1, 1 + level / Self.range)) * Float(width)).rounded())
    }
    let (filled, mark) = (cell(rms), cell(peak))
    let (full, tip, empty) = isUTF8 ? ("█", "▏", "·") : ("#", "|", ".")
    return (0..<width).map { $0 < filled ? full : $0 == mark - 1 ? tip : empty }.joined()
  }

  private func decibels(_ level: Float) -> String {
    let text = level <= -99 ? "-inf" : "\(Int(level.rounded()))"
    return String(repeating: " ", count: max(0, 4 - text.count)) + text + " dB"
  }
}
