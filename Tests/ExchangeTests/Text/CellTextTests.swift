// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Exchange

@Suite struct CellTextTests {
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t'=1"), ("\rx", "'\rx"), ("\nx", "'\nx"), ("\r\n=1", "'\r\n'=1"),
    ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"),
    ("  =1", "  '=1"), ("\"=1", "\"'=1"), ("a;=1", "a;'=1"), ("a, \"-x", "a, \"'-x"),
    ("a\n@b", "a\n'@b"), ("a\t+b", "a\t'+b"),
  ])
  func aFormulaGetsAnApostrophe(text: String, cell: String) {
    #expect(CellText.withoutFormulas.cell(text) == cell)
    #expect(CellText.verbatim.cell(text) == text)
  }

  @Test(arguments: ["", "2:5", "a = b", "a-b", "1+1", "x@y", "'=1", "Al-Baqarah 255", "الله", "  "])
  func anythingElseStaysAsItIs(text: String) {
    #expect(CellText.withoutFormulas.cell(text) == text)
  }

  /// A note on the first segment, and a file and a reciter from elsewhere.
  private func recording(note: String) throws -> AnnotatedRecording {
    try recording(of: SegmentContent(nil, isConfirmed: false, note: note, isFlagged: false))
  }

  private func recording(of content: SegmentContent) throws -> AnnotatedRecording {
    let document = try AnnotationDocument(
      length: FrameCount(44_100), rate: cdRate,
      records: [SegmentRecord(start: nil, content: content)])
    var recording = AnnotatedRecording(document)
    recording.mediaFile = "=file.wav"
    recording.reciter = "@reciter"
    return recording
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
  func noCellOfATableBeginsAFormula(note: String) throws {
    let recording = try recording(note: note)
    for (format, separator) in [(LabelFormat.csv, ","), (.tsv, "\t")] {
      let safe = format.text(of: recording, cells: .withoutFormulas)
      let cells = safe.split(whereSeparator: \.isNewline).flatMap {
        $0.split(separator: separator, omittingEmptySubsequences: false)
      }
      for cell in cells {
        let first = cell.drop { $0 == "\"" || $0 == " " }.first
        #expect(!"=+-@\t\r".contains(first ?? "x"), "\(format): \(cell)")
      }
      #expect(safe.contains("'" + note.drop(while: \.isWhitespace)))
      #expect(format.text(of: recording) != safe)
    }
    let table = Audiofolder.metadata(of: [], from: recording, cells: .withoutFormulas)
    #expect(table.hasPrefix("file_name,"))
  }

  @Test func theTableOfADataSetIsSafeToo() throws {
    let content = SegmentContent(
      Attribution(.ayah(.first, part: nil), origin: .person), isConfirmed: false, note: "",
      isFlagged: false)
    let recording = try recording(of: content)
    let passage = try #require(recording.document.segments.first?.passages.first)
    let entry = AudiofolderEntry(fileName: "001001.flac", passage: passage)
    let table = Audiofolder.metadata(of: [entry], from: recording, cells: .withoutFormulas)
    #expect(table.contains(",'=file.wav,'@reciter,"), "\(table)")
    #expect(
      Audiofolder.metadata(of: [entry], from: recording).contains(",=file.wav,@reciter,"))
  }
}
