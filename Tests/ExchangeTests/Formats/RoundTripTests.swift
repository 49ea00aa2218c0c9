// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Exchange

/// What one format gives back of what was written in it.
@Suite struct RoundTripTests {
  static let recordings = 25

  private func imported(
    _ recording: AnnotatedRecording, _ format: LabelFormat, _ inclusion: Inclusion? = nil
  ) throws -> LabelImport {
    let text = format.text(of: recording, including: inclusion)
    #expect(LabelFormat(of: Array(text.utf8), fileName: "a.\(format.fileEndings[0])") == format)
    return try LabelImport(
      reading: Array(text.utf8), as: format, length: recording.document.length,
      rate: recording.document.rate)
  }

  /// A segment without what its markers are called, as far as formats may keep it.
  private struct Kept: Equatable {
    var span: Range<FramePosition>
    var assignment: Assignment?
    var note = ""
    var isFlagged = false
  }

  private func kept(
    _ document: AnnotationDocument, notes: Bool = true, note: (String) -> String = { $0 }
  ) -> [Kept] {
    document.segments.map {
      Kept(
        span: $0.span, assignment: $0.assignment, note: notes ? note($0.content.note) : "",
        isFlagged: notes && $0.content.isFlagged)
    }
  }

  @Test(arguments: [LabelFormat.textgrid, .csv, .json])
  func segmentsJoinsNotesAndFlagsComeBackToTheFrame(_ format: LabelFormat) throws {
    var recordings = RandomRecordings(seed: 1)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording()
      let result = try imported(recording, format)
      #expect(kept(result.document) == kept(recording.document))
      #expect(result.warnings.isEmpty)
    }
  }

  /// The words that agree with the segments.
  private func words(_ document: AnnotationDocument) -> [TimedWord] {
    document.segments.flatMap { document.words(in: $0) }
  }

  @Test func praatKeepsWordsToTheFrame() throws {
    var recordings = RandomRecordings(seed: 11)
    var count = 0
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording()
      let result = try imported(recording, .textgrid)
      #expect(result.document.words == words(recording.document))
      #expect(result.holdsWords == !words(recording.document).isEmpty)
      count += result.document.words.count
    }
    #expect(count > 100)
  }

  @Test func quranAppsKeepVersesAndWordsWithinHalfAMillisecond() throws {
    var recordings = RandomRecordings(seed: 12)
    var checked = 0
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording(at: SampleRate(hertz: 48_000)!, shortest: 600)
      let result = try imported(recording, .quranSegments)
      let whole = pieces(recording.document, .recited).map { piece -> Kept in
        // A verse is named whole, and a lead-in is none.
        guard case .ayah(let ayah, _, _) = piece.assignment else { return piece }
        return Kept(span: piece.span, assignment: .ayah(ayah))
      }.filter { if case .ayah = $0.assignment { true } else { false } }
      expectClose(pieces(result.document, .assigned), whole, frames: 24)
      let after = words(result.document)
      func isClose(_ one: FramePosition, _ other: FramePosition) -> Bool {
        abs((one - other).frames) <= 24
      }
      for word in words(recording.document) where word.span.length >= FrameCount(96) {
        checked += 1
        #expect(
          after.contains {
            $0.ayah == word.ayah && $0.number == word.number
              && isClose($0.span.lowerBound, word.span.lowerBound)
              && isClose($0.span.upperBound, word.span.upperBound)
          })
      }
    }
    #expect(checked > 100)
  }

  @Test func tsvKeepsAllButTheLinesOfNotes() throws {
    var recordings = RandomRecordings(seed: 2)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording()
      let result = try imported(recording, .tsv)
      #expect(
        kept(result.document)
          == kept(recording.document) { String($0.map { $0 == "\n" ? " " : $0 }) })
    }
  }

  @Test func audacityKeepsSegmentsAndJoinsToTheFrame() throws {
    var recordings = RandomRecordings(seed: 3)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording()
      let result = try imported(recording, .audacity)
      #expect(kept(result.document) == kept(recording.document, notes: false))
      #expect(result.warnings.isEmpty)
    }
  }

  @Test func elanKeepsAllWithinHalfAMillisecond() throws {
    var recordings = RandomRecordings(seed: 4)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording(at: SampleRate(hertz: 48_000)!, shortest: 96)
      let result = try imported(recording, .eaf)
      let before = kept(recording.document)
      let after = kept(result.document)
      try #require(before.count == after.count)
      for (before, after) in zip(before, after) {
        #expect(abs((before.span.lowerBound - after.span.lowerBound).frames) <= 24)
        #expect(before.note == after.note && before.isFlagged == after.isFlagged)
        #expect(before.assignment?.labelText == after.assignment?.labelText)
        let joins = zip(before.assignment?.joins ?? [], after.assignment?.joins ?? [])
        #expect(joins.allSatisfy { abs(($0 - $1).frames) <= 24 })
      }
      #expect(result.warnings.isEmpty)
    }
  }

  private func pieces(_ document: AnnotationDocument, _ inclusion: Inclusion) -> [Kept] {
    AnnotatedRecording(document).pieces(inclusion).map {
      Kept(span: $0.span, assignment: $0.assignment)
    }
  }

  @Test(arguments: [LabelFormat.chapters, .ffmetadata, .rttm])
  func formatsOfOneAyahEachKeepAllEdgesToTheFrame(_ format: LabelFormat) throws {
    var recordings = RandomRecordings(seed: 5)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording()
      let result = try imported(recording, format, .everything)
      #expect(kept(result.document) == pieces(recording.document, .everything))
    }
  }

  @Test(arguments: [LabelFormat.chapters, .ffmetadata, .rttm, .csv, .textgrid, .audacity])
  func whatIsRecitedComesBackWithGapsBetween(_ format: LabelFormat) throws {
    var recordings = RandomRecordings(seed: 6)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording(at: cdRate, shortest: 500)
      let result = try imported(recording, format, .recited)
      #expect(
        pieces(result.document, .assigned) == pieces(recording.document, .recited))
    }
  }

  @Test(arguments: [LabelFormat.vtt, .srt])
  func subtitlesKeepEdgesWithinHalfAMillisecond(_ format: LabelFormat) throws {
    var recordings = RandomRecordings(seed: 7)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording(at: SampleRate(hertz: 48_000)!, shortest: 600)
      let result = try imported(recording, format)
      expectClose(
        pieces(result.document, .assigned), pieces(recording.document, .recited), frames: 24)
    }
  }

  @Test func cueSheetsKeepEdgesWithinHalfACompactDiscFrame() throws {
    var recordings = RandomRecordings(seed: 8)
    for _ in 0..<Self.recordings {
      let recording = try recordings.recording(at: SampleRate(hertz: 48_000)!, shortest: 2000)
      let result = try imported(recording, .cue)
      var before = pieces(recording.document, .recited)
      // The last track has no end.
      if let last = before.indices.last {
        before[last].span =
          before[last].span.lowerBound..<FramePosition(recording.document.length.frames)
      }
      expectClose(pieces(result.document, .assigned), before, frames: 320)
    }
  }

  private func expectClose(_ after: [Kept], _ before: [Kept], frames: Int64) {
    #expect(after.map(\.assignment) == before.map(\.assignment))
    for (after, before) in zip(after, before) {
      #expect(abs((after.span.lowerBound - before.span.lowerBound).frames) <= frames)
      #expect(abs((after.span.upperBound - before.span.upperBound).frames) <= frames)
    }
  }

  @Test(arguments: LabelFormat.allCases)
  func anEmptyRecordingAndOneWithoutLabelsAreWrittenAndRead(_ format: LabelFormat) throws {
    for length in [FrameCount.zero, FrameCount(44_100)] {
      let recording = AnnotatedRecording(AnnotationDocument(length: length, rate: cdRate))
      let text = format.text(of: recording)
      let result = try LabelImport(
        reading: Array(text.utf8), as: format, length: length, rate: cdRate)
      #expect(result.document == recording.document)
    }
  }
}
