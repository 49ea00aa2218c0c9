// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import Quran

/// Tells whether a recording that does not fit what was said of it is one of prayers.
struct PrayerHint {
  /// For people; what is to be done about it follows.
  let text: String

  /// In what is recited at a stretch al-Fatiha is taken to be heard once at most.
  private static let leastFatihas = 2

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
    let end = AyahReference.first.surah.lastAyah
    let count = aligned.segments.count { segment in
      switch segment.assignment {
      case .ayah(let ayah, _): ayah == end
      case .ayat(let range, _): range.contains(end)
      case .crossSurah(let ayah, _, _): ayah == end
      case .leadIn, .unused: false
      }
    }
    guard count >= Self.leastFatihas else { return nil }
    text = "al-Fatiha seems to be heard \(count) times, as in prayers"
  }
}
