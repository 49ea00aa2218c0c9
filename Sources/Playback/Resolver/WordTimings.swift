// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Foundation
public import Quran

/// The start and end of each word of an ayah, in milliseconds from the first frame of the ayah's
/// clip.
public struct WordTimings: Hashable, Sendable {
  /// Half-open, in order, none overlaps the next.
  public let words: [Range<Int>]
  /// The word number of each entry, from 1: a reciter may go back some words.
  public let numbers: [Int]

  /// Nil unless the words are in order and none is empty, begins before 0 or overlaps the next.
  ///
  /// - Parameter numbers: one for each word, from 1 on; nil where each word is said once.
  public init?(_ words: [Range<Int>], numbers: [Int]? = nil) {
    var end = 0
    for word in words {
      guard word.lowerBound >= end, !word.isEmpty else { return nil }
      end = word.upperBound
    }
    self.words = words
    self.numbers = numbers ?? words.indices.map { $0 + 1 }
    guard self.numbers.count == words.count, self.numbers.allSatisfy({ $0 > 0 }) else {
      return nil
    }
  }

  /// The word to highlight at a place in the ayah: the last that has begun, counted from 0 among the
  /// ayah's words.
  ///
  /// It stays highlighted through the pause after it. Nil before the first.
  public func word(atMilliseconds milliseconds: Int) -> Int? {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle].lowerBound <= milliseconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : numbers[low - 1] - 1
  }

  /// The same at a frame of the recording, which is the same at any speed of play.
  public func word(at frame: FramePosition, of clip: AudioClip) -> Int? {
    let offset = frame - clip.span.lowerBound
    let rate = Int64(clip.format.rate.hertz)
    let (whole, rest) = offset.frames.quotientAndRemainder(dividingBy: rate)
    guard offset >= .zero, whole < Int64.max / 2000 else { return nil }
    return word(atMilliseconds: Int(whole * 1000 + rest * 1000 / rate))
  }
}

/// Why a file of word timings was not accepted.
public enum WordTimingError: Error, Hashable, Sendable {
  case tooLarge(bytes: Int)
  case notJSON
  /// The text names what it says instead, if anything.
  case otherSchema(String?)
  case noSuchAyah(String)
  /// Not start, end and perhaps number, in order.
  case badWords(AyahReference)
}

extension WordTimingError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line. Not safe to print as it is.
  public var description: String {
    switch self {
    case .tooLarge(let bytes):
      "\(bytes) bytes are too many for word timings; give one file for each surah"
    case .notJSON: "this is not a JSON file of word timings; check that it is the right file"
    case .otherSchema(let schema):
      "the schema is \(schema ?? "not named"); expected \(WordTimingFile.schema)"
    case .noSuchAyah(let name): "\(name) is not an ayah; write surah and ayah as in 2:255"
    case .badWords(let ayah):
      "the words of \(ayah) are not [start, end] or [start, end, number] in milliseconds, in order"
    }
  }
}

/// A file of word timings, which `Documentation/word-timings.md` describes.
public struct WordTimingFile: Hashable, Sendable {
  public static let schema = "tilawa.word-timings/1"
  /// The whole Quran has 77,433 words, of which each takes about 20 bytes.
  public static let largestSize = 16 << 20

  public let ayat: [AyahReference: WordTimings]

  private struct Content: Decodable {
    let schema: String?
    let ayat: [String: [[Int]]]
  }

  private struct Head: Decodable { let schema: String? }

  /// - Throws: an error if any part of it is wrong; nothing is taken of such a file.
  public init(json: Data) throws(WordTimingError) {
    guard json.count <= Self.largestSize else { throw .tooLarge(bytes: json.count) }
    let decoder = JSONDecoder()
    guard let head = try? decoder.decode(Head.self, from: json) else { throw .notJSON }
    guard head.schema == Self.schema else { throw .otherSchema(head.schema) }
    guard let content = try? decoder.decode(Content.self, from: json) else { throw .notJSON }
    var ayat: [AyahReference: WordTimings] = [:]
    for (name, words) in content.ayat {
      guard let ayah = AyahReference(name) else { throw .noSuchAyah(name) }
      let spans = words.compactMap { word -> Range<Int>? in
        2...3 ~= word.count && word[0] < word[1] ? word[0]..<word[1] : nil
      }
      let numbers = words.enumerated().map { $1.count == 3 ? $1[2] : $0 + 1 }
      guard spans.count == words.count, let timings = WordTimings(spans, numbers: numbers),
        numbers.allSatisfy({ $0 <= QuranSounds.wordCount(of: ayah) })
      else { throw .badWords(ayah) }
      ayat[ayah] = timings
    }
    self.ayat = ayat
  }
}
