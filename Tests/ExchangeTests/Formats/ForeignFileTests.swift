// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Exchange

/// Files as other programs and people write them.
@Suite struct ForeignFileTests {
  /// `start-end label` of each label, a tier after the other.
  private func labels(_ text: String, _ format: LabelFormat) throws -> [String] {
    try format.labels(in: Array(text.utf8)).tiers.flatMap(\.labels).map {
      "\($0.start)-\($0.end.map { "\($0)" } ?? "") \($0.text)"
    }
  }

  @Test func audacitysSpectralLabelsAndPoints() throws {
    #expect(
      try labels(
        "1.5\t2.5\t2:1\n\\\t100.0\t4000.0\n3,25\t3,25\tpoint\r\n\r\n4\t5\ta\tb\n6\t7\n", .audacity)
        == ["1.5-2.5 2:1", "3.25- point", "4.0-5.0 a\tb", "6.0-7.0 "])
  }

  private let short = """
    File type = "ooTextFile"
    Object class = "TextGrid"

    0
    3.5
    <exists>
    2
    "IntervalTier"
    "ayat"
    0
    3.5
    2
    0
    1.25
    "2:1"
    1.25
    3.5
    "two ""quoted"" lines
    ! and no comment"
    "TextTier"
    "points"
    0
    3.5
    1
    2
    "x"
    """

  @Test func praatsShortForm() throws {
    let expected = ["0.0-1.25 2:1", "1.25-3.5 two \"quoted\" lines\n! and no comment", "2.0- x"]
    #expect(try labels(short, .textgrid) == expected)
    #expect(
      try labels(
        short.replacing("\n0\n3.5\n<exists>", with: "\n0 ! \"comment\" 7\n3.5 <exists>"), .textgrid)
        == expected)
    #expect(
      try LabelFormat.textgrid.labels(in: Array(short.utf8)).tiers.map(\.name)
        == ["ayat", "points"])
  }

  @Test(arguments: [true, false])
  func praatsUTF16(_ isLittleEndian: Bool) throws {
    let text = "\u{FEFF}" + short.replacing("2:1", with: "البقرة ٥")
    let bytes = Array(text.utf16).flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isLittleEndian ? bytes : bytes.reversed()
    }
    #expect(LabelFormat(of: bytes, fileName: "x.txt") == .textgrid)
    let tiers = try LabelFormat.textgrid.labels(in: bytes).tiers
    #expect(tiers[0].labels.map(\.text).first == "البقرة ٥")
    #expect(tiers[0].labels.map(\.place) == [.line(13), .line(16)])
  }

  @Test func aTextGridWithoutTiers() throws {
    #expect(
      try labels(
        "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\nxmin = 0\nxmax = 1\ntiers? <absent>\n",
        .textgrid) == [])
  }

  @Test func elansUnalignedSlotsAndReferences() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-03-11T00:00:00Z" FORMAT="3.0" VERSION="3.0">
      <HEADER TIME_UNITS="milliseconds">
      <MEDIA_DESCRIPTOR MEDIA_URL="a.wav" MIME_TYPE="audio/x-wav" TIME_ORIGIN="500"/>
      </HEADER>
      <TIME_ORDER>
      <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="1000"/>
      <TIME_SLOT TIME_SLOT_ID="ts2"/>
      <TIME_SLOT TIME_SLOT_ID="ts3"/>
      <TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="4000"/>
      </TIME_ORDER>
      <TIER TIER_ID="gloss" PARENT_REF="words" LINGUISTIC_TYPE_REF="g">
      <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="g1" ANNOTATION_REF="w2">
      <ANNOTATION_VALUE>first &amp; half</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
      <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="g2" ANNOTATION_REF="w2" PREVIOUS_ANNOTATION="g1">
      <ANNOTATION_VALUE>second<![CDATA[ <half>]]></ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
      <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="n1" ANNOTATION_REF="g2"/></ANNOTATION>
      </TIER>
      <TIER TIER_ID="words" LINGUISTIC_TYPE_REF="w">
      <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="w1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
      <ANNOTATION_VALUE>2:1</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
      <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="w2" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts4">
      <ANNOTATION_VALUE>2:2</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
      </TIER>
      </ANNOTATION_DOCUMENT>
      """
    #expect(
      try labels(text, .eaf) == [
        "3.5-4.0 first & half", "4.0-4.5 second <half>", "4.0-4.5 ", "1.5-2.5 2:1", "3.5-4.5 2:2",
      ])
    #expect(
      try LabelFormat.eaf.labels(in: Array(text.utf8)).warnings.map(\.description) == [
        "line 4: times are shifted by TIME_ORIGIN, 500.0 ms",
        "line 8: 2 time slots without time; spaced evenly between the neighbours",
      ])
  }

  @Test func subtitlesWithSettingsTagsAndNotes() throws {
    let text = """
      WEBVTT - some title
      Kind: captions

      NOTE 00:00.000 --> 00:01.000
      not this

      STYLE
      ::cue { color: red } /* --> */

      first
      00:01.000 --> 00:02.500 line:0 position:20%
      <v Imam><b>2:1</b> &lt;&amp;&nbsp;
      second line

      01:00:00.000 --> 01:00:01.000
      """
    #expect(
      try labels(text, .vtt) == ["1.0-2.5 2:1 <& \nsecond line", "3600.0-3601.0 "])
    #expect(
      try labels(
        "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>2:1</i> < 3 <b\r\n\r\n\r\n7\r\n0:00:02.000 --> 00:00:03,000 X1:0\r\n2:2\r\n",
        .srt) == ["1.0-2.0 2:1 < 3 <b", "2.0-3.0 2:2"])
  }

  @Test func tablesOfOtherPeople() throws {
    #expect(
      try labels("Start (s);End (s);Text\r\n1,5;2,5;2:1\r\n\"1:02,5\";63;\"a;b\"\r\n", .csv)
        == ["1.5-2.5 2:1", "62.5-63.0 a;b"])
    #expect(try labels("0.5,1.5,2:1\n1.5,2.5,2:2\n", .csv) == ["0.5-1.5 2:1", "1.5-2.5 2:2"])
    #expect(try labels("0.5,2:1\n1.5,2:2\n", .csv) == ["0.5- 2:1", "1.5- 2:2"])
    #expect(
      try labels("text\tonset\tduration\n2:1\t1\t2\n\n", .tsv) == ["1.0-3.0 2:1"])
    #expect(
      try labels("start_ms,end_ms,label\n1000,2500,x\n", .csv) == ["1.0-2.5 x"])
    #expect(try labels("", .csv) == [])
  }

  @Test func tablesThatNameAyatByNumbers() throws {
    let text = "start,end,surah,ayah,text\n0,1,2,5,أولئك على هدى\n1,2,2,6,\n2,3,2,999,\n"
    let result = try LabelImport(
      reading: Array(text.utf8), as: .csv, length: FrameCount(44_100 * 3), rate: cdRate)
    #expect(
      result.document.segments.map(\.assignment) == [.ayah(ayah(2, 5)), .ayah(ayah(2, 6)), nil])
    #expect(result.document.segments[0].content.note == "أولئك على هدى")
  }

  @Test func jsonOfOtherProgramsAndOfDetection() throws {
    #expect(
      try labels(#"[{"start":0,"end":1.5,"text":"2:1","x":[]},{"start":2}]"#, .json)
        == ["0.0-1.5 2:1", "2.0- "])
    let result = try LabelImport(
      reading: Array(DetectionJSON.array([.report(everyKind)]).utf8), as: .json,
      length: everyKind.frames, rate: everyKind.rate)
    #expect(result.document.segments.map(\.assignment) == everyKind.segments.map(\.assignment))
    #expect(result.document.segments.map(\.span) == everyKind.segments.map(\.span))
    #expect(result.warnings.isEmpty)
  }

  @Test func turnsOfSeveralFilesAreTiers() throws {
    let text = """
      ;; a comment
      SPKR-INFO a 1 <NA> <NA> <NA> unknown imam <NA>
      SPEAKER a 1 1.0 2.0 <NA> <NA> imam <NA>
      SPEAKER b 1 1.5 2.0 <NA> <NA> 2:5_(end) <NA> <NA>

      """
    #expect(try labels(text, .rttm) == ["1.0-3.0 imam", "1.5-3.5 2:5 (end)"])
    #expect(try LabelFormat.rttm.labels(in: Array(text.utf8)).tiers.map(\.name) == ["a", "b"])
  }

  @Test func cueSheetsOfRippers() throws {
    let text = """
      REM GENRE Quran
      PERFORMER "Imam"
      TITLE "Night"
      FILE "night.flac" WAVE
        TRACK 01 AUDIO
          TITLE "2:1"
          ISRC ABCDE1234567
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE Unquoted title
          INDEX 00 01:01:37
          INDEX 01 01:02:00
          INDEX 02 01:03:00
      """
    #expect(try labels(text, .cue) == ["0.0-\((61 * 75.0 + 37) / 75) 2:1", "62.0- Unquoted title"])
  }

  @Test func chaptersOfOtherPrograms() throws {
    #expect(
      try labels(
        #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"2:1","img":"x"},{"startTime":9.5}]}"#,
        .chapters) == ["0.0- 2:1", "9.5- "])
    let text = """
      ;FFMETADATA1
      major_brand=M4A
      title=two \\
      lines
      # a comment
      [STREAM]
      language=ara
      [CHAPTER]
      START=1000000000
      END=2000000000
      title=a \\= b \\; \\# \\\\ c\\
      d
      [CHAPTER]
      TIMEBASE=1/1000
      START=2500
      """
    #expect(
      try labels(text, .ffmetadata) == ["1.0-2.0 a = b ; # \\ c\nd", "2.5- "])
  }
}
