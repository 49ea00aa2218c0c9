// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Glibc
import Quran

/// What may be said before the first ayah.
struct LeadInModel: Hashable {
  private struct Kind: Hashable {
    var leadIn: LeadIn
    var units: Double
    /// How often it is heard before such a first ayah.
    var share: Double
  }

  private let kinds: [Kind]
  private let shareOfNone: Double

  /// Spread of the logarithm of a lead-in's duration: looser than that of an ayah, for it is said faster
  /// by some and slower by others.
  private static let spread = 0.2

  /// No lead-in at all.
  static let none = LeadInModel(kinds: [], shareOfNone: 1)

  private init(kinds: [Kind], shareOfNone: Double) {
    self.kinds = kinds
    self.shareOfNone = shareOfNone
  }

  /// Shares are estimates of how recordings of each kind begin; in a prayer the isti'adhah is said
  /// silently, and so mostly is the basmalah.
  init(before first: AyahReference, isPrayer: Bool = false) {
    let basmalah = RecitedToken.unitsOfBasmalah
    let istiadhah = RecitedToken.unitsOfIstiadhah
    if isPrayer {
      let isOpening = first.ayah == 1 && first.surah.opensWithUncountedBasmalah
      kinds =
        isOpening ? [Kind(leadIn: .basmalah(of: first.surah), units: basmalah, share: 0.2)] : []
      shareOfNone = isOpening ? 0.8 : 1
    } else if first.ayah == 1, first.surah.opensWithUncountedBasmalah {
      kinds = [
        Kind(leadIn: .basmalah(of: first.surah), units: basmalah, share: 0.4),
        Kind(
          leadIn: .istiadhahAndBasmalah(of: first.surah), units: basmalah + istiadhah, share: 0.07),
        Kind(leadIn: .istiadhah, units: istiadhah, share: 0.03),
      ]
      shareOfNone = 0.5
    } else {
      kinds = [Kind(leadIn: .istiadhah, units: istiadhah, share: 0.2)]
      shareOfNone = 0.8
    }
  }

  var isEmpty: Bool { kinds.isEmpty }

  /// Whether a basmalah may be heard that is no ayah.
  var mayHaveBasmalah: Bool { kinds.contains { $0.leadIn.basmalah != nil } }

  /// The units of the likeliest one.
  var units: Double { kinds.max { $0.share < $1.share }?.units ?? 0 }

  /// The likelihood that the first ayah begins after so many seconds, of something or of nothing.
  func likelihood(seconds: Double, isPresent: Bool, pace: Double) -> Double {
    guard isPresent else { return seconds == 0 ? shareOfNone : 0 }
    return kinds.reduce(0) { $0 + likelihood(of: $1, seconds, pace) }
  }

  /// What was most probably said in so many seconds; nil where it takes much less time, or more.
  func likeliest(seconds: Double, pace: Double) -> LeadIn? {
    let best = kinds.max { likelihood(of: $0, seconds, pace) < likelihood(of: $1, seconds, pace) }
    return best.flatMap { kind in
      abs(log(max(seconds, 0.1) / (kind.units * pace))) < Self.most ? kind.leadIn : nil
    }
  }

  /// The logarithm of how many times longer or shorter than it should be a lead-in may be.
  private static let most = 0.8

  private func likelihood(of kind: Kind, _ seconds: Double, _ pace: Double) -> Double {
    guard seconds > 0.3 else { return 0 }
    return kind.share
      * DurationModel(spread: Self.spread).density(seconds, expected: kind.units * pace)
  }
}

/// What is known of how recordings end.
enum EndModel {
  /// How much likelier a recording is to end with a surah than after any one other ayah.
  private static let surahEnd = 20.0
  /// How often something else is heard after the last ayah, and how long it lasts on average, in seconds.
  private static let shareOfMore = 0.05
  private static let meanOfMore = 3.0

  /// How likely it is that the last thing recited is this, up to a factor.
  static func prior(of token: RecitedToken) -> Double {
    switch token.content {
    case .basmalah: 0
    case .ayah(let ayah): ayah == ayah.surah.lastAyah ? 1 : 1 / surahEnd
    }
  }

  /// The likelihood that the ayah recited where a timeline is cut off has lasted so long.
  static func likelihoodOfCut(seconds: Double, average: Double) -> Double {
    let share = seconds / (1.5 * average)
    return exp(-share * share)
  }

  /// The likelihood that reciting ends so many seconds before the recording does.
  static func likelihood(seconds: Double, isEnd: Bool) -> Double {
    isEnd ? 1 : shareOfMore * exp(-seconds / meanOfMore)
  }
}
