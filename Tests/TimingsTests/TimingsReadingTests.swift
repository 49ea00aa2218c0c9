// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing
import Timings

/// One small file of each format, as its publisher writes it.
private enum Sample {
  static let qulBySurah = """
    {"112:1": {"segments": [[1, 7000, 7400], [2, 7400, 7900], [3, 7900, 8500], [4, 8500, 9600]],
      "timestamp_from": 6990, "timestamp_to": 9700},
     "112:2": {"segments": [[1, 9700, 10500], [2, 10500, 11800]], "timestamp_from": 9700, "timestamp_to": 11900}}
    """
  static let qulByAyah = """
    {"112:1": {"surah_number": 112, "ayah_number": 1, "audio_url": "https://example.org/112001.mp3", "duration": 3,
      "segments": [[1, 0, 400], [2, 400, 900], [3, 900, 1500], [4, 1500, 2600]]}}
    """
  static let quranCom = """
    {"audio_file": {"id": 1, "chapter_id": 112, "timestamps": [
      {"verse_key": "112:1", "timestamp_from": 6990, "timestamp_to": 9700, "duration": -2710,
       "segments": [[1, 6990.0, 7400.0], [2, 7400, 7900], [3, 7900, 8500], [4, 8500, 9600]]}]}}
    """
  static let quranComByAyah = """
    {"audio_files": [{"verse_key": "112:1", "url": "Someone/mp3/112001.mp3",
      "segments": [[0, 1, 0, 400], [1, 2, 400, 900], [2, 3, 900, 1500], [3, 4, 1500, 2600]]}], "pagination": {}}
    """
  static let quranAlign = """
    [{"surah": 112, "ayah": 1, "stats": {"insertions": 0},
      "segments": [[0, 2, 0, 900], [2, 3, 900, 1500], [3, 4, 1500, 2600]]}]
    """
  static let mp3quran = """
    [{"ayah": 0, "polygon": null, "start_time": 0, "end_time": 6990, "x": null, "y": null, "page": null},
     {"ayah": 1, "start_time": 6990, "end_time": 9700}, {"ayah": 2, "start_time": 9700, "end_time": 11900}]
    """
  static let wordTimings = """
    {"schema": "tilawa.word-timings/1", "ayat": {"112:1": [[0, 400], [400, 900], [900, 1500], [1500, 2600]]}}
    """
  static let segments = """
    [{"schema": "tilawa.auto-detect/1", "file": "a.mp3", "segments": [
      {"start": 0, "end": 6.99, "assignment": {"kind": "lead_in", "istiadhah": true, "basmalah": true, "surah": 112}},
      {"start": 6.99, "end": 9.7, "assignment": {"kind": "ayah", "surah": 112, "ayah": 1}},
      {"start": 9.7, "end": 14, "assignment": {"kind": "ayat", "first": "112:2", "last": "112:3", "joins": [11.9]}},
      {"start": 14, "end": 15, "assignment": {"kind": "ayah", "surah": 112, "ayah": 4, "part": "middle"}},
      {"start": 15, "end": null, "assignment": null}],
      "words": [{"surah": 112, "ayah": 1, "word": 4, "start": 8.5, "end": 9.6}]}]
    """
  static let all = [
    qulBySurah, qulByAyah, quranCom, quranComByAyah, quranAlign, mp3quran, wordTimings, segments,
  ]
}

@Suite("Published timings: read")
struct TimingsReadingTests {
  private let ikhlas = Surah(112)!

  private func read(_ text: String, _ surah: Surah? = nil) throws(TimingsError) -> PublishedTimings
  {
    try PublishedTimings(json: Array(text.utf8), surah: surah)
  }

  private func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

  private let words = [
    PublishedTimings.Word(1...1, 0..<400), .init(2...2, 400..<900), .init(3...3, 900..<1500),
    .init(4...4, 1500..<2600),
  ]

  @Test func readsQULBySurah() throws {
    let timings = try read(Sample.qulBySurah)
    #expect(timings.format == .qulBySurah && timings.clock == .recording)
    #expect(timings.ayat.map(\.ayah) == [ayah("112:1"), ayah("112:2")])
    #expect(timings.ayat[1].start == 9700 && timings.ayat[1].end == 11900)
    #expect(timings.ayat[0].words[2] == .init(3...3, 7900..<8500))
    #expect(timings.remarks.isEmpty)
  }

  @Test func readsQULByAyah() throws {
    let timings = try read(Sample.qulByAyah)
    #expect(timings.format == .qulByAyah && timings.clock == .ayah)
    #expect(timings.ayat.map(\.ayah) == [ayah("112:1")] && timings.ayat[0].start == nil)
    #expect(timings.ayat[0].words == words)
  }

  @Test func readsWhatTheAPIOfQuranComAnswers() throws {
    let timings = try read(Sample.quranCom)
    #expect(timings.format == .quranCom && timings.clock == .recording)
    #expect(timings.ayat[0].start == 6990 && timings.ayat[0].words[0].span == 6990..<7400)
    let byAyah = try read(Sample.quranComByAyah)
    #expect(
      byAyah.clock == .ayah && byAyah.ayat == [.init(ayah("112:1"), start: nil, words: words)])
  }

  @Test func readsQuranAlignWhoseWordsCountFromNought() throws {
    let timings = try read(Sample.quranAlign)
    #expect(timings.format == .quranAlign && timings.clock == .ayah)
    #expect(
      timings.ayat[0].words == [
        .init(1...2, 0..<900), .init(3...3, 900..<1500), .init(4...4, 1500..<2600),
      ])
    #expect(timings.remarks.isEmpty)
  }

  @Test func readsMp3quranWhichDoesNotSayTheSurah() throws {
    #expect(throws: TimingsError.noSurah(.mp3quran)) { try read(Sample.mp3quran) }
    let timings = try read(Sample.mp3quran, ikhlas)
    #expect(timings.ayat.map(\.ayah) == [ayah("112:1"), ayah("112:2")])
    #expect(timings.ayat[0].start == 6990 && timings.ayat[0].end == 9700)
    #expect(throws: TimingsError.self) { try read(#"[{"ayah": 5, "start_time": 0}]"#, ikhlas) }
  }

  @Test func readsOurOwn() throws {
    let timings = try read(Sample.wordTimings)
    #expect(timings.tokenisation == .qpcHafs && timings.clock == .ayah)
    #expect(timings.ayat == [.init(ayah("112:1"), start: nil, words: words)])
    let segments = try read(Sample.segments)
    #expect(segments.format == .segments && segments.clock == .recording)
    #expect(
      segments.ayat.map { [$0.start, $0.end] } == [[6990, 9700], [9700, 11900], [11900, 14000]])
    #expect(segments.ayat[2].ayah == ayah("112:3"))
    #expect(segments.ayat[0].words == [.init(4...4, 8500..<9600)])
  }

  @Test func readsADatabaseOfQuranForAndroid() throws {
    let timings = try PublishedTimings(android: [
      .init(ikhlas, ayah: 999, time: 14000),
      .init(ikhlas, ayah: 1, time: 6990, words: "1:6990:7400,2:7400:7400"),
      .init(ikhlas, ayah: 0, time: 0), .init(ikhlas, ayah: 2, time: 9700),
    ])
    #expect(timings.ayat.map { [$0.start, $0.end] } == [[6990, 9700], [9700, 14000]])
    #expect(timings.ayat[0].words == [.init(1...1, 6990..<7400)])
    #expect(timings.remarks.map(\.code) == ["zero_width", "word_count"])
    #expect(throws: TimingsError.self) {
      try PublishedTimings(android: [.init(ikhlas, ayah: 1, time: 0, words: "1:a:2")])
    }
    #expect(throws: TimingsError.self) {
      try PublishedTimings(android: [.init(ikhlas, ayah: 7, time: 0)])
    }
  }

  @Test func timesBeforeTheFileBeginsAreReadAsTheyAre() throws {
    let timings = try read(
      """
      {"112:1": {"segments": [[1, -400, 200]], "timestamp_from": -400, "timestamp_to": 900}}
      """)
    #expect(timings.ayat[0].start == -400 && timings.ayat[0].words[0].span == -400..<200)
  }

  @Test func toleratesAndReportsWhatIsOdd() throws {
    let timings = try read(
      """
      {"112:1": {"segments": [[1, 700, 700], [2, 900, 800], [3, null, 900], [], [5, 900, 1000]],
        "timestamp_from": 690, "timestamp_to": 690},
       "112:2": {"segments": null, "timestamp_from": 900, "timestamp_to": 800},
       "112:3": {"timestamp_from": null, "timestamp_to": null}}
      """)
    #expect(
      timings.ayat.map(\.start) == [690, 900, nil] && timings.ayat.allSatisfy { $0.end == nil })
    #expect(timings.ayat[0].words == [.init(5...5, 900..<1000)])
    #expect(
      Set(timings.remarks) == [
        .init(.zeroWidth, ayah("112:1")), .init(.zeroWidth, ayah("112:1"), word: 1),
        .init(.reversed, ayah("112:1"), word: 2), .init(.noTime, ayah("112:1"), word: 3),
        .init(.wordCount(published: 5, text: 4), ayah("112:1")), .init(.reversed, ayah("112:2")),
        .init(.noTime, ayah("112:3")),
      ])
  }

  @Test(arguments: [
    ("[]", "not in a known format"), ("{", "not JSON"), ("", "not JSON"),
    ("[{\"a\": 1}]", "not in a known format"),
    (#"{"112:1": {"timestamp_from": "x"}}"#, "112:1.timestamp_from"),
    (#"{"112:1": {"timestamp_from": 1e12}}"#, "100 hours"),
    (#"{"112:1": {"timestamp_from": 1}, "112:9": {}}"#, "surah 112 has 4 ayat"),
    (#"[{"verse_key": "112:1", "segments": [[1, 2]]}]"#, "[0].segments[0]"),
    (#"[{"verse_key": "112:1", "segments": [[0, 1, 2]]}]"#, "count from 1"),
    (#"[{"surah": 115, "ayah": 1, "segments": []}]"#, "no ayah 115:1"),
    (#"{"schema": "tilawa.word-timings/1", "ayat": []}"#, "an object was expected"),
    (#"{"schema": "tilawa.word-timings/2", "ayat": {}}"#, "not in a known format"),
  ])
  func namesWhatIsWrongAndWhere(text: String, part: String) {
    do throws(TimingsError) {
      _ = try read(text)
      Issue.record("read")
    } catch {
      #expect("\(error)".contains(part))
    }
  }

  @Test func refusesMoreThanTheQuranCouldHold() {
    let verse = #"{"verse_key":"112:1","timestamp_from":1}"#
    let many = "[" + Array(repeating: verse, count: 25_001).joined(separator: ",") + "]"
    #expect(throws: TimingsError.tooMany(.quranCom)) { try read(many) }
    #expect(throws: TimingsError.tooLarge(bytes: TimingsLimit.bytes + 1)) {
      try PublishedTimings(json: [UInt8](repeating: 0x20, count: TimingsLimit.bytes + 1))
    }
  }

  /// Bytes of good files, changed, cut and put together at random: what comes of them is read or refused.
  @Test func neverTrapsOnDamagedFiles() {
    var random = SplitMix64(state: 16)
    let samples = Sample.all.map { Array($0.utf8) }
    var reads = 0
    for _ in 0..<3000 {
      var bytes = samples.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert("0123456789-e.,:[]{}\"".utf8.randomElement(using: &random)!, at: place)
        case 3:
          let other = samples.randomElement(using: &random)!
          bytes.replaceSubrange(
            place..., with: other[Int.random(in: 0..<other.count, using: &random)...])
        default:
          bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        }
        if bytes.isEmpty { break }
      }
      guard let timings = try? PublishedTimings(json: bytes, surah: ikhlas) else { continue }
      reads += 1
      for ayah in timings.ayat {
        if let start = ayah.start, let end = ayah.end { #expect(start < end) }
        for word in ayah.words { #expect(word.numbers.lowerBound > 0 && !word.span.isEmpty) }
      }
      #expect(
        (try? PublishedTimings(json: Array(timings.text.utf8), surah: ikhlas)) != nil
          || !timings.ayat.contains { $0.start != nil })
    }
    #expect(reads > 100)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    for sample in [Sample.qulBySurah, Sample.qulByAyah, Sample.quranCom, Sample.mp3quran] {
      let timings = try read(sample, ikhlas)
      #expect(try read(timings.text, ikhlas) == timings)
    }
    let segments = try read(Sample.segments)
    #expect(try read(segments.text).ayat == segments.ayat)
  }

  @Test func whatIsNoTimeStaysInTheFormatsThatAreKept() throws {
    let rows = """
      [{"ayah":0,"start_time":0,"end_time":900,"page":"https://x/604.svg"},
       {"ayah":1,"start_time":"900","end_time":"2000","polygon":"1,2","x":"3","page":null},
       {"ayah":2,"start_time":2000,"end_time":3000}]
      """
    #expect(
      try PublishedTimings(json: Array(rows.utf8), surah: Surah(112)).text == """
        [
        {"ayah":0,"start_time":0,"end_time":900,"page":"https://x/604.svg"},
        {"ayah":1,"start_time":900,"end_time":2000,"polygon":"1,2","x":"3","page":null},
        {"ayah":2,"start_time":2000,"end_time":3000}
        ]

        """)
    let qul = """
      {"112:1":{"surah_number":112,"segments":[[1,0,500]],"audio_url":"x","duration":null}}
      """
    #expect(
      try PublishedTimings(json: Array(qul.utf8)).text == """
        {
        "112:1":{"surah_number":112,"segments":[[1,0,500]],"audio_url":"x","duration":null}
        }

        """)
  }

  @Test func aRepeatedAyahIsOneKeyFromItsFirstStartToItsLastEnd() throws {
    let ayat: [PublishedTimings.Ayah] = [
      .init(AyahReference("112:1")!, start: 0, end: 900),
      .init(AyahReference("112:2")!, start: 900, end: 2000, words: [.init(1...1, 900..<1500)]),
      .init(AyahReference("112:2")!, start: 2000, end: 3500, words: [.init(1...1, 2000..<2500)]),
    ]
    #expect(
      PublishedTimings(.qulBySurah, clock: .recording, ayat: ayat).text == """
        {
        "112:1":{"segments":[],"timestamp_from":0,"timestamp_to":900},
        "112:2":{"segments":[[1,900,1500],[1,2000,2500]],"timestamp_from":900,"timestamp_to":3500}
        }

        """)
  }
}
