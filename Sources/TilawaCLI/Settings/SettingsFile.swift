// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of `config.toml`, in which one line is changed and all else stays as people wrote it.
struct SettingsFile {
  private(set) var text: String

  init(text: String) { self.text = text }

  /// Sets `section.name`; nil takes the line out.
  mutating func set(_ key: String, to value: String?) {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    var lines =
      text.isEmpty
      ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let line = value.map { "\(parts[1]) = \(Self.literal($0))" }
    let header = lines.firstIndex { Self.section(of: $0) == parts[0] }
    if let header {
      let end = lines[(header + 1)...].firstIndex { Self.section(of: $0) != nil } ?? lines.count
      let old = lines[(header + 1)..<end].firstIndex { Self.name(of: $0) == parts[1] }
      switch (old, line) {
      case (let old?, let line?): lines[old] = line
      case (let old?, nil): lines.remove(at: old)
      case (nil, let line?): lines.insert(line, at: header + 1)
      case (nil, nil): break
      }
    } else if let line {
      if !lines.isEmpty { lines.append("") }
      lines += ["[\(parts[0])]", line]
    }
    text = lines.map { $0 + "\n" }.joined()
  }

  private static func section(of line: String) -> String? {
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard line.hasPrefix("["), let close = line.firstIndex(of: "]") else { return nil }
    return line[line.index(after: line.startIndex)..<close].filter { $0 != " " }
  }

  private static func name(of line: String) -> String? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let name = line[..<sign].filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    return name.hasPrefix("#") ? nil : name
  }

  private static func literal(_ value: String) -> String {
    if value == "true" || value == "false" { return value }
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}
