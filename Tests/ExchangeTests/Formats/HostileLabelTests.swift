// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Testing

@testable import Exchange

/// Files that break their format's rules; `Malformed/` names each by its fault, and its ending is the
/// format's name.
@Suite struct HostileLabelTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Malformed")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// What is said of each, after the format's name.
  static let faults: [(file: String, message: String)] = [
    ("annotation_twice.eaf", ", line 11: a second annotation \"a1\""),
    ("another_document.eaf", ", line 2: the outermost element is not ANNOTATION_DOCUMENT"),
    (
      "another_object.textgrid",
      ", line 2: this is a Praat \"Sound 2\", not a TextGrid; in Praat, save the TextGrid alone as text"
    ),
    ("backwards.cue", ", line 5: this INDEX comes before the one above; sort them"),
    ("billion_laughs.eaf", ", line 2: a document type declaration is not allowed"),
    (
      "circular_reference.eaf",
      ", line 9: it refers to \"a1\", which is missing or refers back to it"
    ),
    (
      "count_beyond_the_file.textgrid",
      ", line 14: 1e+22 is not a valid number of labels"
    ),
    ("cut_short.eaf", ", line 9: XML: no element found"),
    ("cut_short.textgrid", ", line 19: the file ends where a time was expected; it is incomplete"),
    ("double_comma.json", ", line 3: invalid JSON: a key was expected"),
    (
      "end_before_start.audacity",
      ", line 2: the end, 2.0 s, is before the start, 5.0 s; swap them"
    ),
    (
      "end_before_start.csv",
      ", line 3: the end, 2.0 s, is before the start, 3.0 s; swap them"
    ),
    (
      "end_before_start.eaf",
      ", line 8: the end, 0.0 s, is before the start, 1.0 s; swap them"
    ),
    (
      "end_before_start.ffmetadata",
      ", line 2: the end, 0.1 s, is before the start, 5.0 s; swap them"
    ),
    (
      "end_before_start.json",
      ", segments[0]: the end, 1.0 s, is before the start, 2.0 s; swap them"
    ),
    (
      "end_before_start.srt",
      ", line 2: the end, 1.0 s, is before the start, 5.0 s; swap them"
    ),
    (
      "end_before_start.textgrid",
      ", line 15: the end, 0.5 s, is before the start, 1.0 s; swap them"
    ),
    (
      "end_before_start.vtt",
      ", line 3: the end, 1.0 s, is before the start, 5.0 s; swap them"
    ),
    ("external_entity.eaf", ", line 2: a document type declaration is not allowed"),
    ("fractional.ffmetadata", ", line 5: \"1.5\" is not a whole number"),
    ("fractional_count.textgrid", ", line 14: 1.5 is not a valid number of labels"),
    (
      "half_a_character.audacity",
      ": UTF-16 with half a character at the end; the file is incomplete"
    ),
    ("hexadecimal.audacity", ", line 1: \"0x10\" is not a number of seconds"),
    ("huge.audacity", ", line 1: a time over 1,000,000,000 seconds"),
    ("huge.cue", ", line 3: invalid index; write INDEX 01 mm:ss:ff, with 60 seconds and 75 frames"),
    ("huge.ffmetadata", ", line 2: a time over 1,000,000,000 seconds"),
    ("huge.json", ", segments[0].start: a number too large"),
    ("index_before_track.cue", ", line 1: an INDEX before the first TRACK"),
    ("infinite.audacity", ", line 1: \"inf\" is not a number of seconds"),
    ("invalid_utf8.audacity", ", line 2: bytes that are not UTF-8; save the file as UTF-8"),
    ("invalid_utf8.eaf", ", line 3: XML: not well-formed (invalid token)"),
    ("joins_that_are_no_times.csv", ", line 2: \"x\" is not a valid join time"),
    (
      "last_slot_without_time.eaf",
      ", line 5: the last time slots have no time; add a TIME_VALUE"
    ),
    ("lone_surrogate.audacity", ": half a surrogate pair; save the file as UTF-8"),
    ("nan.audacity", ", line 1: \"nan\" is not a number of seconds"),
    ("nan.srt", ", line 2: \"00:00:nan\" is not a time; write 00:01:02.345"),
    ("negative.audacity", ", line 1: a negative time; times count from 0"),
    ("negative.eaf", ", line 5: a negative time; times count from 0"),
    ("negative.tsv", ", line 2: a negative time; times count from 0"),
    ("negative_count.textgrid", ", line 14: -1.0 is not a valid number of labels"),
    ("negative_duration.rttm", ", line 1: a negative time; times count from 0"),
    ("ninety_nine_seconds.vtt", ", line 3: \"00:99:99.000\" is not a time; write 00:01:02.345"),
    ("no_chapters.chapters", ", the whole file: the key \"chapters\" is missing"),
    (
      "no_end.vtt",
      ", line 3: \"00:00:05.000 -->\" is not a pair of times; write 00:01:02.345 --> 00:01:05.000"
    ),
    ("no_equals_sign.ffmetadata", ", line 3: no \"=\" between key and value"),
    ("no_index.cue", ", line 2: a track without INDEX 01"),
    ("no_name.eaf", ", line 8: <ALIGNABLE_ANNOTATION> lacks ANNOTATION_ID"),
    ("no_number.csv", ", line 3: \"abc\" is not a time; write seconds, or 1:02.345"),
    ("no_number.eaf", ", line 5: \"ten\" is not a number of milliseconds"),
    ("no_segments.json", ", the whole file: the array \"segments\" is missing"),
    ("no_signature.ffmetadata", ", line 1: the first line is not ;FFMETADATA1"),
    ("no_signature.vtt", ", line 1: the first line is not WEBVTT"),
    ("no_start.chapters", ", chapters[0]: the key \"startTime\" is missing"),
    ("no_start.csv", ", line 2: no start"),
    ("no_start.ffmetadata", ", line 2: a chapter without START"),
    ("no_start.json", ", segments[1]: the key \"start\" is missing"),
    (
      "no_start_column.csv",
      ", line 1: no column \"start\"; the first row names the columns: start, end, label"
    ),
    ("no_such_ayah.json", ", segments[0].assignment: surah 2 has 286 ayat; 2:300 does not exist"),
    ("nul_byte.audacity", ", line 1: a NUL byte; save the file as UTF-8 text"),
    ("number_for_a_label.json", ", segments[0].label: a string was expected"),
    ("object_for_an_array.json", ", segments: an array was expected"),
    ("open_quote.csv", ", line 2: the closing quote of a field is missing"),
    ("open_quote.textgrid", ", line 17: the closing quote of a text is missing"),
    (
      "reference_to_nothing.eaf",
      ", line 8: it refers to \"a7\", which is missing or refers back to it"
    ),
    (
      "seventy_five_frames.cue",
      ", line 3: invalid index; write INDEX 01 mm:ss:ff, with 60 seconds and 75 frames"
    ),
    (
      "several_recordings.json",
      ", the whole file: several recordings; keep only this one in the file"
    ),
    ("short_arrow.srt", ", line 1: no line of times; write 00:01:02,345 --> 00:01:05,000"),
    ("slot_twice.eaf", ", line 5: a second time slot \"ts1\""),
    (
      "spaces_for_tabs.audacity",
      ", line 2: no tab; a label is start, tab, end, tab, text, times in seconds"
    ),
    ("text_for_a_number.textgrid", ", line 16: a time was expected, a number"),
    ("three_fields.rttm", ", line 2: 4 fields; a turn has ten"),
    ("time_base_of_nothing.ffmetadata", ", line 3: \"1/0\" is not a time base; write 1/1000"),
    ("two_files.cue", ", line 2: a second FILE; a sheet may describe only one recording"),
    ("unknown_kind.rttm", ", line 1: \"TALKER\" is not a kind of line; turns begin with SPEAKER"),
    ("unknown_slot.eaf", ", line 8: a time slot that is not in TIME_ORDER"),
    (
      "unknown_tier.textgrid",
      ", line 10: a tier is an IntervalTier or a TextTier, not \"PitchTier\""
    ),
    ("no_verse_key.quran-segments", ", [1]: the key \"verse_key\" is missing"),
    (
      "no_times.quran-segments",
      ", [0]: the key \"timestamp_from\" or \"timestamp_to\" is missing"
    ),
    ("two_numbers.quran-segments", ", [0].segments[1]: a word is [number, start, end]"),
    ("text_for_a_word.quran-segments", ", [0].segments[0]: an array was expected"),
    (
      "word_backwards.quran-segments",
      ", [0].segments[0]: the end, 2.0 s, is before the start, 5.0 s; swap them"
    ),
    ("huge_time.quran-segments", ", [0].timestamp_from: a time over 1,000,000,000 seconds"),
    ("no_verses.quran-segments", ", the whole file: the array \"verse_timings\" is missing"),
    (
      "video_frames.eaf",
      ", line 3: times in \"PAL-frames\"; save it in ELAN with times in milliseconds"
    ),
  ]

  @Test(arguments: faults)
  func isRefusedWithItsPlaceAndFault(_ file: String, _ message: String) throws {
    let format = try #require(LabelFormat(rawValue: String(file.split(separator: ".").last ?? "")))
    let bytes = try Self.bytes(file)
    let error = #expect(throws: ExchangeError.self) { try format.labels(in: bytes) }
    #expect(error?.description == "not \(format.title)\(message)")
  }

  @Test func everyMalformedFileIsTried() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(Self.faults.map(\.file)))
  }

  @Test func elementsAreNestedOnlySoDeep() {
    let deep = String(repeating: "<a>", count: 100_000)
    let error = #expect(throws: ExchangeError.self) {
      try LabelFormat.eaf.labels(in: Array("<ANNOTATION_DOCUMENT>\(deep)".utf8))
    }
    #expect(
      error?.description
        == "an ELAN file, line 1: elements nested more than 32 deep; remove the nested elements")
  }

  @Test func textsAndTagsAreOnlySoLong() {
    let long = String(repeating: "x", count: 3 << 20)
    for text in [
      "<ANNOTATION_DOCUMENT>\(long)</ANNOTATION_DOCUMENT>",
      "<ANNOTATION_DOCUMENT a=\"\(long)\"/>",
    ] {
      #expect(throws: ExchangeError.self) { try LabelFormat.eaf.labels(in: Array(text.utf8)) }
    }
  }

  @Test func bracketsAndEscapesWithoutEndTakeNoLongerThanTheyAreLong() throws {
    for (format, head) in [
      (LabelFormat.vtt, "WEBVTT\n\n00:00.000 --> 00:01.000\n"), (.srt, "00:00,000 --> 00:01,000\n"),
    ] {
      for piece in ["<", "&", "<b", "&amp"] {
        let text = head + String(repeating: piece, count: 20_000) + ">"
        #expect(try format.labels(in: Array(text.utf8)).tiers[0].labels.count == 1)
      }
    }
  }

  @Test func manyLabelsAreReadAndLaidOut() throws {
    // Overlapping, doubled and out of order.
    let count = 8_000
    var text = ""
    for index in 0..<count {
      let start = index * 7919 % 3_000
      text += "\(start)\t\(start + index % 3)\tremark \(index)\n"
    }
    let result = try LabelImport(
      reading: Array(text.utf8), as: .audacity, length: FrameCount(44_100 * 10_000), rate: cdRate)
    #expect(result.document.segments.count > 2900)
    #expect(result.warnings.count > 3000)
  }
}
