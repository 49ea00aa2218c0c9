// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Quran

extension PublishedTimings {
  /// The JSON of timings: QUL's and mp3quran's in their own formats, all others as quran.com's list of verses; words of
  /// files with an ayah each as QUL has them. One ayah a line; ayat without times are left out.
  public var text: String {
    guard clock == .recording else {
      let timed = ayat.filter { !$0.words.isEmpty }
      return Self.lines(
        "{",
        timed.map {
          "\"\($0.ayah)\":\(JSONValue.object([.init("segments", $0.segments)]).text)"
        }, "}")
    }
    let timed = ayat.filter { $0.start != nil }
    return switch format {
    case .qulBySurah: Self.lines("{", timed.map { "\"\($0.ayah)\":\($0.times.text)" }, "}")
    case .mp3quran: Self.lines("[", timed.map { Self.mp3quran($0).text }, "]")
    case .qulByAyah, .quranCom, .quranAlign, .android, .wordTimings, .segments:
      Self.lines("[", timed.map { Self.verse($0).text }, "]")
    }
  }

  private static func lines(_ open: String, _ lines: [String], _ close: String) -> String {
    open + (lines.isEmpty ? "" : "\n") + lines.joined(separator: ",\n") + "\n\(close)\n"
  }

  private static func verse(_ ayah: Ayah) -> JSONValue {
    guard case .object(let times) = ayah.times else { return ayah.times }
    return .object([.init("verse_key", .string(ayah.ayah.description))] + times)
  }

  private static func mp3quran(_ ayah: Ayah) -> JSONValue {
    .object(
      [.init("ayah", .integer(ayah.ayah.ayah)), .init("start_time", ayah.start.json)]
        + (ayah.end == nil ? [] : [.init("end_time", ayah.end.json)]))
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

  fileprivate var times: JSONValue {
    .object([
      .init("segments", segments), .init("timestamp_from", start.json),
      .init("timestamp_to", end.json),
    ])
  }
}

extension Int? {
  fileprivate var json: JSONValue { map { .integer($0) } ?? .null }
}
