// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import Quran

/// Tells whether a recording that does not fit what was said of it is one of prayers.
struct PrayerHint {
  /// For people; what is to be done about it follows.
  let text: String

  /// In what is recited at a stretch al-Fatiha is taken to be heard once at most.
  static let minFatihas = 2

  /// Aligns as a prayer what was aligned without one.
  ///
  /// - Returns: nil where that was believed, or a prayer fits no better.
  init?(
    _ aligner: AyahAligner, _ request: AlignmentRequest, _ alignment: AyahAlignment,
    sound: Cepstra?, comparison: ReferenceComparison?
  ) {
    guard request.prayer == .none, case .doubtful = alignment.verdict else { return nil }
    var prayer = request
    prayer.prayer = .taraweeh
    let aligned = aligner.align(prayer, sound: sound, comparison: comparison)
    guard aligned.verdict == .plausible else { return nil }
    let count = aligned.fatihas
    guard count >= Self.minFatihas else { return nil }
    text = "al-Fatiha seems to be heard \(count) times, as in prayers"
  }
}

extension AyahAlignment {
  /// How many times al-Fatiha is recited to its end.
  var fatihas: Int {
    let end = AyahReference.first.surah.lastAyah
    return segments.count { $0.assignment.ayat?.contains(end) ?? false }
  }
}
