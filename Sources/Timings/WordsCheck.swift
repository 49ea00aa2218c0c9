// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Published words of a file with one ayah, compared with when they are heard.
public struct WordsCheck: Hashable, Sendable {
  /// When a word is heard, in seconds from the start of the file.
  public struct Heard: Hashable, Sendable {
    /// From 1, as our text counts.
    public var number: Int
    public var start: Double
    public var end: Double

    public init(_ number: Int, from start: Double, to end: Double) {
      (self.number, self.start, self.end) = (number, start, end)
    }
  }

  /// Why words cannot be compared.
  public enum Obstacle: Error, Hashable, Sendable {
    /// By their number they are other words than those of our text.
    case otherWords(published: Int, text: Int)
    /// Less than half of them are heard.
    case notHeard

    /// What JSON calls it.
    public static let code = "words_not_compared"

    /// For people.
    public var summary: String {
      switch self {
      case .otherWords(let published, let text):
        "words not compared: \(published) are published, and the text has \(text)"
      case .notHeard: "words not compared: too few of them are recognised"
      }
    }
  }

  /// A word that is wrong by itself.
  public struct Wrong: Hashable, Sendable {
    public let number: Int
    /// Seconds that it is late, ``shift`` taken off.
    public let seconds: Double
  }

  /// Seconds that the words are later than heard, in the median.
  public let shift: Double
  /// In the order of the timings.
  public let wrong: [Wrong]
  /// The words that fit what is heard.
  public let repaired: PublishedTimings.Ayah

  /// Whether they can be used as they are.
  public var fits: Bool { abs(shift) <= TimingsCheck.tolerance && wrong.isEmpty }

  public init(_ published: PublishedTimings.Ayah, heard: [Heard]) throws(Obstacle) {
    let count = published.words.map(\.numbers.upperBound).max() ?? 0
    let text = QuranSounds.wordCount(of: published.ayah)
    guard count == text else { throw .otherWords(published: count, text: text) }
    let places = Dictionary(grouping: heard, by: \.number)
    func differences(_ place: ([Heard], Double) -> Heard?) -> [Wrong] {
      published.words.compactMap { word in
        let start = Double(word.span.lowerBound) / 1000
        let number = word.numbers.lowerBound
        return place(places[number] ?? [], start).map {
          Wrong(number: number, seconds: start - $0.start)
        }
      }
    }
    // Those that are heard once tell the shift, by which the others find their places.
    let once = differences { all, _ in all.count == 1 ? all[0] : nil }
    let first = ClockRegression.median(once.map(\.seconds)) ?? 0
    var all = differences { all, start in
      all.min { abs($0.start + first - start) < abs($1.start + first - start) }
    }
    // What a file begins with may be told to begin with it.
    if all.count > 1, let opening = published.words.map(\.span.lowerBound).min(),
      let word = published.words.first(where: { $0.span.lowerBound == opening })
    {
      all.removeAll { $0.number == word.numbers.lowerBound && $0.seconds < 0 }
    }
    guard all.count * 2 >= published.words.count,
      let shift = ClockRegression.median(all.map(\.seconds))
    else { throw .notHeard }
    self.shift = shift
    wrong = all.map { Wrong(number: $0.number, seconds: $0.seconds - shift) }.filter {
      abs($0.seconds) > TimingsCheck.wrong
    }
    repaired =
      if !wrong.isEmpty {
        published.saying(heard.sorted { $0.start < $1.start })
      } else if abs(shift) > TimingsCheck.tolerance {
        published.moved(by: -shift)
      } else {
        published
      }
  }
}

extension PublishedTimings.Ayah {
  fileprivate func moved(by seconds: Double) -> PublishedTimings.Ayah {
    var moved = self
    func corrected(_ time: Int) -> Int { max(0, time + Int((seconds * 1000).rounded())) }
    moved.words = words.compactMap { word in
      let (from, to) = (corrected(word.span.lowerBound), corrected(word.span.upperBound))
      return from < to ? .init(word.numbers, from..<to) : nil
    }
    return moved
  }

  fileprivate func saying(_ heard: [WordsCheck.Heard]) -> PublishedTimings.Ayah {
    var said = self
    said.words = heard.compactMap { word in
      let (from, to) = (Int((word.start * 1000).rounded()), Int((word.end * 1000).rounded()))
      return from < to ? .init(word.number...word.number, from..<to) : nil
    }
    return said
  }
}
