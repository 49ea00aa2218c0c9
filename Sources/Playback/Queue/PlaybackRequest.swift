// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// How often something plays.
public enum RepeatCount: Hashable, Sendable {
  /// Less than once counts as once.
  case times(Int)
  case endless

  public static let once = RepeatCount.times(1)

  /// Whether the repetition with this number plays, counted from 1.
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

/// What follows after the last repetition of a range.
public enum AfterRepeat: Hashable, Sendable {
  case stop
  /// So many ayat after the range.
  case continueAyat(Int)
  /// To the end of the n-th page after the one on which the range ends, in the Madinah mushaf.
  case continuePages(Int)
}

/// How the ayat of a range repeat within one pass, for memorising.
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
  /// The only riwayah to play, even if ayat are missing.
  public var riwayah: Riwayah
  public var reciters: ReciterChoice = .anybody
  /// The only recording to play from; nil for all.
  public var only: MediaKey?
  /// Whether other reciters of the same riwayah fill in ayat that the chosen ones lack.
  public var fillsFromOthers = false
  /// The number of ayat to play once before the range.
  public var connectionBefore = 0
  /// The number of ayat to play once after the range; the first ones of a continuation, if any.
  public var connectionAfter = 0
  /// Of each ayah of the range.
  public var ayahRepeat = RepeatCount.once
  public var rangeRepeat = RepeatCount.once
  /// The first repetition of the range to play, where other requests play those before it; counted from 1.
  public var firstPass = 1
  /// The last one, where other requests play those after it; nil for the last of `rangeRepeat`.
  public var lastPass: Int?
  public var practice = RangePractice.plain
  /// Silence between any two ayat and between repetitions, in milliseconds, the same at any speed.
  public var gapMilliseconds = 0
  /// Additional silence as a multiple of the length of the ayah just played, at its speed.
  public var gapFactor = 0.0
  /// Whether there is silence between two ayat.
  public var hasGaps: Bool { gapMilliseconds > 0 || gapFactor > 0 }
  /// Silence in place of an ayah that is missing.
  public var missingMilliseconds = 500
  /// The part to play of a range of one ayah; nil for all of it.
  public var excerpt: AyahExcerpt?
  /// Crossfade between recordings that do not continue one another, if there is no gap, in
  /// milliseconds.
  public var crossfadeMilliseconds = 0
  public var crossfadeCurve = FadeCurve.equalPower
  public var afterRepeat = AfterRepeat.stop
  /// Whether to play the basmalah before the first ayah of each following surah that has one.
  public var insertsBasmalah = true

  public init(_ range: AyahRange, riwayah: Riwayah = .hafs) {
    self.range = range
    self.riwayah = riwayah
  }

  /// Whether it plays the repetition of the range with this number.
  func plays(pass: Int) -> Bool {
    pass >= firstPass && (lastPass.map { pass <= $0 } ?? rangeRepeat.allows(pass))
  }

  /// Whether it plays the last repetition of the range; false where there is none.
  var reachesLastPass: Bool {
    guard let times = rangeRepeat.times else { return false }
    return (lastPass ?? times) >= times
  }

  /// The resolver query for the ayat of the request.
  public var query: ResolverQuery {
    ResolverQuery(riwayah: riwayah, reciters: reciters, only: only)
  }
}
