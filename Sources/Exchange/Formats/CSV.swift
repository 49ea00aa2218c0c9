// SPDX-License-Identifier: GPL-3.0-or-later

/// Comma-separated values (RFC 4180): lines end in CR LF, fields are quoted where need be.
///
/// Columns are `start,end,kind,label,surah,ayah,confidence`, with `file` before them where several
/// recordings go into one text and `joins,confirmed,flagged,note` after them for an annotation. In
/// ``CellText/verbatim`` a file name or note that begins with `=` is a formula to a spreadsheet.
public enum CSV {
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
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var rows = CSVRows(input)
    return try DelimitedLabels.file(.csv) { () throws(ExchangeError) in try rows.next() }
  }
}

/// The rows of a table, one after the other.
private struct CSVRows {
  private static let quote = UInt8(ascii: "\"")
  private var lines: TextLines
  /// Nil before the first line.
  private var separator: UInt8?

  init(_ input: LabelInput) { lines = TextLines(input, .csv) }

  mutating func next() throws(ExchangeError) -> DelimitedLabels.Row? {
    guard var line = try lines.next() else { return nil }
    let separator = separator ?? Self.separator(of: line.text)
    self.separator = separator
    var row = DelimitedLabels.Row(line: line.number, fields: [])
    var field: [UInt8] = []
    var size = 0
    /// Where the quotes were opened that the field is in; nil outside of quotes.
    var opened: Int?
    while true {
      var bytes = Array(line.text.utf8)[...]
      while let byte = bytes.popFirst() {
        if opened != nil {
          if byte != Self.quote {
            field.append(byte)
          } else if bytes.first == Self.quote {
            field.append(Self.quote)
            bytes.removeFirst()
          } else {
            opened = nil
          }
        } else if byte == Self.quote, field.isEmpty {
          opened = line.number
        } else if byte == separator {
          row.fields.append(String(decoding: field, as: UTF8.self))
          field.removeAll(keepingCapacity: true)
        } else {
          field.append(byte)
        }
      }
      guard let first = opened else { break }
      field += line.ending.utf8
      size += line.text.utf8.count
      guard size <= LabelLimit.text.value else { throw .tooMuch(.text, .csv, at: .line(first)) }
      guard let next = try lines.next() else {
        throw LabelFormat.csv.fault(first, "the closing quote of a field is missing")
      }
      line = next
    }
    row.fields.append(String(decoding: field, as: UTF8.self))
    return row
  }

  private static func separator(of line: String) -> UInt8 {
    func count(_ separator: Unicode.Scalar) -> Int {
      line.utf8.count { $0 == UInt8(ascii: separator) }
    }
    let commas = count(",")
    // With semicolons between fields commas are often decimal signs.
    if count(";") > 0, count(";") >= commas { return UInt8(ascii: ";") }
    return count("\t") > commas ? UInt8(ascii: "\t") : UInt8(ascii: ",")
  }
}
