// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

/// The CSV files that the packed tables were made from, if a folder beside the checkout has them as
/// `quran/surahs.csv` and so on.
enum MetadataTables {
  static let folder: URL? = {
    let checkout = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let neighbours = try? FileManager.default.contentsOfDirectory(
      at: checkout.deletingLastPathComponent(), includingPropertiesForKeys: nil)
    return neighbours?.map { $0.appending(path: "quran") }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "ayah_stats.csv").path)
    }
  }()

  static var arePresent: Bool { folder != nil }

  /// The rows of a file, each by column name.
  static func rows(_ name: String) throws -> [[String: String]] {
    let file = try #require(folder).appending(path: name)
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map(fields)
    let columns = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
  }

  /// The fields of a line, which may be quoted, with quotes doubled inside.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch character {
      case "\"":
        if !isQuoted, previous == "\"" { fields[fields.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    return fields
  }
}
