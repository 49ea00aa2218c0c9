// SPDX-License-Identifier: GPL-3.0-or-later

/// Comma-separated values (RFC 4180): lines end in CR LF, fields are quoted where need be.
///
/// Columns are `start,end,kind,label,surah,ayah,confidence`, with `file` before them where several
/// recordings go into one text and `joins,confirmed,flagged,note` after them for an annotation. File
/// names and notes are written as they are, so one that begins with `=` is a formula to a spreadsheet.
public enum CSV {
  /// The first line.
  public static func header(namingFiles: Bool = false) -> String {
    line(DelimitedSegments.header(namingFiles: namingFiles))
  }

  /// A line per segment.
  public static func rows(of report: DetectionReport, namingFiles: Bool = false) -> String {
    DelimitedSegments.rows(of: report, namingFiles: namingFiles).map(line).joined()
  }

  /// The first line and a line per segment.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything
  ) -> String {
    DelimitedSegments.table(of: recording, including: inclusion).map(line).joined()
  }

  static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }

  /// Reads rows parted by commas, semicolons or tabs, whichever the first line has most of.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in bytes: [UInt8]) throws(ExchangeError) -> LabelFile {
    try DelimitedLabels.file(of: try rows(in: LabelText(bytes, .csv).bytes), .csv)
  }

  static func rows(in bytes: [UInt8]) throws(ExchangeError) -> [DelimitedLabels.Row] {
    let quote = UInt8(ascii: "\"")
    let separator = separator(of: bytes)
    var rows: [DelimitedLabels.Row] = []
    var row = DelimitedLabels.Row(line: 1, fields: [])
    var field: [UInt8] = []
    var line = 1
    var index = 0
    func endField() {
      row.fields.append(String(decoding: field, as: UTF8.self))
      field.removeAll(keepingCapacity: true)
    }
    func endRow() {
      endField()
      rows.append(row)
      row = DelimitedLabels.Row(line: line, fields: [])
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case quote where field.isEmpty:
        let first = line
        var isClosed = false
        while index < bytes.count, !isClosed {
          let inside = bytes[index]
          index += 1
          if inside != quote {
            if inside == 0x0A { line += 1 }
            field.append(inside)
          } else if index < bytes.count, bytes[index] == quote {
            field.append(quote)
            index += 1
          } else {
            isClosed = true
          }
        }
        guard isClosed else {
          throw LabelFormat.csv.fault(first, "a field in quotes does not end")
        }
      case separator: endField()
      case 0x0A, 0x0D:
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
        line += 1
        endRow()
      default: field.append(byte)
      }
    }
    if !field.isEmpty || !row.fields.isEmpty { endRow() }
    return rows
  }

  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    func count(_ separator: Unicode.Scalar) -> Int {
      first.count { $0 == UInt8(ascii: separator) }
    }
    let commas = count(",")
    // With semicolons between fields commas are often decimal signs.
    if count(";") > 0, count(";") >= commas { return UInt8(ascii: ";") }
    return count("\t") > commas ? UInt8(ascii: "\t") : UInt8(ascii: ",")
  }
}
