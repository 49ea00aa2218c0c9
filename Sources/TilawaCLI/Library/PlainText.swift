// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange
import Foundation
import Library
import Quran
import TerminalUI
import Video

/// How values of the library look to people.
enum PlainText {
  /// `1:23:45`.
  static func duration(_ seconds: Double) -> String {
    TimeText.short(seconds: Int128(seconds.rounded()))
  }

  /// The day, in local time: `2024-01-05`.
  static func day(_ date: Date?) -> String { text(date, "%Y-%m-%d") }

  /// `2024-01-05 20:10`.
  static func moment(_ date: Date?) -> String { text(date, "%Y-%m-%d %H:%M") }

  /// Fit for a file's name: `2024-01-05-201000`.
  static func fileName(_ date: Date) -> String { text(date, "%Y-%m-%d-%H%M%S") }

  /// For programs, in UTC: `2024-01-05T20:10:00Z`.
  static func timestamp(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return format(parts, "%Y-%m-%dT%H:%M:%SZ")
  }

  private static func text(_ date: Date?, _ format: String) -> String {
    guard let date else { return "" }
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Self.format(parts, format)
  }

  private static func format(_ parts: tm, _ format: String) -> String {
    var parts = parts
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// `h264, 1280x720, 25 a second`; and that it cannot be decoded.
  static func picture(_ video: VideoDescription) -> String {
    let rate = video.frameRate.map { rate in
      let rounded = (rate * 100).rounded() / 100
      return ", \(rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") a second"
    }
    let problem =
      switch video.problem?.kind {
      case nil: ""
      case .tooLarge: "; too large to decode"
      case .unsupportedCodec, .noVideo, .damaged, .cutShort, .outOfMemory, .unreadable:
        "; cannot be decoded"
      }
    return "\(video.codec), \(video.width)x\(video.height)" + (rate ?? ", variable rate") + problem
  }

  /// `1:1-7, 2:1-20`.
  static func ranges(_ ranges: [AyahRange]) -> String {
    ranges.map(\.numericDescription).joined(separator: ", ")
  }

  /// `1 surah`, `2 surahs`.
  static func count(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? one : several ?? one + "s")"
  }

  /// Says that files were left alone which would have met the fault of one before them.
  static func untried(_ files: Int) -> String {
    "\(count(files, "file")) not tried, as \(files == 1 ? "it" : "they") would fail for the same reason"
  }

  /// `12 kB`, `3.4 MB`, in powers of ten.
  static func size(_ bytes: Int64) -> String {
    let thousands = Double(bytes) / 1000
    if thousands < 1000 { return "\(Int(thousands.rounded(.up))) kB" }
    let (number, unit) =
      thousands < 1_000_000 ? (thousands / 1000, "MB") : (thousands / 1_000_000, "GB")
    return "\((number * 10).rounded() / 10) \(unit)"
  }

  /// Prints a table, as wide as the terminal there is.
  static func show(_ table: TextTable) throws(Failure) {
    let width = StandardStreams.isOutputTerminal ? StandardStreams.width(of: 1) : nil
    try StandardStreams.writeOutput(table.lines(fitting: width).map { $0.string + "\n" }.joined())
  }

  /// Prints a line, whatever is in it made harmless.
  static func show(_ line: String) throws(Failure) {
    try StandardStreams.writeOutput(TerminalText(line).string + "\n")
  }
}

/// How lists are written.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl

  /// Prints values of a stable schema: an array with one a line, or one a line.
  func write(_ values: [JSONValue]) throws(Failure) {
    let lines = values.map(\.text)
    try StandardStreams.writeOutput(
      self == .jsonl
        ? lines.map { $0 + "\n" }.joined()
        : lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }
}
