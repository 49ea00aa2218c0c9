// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// How often something is heard.
public enum RepeatCount: Hashable, Sendable {
  /// Less than once counts as once.
  case times(Int)
  case endless

  public static let once = RepeatCount.times(1)

  /// Whether there is a time so numbered, counted from 1.
  public func allows(_ number: Int) -> Bool {
    switch self {
    case .times(let times): number <= max(1, times)
    case .endless: true
    }
  }

  /// How often, at least once; nil for ever.
  public var times: Int? {
    switch self {
    case .times(let times): max(1, times)
    case .endless: nil
    }
  }
}

/// What follows when a range has been heard as often as was asked for.
public enum AfterRepeat: Hashable, Sendable {
  case stop
  /// So many ayat after the range.
  case continueAyat(Int)
  /// To the end of the n-th page after the one on which the range ends, in the Madinah mushaf.
  case continuePages(Int)
}

/// How the ayat of a range return within one pass of it, for learning by heart.
public enum RangePractice: String, Hashable, Sendable, CaseIterable {
  /// Each as often as the last.
  case plain
  /// The first once, the second twice, the third three times.
  case stepping
  /// The first; the first and the second; the first to the third: up to the whole range. What
  /// `ayahRepeat` says counts for the ayah that is new.
  case cumulative
}

/// What a person wants to hear.
///
/// Counts and lengths below zero count as zero.
public struct PlaybackRequest: Hashable, Sendable {
  public var range: AyahRange
  /// Never another, whatever is missing.
  public var riwayah: Riwayah
  public var reciters: ReciterChoice = .anybody
  /// The one recording to take everything from; nil for all there are.
  public var only: MediaKey?
  /// Whether ayat that the chosen reciters lack are taken from any other of the same riwayah.
  public var fillsFromOthers = false
  /// How many ayat before the range lead into it; they are heard once.
  public var connectionBefore = 0
  /// How many ayat after the range lead out of it, once; the first of a continuation, if there is one.
  public var connectionAfter = 0
  /// Of each ayah of the range.
  public var ayahRepeat = RepeatCount.once
  public var rangeRepeat = RepeatCount.once
  public var practice = RangePractice.plain
  /// Silence between any two ayat and between repetitions, in milliseconds, the same at any speed.
  public var gapMilliseconds = 0
  /// Silence besides that, as so many times what was just heard, at the speed at which it was heard.
  public var gapFactor = 0.0
  /// Whether there is silence between two ayat.
  public var hasGaps: Bool { gapMilliseconds > 0 || gapFactor > 0 }
  /// Silence in place of an ayah that is missing.
  public var missingMilliseconds = 500
  /// What is heard of a range that is one ayah; nil for all of it.
  public var excerpt: AyahExcerpt?
  /// Overlap of recordings that do not continue one another, where no gap is between, in milliseconds.
  public var crossfadeMilliseconds = 0
  public var crossfadeCurve = FadeCurve.equalPower
  public var afterRepeat = AfterRepeat.stop
  /// Whether the basmalah is heard where play goes on into a surah that has one.
  public var insertsBasmalah = true

  public init(_ range: AyahRange, riwayah: Riwayah = .hafs) {
    self.range = range
    self.riwayah = riwayah
  }

  /// What the clips of its ayat must be.
  public var query: ResolverQuery {
    ResolverQuery(riwayah: riwayah, reciters: reciters, only: only)
  }
}
