// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Exchange

@Suite struct AnnotationJSONTests {
  @Test func givesBackTheIdenticalRecording() throws {
    var recordings = RandomRecordings(seed: 9)
    for _ in 0..<100 {
      let recording = try recordings.recording()
      let text = AnnotationJSON.text(of: recording)
      let back = try AnnotationJSON.recording(from: Array(text.utf8))
      #expect(back == recording)
      #expect(AnnotationJSON.text(of: back) == text)
      let lines = text.split(separator: "\n")
      let words = recording.document.words
      let runs =
        words.isEmpty ? 0 : 1 + zip(words, words.dropFirst()).count { $0.ayah != $1.ayah }
      #expect(
        lines.count == 9 + 1 + recording.document.segments.count + 1 + (runs > 0 ? runs + 2 : 0))
    }
  }

  @Test func isWrittenAsDocumented() throws {
    #expect(AnnotationJSON.text(of: try shortRecording()) == golden)
    #expect(try AnnotationJSON.recording(from: Array(golden.utf8)) == shortRecording())
  }

  private let golden = #"""
    {"schema":"tilawa.annotation/1",
    "title":"Night 27",
    "media_file":"night-27.m4a",
    "content_hash":null,
    "reciter":"محمد",
    "riwayah":"hafs",
    "recording_date":"2026-03-11",
    "sample_rate":44100,
    "frames":1323000,
    "segments":[
    {"marker":null,"assignment":{"kind":"lead_in","istiadhah":true,"basmalah":true,"surah":2},"origin":"aligned","confidence":0.97,"confirmed":true,"flagged":false,"note":""},
    {"marker":{"id":1,"frame":220500,"origin":"detected","confidence":0.875,"confirmed":true},"assignment":{"kind":"cross_surah","surah":2,"ayah":286,"join":441000,"end_surah":3,"end_ayah":1},"origin":"person","confidence":null,"confirmed":true,"flagged":true,"note":"in one breath;\n\"quickly\""},
    {"marker":{"id":7,"frame":661500,"origin":"person","confidence":null,"confirmed":true},"assignment":{"kind":"ayat","first":"93:1","last":"93:3","joins":[700000,750000]},"origin":"aligned","confidence":0.5,"confirmed":false,"flagged":false,"note":""},
    {"marker":{"id":3,"frame":882000,"origin":"detected","confidence":0.25,"confirmed":false},"assignment":{"kind":"unused","reason":"takbir"},"origin":"person","confidence":null,"confirmed":false,"flagged":false,"note":""},
    {"marker":{"id":4,"frame":1102500,"origin":"detected","confidence":0.5,"confirmed":false},"assignment":{"kind":"ayah","surah":2,"ayah":5,"part":"end"},"origin":"person","confidence":null,"confirmed":false,"flagged":false,"note":""},
    {"marker":{"id":5,"frame":1212750,"origin":"detected","confidence":null,"confirmed":false},"assignment":null,"origin":null,"confidence":null,"confirmed":false,"flagged":false,"note":""}
    ]}

    """#

  @Test func wordsAreWrittenAsDocumentedAndRead() throws {
    var recording = try shortRecording()
    let words = [
      TimedWord(ayah(2, 286), 1, FramePosition(220_500)..<FramePosition(240_000)),
      TimedWord(ayah(2, 286), 2, FramePosition(240_000)..<FramePosition(400_000)),
      TimedWord(ayah(3, 1), 1, FramePosition(441_000)..<FramePosition(600_000)),
      // One that no longer agrees with a segment is kept too.
      TimedWord(ayah(5, 1), 3, FramePosition(1_300_000)..<FramePosition(1_300_001)),
    ]
    recording.document = try AnnotationDocument(
      length: recording.document.length, rate: recording.document.rate,
      records: recording.document.records, words: words)
    let text = AnnotationJSON.text(of: recording)
    #expect(
      text
        == golden.dropLast(3) + """
          ],
          "words":[
          {"ayah":"2:286","words":[[1,220500,240000],[2,240000,400000]]},
          {"ayah":"3:1","words":[[1,441000,600000]]},
          {"ayah":"5:1","words":[[3,1300000,1300001]]}
          ]}

          """)
    #expect(try AnnotationJSON.recording(from: Array(text.utf8)) == recording)
  }

  @Test(arguments: [
    (
      #"{"ayah":"2:287","words":[]}"#,
      "words[0].ayah: not an ayah; write surah and ayah as in \"2:255\""
    ),
    (#"{"words":[]}"#, "words[0]: the key \"ayah\" is missing"),
    (#"{"ayah":"2:1","words":[[1,5]]}"#, "words[0].words[0]: a word is [number, start, end]"),
    (#"{"ayah":"2:1","words":[[1,5,5]]}"#, "words[0].words[0]: a word that ends before it starts"),
    (#"{"ayah":"2:1","words":[[2,5,6]]}"#, "words: 2:1 has no word 2; it has 1"),
    (
      #"{"ayah":"112:1","words":[[1,5,9],[2,8,12]]}"#,
      "words: the word at 0:00.001 is empty, overlaps another or lies outside the recording"
    ),
    (
      #"{"ayah":"2:1","words":[[1,5,101]]}"#,
      "words: the word at 0:00.013 is empty, overlaps another or lies outside the recording"
    ),
  ])
  func faultsOfWordsAreNamed(words: String, message: String) {
    let text =
      #"{"schema":"tilawa.annotation/1","sample_rate":8000,"frames":100,"segments":[{}],"words":["#
      + words + "]}"
    let error = #expect(throws: ExchangeError.self) {
      try AnnotationJSON.recording(from: Array(text.utf8))
    }
    #expect(error?.description == "not an annotation, \(message)")
  }

  @Test func whatIsLeftOutIsUnknownAPersonsAndUnconfirmed() throws {
    let text = """
      {"schema":"tilawa.annotation/1","sample_rate":8000,"frames":100,"later":{"x":[]},"segments":[
      {}, {"marker":{"id":1,"frame":50},"assignment":{"kind":"ayah","surah":2,"ayah":5}}]}
      """
    let recording = try AnnotationJSON.recording(from: Array(text.utf8))
    #expect(recording.title == nil && recording.riwayah == nil)
    #expect(recording.document.markers.map(\.origin) == [.person])
    #expect(recording.document.segments.map(\.isConfirmed) == [false, false])
    #expect(recording.document.segments[1].assignment == .ayah(ayah(2, 5)))
  }

  /// A change to the golden text, and the beginning of what is said of it.
  @Test(arguments: [
    ("annotation/1", "annotation/2", "schema: \"tilawa.annotation/2\" is from a newer version"),
    ("tilawa.annotation/1", "x", "schema: \"x\" is not \"tilawa.annotation/1\""),
    ("\"sample_rate\":44100", "\"sample_rate\":0", "sample_rate: a rate must be 1 to 768000"),
    ("\"sample_rate\":44100,\n", "", "the whole file: the key \"sample_rate\" is missing"),
    ("\"frames\":1323000", "\"frames\":-1", "frames: a negative length"),
    ("\"frames\":1323000", "\"frames\":1e3", "frames: a whole number was expected"),
    (
      "\"frames\":1323000", "\"frames\":99999999999999999999", "frames: a whole number was expected"
    ),
    ("\"frames\":1323000", "\"frames\":1000", "segments[1].marker.frame: 0:05.000 is not inside"),
    ("\"hafs\"", "\"hafz\"", "riwayah: \"hafz\" is not one of \"hafs\", "),
    ("\"reciter\":\"محمد\"", "\"reciter\":7", "reciter: a string was expected"),
    ("\"frame\":220500", "\"frame\":0", "segments[1].marker.frame: "),
    (
      "\"frame\":661500", "\"frame\":220500",
      "segments[2].marker.frame: there is already a marker at 0:05"
    ),
    ("\"frame\":661500", "\"frame\":220499", "segments[2].marker.frame: the markers at"),
    ("\"id\":7", "\"id\":1", "segments[2].marker.id: there is already a marker 1"),
    ("\"id\":7", "\"id\":true", "segments[2].marker.id: a whole number was expected"),
    ("\"join\":441000", "\"join\":661500", "segments[1].assignment: the join at 0:15"),
    ("\"join\":441000", "\"join\":0.5", "segments[1].assignment.join: a whole number"),
    (
      "\"end_surah\":3", "\"end_surah\":2", "segments[1].assignment: 2:286 and 2:1 are in one surah"
    ),
    (
      "[700000,750000]", "[700000]",
      "segments[2].assignment: each ayah after the first needs one join"
    ),
    ("[700000,750000]", "[700000,\"x\"]", "segments[2].assignment.joins[1]: a whole number"),
    ("[700000,750000]", "[750000,700000]", "segments[2].assignment: the join at"),
    (
      "\"last\":\"93:3\"", "\"last\":\"93:12\"",
      "segments[2].assignment.last: \"93:12\" is not an ayah"
    ),
    (
      "\"last\":\"93:3\"", "\"last\":\"92:3\"",
      "segments[2].assignment.last: 92:3 comes before 93:1"
    ),
    (
      "\"kind\":\"unused\"", "\"kind\":\"used\"",
      "segments[3].assignment.kind: \"used\" is not one of"
    ),
    (
      "\"takbir\"", "\"lunch\"",
      "segments[3].assignment.reason: \"lunch\" is not one of \"takbir\","
    ),
    ("\"ayah\":5", "\"ayah\":287", "segments[4].assignment: surah 2 has 286 ayat"),
    (
      "\"part\":\"end\"", "\"part\":\"tail\"", "segments[4].assignment.part: \"tail\" is not one of"
    ),
    ("\"confidence\":0.875", "\"confidence\":1.5", "segments[1].marker.confidence: a confidence"),
    ("\"confidence\":0.875", "\"confidence\":1e999", "segments[1].marker.confidence: a number too"),
    (
      "\"confidence\":0.25,\"confirmed\":false},\"assignment\":{\"kind\":\"unused\",\"reason\":\"takbir\"},\"origin\":\"person\",\"confidence\":null,\"confirmed\":false",
      "\"confidence\":0.25,\"confirmed\":false},\"assignment\":{\"kind\":\"unused\",\"reason\":\"takbir\"},\"origin\":\"person\",\"confidence\":null,\"confirmed\":true",
      "segments[3].confirmed: "
    ),
    (
      "{\"marker\":null,", "{\"marker\":{\"id\":9,\"frame\":5},",
      "segments: only the first segment may start without"
    ),
    ("\"segments\":[", "\"segments\":[7,", "segments[0]: an object was expected"),
    ("\"segments\":[", "\"segment\":[", "the whole file: the key \"segments\" is missing"),
    ("\"note\":\"\"}\n]}", "\"note\":\"\"}\n", "line 18: invalid JSON: "),
    ("\"flagged\":true", "\"flagged\":\"yes\"", "segments[1].flagged: true or false"),
  ])
  func namesThePathOfAFault(_ old: String, _ new: String, _ message: String) throws {
    let text = golden.replacing(old, with: new, maxReplacements: 1)
    try #require(text != golden)
    let error = #expect(throws: ExchangeError.self) {
      try AnnotationJSON.recording(from: Array(text.utf8))
    }
    let description = try #require(error?.description)
    #expect(description.hasPrefix("not an annotation, \(message)"), "\(description)")
  }

  @Test func belongsToARecordingOfOneLengthAndRate() throws {
    let bytes = Array(golden.utf8)
    let length = FrameCount(1_323_000)
    let result = try LabelImport(reading: bytes, as: .annotation, length: length, rate: cdRate)
    #expect(try result.document == shortRecording().document && result.warnings.isEmpty)
    let error = #expect(throws: ExchangeError.self) {
      try LabelImport(
        reading: bytes, as: .annotation, length: FrameCount(5), rate: cdRate)
    }
    #expect(
      error?.description == "the annotation belongs to a recording of 1323000 frames at 44100 Hz;"
        + " this recording has 5 frames at 44100 Hz")
  }
}
