// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// The times of verses and words as the audio data of Quran apps has them: one verse a line.
///
/// `{"verse_key":"2:5","timestamp_from":0,"timestamp_to":4410,"duration":4410,"segments":[[1,0,380]]}`,
/// in milliseconds of the recording; a segment is a word's number from 1 on, its start and its end. A
/// verse that is recited again, or in parts, comes again. Source: quran.com API v4, "verse_timings" of
/// chapter recitations.
public enum QuranSegments {
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .recited
  ) -> String {
    let document = recording.document
    func milliseconds(_ position: FramePosition) -> Int {
      Int(TimeText.milliseconds(position, at: document.rate))
    }
    let verses = recording.segments(inclusion).flatMap(\.passages).map { passage in
      let (start, end) = (
        milliseconds(passage.span.lowerBound), milliseconds(passage.span.upperBound)
      )
      let words = document.words(in: passage).map { word in
        JSONValue.array([
          .integer(word.number), .integer(milliseconds(word.span.lowerBound)),
          .integer(milliseconds(word.span.upperBound)),
        ])
      }
      return JSONValue.object([
        .init("verse_key", .string(passage.ayah.description)),
        .init("timestamp_from", .integer(start)),
        .init("timestamp_to", .integer(end)),
        .init("duration", .integer(end - start)),
        .init("segments", .array(words)),
      ]).text
    }
    return "[" + (verses.isEmpty ? "" : "\n") + verses.joined(separator: ",\n") + "\n]\n"
  }

  /// Reads an array of verses, or the array `verse_timings` or `timestamps` of an object. Without
  /// `timestamp_from` and `timestamp_to` a verse is as long as its words.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the path.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var verses = Verses()
    let reader = JSONReader(
      .quranSegments, keys: ["verse_key", "timestamp_from", "timestamp_to", "segments"],
      lists: ["verse_timings", "timestamps"])
    let root = try reader.read(
      input, rootElement: { (verse) throws(ExchangeError) in try verses.append(verse) },
      listElement: { (_, verse, _) throws(ExchangeError) in try verses.append(verse) })
    if !root.isArray {
      guard let list = root["verse_timings"] ?? root["timestamps"] else {
        throw root.fault("the array \"verse_timings\" is missing")
      }
      _ = try list.elements()
    }
    return verses.file
  }

  private struct Verses {
    private var verses: [Label] = []
    private var words: [Label] = []
    private var counter = LabelCounter(.quranSegments)

    var file: LabelFile {
      LabelFile(tiers: [
        LabelTier(name: TierName.segments.rawValue, labels: verses),
        LabelTier(name: TierName.words.rawValue, labels: words),
      ])
    }

    mutating func append(_ verse: JSONCursor) throws(ExchangeError) {
      try counter.add(at: .path(verse.path))
      let key = try verse.required("verse_key").string()
      let first = words.count
      for word in try verse["segments"]?.elements() ?? [] { try append(word, of: key) }
      let own = words[first...]
      guard
        let start = try verse["timestamp_from"].map(Self.seconds) ?? own.map(\.start).min(),
        let end = try verse["timestamp_to"].map(Self.seconds) ?? own.compactMap(\.end).max()
      else { throw verse.fault("the key \"timestamp_from\" or \"timestamp_to\" is missing") }
      try verse.format.checkOrder(start, end, at: .path(verse.path))
      verses.append(Label(start: start, end: end, text: key, place: .path(verse.path)))
    }

    private mutating func append(_ word: JSONCursor, of key: String) throws(ExchangeError) {
      try counter.add(at: .path(word.path))
      let values = try word.elements()
      guard values.count == 3 else { throw word.fault("a word is [number, start, end]") }
      // Some write "1.0".
      guard let number = Int(exactly: try values[0].number()) else {
        throw values[0].fault("a whole number was expected")
      }
      let (start, end) = (try Self.seconds(values[1]), try Self.seconds(values[2]))
      try word.format.checkOrder(start, end, at: .path(word.path))
      words.append(
        Label(
          start: start, end: end, text: "\(key):\(number)",
          place: .path(word.path)))
    }

    private static func seconds(_ cursor: JSONCursor) throws(ExchangeError) -> Double {
      try cursor.format.checked(try cursor.number() / 1000, at: .path(cursor.path))
    }
  }
}
