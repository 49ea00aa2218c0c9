// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import Quran

/// Tells whether a recording that was said to be of prayers fits what is said of it better as recited at a
/// stretch.
struct StretchHint {
  /// For people; what is to be done about it follows.
  let text: String

  /// Aligns without a prayer what was aligned as one.
  ///
  /// - Returns: nil where there is no reason to doubt the prayer, or it fits no better without.
  init?(
    _ aligner: AyahAligner, _ request: AlignmentRequest, _ alignment: AyahAlignment,
    sound: Cepstra?, comparison: ReferenceComparison?
  ) {
    guard request.prayer != .none,
      alignment.verdict != .plausible || alignment.fatihas < PrayerHint.minFatihas
    else { return nil }
    var straight = request
    straight.prayer = .none
    let aligned = aligner.align(straight, sound: sound, comparison: comparison)
    guard aligned.verdict == .plausible, aligned.last != nil else { return nil }
    text = "it fits \(request.saidAyat) well as recited at a stretch"
  }
}
