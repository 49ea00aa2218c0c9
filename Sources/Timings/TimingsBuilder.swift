// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Quran

/// Collects ayat of a file, tolerating and noting what is odd in them.
struct TimingsBuilder {
  let format: TimingsFormat
  private(set) var ayat: [PublishedTimings.Ayah] = []
  private(set) var remarks: [TimingsRemark] = []
  private var wordCount = 0

  init(_ format: TimingsFormat) { self.format = format }

  /// A word as a file has it.
  struct RawWord {
    var numbers: ClosedRange<Int>
    var start: Int?
    var end: Int?
  }

  mutating func append(
    _ ayah: AyahReference, start: Int?, end: Int?, words: [RawWord] = [],
    fields: [JSONValue.Member] = [], preface: PublishedTimings.Preface? = nil
  ) throws(TimingsError) {
    wordCount += words.count
    guard ayat.count < TimingsLimit.entries, wordCount <= TimingsLimit.words else {
      throw .tooMany(format)
    }
    var entry = PublishedTimings.Ayah(ayah, start: start, end: end)
    (entry.fields, entry.preface) = (fields, preface)
    if let start, let end, end <= start {
      remarks.append(TimingsRemark(end == start ? .zeroWidth : .reversed, ayah))
      entry.end = nil
    }
    for word in words {
      let number = word.numbers.lowerBound
      guard let start = word.start, let end = word.end else {
        remarks.append(TimingsRemark(.noTime, ayah, word: number))
        continue
      }
      guard start < end else {
        remarks.append(TimingsRemark(start == end ? .zeroWidth : .reversed, ayah, word: number))
        continue
      }
      entry.words.append(PublishedTimings.Word(word.numbers, start..<end))
    }
    if start == nil, end == nil, entry.words.isEmpty {
      remarks.append(TimingsRemark(.noTime, ayah))
    } else if start == nil, end != nil {
      remarks.append(TimingsRemark(.noStart, ayah))
    }
    if let last = words.map(\.numbers.upperBound).max() {
      let text = QuranSounds.wordCount(of: ayah)
      if last != text {
        remarks.append(TimingsRemark(.wordCount(published: last, text: text), ayah))
      }
    }
    ayat.append(entry)
  }

  func timings(
    clock: PublishedTimings.Clock, tokenisation: PublishedTimings.Tokenisation = .publishers
  ) throws(TimingsError) -> PublishedTimings {
    guard !ayat.isEmpty else { throw .nothing(format) }
    return PublishedTimings(
      format, clock: clock, tokenisation: tokenisation, ayat: ayat, remarks: remarks)
  }

  /// `[word, from, to]`, or `[first from 0, end from 0, from, to]`.
  func words(_ node: TimingsNode?) throws(TimingsError) -> [RawWord] {
    guard let node else { return [] }
    var words: [RawWord] = []
    for segment in try node.list(format) {
      let values = try segment.list(format)
      // Some apps' data has empty ones.
      if values.isEmpty { continue }
      let numbers: ClosedRange<Int>
      switch values.count {
      case 3:
        let number = try values[0].integer(format)
        guard TimingsBuilder.wordNumbers.contains(number) else {
          throw values[0].fault(format, "\(number) is not a word number; words count from 1")
        }
        numbers = number...number
      case 4:
        let (first, end) = (try values[0].integer(format), try values[1].integer(format))
        guard first >= 0, first < end, TimingsBuilder.wordNumbers.contains(end) else {
          throw segment.fault(format, "words \(first) to \(end) do not exist; words count from 0")
        }
        numbers = first + 1...end
      default:
        throw segment.fault(format, "a word is [number, from, to] or [first, end, from, to]")
      }
      words.append(
        RawWord(
          numbers: numbers, start: try values[values.count - 2].milliseconds(format),
          end: try values[values.count - 1].milliseconds(format)))
    }
    return words
  }

  /// 2:282 has 128 words.
  static let wordNumbers = 1...999
}
