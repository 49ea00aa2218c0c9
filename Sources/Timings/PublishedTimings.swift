// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
public import Quran

/// Where the ayat and words of a recitation are, as somebody has published it.
public struct PublishedTimings: Hashable, Sendable {
  /// From when times are counted.
  public enum Clock: Hashable, Sendable {
    /// From the start of a file with a whole surah or more.
    case recording
    /// From the start of a file with one ayah.
    case ayah
  }

  /// An ayah; one that is recited again comes again.
  public struct Ayah: Hashable, Sendable {
    public var ayah: AyahReference
    /// Milliseconds; nil where none is told.
    public var start: Int?
    /// Milliseconds, after ``start``; nil where none is told, or none that is possible.
    public var end: Int?
    public var words: [Word]
    /// All that the file says of it, for files that keep their format; none of other formats.
    var fields: [JSONValue.Member] = []
    /// What the file says of the time before it, such as a basmalah; nil for nothing.
    var preface: Preface?

    public init(_ ayah: AyahReference, start: Int?, end: Int? = nil, words: [Word] = []) {
      self.ayah = ayah
      self.start = start
      self.end = end
      self.words = words
    }
  }

  /// A stretch that belongs to no ayah.
  struct Preface: Hashable, Sendable {
    /// As of an ayah.
    var start: Int?
    var end: Int?
    var fields: [JSONValue.Member]
  }

  /// One word or several that are told together.
  public struct Word: Hashable, Sendable {
    /// From 1, as ``PublishedTimings/tokenisation`` counts.
    public var numbers: ClosedRange<Int>
    /// Milliseconds, half-open, not empty.
    public var span: Range<Int>

    public init(_ numbers: ClosedRange<Int>, _ span: Range<Int>) {
      self.numbers = numbers
      self.span = span
    }
  }

  /// By what words are counted.
  public enum Tokenisation: Hashable, Sendable {
    /// Whitespace tokens of the QPC Hafs text, 77,433 in all.
    case qpcHafs
    /// The publisher's own; of an ayah it may be compared by the number of its words.
    case publishers
  }

  public var format: TimingsFormat
  public var clock: Clock
  public var tokenisation: Tokenisation
  /// In the order of the file.
  public var ayat: [Ayah]
  /// What is odd in the file, and was read all the same.
  public var remarks: [TimingsRemark]

  public init(
    _ format: TimingsFormat, clock: Clock, tokenisation: Tokenisation = .publishers, ayat: [Ayah],
    remarks: [TimingsRemark] = []
  ) {
    self.format = format
    self.clock = clock
    self.tokenisation = tokenisation
    self.ayat = ayat
    self.remarks = remarks
  }

  /// Only what belongs to some surahs.
  public func only(_ surahs: Set<Surah>) -> PublishedTimings {
    var part = self
    part.ayat.removeAll { !surahs.contains($0.ayah.surah) }
    part.remarks.removeAll { !surahs.contains($0.ayah.surah) }
    return part
  }

  public var surahs: Set<Surah> { Set(ayat.map(\.ayah.surah)) }
}

/// The published formats that are read.
public enum TimingsFormat: String, CaseIterable, Hashable, Sendable {
  case qulBySurah = "qul-by-surah"
  case qulByAyah = "qul-by-ayah"
  case quranCom = "quran.com"
  case quranAlign = "quran-align"
  case mp3quran
  case android
  /// `tilawa.word-timings/1`.
  case wordTimings = "word-timings"
  /// `tilawa.segments/1` and `tilawa.auto-detect/1`.
  case segments

  /// Whether an ayah that is recited again can come again. Objects with a member for each ayah have but one of each.
  var holdsRepeats: Bool { self != .qulBySurah && self != .qulByAyah }

  /// For people.
  public var title: String {
    switch self {
    case .qulBySurah: "QUL segments by surah"
    case .qulByAyah: "QUL segments by ayah"
    case .quranCom: "quran.com audio data"
    case .quranAlign: "quran-align JSON"
    case .mp3quran: "mp3quran ayat_timing"
    case .android: "a timing database of Quran for Android"
    case .wordTimings: "tilawa.word-timings"
    case .segments: "tilawa.segments"
    }
  }
}

/// Something odd in a file of timings.
public struct TimingsRemark: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// There are no times, or they are null.
    case noTime
    /// There is an end alone.
    case noStart
    /// It ends where it begins.
    case zeroWidth
    /// It ends before it begins.
    case reversed
    /// The highest word is not the last of the text.
    case wordCount(published: Int, text: Int)
  }

  public var ayah: AyahReference
  /// The word that it is about, from 1; nil for the ayah.
  public var word: Int?
  public var kind: Kind

  public init(_ kind: Kind, _ ayah: AyahReference, word: Int? = nil) {
    self.kind = kind
    self.ayah = ayah
    self.word = word
  }

  /// What JSON calls it.
  public var code: String {
    switch kind {
    case .noTime: "no_time"
    case .noStart: "no_start"
    case .zeroWidth: "zero_width"
    case .reversed: "reversed"
    case .wordCount: "word_count"
    }
  }
}

extension TimingsRemark: CustomStringConvertible {
  public var description: String {
    let place = word.map { "\(ayah), word \($0)" } ?? "\(ayah)"
    switch kind {
    case .noTime: return "\(place) has no times"
    case .noStart: return "\(place) has an end and no start"
    case .zeroWidth: return "\(place) ends where it begins"
    case .reversed: return "\(place) ends before it begins"
    case .wordCount(let published, let text):
      return
        "\(place) has \(published) \(published == 1 ? "word" : "words"), but the text has \(text)"
    }
  }
}
