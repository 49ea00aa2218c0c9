// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran
import TestSupport

/// Makes annotated recordings up.
struct RandomRecordings {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  static let rates = [1, 8000, 44_100, 48_000, 768_000].map { SampleRate(hertz: $0)! }

  /// - Parameter shortest: frames between two edges or joins at least, 1 or more.
  mutating func recording(
    at rate: SampleRate? = nil, shortest: Int = 1, longest: Int = 200_000
  ) throws -> AnnotatedRecording {
    let rate = rate ?? Self.rates[number(0...4)]
    var start: Int64 = 0
    var records: [SegmentRecord] = []
    for index in 0...number(0...30) {
      let isTiny = chance(20)
      let length = Int64(
        number(5 * shortest...(isTiny ? 6 * shortest : max(longest, 6 * shortest))))
      let span = FramePosition(start)..<FramePosition(start + length)
      let attribution =
        chance(80)
        ? Attribution(
          assignment(in: span, apart: shortest), origin: Origin.allCases[number(0...2)],
          confidence: confidence()) : nil
      let isConfirmed = attribution != nil && chance(40)
      let marker = Marker(
        id: MarkerID(Int64(1000 - index)), position: span.lowerBound,
        origin: Origin.allCases[number(0...2)], isConfirmed: true, confidence: confidence())
      records.append(
        SegmentRecord(
          start: index == 0 ? nil : marker,
          content: SegmentContent(
            attribution, isConfirmed: isConfirmed, note: note(), isFlagged: chance(20))))
      start += length
    }
    var document = try AnnotationDocument(
      length: FrameCount(start), rate: rate, records: records)
    if chance(60) {
      let words = document.segments.flatMap(\.passages).flatMap {
        randomWords(in: $0, using: &random)
      }
      document = try AnnotationDocument(
        length: document.length, rate: rate, records: records, words: words)
    }
    return AnnotatedRecording(
      document, title: chance(50) ? "Night 27; \"first\" = half #1 \\ <b>&" : nil,
      mediaFile: chance(70) ? "night 27.m4a" : nil, reciter: chance(50) ? "محمد صديق" : nil,
      riwayah: chance(50) ? .warsh : nil, recordingDate: chance(50) ? "2026-03-11" : nil,
      contentHash: chance(50) ? "blake3:00ff" : nil)
  }

  private mutating func confidence() -> Double? {
    chance(50) ? .random(in: 0...1, using: &random) : nil
  }

  private mutating func note() -> String {
    let notes = [
      "cough", "two\nlines", "\"quoted\", 50% <b>&", "سعال ثم إعادة", "= ; # \\ |", "2:5",
    ]
    return chance(70) ? "" : notes[number(0...notes.count - 1)]
  }

  private mutating func ayah() -> AyahReference {
    AyahReference(absoluteIndex: number(1...AyahReference.count))!
  }

  private mutating func assignment(
    in span: Range<FramePosition>, apart: Int
  ) -> Assignment {
    let plain = plainAssignment(in: span, apart: apart)
    return chance(50) ? plain.withBasmalah() : plain
  }

  private mutating func plainAssignment(
    in span: Range<FramePosition>, apart: Int
  ) -> Assignment {
    switch number(0...6) {
    case 0, 1: return .ayah(ayah())
    case 2: return .ayah(ayah(), part: AyahPart.allCases[number(0...2)])
    case 3:
      let first = ayah()
      var second = ayah()
      while second.surah == first.surah { second = ayah() }
      return .crossSurah(first, join: joins(1, in: span, apart: apart)[0], end: second)
    case 4:
      let first = AyahReference(absoluteIndex: number(1...6200))!
      let last = first.advanced(by: number(1...3))!
      let range = AyahRange(first: first, last: last)!
      return .ayat(range, joins: joins(range.count - 1, in: span, apart: apart))
    case 5:
      let surah = ayah().surah
      let leadIns: [LeadIn] = [
        .istiadhah, .basmalah(of: surah), .istiadhahAndBasmalah(of: surah),
      ]
      return .leadIn(leadIns[number(0...2)])
    default: return .unused(UnusedReason.allCases[number(0...11)])
    }
  }

  private mutating func joins(
    _ count: Int, in span: Range<FramePosition>, apart: Int
  ) -> [FramePosition] {
    // Slots of at least `apart` frames, and what is left over in front.
    let spare = Int(span.length.frames) - (count + 1) * apart
    let first = span.lowerBound.frames + Int64(apart + number(0...max(spare, 0)))
    return (0..<count).map { FramePosition(first + Int64($0 * apart)) }
  }
}
