// SPDX-License-Identifier: GPL-3.0-or-later

/// Comma-separated values (RFC 4180): lines end in CR LF, fields are quoted where need be.
///
/// Columns are `start,end,kind,label,surah,ayah,confidence`, with `file` before them where several
/// recordings go into one text. File names are written as they are, so one that begins with `=` is a
/// formula to a spreadsheet.
public enum CSV {
  /// The first line.
  public static func header(namingFiles: Bool = false) -> String {
    line(DelimitedSegments.header(namingFiles: namingFiles))
  }

  /// A line per segment.
  public static func rows(of report: DetectionReport, namingFiles: Bool = false) -> String {
    DelimitedSegments.rows(of: report, namingFiles: namingFiles).map(line).joined()
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }
}
