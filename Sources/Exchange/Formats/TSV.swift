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
  public static func rows(
    of report: DetectionReport, namingFiles: Bool = false, cells: CellText = .verbatim
  ) -> String {
    DelimitedSegments.rows(of: report, namingFiles: namingFiles)
      .map { line($0.map(cells.cell)) }.joined()
  }

  /// The first line and a line per segment.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything,
    cells: CellText = .verbatim
  ) -> String {
    DelimitedSegments.table(of: recording, including: inclusion)
      .map { line($0.map(cells.cell)) }.joined()
  }

  /// Reads rows parted by tabs.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var lines = TextLines(input, .tsv)
    return try DelimitedLabels.file(.tsv) { () throws(ExchangeError) in
      try lines.next().map { line in
        DelimitedLabels.Row(
          line: line.number,
          fields: line.text.split(separator: "\t", omittingEmptySubsequences: false).map {
            String($0)
          })
      }
    }
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(singleLine).joined(separator: "\t") + "\n"
  }
}
