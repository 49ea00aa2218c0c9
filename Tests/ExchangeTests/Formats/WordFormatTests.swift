// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Exchange

/// The formats that have a place for words.
@Suite struct WordFormatTests {
  private func word(_ ayah: AyahReference, _ number: Int, _ start: Double, _ end: Double)
    -> TimedWord
  {
    TimedWord(ayah, number, span(start, end))
  }

  /// 112:1 twice, the second time confirmed and with a word said again, then the end of 112:2.
  private func recording() throws -> AnnotatedRecording {
    let (first, second) = (ayah(112, 1), ayah(112, 2))
    let document = try AnnotationDocument(
      length: FrameCount(seconds: 30, at: cdRate), rate: cdRate,
      records: [
        SegmentRecord(start: nil, content: SegmentContent(Attribution(.ayah(first)))),
        record(1, 10, .ayah(first), isConfirmed: true),
        record(2, 20, .ayah(second, part: .end)),
      ],
      words: [
        word(first, 1, 1, 2), word(first, 4, 8, 10), word(first, 1, 11, 11.5),
        word(first, 2, 11.5, 12), word(first, 1, 13, 13.5), word(first, 2, 13.5, 14),
        word(second, 1, 19, 21.5), word(second, 2, 22, 23),
      ])
    return AnnotatedRecording(document)
  }

  private func record(
    _ id: Int64, _ start: Double, _ assignment: Assignment, isConfirmed: Bool = false
  ) -> SegmentRecord {
    SegmentRecord(
      start: Marker(
        id: MarkerID(id), position: frame(start), origin: .person, isConfirmed: true),
      content: SegmentContent(Attribution(assignment), isConfirmed: isConfirmed))
  }

  @Test func quranApps() throws {
    #expect(
      QuranSegments.text(of: try recording()) == """
        [
        {"verse_key":"112:1","timestamp_from":0,"timestamp_to":10000,"duration":10000,"segments":[[1,1000,2000],[4,8000,10000]]},
        {"verse_key":"112:1","timestamp_from":10000,"timestamp_to":20000,"duration":10000,"segments":[[1,11000,11500],[2,11500,12000],[1,13000,13500],[2,13500,14000]]},
        {"verse_key":"112:2","timestamp_from":20000,"timestamp_to":30000,"duration":10000,"segments":[[1,20000,21500],[2,22000,23000]]}
        ]

        """)
  }

  @Test func wordTimings() throws {
    #expect(
      WordTimingsJSON.text(of: try recording()) == """
        {"schema":"tilawa.word-timings/1",
        "ayat":{
        "112:1":[[1000,1500],[1500,2000],[3000,3500,1],[3500,4000,2]]
        }}

        """)
    let empty = AnnotatedRecording(AnnotationDocument(length: FrameCount(5), rate: cdRate))
    #expect(
      WordTimingsJSON.text(of: empty) == "{\"schema\":\"tilawa.word-timings/1\",\n\"ayat\":{\n}}\n")
  }

  @Test func praatHasATierOfWords() throws {
    let text = TextGrid.text(of: try recording())
    #expect(
      text.contains(
        """
                name = "words"
                xmin = 0
                xmax = 30
                intervals: size = 15
                intervals [1]:
                    xmin = 0
                    xmax = 1
                    text = ""
                intervals [2]:
                    xmin = 1
                    xmax = 2
                    text = "112:1:1"

        """))
    #expect(!TextGrid.text(of: try shortRecording()).contains("words"))
  }

  @Test func reportsHaveWordsWhereTheyWereAskedFor() {
    var report = plain
    report.words = [
      TimedWord(ayah(2, 5), 1, FramePosition(8000)..<FramePosition(9000)),
      TimedWord(ayah(2, 5), 2, FramePosition(9000)..<FramePosition(10_000)),
    ]
    #expect(
      DetectionJSON.line(.report(report)).contains(
        #","words":[{"surah":2,"ayah":5,"word":1,"start":1,"end":1.125},"#
          + #"{"surah":2,"ayah":5,"word":2,"start":1.125,"end":1.25}],"warnings":["#))
    report.words = []
    #expect(DetectionJSON.line(.report(report)).contains(#""words":[],"#))
    #expect(TextGrid.text(of: report).contains("name = \"words\""))
    #expect(!DetectionJSON.line(.report(plain)).contains("words"))
    #expect(!TextGrid.text(of: plain).contains("words"))
  }

  private func imported(_ text: String) throws -> LabelImport {
    try LabelImport(
      reading: Array(text.utf8), as: .quranSegments, length: FrameCount(seconds: 10, at: cdRate),
      rate: cdRate)
  }

  @Test(arguments: ["verse_timings", "timestamps"])
  func versesOfAnAppAreRead(_ list: String) throws {
    let text = """
      {"id":1,"chapter_id":112,"\(list)":[
      {"verse_key":"112:1","timestamp_from":0,"timestamp_to":4000,"duration":-4000,"segments":[[1.0,100.0,900.0],[2,900,2000]]},
      {"verse_key":"112:2","segments":[[1,4000,5000],[2,5000,6000]]}]}
      """
    #expect(LabelFormat(of: Array(text.utf8), fileName: "112.json") == .quranSegments)
    let result = try imported(text)
    #expect(result.warnings.isEmpty)
    #expect(result.document.segments.map(\.span) == [span(0, 4), span(4, 6), span(6, 10)])
    #expect(
      result.document.words == [
        word(ayah(112, 1), 1, 0.1, 0.9), word(ayah(112, 1), 2, 0.9, 2),
        word(ayah(112, 2), 1, 4, 5), word(ayah(112, 2), 2, 5, 6),
      ])
  }

  @Test func wordsThatDoNotFitAreLeftOutWithAWarning() throws {
    let result = try imported(
      """
      [{"verse_key":"112:1","timestamp_from":0,"timestamp_to":12000,
      "segments":[[1,0,900],[2,800,2000],[5,2000,3000],[3,100,800],[4,9500,12000],[4,11000,12000]]}]
      """)
    #expect(
      result.document.words == [
        word(ayah(112, 1), 1, 0, 0.9), word(ayah(112, 1), 2, 0.9, 2),
        word(ayah(112, 1), 4, 9.5, 10),
      ])
    let left = result.warnings.map(\.description).filter { $0.contains("skipped") }
    #expect(
      left == [
        "[0].segments[3]: \"112:1:3\" overlaps another word or lies outside the recording; skipped",
        "[0].segments[2]: \"112:1:5\" is not a word of an ayah, such as 2:5:1; skipped",
        "[0].segments[5]: \"112:1:4\" overlaps another word or lies outside the recording; skipped",
      ])
  }

  @Test func aTierOfThatNameWithOtherTextsIsATierLikeAnyOther() throws {
    let labels = LabelFile(tiers: [
      LabelTier(
        name: "words", labels: [Label(start: 0, end: 5, text: "2:5", place: .line(1))])
    ])
    let result = try LabelImport(
      labels, length: FrameCount(seconds: 10, at: cdRate), rate: cdRate)
    #expect(result.tier == "words" && !result.holdsWords)
    #expect(result.document.segments[0].assignment == .ayah(ayah(2, 5)))
  }
}
