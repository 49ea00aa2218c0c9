// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Quran
import TestSupport
import Testing

@testable import Exchange

@Suite struct DetectionJSONTests {
  @Test func writesEveryKindOfSegment() {
    let expected = [
      #"{"schema":"tilawa.auto-detect/1","file":"night.m4a","duration_seconds":30,"#,
      #""sample_rate":44100,"frames":1323000,"detector":"adaptive","first_ayah":"2:285","#,
      #""last_ayah":"3:1","prayer":"taraweeh","pauses":["#,
      #"{"start":5.02,"end":5.44,"depth_db":21.4,"confidence":0.93},"#,
      #"{"start":9.9,"end":10.1,"depth_db":null,"confidence":0.5}],"#,
      #""boundaries":[{"time":5.231,"confidence":0.97},{"time":10,"confidence":0.4}],"#,
      #""segments":[{"start":0,"end":5.231,"assignment":{"kind":"lead_in","istiadhah":true,"#,
      #""basmalah":true,"surah":2},"confidence":0.97},"#,
      #"{"start":5.231,"end":10,"assignment":{"kind":"ayah","surah":2,"ayah":285},"#,
      #""confidence":0.679},"#,
      #"{"start":10,"end":12,"assignment":{"kind":"ayah","surah":2,"ayah":286,"#,
      #""part":"beginning"},"confidence":1},"#,
      #"{"start":12,"end":18,"assignment":{"kind":"cross_surah","surah":2,"ayah":286,"#,
      #""join":16.5,"end_surah":3,"end_ayah":1},"confidence":0.5},"#,
      #"{"start":18,"end":25,"assignment":{"kind":"ayat","first":"93:1","last":"93:3","#,
      #""joins":[20,22.25]},"confidence":0},"#,
      #"{"start":25,"end":28,"assignment":{"kind":"unused","reason":"takbir"},"#,
      #""confidence":null},"#,
      #"{"start":28,"end":30,"assignment":null,"confidence":0.25}]}"#,
    ].joined()
    #expect(DetectionJSON.line(.report(everyKind)) == expected)
  }

  @Test func writesNullForWhatIsNotKnownAndWarningsIfAny() {
    #expect(
      DetectionJSON.line(.report(plain))
        == [
          #"{"schema":"tilawa.auto-detect/1","file":"a.wav","duration_seconds":3.0001,"#,
          #""sample_rate":8000,"frames":24001,"detector":"fixed","first_ayah":null,"#,
          #""last_ayah":null,"prayer":null,"#,
          #""pauses":[{"start":1,"end":1.5,"depth_db":30,"confidence":1}],"#,
          #""boundaries":[{"time":1.25,"confidence":1}],"#,
          #""segments":[{"start":0,"end":1.25,"assignment":null,"confidence":1},"#,
          #"{"start":1.25,"end":3.0001,"assignment":null,"confidence":1}],"#,
          #""warnings":["Sounds were cut off at 1.0."]}"#,
        ].joined())
  }

  @Test func namesTheVersionOfTheAcousticWeightsWhereWordsWereHeard() {
    var report = plain
    report.acousticVersion = 4_294_967_295
    #expect(
      DetectionJSON.line(.report(report)).contains(
        #""prayer":null,"acoustic_weights":4294967295,"pauses""#))
  }

  @Test func writesWhereTheRecordingMayBegin() throws {
    var report = plain
    report.candidates = [
      .init(try AyahReference(parsing: "55:13"), probability: 0.9312),
      .init(try AyahReference(parsing: "55:16"), word: 2, probability: 0.05, isWordedAlike: true),
    ]
    let expected =
      #""candidates":[{"first":"55:13","word":1,"probability":0.931,"worded_alike":false},"#
      + #"{"first":"55:16","word":2,"probability":0.05,"worded_alike":true}],"pauses""#
    #expect(DetectionJSON.line(.report(report)).contains(expected))
  }

  @Test func everyKeyIsDocumented() throws {
    var report = plain
    report.verdict = "doubtful"
    report.remarks = [.init(code: "no_voice", text: "no speech detected")]
    report.acousticVersion = 1
    report.learnt = "3f0c"
    report.candidates = [.init(.first, probability: 1)]
    report.words = [TimedWord(.first, 1, .zero..<FramePosition(1))]
    let line = Data(DetectionJSON.line(.report(report)).utf8)
    let keys = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any]).keys
    #expect(keys.contains("warnings") && keys.count == 19)
    let page = try String(
      contentsOf: FixtureFolder.url.deletingLastPathComponent()
        .appending(path: "Documentation/auto-detect.md"), encoding: .utf8)
    for key in keys { #expect(page.contains("`\(key)`") || page.contains("\"\(key)\":"), "\(key)") }
  }

  @Test func writesFailures() {
    let failure = DetectionFailure(
      file: String(decoding: [0x61, 0xFF, 0x0A], as: UTF8.self), code: "no_such_file",
      message: "There is no \"a\".")
    #expect(
      DetectionJSON.line(.failure(failure))
        == [
          #"{"schema":"tilawa.auto-detect/1","file":"a"#, "\u{FFFD}",
          #"\n","error":{"code":"no_such_file","message":"There is no \"a\"."}}"#,
        ].joined())
  }

  @Test func writesLinesAndArraysOnePerLine() throws {
    let outcomes: [DetectionOutcome] = [
      .report(plain), .failure(.init(file: "b", code: "c", message: "d")),
    ]
    let lines = outcomes.map { DetectionJSON.line($0) }
    #expect(DetectionJSON.lines(outcomes) == "\(lines[0])\n\(lines[1])\n")
    #expect(DetectionJSON.array(outcomes) == "[\n\(lines[0]),\n\(lines[1])\n]\n")
    #expect(DetectionJSON.array([]) == "[]\n")
    #expect(DetectionJSON.lines([]) == "")
    let parsed = try JSONValue(parsing: Array(DetectionJSON.array(outcomes).utf8))
    #expect(parsed == .array(try lines.map { try JSONValue(parsing: Array($0.utf8)) }))
  }

  @Test func namesNoSurahWithoutBasmalah() {
    var report = plain
    report.segments[0].assignment = .leadIn(.istiadhah)
    #expect(
      DetectionJSON.line(.report(report)).contains(
        #"{"kind":"lead_in","istiadhah":true,"basmalah":false,"surah":null}"#))
  }

  @Test func spellsReasonsAndPartsAsTheSchemaDoes() {
    #expect(
      UnusedReason.allCases.map(\.rawValue).joined(separator: "|")
        == "takbir|ameen|ruku|sujud|tasmee|tashahhud|qunut|salam|speech|silence|noise|other")
    #expect(AyahPart.allCases.map(\.rawValue).joined(separator: "|") == "beginning|middle|end")
  }
}

@Suite struct SegmentLabelTests {
  @Test func namesEveryKind() {
    #expect(
      everyKind.segmentLabels == [
        "isti'adhah + basmalah", "2:285", "2:286 (beginning)", "2:286 | 3:1", "93:1-3",
        "unused: takbir", "segment 7",
      ])
  }
}
