// SPDX-License-Identifier: GPL-3.0-or-later

/// Tab-separated values (IANA `text/tab-separated-values`), in the columns of ``CSV``.
///
/// The format has no quoting: a tab or newline in a field becomes a space.
public enum TSV {
  /// The first line.
  public static func header(namingFiles: Bool = false) -> String {
    line(DelimitedSegments.header(namingFiles: namingFiles))
  }

  /// A line per segment.
  public static func rows(of report: DetectionReport, namingFiles: Bool = false) -> String {
    DelimitedSegments.rows(of: report, namingFiles: namingFiles).map(line).joined()
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(singleLine).joined(separator: "\t") + "\n"
  }
}
