// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc

/// A line of a log: something that has happened.
protocol ExportedLine: Codable {
  /// Seconds since 1970.
  var at: Int64 { get }
}

/// Files of JSON Lines by which logs go from one machine to another.
enum ExportedLog {
  static func write(
    _ lines: [some Encodable], to path: String, isReplacing: Bool
  ) throws(Failure) {
    let file = try OutputFile(path: path, isReplacing: isReplacing)
    try file.write(lines.compactMap { KeptListening.text($0) }.map { $0 + "\n" }.joined())
    try file.finish()
  }

  /// Seconds by which the clock of another machine may be ahead: more than any clock that is set at all.
  private static let clockDifference: Int64 = 86_400

  /// Whether something cannot have happened yet at a time, in seconds since 1970.
  private static func isAhead(_ time: Int64) -> Bool {
    time > Int64(Date().timeIntervalSince1970) + clockDifference
  }

  /// What the lines say, all of them or none. Those that are dated ahead are left out, which is said.
  ///
  /// - Parameter value: what a line says; nil where it makes no sense.
  static func read<Line: ExportedLine, Value>(
    _ path: String, _ value: (Line) -> Value?
  ) throws(Failure) -> [Value] {
    guard let text = TextFile.read(path) else {
      throw Failure(
        code: "no_such_file",
        message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
    }
    var values: [Value] = []
    var ahead = 0
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      guard let entry = KeptListening.read(String(line), as: Line.self), entry.at > 0,
        let read = value(entry)
      else {
        throw Failure(
          code: "bad_data",
          message: "\(path), line \(index + 1): not a line of an exported log; nothing was merged")
      }
      if isAhead(entry.at) { ahead += 1 } else { values.append(read) }
    }
    if ahead > 0 {
      StandardStreams.say("skipped \(PlainText.count(ahead, "line")) with a date that lies ahead")
    }
    return values
  }
}
