// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// What becomes of a doubt while a person confirms what is right.
extension AlignmentSession {
  /// Why the latest alignment may be wrong; nil once what is confirmed has made a plausible one of it.
  public var doubt: String? {
    guard case .doubtful(let reason) = alignment.verdict else { return nil }
    guard alignment.verdict == first.verdict, !anchors.isEmpty,
      let before = first.meanConfidence(of: request.prayer),
      let now = alignment.meanConfidence(of: request.prayer), now >= leastMean
    else { return reason }
    // One that was sure of its boundaries is doubted for something else, such as its pace, until a person
    // has said that most of it is so.
    let isMostlyConfirmed = anchors.spans.count * 2 >= alignment.segments.count
    return before < leastMean || isMostlyConfirmed ? nil : reason
  }

  /// The mean from which on an alignment is believed, as it is before anything is confirmed.
  private var leastMean: Double {
    request.prayer != .none
      ? AyahAligner.leastPrayerMean
      : isGuided ? AyahAligner.leastGuidedMean : AyahAligner.leastMean
  }
}

extension AyahAlignment {
  /// The mean confidence of the boundaries, in a prayer of those between ayat after al-Fatiha; nil where
  /// there are none.
  fileprivate func meanConfidence(of prayer: AlignmentRequest.Prayer) -> Double? {
    let confidences = boundaries.indices.filter { index in
      prayer == .none || isInPortion(index) && isInPortion(index + 1)
    }.map { boundaries[$0].confidence }
    return confidences.isEmpty ? nil : confidences.reduce(0, +) / Double(confidences.count)
  }

  private func isInPortion(_ segment: Int) -> Bool {
    let first = segments[segment].assignment.recited?.first
    return first.map { $0.surah != AyahReference.first.surah } ?? false
  }
}
