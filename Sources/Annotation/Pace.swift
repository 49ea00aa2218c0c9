// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

/// Finds segments that last implausibly long or short for what is said to be heard in them.
///
/// Durations follow phonetic units within some 20 % for nine ayat in ten (``AyahLength``), so half or
/// twice as long is no matter of style. The median is not moved by the segments that are wrong.
enum Pace {
  /// Fewer segments give no median to trust.
  static let minSegments = 5
  static let shortest = 0.5
  static let longest = 2.0
  /// How many seconds of pause a segment may hold besides, which matters for the short ayat.
  static let pause = 1.5

  static func findings(in document: AnnotationDocument) -> [Finding] {
    let measured = document.segments.compactMap { segment -> (Segment, Double, Double)? in
      let passages = segment.passages
      guard !passages.isEmpty, passages.allSatisfy(\.isComplete) else { return nil }
      let units = passages.reduce(0) { $0 + $1.phoneticUnits }
      return (segment, segment.span.length.seconds(at: document.rate), Double(units))
    }
    guard measured.count >= minSegments else { return [] }
    let paces = measured.map { _, seconds, units in seconds / units }.sorted()
    let median = paces[paces.count / 2]

    return measured.compactMap { segment, seconds, units in
      let expected = units * median
      let factor = seconds / expected
      if factor < shortest {
        return Finding(segment: segment.id, index: segment.index, kind: .short(factor: factor))
      }
      guard seconds > longest * expected + pause else { return nil }
      return Finding(segment: segment.id, index: segment.index, kind: .long(factor: factor))
    }
  }
}
