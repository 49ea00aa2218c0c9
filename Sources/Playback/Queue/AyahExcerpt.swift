// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Quran

/// A part of an ayah.
public enum AyahExcerpt: Hashable, Sendable {
  /// Counted from 1.
  case words(ClosedRange<Int>)
  /// From the start of the ayah, half-open; an end beyond it counts as its end.
  case milliseconds(Range<Int>)
  /// So many milliseconds from its first word, past an isti'adhah or a basmalah; from its start where no words are
  /// known.
  case opening(milliseconds: Int)

  /// Whether it is found by the times of the words.
  public var isByWords: Bool {
    switch self {
    case .words, .opening: true
    case .milliseconds: false
    }
  }
}

/// Why a part of an ayah cannot be heard.
public enum ExcerptError: Error, Hashable, Sendable {
  case noTimings(AyahReference)
  case noSuchWords(ClosedRange<Int>, AyahReference)
  case endsBefore(AyahReference, milliseconds: Int)
  case endsWithin(AyahReference, milliseconds: Int)

  /// Whether a later time was asked for than the ayah has.
  public var isOfTime: Bool {
    switch self {
    case .endsBefore, .endsWithin: true
    case .noTimings, .noSuchWords: false
    }
  }
}

extension ExcerptError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noTimings(let ayah):
      "\(ayah) has no word timings; choose a part of it by time"
    case .noSuchWords(let words, let ayah):
      "\(ayah) has no words \(words.lowerBound)-\(words.upperBound) in this recording"
    case .endsBefore(let ayah, let milliseconds):
      "\(ayah) lasts \(Self.seconds(milliseconds)) s in this recording and ends before this part"
    case .endsWithin(let ayah, let milliseconds):
      "\(ayah) lasts \(Self.seconds(milliseconds)) s in this recording and ends before this part does"
    }
  }
}

extension ExcerptError {
  /// `4.06`
  private static func seconds(_ milliseconds: Int) -> String {
    let (whole, rest) = (milliseconds / 10).quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

extension AyahClip {
  /// Whether it has an excerpt to its very end, where one is named.
  ///
  /// - Throws: why it has not.
  public func check(_ excerpt: AyahExcerpt) throws(ExcerptError) {
    _ = try part(excerpt)
    // Lengths are shown to a tenth of a second.
    guard case .milliseconds(let span) = excerpt, span.upperBound < .max,
      span.upperBound > (milliseconds + 99) / 100 * 100
    else { return }
    throw .endsWithin(ayah, milliseconds: milliseconds)
  }

  private var milliseconds: Int {
    Int((audio.span.length.seconds(at: audio.format.rate) * 1000).rounded())
  }

  /// The part of it that an excerpt is. A word that is said again is heard from its first time to its last.
  public func part(_ excerpt: AyahExcerpt) throws(ExcerptError) -> AyahClip {
    let (start, end): (Int, Int)
    switch excerpt {
    case .milliseconds(let span): (start, end) = (max(0, span.lowerBound), span.upperBound)
    case .opening(let milliseconds):
      start = words?.words.first?.lowerBound ?? 0
      end = start + milliseconds
    case .words(let wanted):
      guard let words else { throw .noTimings(ayah) }
      let spans = zip(words.words, words.numbers).filter { wanted.contains($1) }.map(\.0)
      guard let first = spans.first, let last = spans.last else {
        throw .noSuchWords(wanted, ayah)
      }
      // A word is held until the next begins.
      let next = words.words.first { $0.lowerBound >= last.upperBound }
      (start, end) = (first.lowerBound, next?.lowerBound ?? .max)
    }
    let rate = audio.format.rate
    func frame(_ milliseconds: Int) -> FramePosition {
      guard milliseconds < .max else { return audio.span.upperBound }
      let seconds = Double(milliseconds) / 1000
      return min(
        audio.span.lowerBound + FrameCount(seconds: seconds, at: rate), audio.span.upperBound)
    }
    guard frame(start) < frame(end) else {
      throw .endsBefore(ayah, milliseconds: milliseconds)
    }
    var part = AyahClip(
      ayah, AudioClip(audio.media, frame(start)..<frame(end), format: audio.format),
      riwayah: riwayah, reciter: reciter)
    part.origin = origin
    part.words = words.flatMap { timings in
      let inside = zip(timings.words, timings.numbers).filter {
        $0.0.lowerBound >= start && $0.0.lowerBound < end
      }
      return WordTimings(
        inside.map { $0.0.lowerBound - start..<$0.0.upperBound - start },
        numbers: inside.map(\.1))
    }
    return part
  }
}
