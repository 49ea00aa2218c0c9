// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc

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

  /// Whether something can have happened at a time, in seconds since 1970.
  static func isPast(_ time: Int64) -> Bool {
    time > 0 && time <= Int64(Date().timeIntervalSince1970) + clockDifference
  }

  /// What the lines say, all of them or none.
  ///
  /// - Parameter value: what a line says; nil where it makes no sense.
  static func read<Line: Decodable, Value>(
    _ path: String, _ value: (Line) -> Value?
  ) throws(Failure) -> [Value] {
    guard let text = TextFile.read(path) else {
      throw Failure(
        code: "no_such_file",
        message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
    }
    var values: [Value] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      guard let read = KeptListening.read(String(line), as: Line.self).flatMap(value) else {
        throw Failure(
          code: "bad_data",
          message: "\(path), line \(index + 1): not a line of an exported log; nothing was merged")
      }
      values.append(read)
    }
    return values
  }
}
