// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Testing

@testable import Exchange

/// Files without end: what is read of them is bounded, and the error says which limit they exceed.
@Suite struct LabelLimitTests {
  /// A text before, a text again and again as often as it is read, a text after.
  private final class Endless {
    private(set) var given = 0
    private let head: [UInt8]
    private let piece: [UInt8]
    private var number = 0
    private var rest: Int
    private let tail: [UInt8]

    init(_ head: String, again: (Int) -> String, times: Int = .max, tail: String = "") {
      self.head = Array(head.utf8)
      // A piece at a time, so that the test itself is fast.
      let block = (0..<max(1, (1 << 15) / max(1, again(0).utf8.count))).map(again).joined()
      piece = Array(block.utf8)
      rest = times
      self.tail = Array(tail.utf8)
    }

    var input: LabelInput {
      LabelInput { [self] (_) throws(ExchangeError) in
        number += 1
        let bytes = number == 1 ? head : rest > 0 ? piece : rest == 0 ? tail : []
        if number > 1 { rest -= 1 }
        given += bytes.count
        return bytes
      }
    }
  }

  private static func limit(_ error: ExchangeError?) -> LabelLimit? {
    if case .tooMuch(let limit, _, _) = error { limit } else { nil }
  }

  private static let head: [LabelFormat: String] = [
    .annotation:
      #"{"schema":"tilawa.annotation/1","sample_rate":44100,"frames":100,"segments":["#,
    .audacity: "", .rttm: "", .tsv: "start\tend\tlabel\n", .csv: "start,end,label\n",
    .vtt: "WEBVTT\n\n", .srt: "", .cue: "FILE \"a.wav\" WAVE\n", .ffmetadata: ";FFMETADATA1\n",
    .json: #"{"segments":["#, .quranSegments: #"{"verse_timings":["#, .chapters: #"{"chapters":["#,
    .eaf: "<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID=\"a\" TIME_VALUE=\"0\"/>"
      + "<TIME_SLOT TIME_SLOT_ID=\"b\" TIME_VALUE=\"9\"/></TIME_ORDER><TIER TIER_ID=\"t\">",
    .textgrid: "\"ooTextFile\" \"TextGrid\" 0 9 <exists> 1 \"IntervalTier\" \"t\" 0 9 250001\n",
  ]

  /// One label.
  private static func label(_ format: LabelFormat) -> String {
    switch format {
    case .annotation: #"{"note":"x"},"#
    case .audacity: "1.0\t2.0\t2:5\n"
    case .textgrid: "1 2 \"2:5\"\n"
    case .eaf:
      "<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID=\"x\" TIME_SLOT_REF1=\"a\""
        + " TIME_SLOT_REF2=\"b\"/></ANNOTATION>\n"
    case .vtt: "00:01.000 --> 00:02.000\n2:5\n\n"
    case .srt: "1\n00:00:01,000 --> 00:00:02,000\n2:5\n\n"
    case .csv: "1.0,2.0,2:5\n"
    case .tsv: "1.0\t2.0\t2:5\n"
    case .json: #"{"start":1,"end":2,"label":"2:5"},"#
    case .quranSegments: #"{"verse_key":"2:5","timestamp_from":1000,"timestamp_to":2000},"#
    case .rttm: "SPEAKER a 1 1.0 1.0 <NA> <NA> 2:5 <NA> <NA>\n"
    case .cue: "TRACK 01 AUDIO\nINDEX 01 00:01:00\n"
    case .chapters: #"{"startTime":1},"#
    case .ffmetadata: "[CHAPTER]\nSTART=1\nEND=2\n"
    }
  }

  /// The labels that count as read already, as the loops are the same for all; none when `TILAWA_THOROUGH` is set.
  private static let alreadyRead =
    ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == nil ? 249_000 : 0

  @Test(arguments: LabelFormat.allCases)
  func moreLabelsThanAnyRecordingHasAreRefused(_ format: LabelFormat) throws {
    let text = Self.label(format)
    let file = Endless(try #require(Self.head[format])) { _ in text }
    let error = LabelCounter.$start.withValue(Self.alreadyRead) {
      #expect(throws: ExchangeError.self) { try format.labels(in: file.input) }
    }
    #expect(Self.limit(error) == .labels, "\(error as Any)")
    #expect(error?.description.contains("more than 250000 labels; split the file") == true)
    // No more is read than these labels take.
    let most = 250_001 - Self.alreadyRead
    #expect(file.given < most * (text.utf8.count + 1) + 4 * LabelInput.pieceSize)
  }

  @Test(arguments: [
    (
      LabelFormat.annotation,
      #"{"schema":"tilawa.annotation/1","sample_rate":44100,"frames":100,"segments":[{}],"words":["#,
      #"{"ayah":"2:5","words":[[1,2,3],[2,3,4]]},"#
    ),
    (
      .quranSegments, "[",
      #"{"verse_key":"2:5","segments":[[1,1000,1500],[2,1500,2000]]},"#
    ),
  ])
  func wordsCountAsLabels(
    _ format: LabelFormat, head: String, words: String
  ) throws {
    let file = Endless(head) { _ in words }
    let error = LabelCounter.$start.withValue(Self.alreadyRead) {
      #expect(throws: ExchangeError.self) { try format.labels(in: file.input) }
    }
    #expect(Self.limit(error) == .labels, "\(error as Any)")
    let count = (250_003 - Self.alreadyRead) / 3
    #expect(file.given < count * words.utf8.count + 4 * LabelInput.pieceSize)
  }

  @Test(arguments: LabelFormat.allCases)
  func aLineOrTextWithoutEndIsRefused(_ format: LabelFormat) throws {
    var head = try #require(Self.head[format])
    switch format {
    case .annotation, .json, .chapters, .quranSegments:
      head += #"{"start":1,"startTime":1,"title":""#
    case .csv: head += "1,2,\""
    case .textgrid:
      head = "\"ooTextFile\" \"TextGrid\" 0 9 <exists> 1 \"IntervalTier\" \"t\" 0 9 2\n0 1 \""
    case .eaf: head += "<ANNOTATION x=\""
    default: break
    }
    let file = Endless(head) { _ in "xxxxxxxx" }
    let error = #expect(throws: ExchangeError.self) { try format.labels(in: file.input) }
    #expect(Self.limit(error) == .text, "\(error as Any)")
    #expect(error?.description.contains("longer than 1 MiB; shorten it") == true)
    #expect(file.given < 2 << 20)
  }

  @Test(arguments: [
    (LabelFormat.vtt, "WEBVTT\n\n00:00.000 --> 00:01.000\n", "text\n"),
    (.srt, "00:00:00,000 --> 00:00:01,000\n", "text\n"),
    (.ffmetadata, ";FFMETADATA1\ntitle=\\\n", "text\\\n"),
    (.csv, "start,end,label\n1,2,\"", "text\n"),
    (.eaf, "<ANNOTATION_DOCUMENT><A>", "text\n"), (.eaf, "<ANNOTATION_DOCUMENT><!--", "text\n"),
    (.json, "[[", "1,"), (.json, "{\"segments\":[[", "[],"), (.json, "{\"title\":{", "\"a\":1,"),
  ])
  func aTextOfManyLinesWithoutEndIsRefused(format: LabelFormat, head: String, line: String) {
    // An array that nobody asks for is passed over, however long; the fault is that it does not end.
    let isSkipped = head == "[["
    let file = Endless(head, again: { _ in line }, times: isSkipped ? 100 : .max)
    let error = #expect(throws: ExchangeError.self) { try format.labels(in: file.input) }
    #expect(Self.limit(error) == (isSkipped ? nil : .text), "\(error as Any)")
  }

  @Test(arguments: [
    (LabelFormat.json, "", "["), (.json, "{\"segments\":", "{\"a\":"), (.chapters, "", "{\"x\":"),
    (.annotation, "{\"a\":", "["), (.eaf, "<ANNOTATION_DOCUMENT>", "<a>"),
  ])
  func nestingWithoutEndIsRefused(format: LabelFormat, head: String, piece: String) {
    let file = Endless(head) { _ in piece }
    let error = #expect(throws: ExchangeError.self) { try format.labels(in: file.input) }
    #expect(Self.limit(error) == (format == .eaf ? .xmlDepth : .jsonDepth), "\(error as Any)")
    #expect(error?.description.contains("deep; remove the nested") == true)
  }

  @Test func tiersAreOnlySoMany() {
    let files: [(LabelFormat, LabelInput)] = [
      (
        .rttm,
        LabelInput(
          Array(
            (0...1000).map { "SPEAKER file\($0) 1 1.0 1.0 <NA> <NA> 2:5 <NA> <NA>\n" }.joined().utf8
          )
        )
      ),
      (
        .eaf,
        LabelInput(
          Array(
            ("<ANNOTATION_DOCUMENT>"
              + (0...1000).map { "<TIER TIER_ID=\"\($0)\"></TIER>" }.joined()).utf8))
      ),
      (.textgrid, LabelInput(Array("\"ooTextFile\" \"TextGrid\" 0 9 <exists> 1001".utf8))),
    ]
    for (format, input) in files {
      let error = #expect(throws: ExchangeError.self) { try format.labels(in: input) }
      #expect(Self.limit(error) == .tiers, "\(format): \(error as Any)")
    }
  }

  @Test(arguments: [
    (LabelFormat.audacity, "", "\n"), (.tsv, "", "\n"), (.rttm, "", ";; remark\n"),
    (.vtt, "WEBVTT\n\nNOTE\n", "a remark\n"), (.srt, "", "no cue\n"), (.cue, "", "REM x\n"),
    (.ffmetadata, ";FFMETADATA1\n", "; remark\n"), (.csv, "", "\n"),
    (.textgrid, "\"ooTextFile\" \"TextGrid\" ", "! a remark\n"),
    (.json, "{\"pauses\":[", "{\"start\":1,\"end\":2,\"depth_db\":3},\n"),
  ])
  func aFileOfMoreBytesThanAllowedIsRefused(format: LabelFormat, head: String, line: String) {
    let file = Endless(head, again: { _ in line })
    // As if all but the last pieces had been read; the loop is the same.
    let limit = LabelLimit.fileSize.value
    let input = file.input
    input.startCounting(at: limit - (1 << 20))
    let error = #expect(throws: ExchangeError.self) { try format.labels(in: input) }
    #expect(Self.limit(error) == .fileSize, "\(error as Any)")
    #expect(error?.description == "\(format.title) larger than 512 MiB; split the file")
  }

  @Test(arguments: LabelFormat.allCases)
  func theSameIsReadInPiecesOfAnySize(_ format: LabelFormat) throws {
    let recording = try shortRecording()
    let text = format.text(of: recording, including: .everything)
    let units = Array(text.utf16)
    let encodings: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
      [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
    ]
    let expected = try format.labels(in: encodings[0])
    #expect(expected.tiers.contains { !$0.labels.isEmpty })
    for bytes in encodings where format != .eaf || bytes[0] == encodings[0][0] {
      for size in [1, 2, 3, 7, 4096, LabelInput.pieceSize] {
        let input = LabelInput(bytes, pieceSize: size)
        #expect(try format.labels(in: input) == expected, "\(size)")
        // As the format is told from the beginning of a file.
        let known = LabelInput(bytes, pieceSize: size)
        _ = try known.beginning(LabelInput.pieceSize)
        #expect(try format.labels(in: known) == expected, "\(size), read ahead")
      }
    }
  }

  @Test func charactersOutsideOfTheBasicPlaneSurvivePieces() throws {
    let units = Array("0\t1\t😀😀\n".utf16)
    let bytes: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for size in 1...9 {
      let labels = try LabelFormat.audacity.labels(in: LabelInput(bytes, pieceSize: size))
      #expect(labels.tiers[0].labels.map(\.text) == ["😀😀"])
    }
  }

  @Test func whatNobodyAskedForIsSkippedHoweverLongItIs() throws {
    let file = Endless(
      #"{"pauses":[{"x":[[1,"a",null]]}"#, again: { _ in #",{"start":1,"end":2}"# }, times: 100,
      tail: #"],"segments":[{"start":1,"label":"2:5"}]}"#)
    let labels = try LabelFormat.json.labels(in: file.input)
    #expect(labels.tiers[0].labels.map(\.text) == ["2:5"])
    #expect(file.given > 2 << 20)
  }
}
