// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Quran

extension PublishedTimings {
  /// The JSON of timings: QUL's and mp3quran's in their own formats with all that they say besides, all others as
  /// quran.com's list of verses; words of files with an ayah each as QUL has them. One ayah a line; ayat without times are
  /// left out. In QUL's objects a repeated ayah is one, from its first start to its last end.
  public var text: String {
    guard clock == .recording else {
      let timed = Self.joiningRepeats(ayat.filter { !$0.words.isEmpty })
      return Self.lines(
        "{", timed.map { Self.member($0, $0.fields.replacing([.init("segments", $0.segments)])) },
        "}")
    }
    let timed = ayat.filter { $0.start != nil }
    return switch format {
    case .qulBySurah:
      Self.lines(
        "{", Self.joiningRepeats(timed).map { Self.member($0, $0.fields.replacing($0.times)) }, "}")
    case .mp3quran: Self.lines("[", timed.flatMap { Self.mp3quran($0) }.map(\.text), "]")
    case .qulByAyah, .quranCom, .quranAlign, .android, .wordTimings, .segments:
      Self.lines(
        "[",
        timed.map {
          JSONValue.object([.init("verse_key", .string($0.ayah.description))] + $0.times).text
        }, "]")
    }
  }

  private static func lines(_ open: String, _ lines: [String], _ close: String) -> String {
    open + (lines.isEmpty ? "" : "\n") + lines.joined(separator: ",\n") + "\n\(close)\n"
  }

  private static func member(_ ayah: Ayah, _ fields: [JSONValue.Member]) -> String {
    "\"\(ayah.ayah)\":\(JSONValue.object(fields).text)"
  }

  /// An object has each key once.
  private static func joiningRepeats(_ ayat: [Ayah]) -> [Ayah] {
    var places: [AyahReference: Int] = [:]
    var joined: [Ayah] = []
    for ayah in ayat {
      guard let place = places[ayah.ayah] else {
        places[ayah.ayah] = joined.count
        joined.append(ayah)
        continue
      }
      var whole = joined[place]
      whole.start = [whole.start, ayah.start].compactMap { $0 }.min()
      whole.end = [whole.end, ayah.end].compactMap { $0 }.max()
      whole.words = (whole.words + ayah.words).sorted { $0.span.lowerBound < $1.span.lowerBound }
      joined[place] = whole
    }
    return joined
  }

  private static func mp3quran(_ ayah: Ayah) -> [JSONValue] {
    func times(_ start: Int?, _ end: Int?) -> [JSONValue.Member] {
      [.init("start_time", start.json)] + (end == nil ? [] : [.init("end_time", end.json)])
    }
    let preface = ayah.preface.map {
      JSONValue.object($0.fields.replacing(times($0.start, $0.end)))
    }
    let number = [JSONValue.Member("ayah", .integer(ayah.ayah.ayah))]
    let fields = ayah.fields.isEmpty ? number : ayah.fields
    return (preface.map { [$0] } ?? []) + [.object(fields.replacing(times(ayah.start, ayah.end)))]
  }
}

extension [JSONValue.Member] {
  /// With other values of some keys, in their places; keys that it has not come last.
  fileprivate func replacing(_ others: [JSONValue.Member]) -> [JSONValue.Member] {
    let values = Dictionary(
      others.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let keys = Set(map(\.key))
    return map { .init($0.key, values[$0.key] ?? $0.value) }
      + others.filter { !keys.contains($0.key) }
  }
}

extension PublishedTimings.Ayah {
  fileprivate var segments: JSONValue {
    .array(
      words.map { word -> JSONValue in
        let span: [JSONValue] = [.integer(word.span.lowerBound), .integer(word.span.upperBound)]
        let (first, last) = (word.numbers.lowerBound, word.numbers.upperBound)
        return .array(
          (first == last ? [.integer(first)] : [.integer(first - 1), .integer(last)]) + span)
      })
  }

  fileprivate var times: [JSONValue.Member] {
    var times: [JSONValue.Member] = [
      .init("segments", segments), .init("timestamp_from", start.json),
      .init("timestamp_to", end.json),
    ]
    if fields.contains(where: { $0.key == "duration" }), let start, let end {
      times.append(.init("duration", .integer(end - start)))
    }
    return times
  }
}

extension Int? {
  fileprivate var json: JSONValue { map { .integer($0) } ?? .null }
}
