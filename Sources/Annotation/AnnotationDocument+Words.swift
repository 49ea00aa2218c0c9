// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

// A document keeps words as they were heard last, and edits of segments leave them alone: a marker that is moved
// and moved back has lost none. What counts are the words that agree with the segments as they are.

extension AnnotationDocument {
  /// The words heard in a segment, in order: those of its ayat whose middle lies where the ayah does, cut
  /// at its edges.
  public func words(in segment: Segment) -> [TimedWord] {
    words.agreeing(with: segment)
  }

  /// The words heard in a passage, likewise.
  public func words(in passage: Passage) -> [TimedWord] { words.agreeing(with: passage) }

  /// What the document's words are once an alignment has heard others in a range: those that agree with
  /// the segments there.
  ///
  /// A confirmed segment keeps its own where none of the new ones agree with it.
  func words(hearing found: [TimedWord], in range: Range<FramePosition>) -> [TimedWord] {
    let found = found.sorted { $0.span.lowerBound < $1.span.lowerBound }
    var inside: [TimedWord] = []
    let first = index(containing: range.lowerBound)
    let last = index(containing: range.upperBound - FrameCount(1))
    for segment in segments[first...last] {
      func heard(_ words: [TimedWord]) -> [TimedWord] {
        words.agreeing(with: segment)
          .filter { range.contains($0.middle) }.map { $0.clipped(to: range) }
      }
      let own = heard(found)
      inside += own.isEmpty && segment.isConfirmed ? heard(words) : own
    }
    let before = words.prefix { $0.middle < range.lowerBound }.map {
      $0.clipped(to: .zero..<range.lowerBound)
    }
    let after = words.drop { $0.middle < range.upperBound }.map {
      $0.clipped(to: range.upperBound..<end)
    }
    return before + inside + after
  }

  func check(_ change: WordChange) throws(EditRefusal) -> Range<Int> {
    guard let start = (change.old.first ?? change.new.first)?.span.lowerBound else { return 0..<0 }
    let first = words.index(ofFirst: { $0.span.lowerBound >= start })
    guard change.old.count <= words.count - first else { throw .documentChanged }
    let range = first..<first + change.old.count
    guard words[range].elementsEqual(change.old) else { throw .documentChanged }
    var reached = first > 0 ? words[first - 1].span.upperBound : .zero
    for word in change.new {
      guard reached <= word.span.lowerBound, !word.span.isEmpty else {
        throw .wordsOutOfOrder(word.span.lowerBound)
      }
      guard word.exists else { throw .noSuchWord(word.ayah, word.number) }
      reached = word.span.upperBound
    }
    let limit = range.upperBound < words.count ? words[range.upperBound].span.lowerBound : end
    guard reached <= limit else { throw .wordsOutOfOrder(limit) }
    return range
  }
}

extension [TimedWord] {
  /// The words of a segment among words in order, see ``AnnotationDocument/words(in:)-(Segment)``.
  public func agreeing(with segment: Segment) -> [TimedWord] {
    segment.passages.flatMap { agreeing(with: $0) }
  }

  /// The words of a passage among words in order, cut at its edges.
  fileprivate func agreeing(with passage: Passage) -> [TimedWord] {
    let first = index(ofFirst: { $0.span.upperBound > passage.span.lowerBound })
    return self[first...].prefix { $0.span.lowerBound < passage.span.upperBound }
      .filter { $0.ayah == passage.ayah && passage.span.contains($0.middle) && !$0.span.isEmpty }
      .map { $0.clipped(to: passage.span) }
  }

  /// The index of the first word of which something is true that is so of all after it.
  fileprivate func index(ofFirst isSo: (TimedWord) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isSo(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
