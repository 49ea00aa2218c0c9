// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Exchange

@Suite struct LabelFormatTests {
  @Test(arguments: [
    ("night.TextGrid", LabelFormat.textgrid), ("night.textgrid", .textgrid), ("a/b.eaf", .eaf),
    ("night.VTT", .vtt), ("x.srt", .srt), ("x.csv", .csv), ("x.tsv", .tsv), ("x.tab", .tsv),
    ("x.txt", .audacity), ("x.rttm", .rttm), ("x.cue", .cue), ("x.json", .json),
    ("x.annotation.json", .annotation), ("x.chapters.json", .chapters),
    ("chapters.json", .chapters),
    ("x.quran-segments.json", .quranSegments),
    ("x.ffmetadata", .ffmetadata), ("x.ffmeta", .ffmetadata),
  ])
  func isAskedForByAName(_ name: String, _ format: LabelFormat) {
    #expect(LabelFormat(fileName: name) == format)
  }

  @Test(arguments: ["night", "night.flac", "", ".", "txt.", "mycsv", "x.json.bak"])
  func isNotAskedForByOtherNames(_ name: String) { #expect(LabelFormat(fileName: name) == nil) }

  @Test func eachHasANameAnEndingAndALineOfHelp() {
    for format in LabelFormat.allCases {
      #expect(LabelFormat(fileName: "x.\(format.fileEndings[0])") == format)
      #expect(!format.summary.isEmpty && format.summary.count <= 70)
      #expect(!format.summary.hasSuffix("."))
    }
    #expect(Set(LabelFormat.allCases.flatMap(\.fileEndings)).count == 16)
  }

  @Test(arguments: LabelFormat.allCases, [nil, "x.txt", "x.json"])
  func whatIsWrittenIsRecognisedWhereTheNameLeavesItOpen(
    _ format: LabelFormat, _ name: String?
  ) throws {
    let bytes = Array(format.text(of: try shortRecording()).utf8)
    #expect(LabelFormat(of: bytes, fileName: name) == format)
    #expect(LabelFormat(of: [0xEF, 0xBB, 0xBF] + bytes, fileName: name) == format)
  }

  @Test func theNameDecidesWhereTheContentDoesNot() {
    #expect(LabelFormat(of: Array("hello".utf8), fileName: "x.cue") == .cue)
    #expect(LabelFormat(of: Array("1\t2\tx\n".utf8), fileName: "x.tsv") == .tsv)
    #expect(LabelFormat(of: Array("1\t2\tx\n".utf8), fileName: "x.dat") == .audacity)
    #expect(LabelFormat(of: Array("hello".utf8), fileName: "x.txt") == .audacity)
    #expect(LabelFormat(of: Array("hello".utf8)) == nil)
    #expect(LabelFormat(of: []) == nil)
    #expect(LabelFormat(of: Array("WEBVTT\n".utf8), fileName: "x.srt") == .vtt)
    #expect(LabelFormat(of: Array("start,end,label\n".utf8), fileName: "metadata.csv") == .csv)
    #expect(LabelFormat(of: Array("[{\"start\":1}]".utf8), fileName: "x.txt") == .json)
  }
}
