// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Exchange

private let hostile = [
  LabelledSpan(span(0, 1), "a\tb\nc\"d\" <i>&\u{202E}--> e"),
  LabelledSpan(span(1, 1), "empty"),
  LabelledSpan(span(1, 2), "س"),
]

@Suite struct AudacityLabelsTests {
  @Test func writesARegionPerSegment() {
    #expect(
      AudacityLabels.text(of: everyKind) == """
        0.000000\t5.230998\tisti'adhah + basmalah
        5.230998\t10.000000\t2:285
        10.000000\t12.000000\t2:286 (beginning)
        12.000000\t18.000000\t2:286 | 3:1
        18.000000\t25.000000\t93:1-3
        25.000000\t28.000000\tunused: takbir
        28.000000\t30.000000\tsegment 7

        """)
  }

  @Test func keepsLabelsOnTheirLine() {
    #expect(
      AudacityLabels.text(of: hostile, at: cdRate) == """
        0.000000\t1.000000\ta b c"d" <i>& --> e
        1.000000\t1.000000\tempty
        1.000000\t2.000000\tس

        """)
  }
}

@Suite struct TextGridTests {
  @Test func writesTwoTiersThatTileTheRecording() {
    #expect(
      TextGrid.text(of: plain) == """
        File type = "ooTextFile"
        Object class = "TextGrid"

        xmin = 0
        xmax = 3.0001
        tiers? <exists>
        size = 2
        item []:
            item [1]:
                class = "IntervalTier"
                name = "segments"
                xmin = 0
                xmax = 3.0001
                intervals: size = 2
                intervals [1]:
                    xmin = 0
                    xmax = 1.25
                    text = "segment 1"
                intervals [2]:
                    xmin = 1.25
                    xmax = 3.0001
                    text = "segment 2"
            item [2]:
                class = "IntervalTier"
                name = "pauses"
                xmin = 0
                xmax = 3.0001
                intervals: size = 3
                intervals [1]:
                    xmin = 0
                    xmax = 1
                    text = ""
                intervals [2]:
                    xmin = 1
                    xmax = 1.5
                    text = "pause"
                intervals [3]:
                    xmin = 1.5
                    xmax = 3.0001
                    text = ""

        """)
  }

  @Test func doublesQuotesAndKeepsLinesWhole() {
    let text = TextGrid.text(
      of: [TextGrid.Tier("t", hostile)], duration: FrameCount(seconds: 2, at: cdRate), at: cdRate)
    #expect(text.contains(#"            text = "a b c""d"" <i>& --> e""# + "\n"))
    #expect(text.contains("intervals: size = 2\n"))
  }

  @Test func tilesWhateverItIsGiven() {
    var random = SplitMix64(state: 6)
    for _ in 0..<2000 {
      let end = FramePosition(Int64.random(in: 0...50, using: &random))
      let spans = (0..<Int.random(in: 0...6, using: &random)).map { index in
        let start = Int64.random(in: -5...60, using: &random)
        let length = Int64.random(in: 0...20, using: &random)
        return LabelledSpan(FramePosition(start)..<FramePosition(start + length), "\(index)")
      }
      let tiles = TextGrid.tiling(spans, upTo: end)
      #expect(tiles.allSatisfy { !$0.span.isEmpty })
      #expect(tiles.isEmpty == (end == .zero))
      var reached = FramePosition.zero
      for tile in tiles {
        #expect(tile.span.lowerBound == reached)
        reached = tile.span.upperBound
      }
      #expect(reached == end)
    }
  }
}

@Suite struct DelimitedSegmentsTests {
  @Test func writesCSV() {
    #expect(
      CSV.header() + CSV.rows(of: everyKind)
        == [
          "start,end,kind,label,surah,ayah,confidence",
          "0,5.231,lead_in,isti'adhah + basmalah,2,,0.97",
          "5.231,10,ayah,2:285,2,285,0.679",
          "10,12,ayah,2:286 (beginning),2,286,1",
          "12,18,cross_surah,2:286 | 3:1,2,286,0.5",
          "18,25,ayat,93:1-3,93,1,0",
          "25,28,unused,unused: takbir,,,",
          "28,30,unassigned,segment 7,,,0.25",
          "",
        ].joined(separator: "\r\n"))
  }

  @Test func namesTheFileAmongSeveral() {
    var other = plain
    other.file = "b, \"c\"\n.wav"
    #expect(
      CSV.header(namingFiles: true) + CSV.rows(of: plain, namingFiles: true)
        + CSV.rows(of: other, namingFiles: true)
        == [
          "file,start,end,kind,label,surah,ayah,confidence",
          "a.wav,0,1.25,unassigned,segment 1,,,1",
          "a.wav,1.25,3.0001,unassigned,segment 2,,,1",
          "\"b, \"\"c\"\"\n.wav\",0,1.25,unassigned,segment 1,,,1",
          "\"b, \"\"c\"\"\n.wav\",1.25,3.0001,unassigned,segment 2,,,1",
          "",
        ].joined(separator: "\r\n"))
    #expect(
      TSV.header(namingFiles: true) + TSV.rows(of: other, namingFiles: true)
        == [
          "file\tstart\tend\tkind\tlabel\tsurah\tayah\tconfidence",
          "b, \"c\" .wav\t0\t1.25\tunassigned\tsegment 1\t\t\t1",
          "b, \"c\" .wav\t1.25\t3.0001\tunassigned\tsegment 2\t\t\t1",
          "",
        ].joined(separator: "\n"))
  }

  @Test(arguments: ["", "plain", "a,b", "a\"b", "\"", "a\r\nb", "\r", "س"])
  func quotesFieldsSoThatTheyReadBack(text: String) {
    let field = CSV.field(text)
    if field.hasPrefix("\"") {
      #expect(field.dropFirst().dropLast().replacing("\"\"", with: "\"") == text)
    } else {
      #expect(field == text)
      #expect(!text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) })
    }
  }
}

@Suite struct SubtitleTests {
  @Test func writesWebVTT() {
    #expect(
      WebVTT.text(of: plain) == """
        WEBVTT

        00:00:00.000 --> 00:00:01.250
        segment 1

        00:00:01.250 --> 00:00:03.000
        segment 2

        """)
  }

  @Test func escapesMarkupInWebVTT() {
    #expect(
      WebVTT.text(of: hostile, at: cdRate) == """
        WEBVTT

        00:00:00.000 --> 00:00:01.000
        a b c"d" &lt;i&gt;&amp; --&gt; e

        00:00:01.000 --> 00:00:02.000
        س

        """)
  }

  @Test func writesSubRip() {
    #expect(
      SubRip.text(of: plain) == """
        1
        00:00:00,000 --> 00:00:01,250
        segment 1

        2
        00:00:01,250 --> 00:00:03,000
        segment 2

        """)
  }

  @Test func numbersCuesWithoutGap() {
    let lines = SubRip.text(of: hostile, at: cdRate).split(separator: "\n")
    #expect(lines.filter { $0.allSatisfy(\.isNumber) } == ["1", "2"])
  }
}

@Suite struct DetectionTableTests {
  @Test func showsARowPerSegment() {
    let table = DetectionTable(everyKind)
    #expect(table.columns.map(\.title) == ["#", "start", "end", "length", "content", "confidence"])
    #expect(
      table.rows[0]
        == ["1", "0:00.000", "0:05.231", "0:05.231", "isti'adhah + basmalah", "97%"])
    #expect(table.rows[5] == ["6", "0:25.000", "0:28.000", "0:03.000", "unused: takbir", "-"])
    #expect(table.rows[6] == ["7", "0:28.000", "0:30.000", "0:02.000", "-", "25%"])
    #expect(table.rows.allSatisfy { $0.count == table.columns.count })
    #expect(table.summary == "night.m4a: 0:30.000, 2 boundaries, 3 segments below 60%")
    #expect(DetectionTable(plain).summary == "a.wav: 0:03.000, 1 boundary")
  }
}
